package widget

import (
	"math"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/theme"
)

// Plot draws a value along an axis of places, such as those of a parameter, with an interval
// around each: the value as a line, the interval as a shade, in four dots of braille for
// each row and two for each column; where colours are few, in signs of letters.
type Plot struct {
	Points []PlotPoint
	// Level is drawn across: what the points are compared with.
	Level float64
	// At is the point under the cursor, Present and Chosen are marked on the axis; -1 is none.
	At, Present, Chosen int
	// PresentWord and ChosenWord stand beside their signs.
	PresentWord, ChosenWord string
	// Figure writes a value.
	Figure func(float64) string
}

// PlotPoint is a place of the axis.
type PlotPoint struct {
	Label            string
	Value, Low, High float64
}

// plotFoot is how many rows the axis has: its line, its labels, and what is marked.
const plotFoot = 3

// Lines draws it in exactly w by h cells. Where there is no room for rows of the plot, the axis
// is drawn alone, or its first rows.
func (p *Plot) Lines(s *theme.Styles, w, h int) []string {
	if len(p.Points) == 0 {
		return Clip(nil, w, h)
	}
	low, high := p.bounds()
	margin := p.margin(w)
	pw, ph := w-margin, h-plotFoot
	if pw < 1 {
		return Clip(nil, w, h)
	}
	var lines []string
	if ph > 0 {
		lines = p.rows(s, pw, ph, low, high)
		p.scale(s, lines, margin, low, high)
	}
	for _, l := range p.axis(s, pw) {
		lines = append(lines, strings.Repeat(" ", margin)+l)
	}
	return Clip(lines, w, h)
}

// margin is how many of w cells the values before the rows have.
func (p *Plot) margin(w int) int {
	low, high := p.bounds()
	n := max(ansi.StringWidth(p.Figure(low)), ansi.StringWidth(p.Figure(high)), ansi.StringWidth(p.Figure(p.Level))) + 1
	if w < 4*n {
		return 0
	}
	return n
}

// bounds are the lowest and the highest value, which are never equal.
func (p *Plot) bounds() (low, high float64) {
	low, high = p.Level, p.Level
	for _, x := range p.Points {
		low, high = min(low, x.Low, x.Value), max(high, x.High, x.Value)
	}
	if high-low < 1e-6 {
		low, high = low-.005, high+.005
	}
	return low, high
}

// scale puts the highest and lowest value, and the level between them, before the rows.
func (p *Plot) scale(s *theme.Styles, rows []string, margin int, low, high float64) {
	labels := make([]string, len(rows))
	if margin > 0 {
		labels[0] = p.Figure(high)
		if n := len(rows); n > 1 {
			labels[n-1] = p.Figure(low)
			if at := int((high - p.Level) / (high - low) * float64(n)); at > 0 && at < n-1 {
				labels[at] = p.Figure(p.Level)
			}
		}
	}
	for i := range rows {
		rows[i] = s.Faint.Render(Spread("", labels[i], max(0, margin-1))) + strings.Repeat(" ", min(1, margin)) + rows[i]
	}
}

// Column is the column of a point among w.
func (p *Plot) column(i, w int) int {
	if len(p.Points) < 2 {
		return (w - 1) / 2
	}
	return int(math.Round(float64(i) * float64(w-1) / float64(len(p.Points)-1)))
}

// PointAt is the point whose column is nearest to one of a drawing that is w cells wide, with
// the values before it.
func (p *Plot) PointAt(x, w int) int {
	margin := p.margin(w)
	if w-margin < 2 || len(p.Points) < 2 {
		return 0
	}
	at := math.Round(float64(x-margin) * float64(len(p.Points)-1) / float64(w-margin-1))
	return max(0, min(int(at), len(p.Points)-1))
}

// along are the values at a share of the axis, from 0 to 1, on the lines between points.
func (p *Plot) along(t float64) PlotPoint {
	last := len(p.Points) - 1
	at := t * float64(last)
	i := min(int(at), max(0, last-1))
	a, b := p.Points[i], p.Points[min(i+1, last)]
	f := at - float64(i)
	mix := func(x, y float64) float64 { return x + (y-x)*f }
	return PlotPoint{Value: mix(a.Value, b.Value), Low: mix(a.Low, b.Low), High: mix(a.High, b.High)}
}

// The dots of braille by column and row of a cell: U+2800 with the bits of the dots set.
var brailleDots = [2][4]rune{{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}}

const brailleBlank = 0x2800

// ink is what a cell of the plot shows.
type ink struct{ line, band rune }

// rows are the rows of the plot.
func (p *Plot) rows(s *theme.Styles, w, h int, low, high float64) []string {
	across, down := 2, 4
	if s.Plain {
		across, down = 1, 1
	}
	dots := h * down
	toDot := func(v float64) int {
		return max(0, min(dots-1, int(math.Round((high-v)/(high-low)*float64(dots-1)))))
	}
	cells := make([][]ink, h)
	for y := range cells {
		cells[y] = make([]ink, w)
	}
	last := -1
	for x := range w * across {
		at := p.along(float64(x) / float64(max(1, w*across-1)))
		for y := toDot(at.High); y <= toDot(at.Low); y++ {
			if (x+y)%2 == 0 || s.Plain {
				cells[y/down][x/across].band |= brailleDots[x%across][y%down]
			}
		}
		y := toDot(at.Value)
		if last < 0 {
			last = y
		}
		for d := min(y, last); d <= max(y, last); d++ {
			if d != last || d == y {
				cells[d/down][x/across].line |= brailleDots[x%across][d%down]
			}
		}
		last = y
	}
	level, cursor := toDot(p.Level)/down, -1
	if p.At >= 0 && p.At < len(p.Points) {
		cursor = p.column(p.At, w)
	}
	lines := make([]string, h)
	for y := range cells {
		lines[y] = drawInk(s, cells[y], y == level, cursor)
	}
	return lines
}

