package convert

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// node renders a node by the allow-list: elements that are not on it leave only
// their contents, attributes that are not on it leave nothing. What could run,
// load or style is not on it, and no element is whose text is not plain text.
func (r *renderer) node(n *html.Node) {
	if r.full {
		return
	}
	switch n.Type {
	case html.TextNode:
		r.words(n.Data)
		return
	case html.ElementNode:
	default:
		return
	}
	if n.Namespace != "" {
		r.foreign(n)
		return
	}
	if isPermalink(n) {
		return
	}
	switch n.DataAtom {
	case atom.Script:
		r.mathScript(n)
		return
	case atom.Style, atom.Noscript, atom.Template, atom.Iframe, atom.Title, atom.Textarea,
		atom.Noembed, atom.Noframes, atom.Plaintext, atom.Xmp, atom.Listing:
		if n.DataAtom == atom.Xmp || n.DataAtom == atom.Listing || n.DataAtom == atom.Plaintext {
			r.pre(n)
		}
		return
	case atom.Pre:
		r.pre(n)
		return
	case atom.Br, atom.Hr:
		r.write("<", n.DataAtom.String(), ">")
		return
	case atom.Img:
		r.img(n)
		return
	case atom.A:
		r.a(n)
		return
	}
	name := allowed(n)
	block := isBlock(n)
	if n.DataAtom == atom.P && isLoneParagraph(n) {
		name, block = "", false
	}
	if n.DataAtom == atom.Span && hasClass(n, "classifier") {
		r.write(" : ")
	}
	if block {
		r.newline()
	}
	if name != "" {
		r.write("<", name)
		r.attributes(n, name)
		r.write(">")
		if block {
			r.fresh = len(r.b)
		}
	}
	for ch := n.FirstChild; ch != nil && !r.full; ch = ch.NextSibling {
		r.node(ch)
	}
	if block {
		r.trim()
	}
	if name != "" {
		r.write("</", name, ">")
	}
	if block && n.DataAtom != atom.Td && n.DataAtom != atom.Th {
		r.newline()
	}
}

// isLoneParagraph reports a paragraph that is all that its cell, item or
// definition holds, so that its tags would say nothing.
func isLoneParagraph(n *html.Node) bool {
	switch n.Parent.DataAtom {
	case atom.Td, atom.Th, atom.Li, atom.Dd, atom.Dt:
	default:
		return false
	}
	if keptClasses(n) != "" {
		return false
	}
	for ch := n.Parent.FirstChild; ch != nil; ch = ch.NextSibling {
		if ch != n && (ch.Type != html.TextNode || !isBlank(ch.Data)) {
			return false
		}
	}
	return true
}

// allowed is the name under which an element is rendered, or empty for one of
// which only the contents are.
func allowed(n *html.Node) string {
	switch n.DataAtom {
	case atom.P, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Ul, atom.Ol, atom.Li,
		atom.Dl, atom.Dt, atom.Dd, atom.Table, atom.Caption, atom.Thead, atom.Tbody, atom.Tfoot,
		atom.Tr, atom.Td, atom.Th, atom.Blockquote, atom.Code, atom.Kbd, atom.Samp, atom.Var,
		atom.Em, atom.Strong, atom.B, atom.I, atom.S, atom.Del, atom.Ins, atom.Sub, atom.Sup,
		atom.Q, atom.Cite, atom.Dfn, atom.Mark, atom.Figure, atom.Figcaption,
		atom.Ruby, atom.Rt, atom.Rp:
		return n.DataAtom.String()
	case atom.Tt:
		return "code"
	case atom.Strike:
		return "s"
	case atom.Dir, atom.Menu:
		return "ul"
	case atom.Summary:
		return "p"
	case atom.Div, atom.Aside, atom.Section, atom.Details, atom.Span:
		return allowedBox(n)
	}
	return ""
}

// allowedBox keeps the boxes whose class says something, and makes paragraphs of
// those that hold only text.
func allowedBox(n *html.Node) string {
	if keptClasses(n) != "" {
		if n.Data == "span" {
			return "span"
		}
		return "div"
	}
	if n.DataAtom == atom.Div && !holdsBlock(n) && hasText(n) {
		return "p"
	}
	return ""
}

// attributes writes the attributes that an element may keep.
func (r *renderer) attributes(n *html.Node, name string) {
	for i := range min(len(n.Attr), maxAttributes) {
		a := &n.Attr[i]
		if a.Namespace != "" {
			continue
		}
		switch a.Key {
		case "colspan", "rowspan":
			if name == "td" || name == "th" {
				if isDigits(a.Val) && len(a.Val) <= 4 && spanOf(n, a.Key) > 1 {
					r.attribute(a.Key, a.Val)
				}
			}
		case "start":
			if name == "ol" && isDigits(a.Val) && len(a.Val) <= 9 {
				r.attribute(a.Key, a.Val)
			}
		case "scope":
			switch a.Val {
			case "row", "col", "rowgroup", "colgroup":
				if name == "th" {
					r.attribute(a.Key, a.Val)
				}
			}
		case "class":
			if kept := keptClasses(n); kept != "" {
				r.attribute("class", kept)
			}
		}
	}
}

