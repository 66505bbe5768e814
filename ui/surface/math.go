package surface

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// maxMathNodes is the size up to which a formula is written on a line. Larger
// ones are more legible in TeX, where there is any.
const maxMathNodes = 40

// replaceMath makes a code span of each formula, because a code span needs no
// escapes and is drawn as it stands. Display formulas get their own paragraph.
func replaceMath(doc *html.Node) {
	for _, n := range elements(doc, "math") {
		text := formula(n)
		if text == "" {
			remove(n)
			continue
		}
		code := element("code", textNode(text))
		if attr(n, "display") == "block" && !within(n, "td", "th", "p", "h1", "h2", "h3", "h4", "h5", "h6") {
			code = element("p", code)
		}
		replace(n, code)
	}
	for _, n := range elements(doc, "span", "div", "p") {
		if hasClass(n, "math") {
			replaceTeX(n)
		}
	}
}

// replaceTeX makes a code span of an element that holds one formula in TeX
// delimiters, as static pages carry them for a script to draw.
func replaceTeX(n *html.Node) {
	text := plainText(n)
	for _, d := range [][2]string{{`\(`, `\)`}, {`\[`, `\]`}, {"$$", "$$"}} {
		tex, opened := strings.CutPrefix(text, d[0])
		tex, closed := strings.CutSuffix(tex, d[1])
		if tex = strings.TrimSpace(tex); !opened || !closed || tex == "" || strings.Contains(tex, d[1]) {
			continue
		}
		code := element("code", textNode(tex))
		if n.Data != "span" {
			code = element("p", code)
		}
		replace(n, code)
		return
	}
}

// formula writes a math element on one line, or gives its TeX when it is large.
func formula(n *html.Node) string {
	if countNodes(n) > maxMathNodes {
		if tex := texOf(n); tex != "" {
			return tex
		}
	}
	text := strings.Join(strings.Fields(linear(n)), " ")
	if text == "" {
		return texOf(n)
	}
	return text
}

func countNodes(n *html.Node) int {
	count := 0
	walk(n, func(e *html.Node) bool {
		if isElement(e, "annotation", "annotation-xml") {
			return false
		}
		count++
		return true
	})
	return count
}

// texOf is the formula's TeX source if the page has it.
func texOf(n *html.Node) string {
	for _, a := range elements(n, "annotation") {
		if strings.Contains(strings.ToLower(attr(a, "encoding")), "tex") {
			if tex := plainText(a); tex != "" {
				return tex
			}
		}
	}
	return strings.Join(strings.Fields(attr(n, "alttext")), " ")
}

// linear writes MathML on a line: fractions with a slash, indices with Unicode's
// letters where they exist, matrices in brackets.
func linear(n *html.Node) string {
	if n.Type == html.TextNode {
		return strings.TrimSpace(n.Data)
	}
	args := mathChildren(n)
	arg := func(i int) string {
		if i < len(args) {
			return linear(args[i])
		}
		return ""
	}
	switch n.Data {
	case "annotation", "annotation-xml", "mphantom", "none", "mprescripts":
		return ""
	case "semantics":
		return arg(0)
	case "mo":
		return operator(strings.TrimSpace(rawText(n)))
	case "mtext", "ms":
		return strings.Join(strings.Fields(rawText(n)), " ")
	case "mspace":
		return " "
	case "mfrac":
		return grouped(arg(0)) + "/" + grouped(arg(1))
	case "msqrt":
		return "√" + grouped(sequence(args))
	case "mroot":
		return superscript(arg(1)) + "√" + grouped(arg(0))
	case "msup":
		return arg(0) + superscript(arg(1))
	case "msub", "munder":
		return arg(0) + subscript(arg(1))
	case "msubsup", "munderover":
		return arg(0) + subscript(arg(1)) + superscript(arg(2))
	case "mover":
		return accented(arg(0), arg(1))
	case "mfenced":
		return fenced(n, args)
	case "mtable":
		return matrix(args)
	default:
		return sequence(args)
	}
}

// mathChildren are the children that carry something: elements and text, not
// the white space between them.
func mathChildren(n *html.Node) []*html.Node {
	var list []*html.Node
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode || c.Type == html.TextNode && strings.TrimSpace(c.Data) != "" {
			list = append(list, c)
		}
	}
	return list
}

func sequence(nodes []*html.Node) string {
	var b strings.Builder
	for _, n := range nodes {
		b.WriteString(linear(n))
	}
	return b.String()
}

// relations are the operators that stand between spaces.
const relations = "=≠<>≤≥≪≫≈≃≅∼≡∝∈∉∋⊂⊃⊆⊇→←↔⇒⇐⇔↦∧∨∣⊢"

// operator writes an operator with its spaces. The invisible ones say only how
// a formula is read aloud.
func operator(op string) string {
	switch {
	case strings.ContainsAny(op, "\u2061\u2062\u2063\u2064"):
		return ""
	case op == "," || op == ";":
		return op + " "
	case op != "" && utf8.RuneCountInString(op) == 1 && strings.Contains(relations, op):
		return " " + op + " "
	}
	return op
}

// grouped puts s into parentheses unless it is a single letter or number.
func grouped(s string) string {
	s = strings.TrimSpace(s)
	digits := s != "" && strings.Trim(s, "0123456789.") == ""
	if digits || utf8.RuneCountInString(s) <= 1 {
		return s
	}
	return "(" + s + ")"
}

// accents are signs over a letter, and the combining characters that draw them.
var accents = map[string]string{
	"^": "\u0302", "ˆ": "\u0302", "~": "\u0303", "˜": "\u0303", "¯": "\u0304", "‾": "\u0304", "ˉ": "\u0304",
	"_": "\u0304", "˙": "\u0307", ".": "\u0307", "¨": "\u0308", "→": "\u20d7", "⃗": "\u20d7",
}

func accented(base, over string) string {
	if mark, ok := accents[strings.TrimSpace(over)]; ok && utf8.RuneCountInString(base) == 1 {
		return base + mark
	}
	return base + superscript(over)
}

func fenced(n *html.Node, args []*html.Node) string {
	open, shut := "(", ")"
	if hasAttr(n, "open") {
		open = attr(n, "open")
	}
	if hasAttr(n, "close") {
		shut = attr(n, "close")
	}
	parts := make([]string, len(args))
	for i, a := range args {
		parts[i] = linear(a)
	}
	return open + strings.Join(parts, ", ") + shut
}

// matrix writes a table as [a, b; c, d].
func matrix(rows []*html.Node) string {
	var lines []string
	for _, row := range rows {
		if !isElement(row, "mtr", "mlabeledtr") {
			continue
		}
		var cells []string
		for _, cell := range mathChildren(row) {
			cells = append(cells, strings.TrimSpace(linear(cell)))
		}
		lines = append(lines, strings.Join(cells, ", "))
	}
	lines = slices.DeleteFunc(lines, func(s string) bool { return s == "" })
	return "[" + strings.Join(lines, "; ") + "]"
}
