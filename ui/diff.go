package ui

import (
	"fmt"

	"github.com/webrag/webrag-tui/ui/wording"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/results"
	"github.com/webrag/webrag-tui/ui/widget"
)

// saidUnlike is said in place of a comparison of them.
const saidUnlike = "sections and passages are not compared"

// showDifference gives the list how the shown result differs from the baseline's.
func (m *Model) showDifference() {
	m.reserveMoves()
	s := m.session
	m.results.Change(s.Result(), results.ChangesOf(s.Difference(), s.BaselineResult(), wording.Line(s.Baseline().Name)))
}

// reserveMoves keeps room for how sections move while they may: while parameters
// are changed by hand, or a baseline is pinned.
func (m *Model) reserveMoves() {
	m.results.Reserve(m.showTune && m.view == viewExplore || m.session.IsPinned())
}

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
