package widget

import (
	"image"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/theme"
)

// Canvas composes a screen of blocks of lines that do not overlap.
//
// That of Lip Gloss reads every cell of every line: for a box over a screen of 200 by
// 60 it takes three times as long as [Overlay], and twenty times the memory.
type Canvas struct{ rows [][]piece }

// piece is a part of a row, w cells from x on.
type piece struct {
	x, w int
	text string
}

// NewCanvas is an empty screen of h rows.
func NewCanvas(h int) Canvas {
	const most = 6 // pieces of a row, mostly: three panes, and two seams
	c := Canvas{rows: make([][]piece, h)}
	all := make([]piece, h*most)
	for y := range c.rows {
		c.rows[y] = all[y*most : y*most : (y+1)*most]
	}
	return c
}

// Put draws lines into a rectangle of cells, and nothing beyond it: no block is
// trusted to fit.
func (c *Canvas) Put(r image.Rectangle, lines ...string) {
	for y := max(0, r.Min.Y); y < min(r.Max.Y, len(c.rows)); y++ {
		p := piece{x: r.Min.X, w: r.Dx()}
		if i := y - r.Min.Y; i < len(lines) {
			p.text = lines[i]
		}
		p.text = Fit(p.text, r.Dx())
		at := len(c.rows[y])
		for at > 0 && c.rows[y][at-1].x > p.x {
			at--
		}
		c.rows[y] = slices.Insert(c.rows[y], at, p)
	}
}

// Lines are the rows, each from left to right; what nothing was drawn into is blank.
func (c *Canvas) Lines() []string {
	lines := make([]string, len(c.rows))
	for y, row := range c.rows {
		var b strings.Builder
		x := 0
		for _, p := range row {
			b.WriteString(Repeat(" ", p.x-x))
			b.WriteString(p.text)
			x = p.x + p.w
		}
		lines[y] = b.String()
	}
	return lines
}

// Centred is the place of a box of lines over a screen of w by h cells: in the
// middle, and a little above it.
func Centred(box []string, w, h int) image.Rectangle {
	wide := 0
	if len(box) > 0 {
		wide = ansi.StringWidth(box[0])
	}
	x, y := (w-wide)/2, max(1, (h-len(box))/3)
	return image.Rect(x, y, x+wide, y+len(box))
}

// Overlay lays box over the background with its left upper corner at x, y. Lines
// beyond the background are dropped.
func Overlay(back, box []string, x, y int) []string {
	out := append([]string(nil), back...)
	for i, line := range box {
		row := y + i
		if row < 0 || row >= len(out) {
			continue
		}
		total := ansi.StringWidth(out[row])
		w := ansi.StringWidth(line)
		left := Fit(ansi.Truncate(out[row], x, ""), x)
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

// Frame draws the frame of a dialog around lines, w cells wide in all, with a title at
// the left of its upper edge and a note at the right of its lower one: which part of
// what there is stands in it.
func Frame(s *theme.Styles, title string, lines []string, note string, w int) []string {
	inner, g := w-4, &s.Signs
	if inner <= 0 {
		return nil
	}
	edge := func(left, text, right string, render func(...string) string, after bool) string {
		if text != "" {
			text = " " + Fit(text, min(ansi.StringWidth(text), inner-2)) + " "
		}
		fill := s.Rule.Render(strings.Repeat(g.Rule, max(0, w-3-ansi.StringWidth(text))))
		if after {
			return s.Rule.Render(left) + fill + render(text) + s.Rule.Render(g.Rule+right)
		}
		return s.Rule.Render(left+g.Rule) + render(text) + fill + s.Rule.Render(right)
	}
	out := []string{edge(g.TopLeft, title, g.TopRight, s.Title.Render, false)}
	for _, l := range lines {
		out = append(out, s.Rule.Render(g.Seam)+" "+Fit(l, inner)+" "+s.Rule.Render(g.Seam))
	}
	return append(out, edge(g.BottomLeft, note, g.BottomRight, s.Faint.Render, true))
}

// FrameWidth is the width, in cells, of a dialog that would like to have so much on
// a screen of w. One that leaves some columns beside it takes them, too: half a
// word of the list behind it says nothing.
func FrameWidth(wanted, w int) int {
	const some = 10
	if wanted >= w-some {
		return w
	}
	return wanted
}