func (r *renderer) attribute(key, value string) {
	r.write(" ", key, `="`)
	r.text(value)
	r.write(`"`)
}

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// keptClasses are the classes that say what an element is: an admonition, its
// title, or a formula.
func keptClasses(n *html.Node) string {
	kept := ""
	eachToken(attr(n, "class"), func(token string) bool {
		switch {
		case IsAdmonitionClass(token), token == "admonition-title", token == "math":
		case isTypesetClass(token) && mathElement(n) == nil && !strings.Contains(kept, "math"):
			token = "math" // its letters are all that is left of it
		default:
			return true
		}
		if kept != "" {
			kept += " "
		}
		kept += onlyName(token)
		return true
	})
	return kept
}

// onlyName guards against class names with markup in them.
func onlyName(s string) string {
	return strings.Map(func(c rune) rune {
		if c < 0x80 && isPunct(byte(c)) && c != '-' && c != '_' {
			return -1
		}
		return c
	}, s)
}

// a renders a link, or only its contents when it leads nowhere.
func (r *renderer) a(n *html.Node) {
	address := ""
	if href := attr(n, "href"); href != "" && shows(n) {
		address = r.page.resolver.address(href)
	}
	if address != "" {
		r.write(`<a href="`)
		r.text(address)
		r.write(`">`)
	}
	for ch := n.FirstChild; ch != nil && !r.full; ch = ch.NextSibling {
		r.node(ch)
	}
	if address != "" {
		r.write("</a>")
	}
}

// shows reports whether n holds words or a picture.
func shows(n *html.Node) bool {
	looks := 0
	for d := range n.Descendants() {
		if looks++; looks > maxLook || d.Type == html.TextNode && !isBlank(d.Data) || d.DataAtom == atom.Img || d.Namespace != "" {
			return true
		}
	}
	return false
}

func (r *renderer) img(n *html.Node) {
	src := attr(n, "src")
	if src == "" || strings.HasPrefix(src, "data:") {
		src = attr(n, "data-src")
	}
	address := ""
	if src != "" {
		address = r.page.resolver.address(src)
	}
	if address == "" || strings.HasPrefix(address, "mailto:") {
		r.text(attr(n, "alt"))
		return
	}
	r.write(`<img src="`)
	r.text(address)
	r.write(`" alt="`)
	r.text(attr(n, "alt"))
	r.write(`">`)
}

// pre renders a code block as its text, in the form that names its language.
func (r *renderer) pre(n *html.Node) {
	var b strings.Builder
	preText(&b, n)
	r.newline()
	r.openCode(n)
	r.text(strings.Trim(b.String(), "\n"))
	r.write("\n</code></pre>\n")
}

// mathScript renders the formula in a script element as text.
func (r *renderer) mathScript(n *html.Node) {
	if !strings.HasPrefix(attr(n, "type"), "math/tex") {
		return
	}
	r.write(`<span class="math">\(`)
	r.text(cleanTeX(nodeText(n)))
	r.write(`\)</span>`)
}

// foreign renders MathML; anything else from other vocabularies is left out.
func (r *renderer) foreign(n *html.Node) {
	if n.Namespace != "math" {
		return
	}
	switch n.Data {
	case "math", "mrow", "mi", "mn", "mo", "ms", "mtext", "mspace", "mfrac", "msqrt", "mroot",
		"mstyle", "merror", "mpadded", "mphantom", "mfenced", "menclose", "msub", "msup", "msubsup",
		"munder", "mover", "munderover", "mmultiscripts", "mprescripts", "none", "mtable", "mtr",
		"mlabeledtr", "mtd", "semantics", "annotation":
	default:
		return
	}
	r.write("<", n.Data)
	for i := range n.Attr {
		a := &n.Attr[i]
		if a.Namespace != "" {
			continue
		}
		switch a.Key {
		case "display", "alttext", "encoding", "mathvariant", "open", "close", "separators", "stretchy",
			"fence", "accent", "accentunder", "columnalign", "linethickness", "notation":
			r.attribute(a.Key, a.Val)
		}
	}
	r.write(">")
	for ch := n.FirstChild; ch != nil && !r.full; ch = ch.NextSibling {
		if ch.Type == html.TextNode || ch.Type == html.ElementNode && ch.Namespace == "math" {
			r.node(ch)
		} else if ch.Type == html.ElementNode && ch.DataAtom != atom.Script && ch.DataAtom != atom.Style {
			r.text(nodeText(ch)) // HTML in a formula: its words only
		}
	}
	r.write("</", n.Data, ">")
}
