package ui

import (
	"github.com/webrag/webrag-tui/ui/results"
	"github.com/webrag/webrag-tui/ui/wording"
)

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
