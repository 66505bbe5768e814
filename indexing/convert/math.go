package convert

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/webrag/webrag-tui/store"
)

// isMathBox reports a block that holds a displayed formula, and not a chapter on
// mathematics.
func isMathBox(n *html.Node) bool {
	return n.DataAtom == atom.Div && isMath(n) && !holdsHeading(n)
}

// mathBlock writes a displayed formula as a paragraph of its own: its TeX, or
// without any its text.
func (c *converter) mathBlock(n *html.Node) {
	tex, _ := texOf(n)
	if tex == "" {
		c.within(n, kindBox, store.HasMath)
		return
	}
	c.begin(kindP, n, n, store.HasMath)
	c.inl.formula(tex, true)
	for ch := n.FirstChild; ch != nil; ch = ch.NextSibling {
		if ch.Type == html.ElementNode && hasClass(ch, "eqno") {
			c.inl.space = true
			c.inline(ch)
		}
	}
	c.paragraph("")
	c.end()
}

// math adds the formula of n and reports whether there was one.
func (c *converter) math(n *html.Node) bool {
	tex, display := texOf(n)
	if tex == "" {
		return false
	}
	c.inl.formula(tex, display)
	return true
}

// formula adds an element that says to be a formula: its TeX, or without any its
// text as it stands, which is no TeX and gets no dollar signs.
func (c *converter) formula(n *html.Node) {
	if c.math(n) {
		return
	}
	at, index := len(c.inl.buf), len(c.inl.marks)
	c.collect(n)
	if end := len(c.inl.buf); end > at {
		c.inl.marks = slices.Insert(c.inl.marks, index, inlineMark{pos: at, end: end, flags: store.HasMath})
	}
}

// script adds the formula that MathJax 2 keeps in a script element.
func (c *converter) script(n *html.Node) {
	if tex := cleanTeX(nodeText(n)); tex != "" {
		c.inl.formula(tex, strings.Contains(attr(n, "type"), "mode=display"))
	}
}

// texOf finds the TeX of a formula: the annotation of its MathML, its
// alternative text, what stands between TeX delimiters, or, for MathML without
// any of these, its symbols in the notation of TeX.
func texOf(n *html.Node) (tex string, display bool) {
	if m := mathElement(n); m != nil {
		display = attr(m, "display") == "block" || hasClass(n, "katex-display") || attr(n, "display") == "true"
		for d := range m.Descendants() {
			if d.Type == html.ElementNode && d.Data == "annotation" && strings.Contains(attr(d, "encoding"), "tex") {
				if tex := cleanTeX(nodeText(d)); tex != "" {
					return tex, display
				}
			}
		}
		if tex := cleanTeX(attr(m, "alttext")); tex != "" {
			return tex, display
		}
		var b strings.Builder
		linearTeX(&b, m)
		return strings.TrimSpace(b.String()), display
	}
	if n.Namespace != "" {
		return "", false
	}
	s := strings.TrimSpace(delimited(n))
	looks := 0
	switch {
	case strings.HasPrefix(s, `\(`) && strings.HasSuffix(s, `\)`) && len(s) >= 4:
		return cleanTeX(s[2 : len(s)-2]), false
	case strings.HasPrefix(s, `\[`) && strings.HasSuffix(s, `\]`) && len(s) >= 4:
		return cleanTeX(s[2 : len(s)-2]), true
	case strings.HasPrefix(s, "$$") && strings.HasSuffix(s, "$$") && len(s) >= 4:
		return cleanTeX(s[2 : len(s)-2]), true
	case strings.HasPrefix(s, "$") && strings.HasSuffix(s, "$") && len(s) >= 2:
		return cleanTeX(s[1 : len(s)-1]), false
	}
	for d := range n.Descendants() {
		if looks++; looks > maxLook {
			break
		}
		if d.DataAtom == atom.Img {
			return cleanTeX(attr(d, "alt")), hasClass(d, "mwe-math-fallback-image-display")
		}
	}
	return "", false
}

