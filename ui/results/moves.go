package results

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// columns are the cells of what stands beside the names, 0 for what is not shown: the bar
// of a score, the score, how a section moved, and what its score gained. The latter two are
// as wide as what they hold. Before each stands a gap.
type columns struct{ bar, score, arrow, delta, gap int }

// wide are the cells of all columns, with the blanks before them and the one behind.
func (c columns) wide() int {
	n := c.score + 2 + c.moves()
	if c.bar > 0 {
		n += c.bar + c.gap
	}
	return n
}

// moves are the cells behind the score.
func (c columns) moves() int {
	n := 0
	for _, wide := range []int{c.arrow, c.delta} {
		if wide > 0 {
			n += c.gap + wide
		}
	}
	return n
}

// The widths of bars, from the longest. A shorter one shows nothing of what it compares.
var barWidths = [...]int{10, 6, 4}

// A share of the names has to stand whole beside the columns: of the others, each takes
// the place of its bar. More names than sampled are not measured.
const (
	namesWhole = .8
	sampled    = 200
)

// narrow is the width of a list in which every cell counts, or less.
const narrow = 48

// columns are the widest that leave room for the names: bars go first, then what scores
// gained. While parameters are at hand bars stay before that, as each step would move them.
func (d drawing) columns() columns {
	most := d.filled()
	names := d.nameWidths()
	fits := func(c columns) bool {
		room, whole := d.w-d.rankWide-2-c.wide(), 0
		for _, w := range names {
			if w <= room {
				whole++
			}
		}
		return float64(whole) >= namesWhole*float64(len(names))
	}
	for _, c := range d.choices(most) {
		if fits(c) {
			c.arrow, c.delta = min(c.arrow, most.arrow), min(c.delta, most.delta)
			return c
		}
	}
	most.delta = 0
	return most
}

// choices are the columns that there may be, from the fullest on. While parameters are at
// hand they have what the next step would put into them: it leaves the bars as they are.
func (d drawing) choices(most columns) []columns {
	if d.tuning && !d.full {
		most.arrow, most.delta = max(most.arrow, len("new")), max(most.delta, len("+")+len(wording.Score(0)))
	}
	var all, kept []columns
	for _, bar := range barWidths {
		if d.s.Plain && bar < 6 {
			break // of whole signs it would be too coarse
		}
		c := most
		c.bar = bar
		all = append(all, c)
		if c.delta = 0; d.tuning {
			kept = append(kept, c)
		}
	}
	return append(append(all, kept...), most)
}

// filled are the columns that hold something, without a bar.
func (d drawing) filled() columns {
	c := columns{score: d.scoreWide, gap: 2}
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

// nameWidths are those of the first sections.
func (d drawing) nameWidths() []int {
	var widths []int
	for i := range d.rows {
		r := &d.rows[i]
		if r.kind != sectionRow || r.item.Rank == 0 {
			continue
		}
		if len(widths) == sampled {
			break
		}
		widths = append(widths, d.indent(r)+ansi.StringWidth(d.name(r)))
	}
	return widths
}

// scoreCell is the bar and the number of a section. In full-context mode nothing
// was selected by a score: the nearest passage is shown, faintly.
func (d drawing) scoreCell(it *retrieval.Item, c columns) string {
	value, ok := d.scoreOf(it)
	if !ok {
		return ""
	}
	best, number, style := d.best, d.s.Score, d.s.Bars[wording.Level(it.Score, 0, d.best)]
	if d.full {
		best, number, style = d.near, d.s.Faint, d.s.Faint
	}
	score := number.Render(fmt.Sprintf("%*s", d.scoreWide, wording.Score(value)))
	if c.bar == 0 {
		return score
	}
	b := widget.Bar(value, best, c.bar, d.s.Plain)
	return style.Render(b) + strings.Repeat(" ", c.bar-ansi.StringWidth(b)+c.gap) + score
}

// moveCell is how a section moved, and what its score gained.
func (d drawing) moveCell(it *retrieval.Item, c columns) string {
	cell, gap := "", strings.Repeat(" ", c.gap)
	if c.arrow > 0 {
		text, style := wording.Movement(d.s, d.changes.shifts[it.ChunkID])
		cell = gap + widget.Padded(style.Render(text), c.arrow)
	}
	if c.delta > 0 {
		text, style := d.delta(it.ChunkID)
		cell += gap + widget.FitRight(style.Render(text), c.delta)
	}
	return cell
}
