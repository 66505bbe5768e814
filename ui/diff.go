package ui

import (
	"fmt"
	"math"
	"strconv"

	"github.com/webrag/webrag-tui/ui/wording"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/theme"
)

// changes is how a listed result differs from the baseline.
type changes struct {
	// against names the baseline.
	against string
	// shifts are those of the listed sections, by chunk id; empty where nothing
	// differs.
	shifts map[string]*retrieval.Shift
	// gone are the sections that only the baseline returns, by their rank there,
	// which is their Rank; Why is always set.
	gone []retrieval.Item
	// scores says that the scores of both are on one scale.
	scores bool
}

// changesOf prepares a comparison for the list.
func changesOf(c *retrieval.Comparison, base *retrieval.Result, against string) changes {
	if c == nil || base == nil || c.IsIdentical() {
		return changes{}
	}
	ch := changes{against: against, shifts: make(map[string]*retrieval.Shift, len(c.Entered)+len(c.Moved)), scores: c.SameScale()}
	for _, list := range [][]retrieval.Shift{c.Entered, c.Moved} {
		for i := range list {
			ch.shifts[list[i].ChunkID] = &list[i]
		}
	}
	had := make(map[string]*retrieval.Item, len(base.Items))
	for i := range base.Items {
		had[base.Items[i].ChunkID] = &base.Items[i]
	}
	for i := range c.Left {
		it := *had[c.Left[i].ChunkID]
		it.Why = c.Left[i].Why
		if it.Why == nil {
			it.Why = &retrieval.Drop{ID: it.ChunkID}
		}
		ch.gone = append(ch.gone, it)
	}
	return ch
}

// saidUnlike is said in place of a comparison of them.
const saidUnlike = "sections and passages are not compared"

// showDifference gives the list how the shown result differs from the baseline's.
func (m *Model) showDifference() {
	m.reserveMoves()
	s := m.session
	m.results.change(s.Result(), changesOf(s.Difference(), s.BaselineResult(), wording.Line(s.Baseline().Name)))
}

// reserveMoves keeps room for how sections move while they may: while parameters
// are changed by hand, or a baseline is pinned.
func (m *Model) reserveMoves() {
	m.results.reserve(m.tune.open && m.view == viewExplore || m.session.IsPinned())
}

// measures says how alike two rankings are. Of two lengths, it leaves out the
// rank-biased overlap: that of a list and its own beginning is 1, whatever else
// the list has.
func measures(c *retrieval.Comparison) (overlap, rbo string) {
	if c.LengthA == c.LengthB {
		rbo = wording.Score(c.RBO)
	}
	return wording.Score(c.Overlap), rbo
}

// differ reports that there is something to show.
func (c *changes) differ() bool { return len(c.shifts) > 0 || len(c.gone) > 0 }

// movement says where a section went: two places up, one down, new; empty for one
// that stayed.
func movement(s *theme.Styles, shift *retrieval.Shift) (text string, style lipgloss.Style) {
	if shift == nil {
		return "", s.Faint
	}
	by := shift.RankDelta()
	switch {
	case shift.RankA == 0:
		return "new", s.Up
	case by > 0:
		return upSign(s) + strconv.Itoa(by), s.Up
	case by < 0:
		return downSign(s) + strconv.Itoa(-by), s.Down
	}
	return "", s.Faint
}

// upSign and downSign stand before a number of places. On a screen that is read
// aloud they are words: its other numbers have signs, too.
func upSign(s *theme.Styles) string {
	if s.Spoken {
		return "up "
	}
	return s.Signs.Up
}

func downSign(s *theme.Styles) string {
	if s.Spoken {
		return "down "
	}
	return s.Signs.Down
}

// scoreDelta is what a score gained, with its sign; empty for less than the last
// digit shown.
func scoreDelta(s *theme.Styles, d float64) string {
	if math.IsNaN(d) || math.Abs(d) < .0005 {
		return ""
	}
	sign := "+"
	if d < 0 {
		sign = s.Signs.Minus
	}
	return sign + wording.Score(math.Abs(d))
}

// diffSummary says in at most room cells how the shown result differs from the
// baseline; empty where it does not, or where there is no room for it.
func (m *Model) diffSummary(room int) string {
	s, c := m.styles, m.session.Difference()
	if err := m.session.Unasked(); err != nil {
		why, again := wording.FirstLine(err), m.keyed("{corpus.reopen} tries again")
		return firstFitting(room, s.Warning.Render("not of these parameters: "+why+"; "+again), s.Warning.Render("not of these parameters; "+again), s.Warning.Render(again))
	}
	if m.session.Pending() != "" {
		return firstFitting(room, s.Faint.Render("asks the corpus: "+wording.Line(m.session.Pending())), s.Faint.Render("asks the corpus"+s.Signs.Ellipsis))
	}
	if m.session.IsUnlike() {
		return firstFitting(room, s.Faint.Render(saidUnlike))
	}
	if c == nil || c.IsIdentical() {
		return ""
	}
	against := s.Faint.Render("against " + ansi.Truncate(wording.Line(m.session.Baseline().Name), 24, s.Signs.Ellipsis) + "   ")
	counted, short := diffCounts(s, c)
	overlap, rbo := measures(c)
	overlap = "   " + s.Faint.Render(fmt.Sprintf("overlap@%d ", session.OverlapDepth)) + overlap
	if rbo != "" {
		rbo = "   " + s.Faint.Render("RBO ") + rbo
	}
	scale := ""
	if !c.SameScale() {
		scale = s.Faint.Render("   ranks only: other scale")
	}
	return firstFitting(room,
		against+counted+overlap+rbo+scale, against+counted+rbo+scale, counted+rbo+scale, counted+rbo, counted, short)
}

// diffCounts says how many sections entered, left and moved, at length and in
// short.
func diffCounts(s *theme.Styles, c *retrieval.Comparison) (long, short string) {
	moved := session.MovedRanks(c)
	if len(c.Entered)+len(c.Left)+moved == 0 {
		return "same ranks, other scores", "same ranks"
	}
	entered, left := tinted(s.Up, len(c.Entered)), tinted(s.Down, len(c.Left))
	return fmt.Sprintf("entered %s  left %s  moved %d", entered, left, moved), fmt.Sprintf("%s new %s gone %d moved", entered, left, moved)
}

// tinted is a number in its colour, unless it is nothing.
func tinted(style lipgloss.Style, n int) string {
	if n == 0 {
		return "0"
	}
	return style.Render(strconv.Itoa(n))
}

// firstFitting is the first text of at most room cells, empty if there is none.
func firstFitting(room int, texts ...string) string {
	for _, t := range texts {
		if ansi.StringWidth(t) <= room {
			return t
		}
	}
	return ""
}
