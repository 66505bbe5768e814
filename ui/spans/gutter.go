package spans

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/webrag/webrag-tui/offset"
)

// The signs beside lines with a labelled span and, whatever else they have, beside those of
// a passage that is being selected: without colours both may be painted alike.
const (
	bar         = "▌"
	selectedBar = "┃"
	labelWidth  = GutterWidth - 2 // and a blank before the text
)

var emptyGutter = strings.Repeat(" ", GutterWidth)

// gutter returns what stands in front of line i. Of several spans that begin
// there the focused one has its label shown, else the first in the source.
func (m *Marked) gutter(i, focus int) string {
	label, marked, sign := "", false, bar
	for n := range m.spans {
		s := &m.spans[n]
		if s.Level == Selected && i >= s.first && i <= s.last && m.rendering.lines[i].paints(s.Span) {
			marked, sign = true, selectedBar
		}
		if i < s.first || i > s.last || s.Label == "" && !s.hidden {
			continue
		}
		if i != s.first {
			// A wrapped table has lines between those of a span's cell.
			marked = marked || m.rendering.lines[i].paints(s.Span)
			continue
		}
		marked = true
		if label == "" || n == focus && s.Label != "" {
			label = s.Label
		}
	}
	if !marked {
		return emptyGutter
	}
	label = ansi.Truncate(offset.Line(label), labelWidth, "")
	text := sign + label
	if open := m.paint.palette.Gutter.sequence(); open != "" {
		text = open + text + resetStyle
	}
	return text + strings.Repeat(" ", GutterWidth-1-ansi.StringWidth(label))
}
