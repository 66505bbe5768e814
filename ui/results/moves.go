package results

import (
	"strings"

	"github.com/webrag/webrag-tui/ui/wording"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/ui/widget"
)

// The widths of a list from which a row that shows its movement has room for the
// rest: a long bar, the change of its score, a bar. The movement itself always
// has room.
const (
	longBarWidth    = 68
	scoreDeltaWidth = 42
	barWidth        = 50
	// goneNameWidth is what the name of a section that is gone keeps, whatever
	// there is to say of why.
	goneNameWidth = 22
)

// Cells of what stands behind the score.
const (
	moveCells       = 3 // "▲12", "new"
	spokenMoveCells = 7 // "down 12"
	deltaCells      = 6 // "−1.250"
)

// showsMoves reports that rows have a column for how they moved.
func (p *list) showsMoves() bool { return p.steady || p.changes.differ() }

// moveWide are the cells of the columns behind the score.
func (d drawing) moveWide() int {
	if !d.showsMoves() {
		return 0
	}
	wide := 2 + d.arrowWide()
	if d.showsDeltas() {
		wide += 1 + deltaCells
	}
	return wide
}

func (d drawing) arrowWide() int {
	if d.s.Spoken {
		return spokenMoveCells
	}
	return moveCells
}

func (p *list) showsDeltas() bool { return p.w >= scoreDeltaWidth && !p.full }

// moveCell is how a section moved, and what its score gained.
func (d drawing) moveCell(it *retrieval.Item) string {
	if !d.showsMoves() {
		return ""
	}
	text, style := wording.Movement(d.s, d.changes.shifts[it.ChunkID])
	cell := "  " + widget.Padded(style.Render(text), d.arrowWide())
	if !d.showsDeltas() {
		return cell
	}
	delta, deltaStyle := d.delta(it)
	return cell + " " + strings.Repeat(" ", max(0, deltaCells-ansi.StringWidth(delta))) + deltaStyle.Render(delta)
}

// barCells are the cells of a score's bar.
func (d drawing) barCells() int {
	if d.showsMoves() {
		switch {
		case d.w >= longBarWidth:
			return 10
		case d.w >= barWidth:
			return 6
		}
		return 0
	}
	switch {
	case d.w >= 56:
		return 10
	case d.w >= 34, d.s.Plain && d.w >= 30:
		return 6
	}
	return 0
}
