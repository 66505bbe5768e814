package convert

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const (
	// maxGrowth and maxExtra bound the HTML of a range to 8 times its markdown
	// and 2 KB.
	maxGrowth = 8
	maxExtra  = 2 << 10
	// wholeLeaf is the longest paragraph, in bytes of markdown, that is rendered
	// whole when a range holds only part of it. Of a longer one only the part is.
	wholeLeaf = 2 << 10
)

// The reasons for a range without HTML.
const (
	omittedSize       = "size"
	omittedUnparsable = "unparsable"
)

// HTML renders the sanitised HTML of the byte range [start, end): what lies in
// the range whole is rendered from its nodes, and what begins or ends elsewhere
// (a list, table, quote, code block) in a light wrapper of the same kind. When
// it is empty, omitted says why: "size" or "unparsable".
//
// The HTML consists of elements and attributes from a fixed list. It holds no
// scripts, styles, identifiers or event handlers, and its links are absolute.
func (p *Page) HTML(start, end int) (html, omitted string) {
	start, end = max(start, 0), min(end, len(p.Markdown))
	if start >= end {
		return "", omittedUnparsable
	}
	r := renderer{page: p, limit: maxGrowth*(end-start) + maxExtra}
	r.kids(p.root, start, end)
	if r.full {
		return "", omittedSize
	}
	out := strings.TrimSpace(string(r.b))
	if out == "" {
		return "", omittedUnparsable
	}
	return out, ""
}

// renderer writes HTML up to a limit.
type renderer struct {
	page  *Page
	b     []byte
	limit int
	full  bool
	fresh int // length of b after the opening tag of a block
}

func (r *renderer) write(parts ...string) {
	for _, s := range parts {
		if r.full || len(r.b)+len(s) > r.limit {
			r.full = true
			return
		}
		r.b = append(r.b, s...)
	}
}

// words writes text outside of code: white space is collapsed, and none follows
// the end of a block.
func (r *renderer) words(s string) {
	for s != "" && !r.full {
		i := 0
		for i < len(s) && isSpace(s[i]) {
			i++
		}
		if n := len(r.b); i > 0 && n > r.fresh && !isSpace(r.b[n-1]) {
			r.write(" ")
		}
		s = s[i:]
		j := 0
		for j < len(s) && !isSpace(s[j]) {
			j++
		}
		r.text(s[:j])
		s = s[j:]
	}
}

// text writes text with what HTML would misread replaced.
func (r *renderer) text(s string) {
	from := 0
	for i := range len(s) {
		var esc string
		switch s[i] {
		case '&':
			esc = "&amp;"
		case '<':
			esc = "&lt;"
		case '>':
			esc = "&gt;"
		case '"':
			esc = "&#34;"
		case '\r':
			esc = "\n"
		default:
			continue
		}
		r.write(s[from:i], esc)
		from = i + 1
	}
	r.write(s[from:])
}

// newline separates blocks.
func (r *renderer) newline() {
	r.trim()
	if n := len(r.b); n > 0 && r.b[n-1] != '\n' {
		r.write("\n")
	}
}

// trim takes off the space before the end of a block.
func (r *renderer) trim() {
	if n := len(r.b); n > 0 && r.b[n-1] == ' ' {
		r.b = r.b[:n-1]
	}
}

// kids renders the children of s that overlap the range.
func (r *renderer) kids(s span, start, end int) {
	for _, k := range r.page.kidsIn(s, start, end) {
		if r.full {
			return
		}
		r.span(k, start, end)
	}
}

func (r *renderer) span(s span, start, end int) {
	switch {
	case start <= s.start && s.end <= end:
		r.whole(s)
	case s.kind == kindPre:
		r.codePart(s, start, end)
	case s.kids == s.kidsEnd:
		r.leafPart(s, start, end)
	default:
		r.part(s, start, end)
	}
}

// whole renders the nodes of a span.
func (r *renderer) whole(s span) {
	if s.kind != kindRun {
		r.node(s.a)
		return
	}
	r.newline()
	r.write("<p>")
	r.fresh = len(r.b)
	for n := s.a; ; n = n.NextSibling {
		r.node(n)
		if n == s.z {
			break
		}
	}
	r.trim()
	r.write("</p>\n")
}

// part renders those children of a span that are in the range, in a wrapper.
func (r *renderer) part(s span, start, end int) {
	open, shut := wrapper(s)
	if s.kind == kindOL {
		if first := r.page.kidsIn(s, start, end); len(first) > 0 && first[0].kind == kindItem {
			open = `<ol start="` + strconv.Itoa(first[0].number) + `">`
		}
	}
	if open != "" {
		r.newline()
		r.write(open)
	}
	if s.kind == kindTable {
		r.tableHead(s, start)
	}
	r.kids(s, start, end)
	r.write(shut)
}

