package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/judge"
)

// outing is a look at the results of a query that another view has named, by parameters that
// it has named: the way back to that, and to what the parameters were.
type outing struct {
	from, to viewID
	query    string
	// isWhy says that it was made for a report, and ends with it.
	isWhy bool
	// shown and beside are the parameters and what they are compared with meanwhile, restore
	// puts those back that were there before.
	shown   param.Params
	beside  session.Setting
	restore func() []session.Work
}

// excursion makes outings.
type excursion struct{ *Model }

// look asks a query by the parameters that by sets, and shows the results.
func (m excursion) look(query string, by func() tea.Cmd) tea.Cmd { return m.begin(query, by, false) }

// judge asks a query so, and has judged what of its results is not the same as before.
func (m excursion) judge(query string, by func() tea.Cmd) tea.Cmd {
	cmd := m.begin(query, by, false)
	judge.OnlyDiffering(m.Model.judge)
	m.out.to = viewJudge
	return tea.Batch(cmd, m.showView(viewJudge))
}

// explain asks a query so, and shows why a text is not among the results.
func (m excursion) explain(query string, by func() tea.Cmd, t whynot.Target) tea.Cmd {
	return tea.Batch(m.begin(query, by, true), m.why.AskOf(query, t))
}

func (m excursion) begin(query string, by func() tea.Cmd, isWhy bool) tea.Cmd {
	o := &outing{from: m.view, to: viewExplore, query: query, isWhy: isWhy, restore: m.session.KeepTuning()}
	m.session.Divide()
	cmd := by()
	m.session.Divide()
	o.shown, o.beside = m.session.Params(), m.session.Baseline()
	cmd = tea.Batch(cmd, comparing(m.Model).Ask(query))
	m.out = o
	return cmd
}

// isOut reports that the results are still those of an outing.
func (m excursion) isOut() bool {
	o := m.out
	return o != nil && m.view == o.to && (m.view == viewJudge || m.opened == nil && m.session.Asked() == o.query)
}

// afterWhy goes back where the report was all that was wanted.
func (m excursion) afterWhy() tea.Cmd {
	if m.isOut() && m.out.isWhy {
		return m.back()
	}
	return nil
}

// back ends an outing. What was changed meanwhile stays.
func (m excursion) back() tea.Cmd {
	o := m.out
	m.out = nil
	cmd := m.showView(o.from)
	if m.session.Params() == o.shown && m.session.Baseline() == o.beside {
		cmd = tea.Batch(cmd, m.retuned(o.restore()))
	}
	return cmd
}
