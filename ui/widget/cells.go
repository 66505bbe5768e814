package widget

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Fit cuts or pads one line to exactly w cells. The line may carry styles, but
// no newline.
func Fit(s string, w int) string {
	if w <= 0 {
		return ""
	}
	n := ansi.StringWidth(s)
	if n > w {
		s = ansi.Truncate(s, w, "…")
		n = ansi.StringWidth(s)
	}
	if n < w {
		s += strings.Repeat(" ", w-n)
	}
	return s
}

// Clip cuts or pads text to exactly w by h cells. No pane is trusted to fit.
func Clip(lines []string, w, h int) []string {
	if w <= 0 || h <= 0 {
		return nil
	}
	out := make([]string, h)
	for i := range out {
		if i < len(lines) {
			out[i] = Fit(lines[i], w)
		} else {
			out[i] = strings.Repeat(" ", w)
		}
	}
	return out
}

// Spread puts left and right at the ends of a line of w cells. Where both do
// not fit, the left one is cut.
func Spread(left, right string, w int) string {
	rw := ansi.StringWidth(right)
	if rw >= w {
		return Fit(right, w)
	}
	if rw == 0 {
		return Fit(left, w)
	}
	return Fit(left, w-rw-1) + " " + right
}

// Drawing keeps the lines of a pane for as long as what they depend on stays the
// same: drawing happens after every message, and most change one pane at most.
type Drawing[L comparable] struct {
	look  L
	Lines []string
}

// Keep are the lines for a look. They are drawn anew if that is another than the last
// time, or Lines is nil.
func (d *Drawing[L]) Keep(look L, draw func() []string) []string {
	if d.Lines == nil || d.look != look {
		d.look, d.Lines = look, draw()
	}
	return d.Lines
}
