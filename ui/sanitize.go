package ui

import (
	"strings"

	"github.com/webrag/webrag-tui/offset"
)

// oneLine is text of unknown origin as one line that is safe to draw.
func oneLine(s string) string { return strings.TrimSpace(offset.Line(s)) }

// displayText is text of unknown origin, with its lines, that is safe to draw.
func displayText(s string) string { return offset.Display(s).Text }

// displayed is a section's text as it is drawn, with where to find ranges of
// its code points in it, in code points too.
func displayed(s string) (shown string, place func(start, end int) (int, int)) {
	d := offset.Display(s)
	if d.Text == s {
		return s, func(start, end int) (int, int) { return start, end }
	}
	source, target := offset.NewIndex(s), offset.NewIndex(d.Text)
	return d.Text, func(start, end int) (int, int) {
		return target.Point(d.ShownStart(source.Byte(start))), target.Point(d.ShownEnd(source.Byte(end)))
	}
}

const (
	gutterWidth  = 3
	minTextWidth = 10
)
