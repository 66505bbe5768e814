package ui

import (
	"fmt"

	"github.com/webrag/webrag-tui/ui/wording"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/widget"
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

// differ reports that there is something to show.
func (c *changes) differ() bool { return len(c.shifts) > 0 || len(c.gone) > 0 }

// diffSummary says in at most room cells how the shown result differs from the
// baseline; empty where it does not, or where there is no room for it.
func (m *Model) diffSummary(room int) string {
	s, c := m.styles, m.session.Difference()
	if err := m.session.Unasked(); err != nil {
		why, again := wording.FirstLine(err), m.keyed("{corpus.reopen} tries again")
		return widget.FirstFitting(room, s.Warning.Render("not of these parameters: "+why+"; "+again), s.Warning.Render("not of these parameters; "+again), s.Warning.Render(again))
	}
	if m.session.Pending() != "" {
		return widget.FirstFitting(room, s.Faint.Render("asks the corpus: "+wording.Line(m.session.Pending())), s.Faint.Render("asks the corpus"+s.Signs.Ellipsis))
	}
	if m.session.IsUnlike() {
		return widget.FirstFitting(room, s.Faint.Render(saidUnlike))
	}
	if c == nil || c.IsIdentical() {
		return ""
	}
	against := s.Faint.Render("against " + ansi.Truncate(wording.Line(m.session.Baseline().Name), 24, s.Signs.Ellipsis) + "   ")
	counted, short := wording.DiffCounts(s, c)
	overlap, rbo := wording.Measures(c)
	overlap = "   " + s.Faint.Render(fmt.Sprintf("overlap@%d ", session.OverlapDepth)) + overlap
	if rbo != "" {
		rbo = "   " + s.Faint.Render("RBO ") + rbo
	}
	scale := ""
	if !c.SameScale() {
		scale = s.Faint.Render("   ranks only: other scale")
	}
	return widget.FirstFitting(room,
		against+counted+overlap+rbo+scale, against+counted+rbo+scale, counted+rbo+scale, counted+rbo, counted, short)
}
