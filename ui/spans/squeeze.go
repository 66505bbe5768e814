package spans

import (
	"slices"
	"strings"

	"charm.land/glamour/v2/ansi"
	xansi "github.com/charmbracelet/x/ansi"
)

// squeezeTables takes the blanks out of tables that all cells of a column have
// in common. glamour makes each table as wide as the text, so that the cells of
// a short row stand far apart and the eye loses it.
func (l *layout) squeezeTables(s *script, style ansi.StyleTable) {
	type extent struct{ first, last int }
	tables := map[int]extent{}
	for i, places := range l.places {
		for _, p := range places {
			if p.start == p.end || s.tableOf[p.container] < 0 {
				continue
			}
			t := s.tableOf[p.container]
			e, ok := tables[t]
			if !ok {
				e.first = i
			}
			e.last = i
			tables[t] = e
		}
	}
	for _, e := range tables {
		g := newGrid(l.rows[e.first:e.last+1], style)
		if g == nil {
			continue
		}
		for i := e.first; i <= e.last; i++ {
			l.places[i] = l.rows[i].without(l.places[i], func(_, x int) bool { return g.drops(x) })
		}
	}
}

// grid is a table on the screen: its columns, by the cells between which they
// are, and how many blanks each can lose on its left and right.
type grid struct {
	columns     [][2]int
	left, right []int
}

// newGrid reads a grid from the rule below its header; nil if there is none, as
// in themes without lines.
func newGrid(rows []row, style ansi.StyleTable) *grid {
	rule, cross := "─", "┼"
	if style.RowSeparator != nil && style.ColumnSeparator != nil && style.CenterSeparator != nil {
		rule, cross = *style.RowSeparator, *style.CenterSeparator
	}
	if strings.TrimSpace(rule) == "" || rule == cross {
		return nil
	}
	at := slices.IndexFunc(rows, func(r row) bool { return isRule(r.text, rule, cross) })
	if at < 0 {
		return nil
	}
	g := &grid{}
	from := -1
	x := 0
	for _, c := range rows[at].glyphs {
		switch text := rows[at].show(c); {
		case text == rule && from < 0:
			from = x
		case text == cross && from >= 0:
			g.columns = append(g.columns, [2]int{from, x})
			from = x + 1
		case text != rule && from >= 0:
			g.columns, from = append(g.columns, [2]int{from, x}), -1
		}
		x += xansi.StringWidth(rows[at].show(c))
	}
	if from >= 0 {
		g.columns = append(g.columns, [2]int{from, x})
	}
	for _, column := range g.columns {
		g.measure(rows, at, column)
	}
	return g
}

// isRule reports that a line is the one below a header. Bars of quotes may stand
// before it.
func isRule(line, rule, cross string) bool {
	at := strings.Index(line, rule)
	return at >= 0 && strings.Trim(line[at:], rule+cross+" ") == ""
}

// measure finds the blanks that the cells of a column have in common, one on
// each side excepted.
func (g *grid) measure(rows []row, rule int, column [2]int) {
	width := column[1] - column[0]
	left, right := width, width
	for i := range rows {
		if i == rule {
			continue
		}
		first, end := width, 0
		x := 0
		for _, c := range rows[i].glyphs {
			w := xansi.StringWidth(rows[i].show(c))
			if !c.blank && x >= column[0] && x < column[1] {
				first, end = min(first, x-column[0]), max(end, x+w-column[0])
			}
			x += w
		}
		if end > 0 {
			left, right = min(left, first), min(right, width-end)
		}
	}
	if left == width { // an empty column
		left, right = width-2, 1
	}
	g.left, g.right = append(g.left, max(0, left-1)), append(g.right, max(0, right-1))
}

// drops reports whether the character in a cell of the screen goes.
func (g *grid) drops(x int) bool {
	for i, c := range g.columns {
		if x >= c[0] && x < c[1] {
			return x < c[0]+g.left[i] || x >= c[1]-g.right[i]
		}
	}
	return false
}
