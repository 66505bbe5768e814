package results

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// columns are the cells of what stands beside the names, 0 for what is not shown: how a
// section moved, what its score gained, the bar of a score, the grade, and the score. The
// former two are as wide as what they hold, and take room from the names of the sections that
// they are of, not from others. Behind each but the score stands a gap.
type columns struct{ arrow, delta, bar, grade, score, gap int }

// wide are the cells that every section gives to columns, with the blanks before them and the
// one behind.
func (c columns) wide() int {
	n := c.score + 2
	for _, wide := range []int{c.bar, c.grade} {
		if wide > 0 {
			n += wide + c.gap
		}
	}
	return n
}

// The widths of bars, from the longest. A shorter one shows nothing of what it compares.
var barWidths = [...]int{10, 6, 4}

// A share of the names has to stand whole beside the bars, with that of the best section: of
// the others, each takes the place of its bar. More names than sampled are not measured.
const (
	namesWhole = .8
	sampled    = 200
)

// narrow is the width of a list in which every cell counts, or less.
const narrow = 48

// columns have the widest bars that leave room for the names and, but for the shortest, for how
// these may move: bars have the same width when sections do.
func (d drawing) columns() columns {
	c := d.filled()
	names, best := d.nameWidths()
	widths := barWidths[:]
	switch {
	case d.s.Spoken:
		widths = nil
	case d.s.Plain:
		widths = widths[:2] // of whole signs a shorter one would be too coarse
	}
	for i, bar := range widths {
		c.bar = bar
		room := d.w - d.rankWide - 2
		if i < len(widths)-1 {
			room -= columns{arrow: len("new"), delta: len("+.000"), gap: c.gap}.moves()
		}
		for _, c.grade = range [...]int{d.gradedWide[1], d.gradedWide[0]} { // in words, if they fit
			if stand(names, best, room-c.wide()) {
				return c
			}
		}
	}
	c.bar = 0
	return c
}

// stand reports that enough names stand whole in so many cells, and the best section's does.
func stand(names []int, best, room int) bool {
	whole := 0
	for _, w := range names {
		if w <= room {
			whole++
		}
	}
	return best <= room && float64(whole) >= namesWhole*float64(len(names))
}

// beside are the columns beside the name of a section, of which there are so many cells for
// both: what its score gained goes first, then its bar.
func (d drawing) beside(r *row, c columns, room int) columns {
	shift := d.changes.shifts[r.item.ChunkID]
	if text, _ := wording.Movement(d.s, shift); text == "" {
		c.arrow = 0
	}
	if text, _ := d.delta(r.item.ChunkID); text == "" && c.arrow == 0 {
		c.delta = 0
	}
	room -= d.indent(r) + ansi.StringWidth(d.name(r))
	fits := func() bool { return c.wide()+c.moves() <= room }
	if !fits() {
		c.delta = 0
	}
	if !fits() {
		c.bar = 0
	}
	return c
}

// moves are the cells before the bar.
func (c columns) moves() int {
	n := 0
	for _, wide := range []int{c.arrow, c.delta} {
		if wide > 0 {
			n += wide + c.gap
		}
	}
	return n
}

// filled are the columns that hold something, without a bar.
func (d drawing) filled() columns {
	c := columns{grade: d.gradedWide[0], score: d.scoreWide, gap: 2}
	if d.w < narrow {
		c.gap = 1
	}
	for id, shift := range d.changes.shifts {
		text, _ := wording.Movement(d.s, shift)
		c.arrow = max(c.arrow, ansi.StringWidth(text))
		if text, _ = d.delta(id); text != "" {
			c.delta = max(c.delta, ansi.StringWidth(text))
		}
	}
	return c
}

// nameWidths are those of the first sections, and that of the best.
func (d drawing) nameWidths() (widths []int, best int) {
	for i := range d.rows {
		r := &d.rows[i]
		if r.kind != sectionRow || r.item.Rank == 0 {
			continue
		}
		if len(widths) == sampled {
			break
		}
		widths = append(widths, d.indent(r)+ansi.StringWidth(d.name(r)))
		if r.item.Rank == 1 {
			best = widths[len(widths)-1]
		}
	}
	return widths, best
}

// scoreCell is the bar, the grade and the number of a section. In full-context mode nothing
// was selected by a score: the nearest passage is shown, faintly.
func (d drawing) scoreCell(it *retrieval.Item, c columns) string {
	value, ok := d.scoreOf(it)
	if !ok {
		return d.gradeCell(it, c)
	}
	best, number, style := d.best, d.s.Score, d.s.Bars[wording.Level(it.Score, 0, d.best)]
	if d.full {
		best, number, style = d.near, d.s.Faint, d.s.Faint
	}
	score := d.gradeCell(it, c) + number.Render(fmt.Sprintf("%*s", d.scoreWide, wording.Score(value)))
	if c.bar == 0 {
		return score
	}
	b := widget.Bar(value, best, c.bar, d.s.Plain)
	return style.Render(b) + strings.Repeat(" ", c.bar-ansi.StringWidth(b)+c.gap) + score
}

// gradeCell is the grade of a section: in words where the column has room for them.
func (d drawing) gradeCell(it *retrieval.Item, c columns) string {
	if c.grade == 0 {
		return ""
	}
	short, words := d.graded(it)
	if c.grade > d.gradedWide[0] && words != "" {
		short = words
	}
	return widget.Padded(d.s.Accent.Render(short), c.grade) + strings.Repeat(" ", c.gap)
}

// moveCell is how a section moved, and what its score gained.
func (d drawing) moveCell(it *retrieval.Item, c columns) string {
	cell, gap := "", strings.Repeat(" ", c.gap)
	if c.arrow > 0 {
		text, style := wording.Movement(d.s, d.changes.shifts[it.ChunkID])
		cell = widget.FitRight(style.Render(text), c.arrow) + gap
	}
	if c.delta > 0 {
		text, style := d.delta(it.ChunkID)
		cell += widget.FitRight(style.Render(text), c.delta) + gap
	}
	return cell
}