// drawInk draws a row of cells, of which neighbours of one style are one run.
func drawInk(s *theme.Styles, row []ink, isLevel bool, cursor int) string {
	var b, run strings.Builder
	var of lipgloss.Style
	which := -1
	flush := func() {
		if run.Len() > 0 {
			b.WriteString(of.Render(run.String()))
			run.Reset()
		}
	}
	put := func(kind int, style lipgloss.Style, sign string) {
		if kind != which {
			flush()
			which, of = kind, style
		}
		run.WriteString(sign)
	}
	for x, c := range row {
		switch on := x == cursor; {
		case c.line != 0 && on:
			put(0, s.Accent, signOf(s, c.line, "*"))
		case c.line != 0:
			put(1, s.Score, signOf(s, c.line, "*"))
		case on:
			put(0, s.Accent, s.Signs.Seam)
		case c.band != 0:
			put(2, s.Faint, signOf(s, c.band, ":"))
		case isLevel:
			put(2, s.Faint, s.Signs.Dash)
		default:
			put(2, s.Faint, " ")
		}
	}
	flush()
	return b.String()
}

// signOf is a cell with dots, or a sign where there is no braille.
func signOf(s *theme.Styles, dots rune, plain string) string {
	if s.Plain {
		return plain
	}
	return string(brailleBlank + dots)
}

// axis are the rows below the plot: the line with what is marked on it, the labels of its ends
// and of the cursor, and the words of what is marked.
func (p *Plot) axis(s *theme.Styles, w int) []string {
	line := make([]string, w)
	for i := range line {
		line[i] = s.Rule.Render(s.Signs.Rule)
	}
	marked := newRuler(w)
	mark := func(point int, sign, word string, style lipgloss.Style) {
		if point < 0 || point >= len(p.Points) {
			return
		}
		at := p.column(point, w)
		line[at] = style.Render(sign)
		text := sign + " " + word
		if label := p.Points[point].Label; label != "" {
			text += " " + label
		}
		marked.put(at, text, style)
	}
	chosen, present := s.Signs.Handle, s.Signs.Tick
	if p.Present != p.Chosen {
		mark(p.Present, present, p.PresentWord, s.Text)
		mark(p.Chosen, chosen, p.ChosenWord, s.Strong)
	} else {
		mark(p.Chosen, chosen, p.PresentWord+", "+p.ChosenWord, s.Strong)
	}
	labels := newRuler(w)
	last := len(p.Points) - 1
	labels.try(p.column(0, w), p.Points[0].Label, s.Faint)
	labels.try(p.column(last, w), p.Points[last].Label, s.Faint)
	if p.At >= 0 && p.At <= last {
		labels.try(p.column(p.At, w), p.Points[p.At].Label, s.Accent)
	}
	return []string{strings.Join(line, ""), labels.line(), marked.line()}
}

// ruler is a row on which texts are put near to columns, without overlapping.
type ruler struct {
	width int
	texts []rulerText
}

type rulerText struct {
	from, to int
	drawn    string
}

func newRuler(w int) *ruler { return &ruler{width: w} }

// try puts a text in the middle over a column, if the place is free.
func (r *ruler) try(at int, text string, style lipgloss.Style) {
	n := ansi.StringWidth(text)
	r.at(max(0, min(at-n/2, r.width-n)), text, style)
}

func (r *ruler) at(from int, text string, style lipgloss.Style) bool {
	n := ansi.StringWidth(text)
	if n == 0 || from < 0 || from+n > r.width {
		return false
	}
	i, _ := slices.BinarySearchFunc(r.texts, from, func(t rulerText, at int) int { return t.from - at })
	if i > 0 && r.texts[i-1].to >= from || i < len(r.texts) && from+n >= r.texts[i].from {
		return false
	}
	r.texts = slices.Insert(r.texts, i, rulerText{from, from + n, style.Render(text)})
	return true
}

// put puts a text as near to the column as there is a place, if there is any.
func (r *ruler) put(at int, text string, style lipgloss.Style) {
	n := ansi.StringWidth(text)
	for by := range r.width {
		for _, from := range []int{at - n/2 + by, at - n/2 - by} {
			if r.at(max(0, min(from, r.width-n)), text, style) {
				return
			}
		}
	}
}

// line is the row, as wide as the ruler.
func (r *ruler) line() string {
	var b strings.Builder
	at := 0
	for _, t := range r.texts {
		b.WriteString(strings.Repeat(" ", t.from-at) + t.drawn)
		at = t.to
	}
	return b.String() + strings.Repeat(" ", r.width-at)
}
