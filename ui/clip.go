package ui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// fit cuts or pads one line to exactly w cells. The line may carry styles, but
// no newline.
func fit(s string, w int) string {
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

// clip cuts or pads text to exactly w by h cells. No pane is trusted to fit.
func clip(lines []string, w, h int) []string {
	if w <= 0 || h <= 0 {
		return nil
	}
	out := make([]string, h)
	for i := range out {
		if i < len(lines) {
			out[i] = fit(lines[i], w)
		} else {
			out[i] = strings.Repeat(" ", w)
		}
	}
	return out
}

// spread puts left and right at the ends of a line of w cells. Where both do
// not fit, the left one is cut.
func spread(left, right string, w int) string {
	rw := ansi.StringWidth(right)
	if rw >= w {
		return fit(right, w)
	}
	if rw == 0 {
		return fit(left, w)
	}
	return fit(left, w-rw-1) + " " + right
}

// overlay lays box over the background with its left upper corner at x, y. Lines
// beyond the background are dropped.
func overlay(back, box []string, x, y int) []string {
	out := append([]string(nil), back...)
	for i, line := range box {
		row := y + i
		if row < 0 || row >= len(out) {
			continue
		}
		total := ansi.StringWidth(out[row])
		w := ansi.StringWidth(line)
		left := fit(ansi.Truncate(out[row], x, ""), x)
		right := ""
		if rest := total - x - w; rest > 0 {
			// A wide rune cut in two is left out; its other half becomes a blank.
			for from := x + w; from == x+w || ansi.StringWidth(right) > rest; from++ {
				right = ansi.TruncateLeft(out[row], from, "")
			}
			right = strings.Repeat(" ", max(0, rest-ansi.StringWidth(right))) + right
		}
		out[row] = left + "\x1b[m" + line + "\x1b[m" + right
	}
	return out
}

// drawing keeps the lines of a pane for as long as what they depend on stays the
// same: drawing happens after every message, and most change one pane at most.
type drawing[L comparable] struct {
	look  L
	lines []string
}

func (d *drawing[L]) keep(look L, draw func() []string) []string {
	if d.lines == nil || d.look != look {
		d.look, d.lines = look, draw()
	}
	return d.lines
}