// wrapper is the element that holds a part of a span, without attributes but
// for the class of an admonition.
func wrapper(s span) (open, shut string) {
	switch s.kind {
	case kindUL:
		return "<ul>", "</ul>\n"
	case kindOL:
		return "<ol>", "</ol>\n"
	case kindItem:
		return "<li>", "</li>\n"
	case kindDL:
		return "<dl>", "</dl>\n"
	case kindDef:
		return "<dd>", "</dd>\n"
	case kindQuote:
		return "<blockquote>", "</blockquote>\n"
	case kindTable:
		return "<table>", "</table>\n"
	case kindRow:
		return "<tr>", "</tr>\n"
	case kindCell:
		if s.a.DataAtom == atom.Th {
			return "<th>", "</th>"
		}
		return "<td>", "</td>"
	case kindAdmonition:
		return `<div class="` + keptClasses(s.a) + `">`, "</div>\n"
	case kindTerm:
		return "<dt>", "</dt>\n"
	case kindCaption:
		return "<caption>", "</caption>\n"
	}
	return "", ""
}

// tableHead repeats the caption and the header row of a table for a part that
// begins after them.
func (r *renderer) tableHead(s span, start int) {
	for _, k := range r.page.spans[s.kids:s.kidsEnd] {
		if k.start >= start {
			return
		}
		switch {
		case k.kind == kindCaption && k.end <= start:
			r.node(k.a)
		case k.kind == kindRow:
			if s.headed && k.end <= start {
				r.write("<thead>")
				r.node(k.a)
				r.write("</thead>\n")
			}
			return
		}
	}
}

// codePart renders the lines of a code block that are in the range.
func (r *renderer) codePart(s span, start, end int) {
	md := r.page.Markdown
	// The text lies between the line of the opening fence and the closing one.
	first := s.start + strings.IndexByte(md[s.start:s.end], '\n') + 1
	last := s.start + strings.LastIndexByte(md[s.start:s.end], '\n')
	from, to := max(first, start), min(last, end)
	if from >= to {
		return
	}
	r.newline()
	r.openCode(s.a)
	for from < to {
		line := md[from:to]
		if i := strings.IndexByte(line, '\n'); i >= 0 {
			line = line[:i+1]
		}
		from += len(line)
		if from-len(line) == first || md[from-len(line)-1] == '\n' {
			line = line[min(s.number, len(strings.TrimRight(line, "\n"))):]
		}
		r.text(line)
	}
	r.write("</code></pre>\n")
}

func (r *renderer) openCode(pre *html.Node) {
	// An empty text leaves only what classes say; sessions are the exception.
	text := ""
	if s := firstText(pre); strings.HasPrefix(s, ">>>") {
		text = ">>> "
	}
	if lang := codeLanguage(pre, text); lang != "" {
		r.write(`<pre><code class="language-`)
		r.text(lang)
		r.write(`">`)
		return
	}
	r.write("<pre><code>")
}

// firstText is the first text of n that is not empty.
func firstText(n *html.Node) string {
	for d := range n.Descendants() {
		if d.Type == html.TextNode && !isBlank(d.Data) {
			return strings.TrimLeft(d.Data, "\n")
		}
	}
	return ""
}

// leafPart renders a paragraph of which only a part is in the range: whole, or
// if it is long its part as plain text.
func (r *renderer) leafPart(s span, start, end int) {
	from, to := max(s.start, start), min(s.end, end)
	if isBlank(r.page.Markdown[from:to]) {
		return
	}
	if s.end-s.start <= wholeLeaf {
		r.whole(s)
		return
	}
	open, shut := wrapper(s)
	if open == "" { // a paragraph, a heading, a run
		open, shut = "<p>", "</p>\n"
	}
	r.newline()
	r.write(open)
	r.text(plainInline(r.page.Markdown[from:to]))
	r.write(shut)
}

// plainInline takes the signs off a piece of a paragraph: escapes, emphasis,
// code fences, and of links and images the addresses.
func plainInline(md string) string {
	var b strings.Builder
	for i := 0; i < len(md); i++ {
		switch ch := md[i]; {
		case ch == '\\' && i+1 < len(md) && isPunct(md[i+1]):
			i++
			b.WriteByte(md[i])
		case ch == '*' || ch == '`' || ch == '[':
		case ch == '!' && i+1 < len(md) && md[i+1] == '[':
		case ch == ']':
			if i+1 >= len(md) || md[i+1] != '(' {
				b.WriteByte(']')
				break
			}
			depth := 0
			for i++; i < len(md); i++ {
				if md[i] == '(' {
					depth++
				} else if md[i] == ')' {
					if depth--; depth == 0 {
						break
					}
				}
			}
		default:
			b.WriteByte(ch)
		}
	}
	return b.String()
}
