package convert

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// inline adds a node to the paragraph being collected. Blocks that stand where a
// single line is wanted, in a cell or a heading, are joined by spaces.
func (c *converter) inline(n *html.Node) {
	if n.Type == html.TextNode {
		c.inl.text(n.Data)
		return
	}
	if n.Type != html.ElementNode || !c.step() {
		return
	}
	if id := attr(n, "id"); id != "" {
		c.ids = append(c.ids, id)
	}
	if n.Namespace != "" {
		c.math(n)
		return
	}
	switch n.DataAtom {
	case atom.Br:
		c.inl.lineBreak()
	case atom.Wbr:
	case atom.Img:
		c.image(n)
	case atom.A:
		c.link(n)
	case atom.Em, atom.I, atom.Cite, atom.Dfn, atom.Var:
		c.emphasis(n, markEm)
	case atom.Strong, atom.B:
		c.emphasis(n, markStrong)
	case atom.Del, atom.S, atom.Strike:
		c.emphasis(n, markStrike)
	case atom.Code, atom.Tt, atom.Kbd, atom.Samp:
		c.codeSpan(n)
	case atom.Pre, atom.Listing, atom.Xmp:
		c.codeSpan(n)
	case atom.Sup:
		c.sup(n)
	case atom.Q:
		c.inl.text("“")
		c.collect(n)
		c.inl.text("”")
	case atom.Script:
		c.script(n)
	default:
		c.other(n)
	}
}

// other adds an element without signs of its own.
func (c *converter) other(n *html.Node) {
	if isBlock(n) {
		c.inl.space = true
		c.collect(n)
		c.inl.space = true
		return
	}
	if isMath(n) {
		c.formula(n)
		return
	}
	if hasClass(n, "classifier") && len(c.inl.buf) > 0 {
		// A style sheet puts the colon between a parameter and its type.
		c.inl.text(" : ")
	}
	c.collect(n)
}

func (c *converter) emphasis(n *html.Node, m markup) {
	c.inl.open(m, -1)
	c.collect(n)
	c.inl.close()
}

// codeSpan adds the text of n as program text.
func (c *converter) codeSpan(n *html.Node) {
	if !hasText(n) {
		c.collect(n) // an image perhaps
		return
	}
	var b strings.Builder
	c.codeText(&b, n)
	s := b.String()
	if s == "" {
		return
	}
	if s[0] == ' ' {
		c.inl.space = true
		s = s[1:]
	}
	trailing := strings.HasSuffix(s, " ")
	s = strings.TrimSuffix(s, " ")
	c.inl.code(s)
	c.inl.space = trailing
}

// hasText reports whether n holds words. An element with very many nodes is taken
// to.
func hasText(n *html.Node) bool {
	looks := 0
	for d := range n.Descendants() {
		if looks++; looks > maxLook || d.Type == html.TextNode && !isBlank(d.Data) {
			return true
		}
	}
	return false
}

// codeText writes the text of n with its white space collapsed, and notes the
// links that are lost in it.
func (c *converter) codeText(b *strings.Builder, n *html.Node) {
	for ch := n.FirstChild; ch != nil; ch = ch.NextSibling {
		switch {
		case ch.Type == html.TextNode:
			collapse(b, ch.Data)
		case ch.Type != html.ElementNode || !c.step():
		case isPermalink(ch):
			c.notePermalink(ch)
		case ch.DataAtom == atom.Br:
			collapse(b, " ")
		default:
			if id := attr(ch, "id"); id != "" {
				c.ids = append(c.ids, id)
			}
			if ch.DataAtom == atom.A {
				if href := attr(ch, "href"); href != "" {
					c.noteLink(href, strings.Join(strings.Fields(nodeText(ch)), " "), len(c.inl.buf))
				}
			}
			c.codeText(b, ch)
		}
	}
}

// collapse appends s with each run of white space as one space.
func collapse(b *strings.Builder, s string) {
	for i := 0; i < len(s); {
		if isSpace(s[i]) {
			if t := b.String(); len(t) == 0 || t[len(t)-1] != ' ' {
				b.WriteByte(' ')
			}
			i++
			continue
		}
		from := i
		for i < len(s) && !isSpace(s[i]) {
			i++
		}
		b.WriteString(s[from:i])
	}
}

// nodeText is the text of n as it stands.
func nodeText(n *html.Node) string {
	if ch := n.FirstChild; ch != nil && ch == n.LastChild && ch.Type == html.TextNode {
		return ch.Data
	}
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

// shortNodeText is the text of n, or empty if it is longer than a number of
// bytes.
func shortNodeText(n *html.Node, longest int) string {
	var b strings.Builder
	looks := 0
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
		if looks++; looks > maxLook || b.Len() > longest {
			return ""
		}
	}
	return b.String()
}

