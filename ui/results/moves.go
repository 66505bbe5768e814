package results

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// columns are the cells of what stands beside the names, 0 for what is not shown: what the
// score of a section gained, how it moved, the bar of the score, the grade, and the score. The
// former two are as wide as what they hold, and take room from the names of the sections that
// they are of, not from others. Behind each but the score stands a gap.
type columns struct{ delta, arrow, bar, grade, score, gap int }

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

// barWidths are the widths of bars, from the longest, each with the cells that it leaves to the
// names at least: names are cut last. A shorter bar shows nothing of what it compares.
var barWidths = [...]struct{ bar, names int }{{10, 52}, {6, 44}, {4, 36}}

// narrow is the width of a list in which every cell counts, or less.
const narrow = 48

// columns have the widest bars that leave room for names. The width alone decides: bars stand
// beside all sections or none, whatever was asked.
func (d drawing) columns() columns {
	c := d.filled()
	room := d.w - d.rankWide - 2
	widths := barWidths[:]
	switch {
	case d.s.Spoken:
		widths = nil
	case d.s.Plain:
		widths = widths[:2] // of whole signs a shorter one would be too coarse
	}
	for _, width := range widths {
		c.bar = width.bar
		for _, c.grade = range [...]int{d.gradedWide[1], d.gradedWide[0]} { // in words, if they fit
			if c.wide() <= room-width.names {
				return c
			}
		}
	}
	c.bar = 0
	return c
}

// beside are the columns beside the name of a section, of which there are so many cells for
// both: what its score gained goes where it would cut the name. The others stay where they are
// in every row.
func (d drawing) beside(r *row, c columns, room int) columns {
	shift := d.changes.shifts[r.item.ChunkID]
	if text, _ := wording.Movement(d.s, shift); text == "" {
		c.arrow = 0
	}
	text, _ := d.delta(r.item.ChunkID)
	if text == "" && c.arrow == 0 || c.wide()+c.moves() > room-d.indent(r)-ansi.StringWidth(d.name(r)) {
		c.delta = 0
	}
	return c
}

// moves are the cells before the bar.
func (c columns) moves() int {
	n := 0
	for _, wide := range []int{c.delta, c.arrow} {
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

// moveCell is what the score of a section gained, and how it moved. The former, which there may
// be no room for, stands first, and the arrows below each other.
func (d drawing) moveCell(it *retrieval.Item, c columns) string {
	cell, gap := "", strings.Repeat(" ", c.gap)
	if c.delta > 0 {
		text, style := d.delta(it.ChunkID)
		cell = widget.FitRight(style.Render(text), c.delta) + gap
	}
	if c.arrow > 0 {
		text, style := wording.Movement(d.s, d.changes.shifts[it.ChunkID])
		cell += widget.FitRight(style.Render(text), c.arrow) + gap
	}
	return cell
}
