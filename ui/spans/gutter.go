package spans

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/webrag/webrag-tui/offset"
)

const (
	bar        = "▌"
	labelWidth = GutterWidth - 1
)

var emptyGutter = strings.Repeat(" ", GutterWidth)

// gutter returns what stands in front of line i. Of several spans that begin
// there the focused one has its label shown, else the first in the source.
func (m *Marked) gutter(i, focus int) string {
	label, marked := "", false
	for n := range m.spans {
		s := &m.spans[n]
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
	text := bar + label
	if open := m.paint.palette.Gutter.sequence(); open != "" {
		text = open + text + resetStyle
	}
	return text + strings.Repeat(" ", labelWidth-ansi.StringWidth(label))
}