// notePermalink keeps the fragment of a permalink, which is left out.
func (c *converter) notePermalink(n *html.Node) {
	if _, fragment, ok := strings.Cut(attr(n, "href"), "#"); ok && fragment != "" {
		c.permalink = unescapeFragment(fragment)
	}
}

// link adds a hyperlink.
func (c *converter) link(n *html.Node) {
	if isPermalink(n) {
		c.notePermalink(n)
		return
	}
	if name := attr(n, "name"); name != "" {
		c.ids = append(c.ids, name)
	}
	href := attr(n, "href")
	if href == "" {
		c.collect(n)
		return
	}
	switch role := attr(n, "role"); {
	case role == "doc-noteref" || hasClass(n, "footnote-reference"):
		c.footnote(n)
		return
	case role == "doc-backlink" || hasClass(n, "fn-backref"):
		c.collect(n)
		return
	}
	address := c.resolver.address(href)
	plain := c.inl.plainLinks > 0 || address == ""
	if plain {
		at := len(c.inl.buf)
		marks := len(c.inl.marks)
		c.collect(n)
		if at < len(c.inl.buf) && address != "" {
			c.noteLinkAt(href, c.inl.linkText(at), at, marks)
		}
		return
	}
	c.inl.open(markLink, len(c.inl.targets))
	c.inl.targets = append(c.inl.targets, address)
	c.inl.extra += len(address)
	marks := len(c.inl.marks)
	c.collect(n)
	if at := c.inl.close(); at >= 0 {
		c.noteLinkAt(href, c.inl.linkText(at), at, marks)
	}
}

// linkText is what was collected since an offset, as plain text.
func (t *inline) linkText(at int) string {
	return strings.TrimSpace(strings.ReplaceAll(string(t.buf[at:]), "`", ""))
}

// noteLink notes a link whose text begins at an offset of the paragraph.
func (c *converter) noteLink(href, text string, at int) {
	c.noteLinkAt(href, text, at, len(c.inl.marks))
}

// noteLinkAt is noteLink for a link that holds the marks from index on: it
// begins before them.
func (c *converter) noteLinkAt(href, text string, at, index int) {
	target, anchor := c.resolver.resolve(href)
	if n := len(c.inl.targets); n > 0 && target == c.inl.targets[n-1] {
		target = c.inl.targets[n-1] // one copy of what may be most of what a page takes
	}
	if target == "" && anchor == "" {
		return
	}
	c.inl.marks = append(c.inl.marks, inlineMark{})
	copy(c.inl.marks[index+1:], c.inl.marks[index:])
	c.inl.marks[index] = inlineMark{
		pos: at, end: at, isLink: true, link: Link{TargetURL: target, Anchor: anchor, Text: text},
	}
}

// footnote adds the mark of a footnote as text: a link to it is of no use
// outside of the page.
func (c *converter) footnote(n *html.Node) {
	text := strings.Join(strings.Fields(nodeText(n)), " ")
	if text == "" {
		return
	}
	if text[0] != '[' {
		text = "[" + text + "]"
	}
	c.inl.text(text)
}

// sup adds a superscript. An exponent keeps its sense: 10^3 is not 103.
func (c *converter) sup(n *html.Node) {
	if hasClass(n, "reference", "footnote-ref") {
		c.footnote(n)
		return
	}
	if a := firstElement(n); a != nil && a.DataAtom == atom.A && strings.HasPrefix(attr(a, "href"), "#") {
		c.footnote(n)
		return
	}
	text := strings.TrimSpace(shortNodeText(n, len("-00000000")))
	if k := len(c.inl.buf); k > 0 && !c.inl.space && !c.inl.brk && isNumber(text) {
		c.inl.text("^")
	}
	c.collect(n)
}

// isNumber reports a number with an optional sign.
func isNumber(s string) bool {
	s = strings.TrimPrefix(s, "−")
	s = strings.TrimLeft(s, "+-")
	if s == "" {
		return false
	}
	for i := range len(s) {
		if (s[i] < '0' || s[i] > '9') && s[i] != '.' && s[i] != '/' {
			return false
		}
	}
	return true
}

// image adds a picture. One whose data is in the page is only its description.
func (c *converter) image(n *html.Node) {
	alt := attr(n, "alt")
	if hasClass(n, "math", "tex", "mwe-math-fallback-image-inline", "mwe-math-fallback-image-display") {
		if tex := cleanTeX(alt); tex != "" {
			c.inl.formula(tex, hasClass(n, "mwe-math-fallback-image-display"))
			return
		}
	}
	src := attr(n, "src")
	if src == "" || strings.HasPrefix(src, "data:") {
		src = attr(n, "data-src")
	}
	address := ""
	if src != "" {
		address = c.resolver.address(src)
	}
	if address == "" || strings.HasPrefix(address, "mailto:") {
		c.inl.text(alt)
		return
	}
	c.inl.image(alt, address)
}