// delimited is the text of n without equation numbers, or empty if it is too long
// for a formula.
func delimited(n *html.Node) string {
	if ch := n.FirstChild; ch != nil && ch == n.LastChild && ch.Type == html.TextNode {
		return ch.Data
	}
	var b strings.Builder
	for ch := n.FirstChild; ch != nil; ch = ch.NextSibling {
		switch {
		case ch.Type == html.TextNode:
			b.WriteString(ch.Data)
		case ch.Type == html.ElementNode && !hasClass(ch, "eqno"):
			b.WriteString(shortNodeText(ch, maxFormula))
		}
		if b.Len() > maxFormula {
			return ""
		}
	}
	return b.String()
}

// mathElement returns n or the first MathML root in it.
func mathElement(n *html.Node) *html.Node {
	if n.Type == html.ElementNode && n.Namespace == "math" {
		return n
	}
	looks := 0
	for d := range n.Descendants() {
		if looks++; looks > maxLook {
			break
		}
		if d.Type == html.ElementNode && d.Namespace == "math" {
			return d
		}
	}
	return nil
}

// cleanTeX puts TeX on one line, without comments and without the wrapper that
// MediaWiki adds.
func cleanTeX(s string) string {
	if strings.Contains(s, "%") {
		s = dropTeXComments(s)
	}
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return r < 0x80 && isSpace(byte(r))
	}), " ")
	for _, style := range []string{`{\displaystyle `, `{\textstyle `} {
		if strings.HasPrefix(s, style) && strings.HasSuffix(s, "}") {
			s = strings.TrimSpace(s[len(style) : len(s)-1])
		}
	}
	return s
}

// dropTeXComments cuts each line at its first percent sign that is not escaped.
func dropTeXComments(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		for j := 0; j < len(l); j++ {
			if l[j] == '\\' {
				j++
				continue
			}
			if l[j] == '%' {
				lines[i] = l[:j]
				break
			}
		}
	}
	return strings.Join(lines, "\n")
}

// linearTeX writes MathML that came without TeX in the notation of TeX, enough to
// be read and searched; the HTML surface keeps the MathML.
func linearTeX(b *strings.Builder, n *html.Node) {
	if n.Type == html.TextNode {
		b.WriteString(strings.Join(strings.Fields(n.Data), " "))
		return
	}
	if n.Type != html.ElementNode {
		return
	}
	var parts []*html.Node
	for ch := n.FirstChild; ch != nil; ch = ch.NextSibling {
		if ch.Type == html.ElementNode {
			parts = append(parts, ch)
		}
	}
	group := func(i int) {
		b.WriteByte('{')
		linearTeX(b, parts[i])
		b.WriteByte('}')
	}
	switch {
	case n.Data == "annotation" || n.Data == "annotation-xml" || n.Data == "mphantom":
	case n.Data == "mfrac" && len(parts) == 2:
		b.WriteString(`\frac`)
		group(0)
		group(1)
	case n.Data == "msqrt":
		b.WriteString(`\sqrt{`)
		linearTeXAll(b, n)
		b.WriteByte('}')
	case (n.Data == "msup" || n.Data == "mover") && len(parts) == 2:
		linearTeX(b, parts[0])
		b.WriteByte('^')
		group(1)
	case (n.Data == "msub" || n.Data == "munder") && len(parts) == 2:
		linearTeX(b, parts[0])
		b.WriteByte('_')
		group(1)
	case (n.Data == "msubsup" || n.Data == "munderover") && len(parts) == 3:
		linearTeX(b, parts[0])
		b.WriteByte('_')
		group(1)
		b.WriteByte('^')
		group(2)
	case n.Data == "mspace":
		b.WriteByte(' ')
	case n.Data == "mtr":
		linearTeXAll(b, n)
		b.WriteString(` \\ `)
	case n.Data == "mtd":
		linearTeXAll(b, n)
		if n.NextSibling != nil {
			b.WriteString(" & ")
		}
	default:
		linearTeXAll(b, n)
	}
}

func linearTeXAll(b *strings.Builder, n *html.Node) {
	for ch := n.FirstChild; ch != nil; ch = ch.NextSibling {
		linearTeX(b, ch)
	}
}
