package results

import (
	"strings"

	"github.com/webrag/webrag-tui/ui/wording"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/theme"
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

// ShowsMoves reports that rows have a column for how they moved.
func (p *List) ShowsMoves() bool { return p.steady || p.changes.differ() }

// Moved is how a section of the list moved against the baseline, nil where it did not.
func (p *List) Moved(id string) *retrieval.Shift { return p.changes.Shifts[id] }

// moveWide are the cells of the columns behind the score.
func (p *List) moveWide(s *theme.Styles) int {
	if !p.ShowsMoves() {
		return 0
	}
	wide := 2 + p.arrowWide(s)
	if p.showsDeltas() {
		wide += 1 + deltaCells
	}
	return wide
}

func (p *List) arrowWide(s *theme.Styles) int {
	if s.Spoken {
		return spokenMoveCells
	}
	return moveCells
}

func (p *List) showsDeltas() bool { return p.w >= scoreDeltaWidth && !p.full }

// moveCell is how a section moved, and what its score gained.
func (p *List) moveCell(s *theme.Styles, it *retrieval.Item) string {
	if !p.ShowsMoves() {
		return ""
	}
	shift := p.changes.Shifts[it.ChunkID]
	text, style := wording.Movement(s, shift)
	cell := "  " + widget.Padded(style.Render(text), p.arrowWide(s))
	if !p.showsDeltas() {
		return cell
	}
	delta, deltaStyle := "", s.Up
	if shift != nil && p.changes.scores {
		delta = wording.ScoreDelta(s, shift.ScoreDelta())
		if shift.ScoreDelta() < 0 {
			deltaStyle = s.Down
		}
	}
	return cell + " " + strings.Repeat(" ", max(0, deltaCells-ansi.StringWidth(delta))) + deltaStyle.Render(delta)
}

// barCells are the cells of a score's bar.
func (p *List) barCells(s *theme.Styles) int {
	if p.ShowsMoves() {
		switch {
		case p.w >= longBarWidth:
			return 10
		case p.w >= barWidth:
			return 6
		}
		return 0
	}
	switch {
	case p.w >= 56:
		return 10
	case p.w >= 34, s.Plain && p.w >= 30:
		return 6
	}
	return 0
}

// goneLine is a section that only the baseline returns: its rank there, and what
// dropped it where there is room for that.
func (p *List) goneLine(s *theme.Styles, it *retrieval.Item, current, focused bool) string {
	mark, style := widget.Mark(s, current, focused, s.Faint)
	indent := strings.Repeat(" ", p.rankWide+1)
	was := s.Down.Render("was " + wording.Count(it.Rank))
	room := p.w - 1 - len(indent) - 1
	right := was
	if why := s.Faint.Render(wording.Said(wording.OfArm(it.Why, p.arms).Say(phrase.Brief), wording.Score)); ansi.StringWidth(why)+2+ansi.StringWidth(was) <= room-goneNameWidth {
		right = why + "  " + was
	}
	name := widget.Marked(s, wording.LeafFirst(it, p.Tails), p.Hit, style, room-ansi.StringWidth(right)-2)
	return mark + indent + widget.Spread(name, right+" ", p.w-1-len(indent))
}
