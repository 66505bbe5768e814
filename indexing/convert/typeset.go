package convert

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/text/unicode/norm"
)

// isTypeset reports an element in which MathJax or KaTeX drew a formula, or
// announced one that it was going to draw.
func isTypeset(n *html.Node) bool {
	if n.Type != html.ElementNode || n.Namespace != "" {
		return false
	}
	found := n.Data == "mjx-container"
	eachToken(attr(n, "class"), func(token string) bool {
		found = found || isTypesetClass(token)
		return !found
	})
	return found
}

func isTypesetClass(token string) bool {
	return token == "katex-html" || token == "MathJax" || strings.HasPrefix(token, "MathJax_")
}

// IsMathClass reports whether a class says that what bears it is a formula, or a
// drawing of one by MathJax or KaTeX. Whole words only: "mathematics" is a subject.
func IsMathClass(token string) bool {
	switch token {
	case "math", "mwe-math-element", "katex", "katex-display":
		return true
	}
	return isTypesetClass(token)
}

// isMath reports an element that says of itself to be a formula.
func isMath(n *html.Node) bool {
	found := n.Data == "mjx-container"
	eachToken(attr(n, "class"), func(token string) bool {
		found = found || IsMathClass(token)
		return !found
	})
	return found
}

// isDrawnTwice reports a drawing of a formula whose source stands beside it: the
// script that MathJax 2 leaves behind it, the MathML that KaTeX puts before it, or
// for a preview the drawing itself.
func isDrawnTwice(n *html.Node) bool {
	if hasClass(n, "katex-html") && n.PrevSibling != nil && mathElement(n.PrevSibling) != nil {
		return true
	}
	for next := n.NextSibling; next != nil; next = next.NextSibling {
		switch {
		case next.Type == html.TextNode && isBlank(next.Data):
		case next.DataAtom == atom.Script:
			return strings.HasPrefix(attr(next, "type"), "math/tex")
		case !isTypeset(next):
			return false
		case hasClass(n, "MathJax_Preview"):
			return true
		}
	}
	return false
}

// undraw leaves of a drawn formula what can be read: its MathML if there is some,
// else its letters.
func undraw(n *html.Node) {
	source := mathElement(n)
	if source == nil {
		if text := glyphs(n); text != "" {
			source = &html.Node{Type: html.TextNode, Data: text}
		}
	}
	if source == nil {
		return
	}
	if source.Parent != nil {
		source.Parent.RemoveChild(source)
	}
	for n.FirstChild != nil {
		n.RemoveChild(n.FirstChild)
	}
	n.AppendChild(source)
}

// glyphs reads a formula that MathJax 3 drew with characters of its own fonts,
// which stand in class names and attributes: mjx-c1D465 is an italic x, and
// becomes an x. It is empty for other drawings.
func glyphs(n *html.Node) string {
	var b strings.Builder
	looks := 0
	for d := range n.Descendants() {
		if looks++; looks > maxLook {
			break
		}
		if d.Type != html.ElementNode {
			continue
		}
		code := attr(d, "data-c")
		if d.Data == "mjx-c" {
			eachToken(attr(d, "class"), func(token string) bool {
				if hex, ok := strings.CutPrefix(token, "mjx-c"); ok {
					code = hex
				}
				return code == ""
			})
		}
		if r, err := strconv.ParseUint(code, 16, 21); err == nil && r >= ' ' {
			b.WriteRune(rune(r))
		}
	}
	return norm.NFKC.String(b.String())
}
