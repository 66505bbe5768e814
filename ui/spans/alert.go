package spans

import (
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// alertMark begins a quote that is more than a quote, as written on GitHub.
var alertMark = regexp.MustCompile(`^\[!(?i:(NOTE)|(TIP)|(WARNING)|(IMPORTANT)|(CAUTION))\](?:[ \t\n]|$)`)

// nameAlerts writes the kind of an alert as a word, "Note" for "[!NOTE]", on the
// first line of its quote.
func (t *tree) nameAlerts() {
	for _, quote := range nodes[*ast.Blockquote](t.root) {
		p, ok := quote.FirstChild().(*ast.Paragraph)
		if !ok || p.Lines().Len() == 0 {
			continue
		}
		line := p.Lines().At(0)
		mark := alertMark.FindString(t.source[line.Start:line.Stop])
		end := line.Start + strings.IndexByte(mark, ']') + 1
		if mark == "" || !t.dropText(p, line.Start, end) {
			continue
		}
		name := t.source[line.Start+len("[!") : end-1]
		label := t.sourced(line.Start, end, textKind{label: strings.ToUpper(name[:1]) + strings.ToLower(name[1:])})
		strong := ast.NewEmphasis(2)
		strong.AppendChild(strong, label)
		if first := p.FirstChild(); first != nil {
			p.InsertBefore(p, first, t.fixed("\n"))
		}
		p.InsertBefore(p, p.FirstChild(), strong)
	}
}

// dropText takes source[start:end] from the front of a paragraph, and the blanks
// behind it. It fails where that is not plain text, such as a link.
func (t *tree) dropText(p *ast.Paragraph, start, end int) bool {
	var whole []*ast.Text
	c := p.FirstChild()
	for start < end {
		txt, ok := c.(*ast.Text)
		if !ok || txt.Segment.Start != start {
			return false
		}
		if txt.Segment.Stop > end {
			break
		}
		whole = append(whole, txt)
		start, c = txt.Segment.Stop, c.NextSibling()
	}
	if txt, ok := c.(*ast.Text); ok {
		txt.Segment.Start = max(txt.Segment.Start, end)
		txt.Segment = txt.Segment.TrimLeftSpace([]byte(t.source))
	}
	for _, txt := range whole {
		p.RemoveChild(p, txt)
	}
	return true
}
