package widget

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/theme"
)

// Heat draws a table of values as shades, a fifth of the values for each of five blocks, or a
// tenth for each of the digits from 0 to 9 where colours are few: few low values do not take
// the shades from all others. What has no room is scrolled to where the cursor is.
type Heat struct {
	// Values are in rows; NaN is none.
	Values [][]float64
	// Across are the labels of the columns, Down those of the rows, AcrossTitle and DownTitle
	// those of the axes.
	Across, Down           []string
	AcrossTitle, DownTitle string
	// AtX and AtY are the cell under the cursor. Present and Chosen are cells that are
	// marked, as column and row; -1 is none.
	AtX, AtY        int
	Present, Chosen [2]int
}

// The cells of a value, and rows beside those of the table: titles and labels.
const (
	leastHeatCell, mostHeatCell = 1, 5
	heatFoot                    = 2
	mostHeatLabel               = 14
	// legendRows is from how many rows on the last one says what shades mean, also where
	// not all of the table is visible.
	legendRows = 8
)

// heatRoom is how a table stands in its room.
type heatRoom struct{ label, cell, columns, rows, left, top int }

func (m *Heat) room(w, h int) (r heatRoom) {
	for _, l := range m.Down {
		r.label = max(r.label, min(mostHeatLabel, ansi.StringWidth(l)))
	}
	r.label = min(r.label, w/3)
	free := max(0, w-r.label-1)
	r.cell = max(leastHeatCell, min(mostHeatCell, free/max(1, len(m.Across))))
	r.columns = min(len(m.Across), free/r.cell)
	if m.hasLegend(h) {
		h--
	}
	r.rows = max(0, min(len(m.Down), h-heatFoot))
	window := func(at, size, of int) int { return max(0, min(at-size/2, of-size)) }
	r.left, r.top = window(m.AtX, r.columns, len(m.Across)), window(m.AtY, r.rows, len(m.Down))
	return r
}

// Height is how many rows it has use for.
func (m *Heat) Height() int { return len(m.Down) + heatFoot + 1 }

// hasLegend says that one of h rows is the legend's.
func (m *Heat) hasLegend(h int) bool { return h >= min(legendRows, m.Height()) }

// Lines draws it in exactly w by h cells.
func (m *Heat) Lines(s *theme.Styles, w, h int) []string {
	r := m.room(w, h)
	if r.rows == 0 || r.columns == 0 {
		return Clip(nil, w, h)
	}
	ranks := m.ranks()
	lines := []string{s.Faint.Render(m.DownTitle + " " + s.Signs.ArrowDown + "   " + m.AcrossTitle + " " + s.Signs.ArrowRight)}
	for y := r.top; y < r.top+r.rows; y++ {
		style := s.Faint
		if y == m.AtY {
			style = s.Selected
		}
		line := style.Render(Spread("", ansi.Truncate(m.Down[y], r.label, s.Signs.Ellipsis), r.label)) + " "
		for x := r.left; x < r.left+r.columns; x++ {
			line += m.cell(s, x, y, r.cell, ranks)
		}
		lines = append(lines, line)
	}
	labels := newRuler(r.columns * r.cell)
	middle := func(x int) int { return (x-r.left)*r.cell + r.cell/2 }
	labels.try(middle(m.AtX), m.Across[m.AtX], s.Selected)
	labels.try(middle(r.left), m.Across[r.left], s.Faint)
	labels.try(middle(r.left+r.columns-1), m.Across[r.left+r.columns-1], s.Faint)
	before := strings.Repeat(" ", r.label+1)
	lines = append(lines, before+labels.line())
	if m.hasLegend(h) {
		lines = append(lines, s.Faint.Render(m.legend(s, &r)))
	}
	return Clip(lines, w, h)
}

// legend says what the shades mean, and what is hidden.
func (m *Heat) legend(s *theme.Styles, r *heatRoom) string {
	text := "from low " + strings.Join(heatShades[:], "") + " to high, a fifth of the settings each"
	if s.Plain {
		text = "from low 0 to high 9, a tenth of the settings each"
	}
	if r.columns < len(m.Across) || r.rows < len(m.Down) {
		text = strconv.Itoa(r.columns) + " of " + strconv.Itoa(len(m.Across)) + " by " + strconv.Itoa(r.rows) + " of " + strconv.Itoa(len(m.Down)) + "; " + text
	}
	return text
}

// CellAt is the cell on a place of the drawing, which is w by h cells.
func (m *Heat) CellAt(x, y, w, h int) (column, row int, ok bool) {
	r := m.room(w, h)
	if r.cell == 0 || x < r.label+1 || y < 1 {
		return 0, 0, false
	}
	column, row = r.left+(x-r.label-1)/r.cell, r.top+y-1
	return column, row, column < r.left+r.columns && row < r.top+r.rows
}

// ranks are the values in ascending order, each once.
func (m *Heat) ranks() []float64 {
	all := slices.DeleteFunc(slices.Concat(m.Values...), math.IsNaN)
	slices.Sort(all)
	return slices.Compact(all)
}

// heatShades are the blocks, from low to high.
var heatShades = [...]string{"·", "░", "▒", "▓", "█"}

// cell draws a value.
func (m *Heat) cell(s *theme.Styles, x, y, w int, ranks []float64) string {
	v := m.Values[y][x]
	sign, style := " ", s.Faint
	if !math.IsNaN(v) {
		at, _ := slices.BinarySearch(ranks, v)
		share := float64(at+1) / float64(len(ranks))
		step := max(0, int(math.Ceil(share*float64(len(heatShades))))-1)
		style = []lipgloss.Style{s.Faint, s.Bars[0], s.Bars[1], s.Bars[2], s.Bars[2]}[step]
		sign = heatShades[step]
		if s.Plain {
			sign = strconv.Itoa(max(0, int(math.Ceil(share*10))-1))
		}
	}
	text := strings.Repeat(sign, w)
	mark := ""
	switch at := [2]int{x, y}; at {
	case m.Chosen:
		mark = s.Signs.Handle
	case m.Present:
		mark = s.Signs.Tick
	}
	if mark != "" {
		style = s.Strong
		text = strings.Repeat(sign, w/2) + mark + strings.Repeat(sign, w-w/2-1)
	}
	if x == m.AtX && y == m.AtY {
		style = s.Accent.Reverse(true)
	}
	return style.Render(text)
}
