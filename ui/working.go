package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/view"
)

// start begins the work of the session. What is to rest first comes back as a message.
func (m *Model) start(work []session.Work) tea.Cmd {
	cmds := make([]tea.Cmd, len(work))
	for i, w := range work {
		cmds[i] = m.begin(w)
		if w.Kind == session.KindAnswer {
			m.spin = 0
			cmds = append(cmds, m.spinning.Rest(m.opts.After, view.SpinnerDelay, m.turn))
		}
		if w.Delay > 0 {
			cmds[i] = m.opts.After(w.Delay, workDue{w})
		}
	}
	return tea.Batch(cmds...)
}

// turn turns the spinner by a step, as long as a query is being answered.
func (m *Model) turn() tea.Cmd {
	if !m.session.Asking() {
		return nil
	}
	m.spin++
	return m.spinning.Rest(m.opts.After, view.SpinnerStep, m.turn)
}

func (m *Model) begin(w session.Work) tea.Cmd {
	ctx := m.ctx
	return func() tea.Msg { return workDone{w.Run(ctx)} }
}

// workDue says that work has rested for long enough.
type workDue struct{ session.Work }

// workDone brings what work of the session has brought.
type workDone struct{ session.Done }

// afterDone says and shows what is not of the session, by the kind of work that is done.
var afterDone = map[session.Kind]func(*Model, session.Done) tea.Cmd{
	session.KindEvidence: (*Model).onEvidence,
	session.KindBaseline: (*Model).onBaseline,
	session.KindClose:    (*Model).onClosed,
	session.KindIndex: func(m *Model, _ session.Done) tea.Cmd {
		m.arrange() // the welcome is not shown while pages are indexed, wherever that is
		return nil
	},
}

// takers are told of all that work has brought.
func (m *Model) takers() []view.Taker {
	all := []view.Taker{m.why, m.compare, m.welcome, navigation{m}, indexHealth{m}}
	for i := range m.views {
		if v, ok := m.views[i].View.(view.Taker); ok {
			all = append(all, v)
		}
	}
	return all
}

// workDone takes what work has brought, and shows it.
func (m *Model) workDone(d session.Done) tea.Cmd {
	switch awaited := m.session.Awaits(d.Kind, d.Gen); {
	case !awaited:
		return m.start(m.session.Apply(d)) // what was opened in vain is closed
	case d.Kind == session.KindAnswer:
		return m.onAnswer(d)
	case d.Kind == session.KindOpen:
		return m.onOpened(d)
	}
	cmd := m.showSession(m.selectedID(), m.session.Apply(d))
	if after := afterDone[d.Kind]; after != nil {
		cmd = tea.Batch(cmd, after(m, d))
	}
	for _, t := range m.takers() {
		cmd = tea.Batch(cmd, t.Take(d))
	}
	return cmd
}

// showSession shows what the session has changed and begins the work that follows from
// it. keep is the chunk id of the section that stays selected, empty for none.
func (m *Model) showSession(keep string, work []session.Work) tea.Cmd {
	return m.showChanges(m.session.Changed(), keep, work)
}

func (m *Model) showChanges(what session.Changes, keep string, work []session.Work) tea.Cmd {
	if what.Has(session.FailureChanged) {
		m.welcome.Follow()
	}
	if what.Has(session.SummaryChanged) {
		m.showSummary()
	}
	if what.Has(session.Compared) {
		m.results.Compared()
	}
	if what.Has(session.ResultChanged) {
		m.list(keep) // after comparing: what is gone is listed, too
	}
	if what.Has(session.Examined) {
		m.score.Examined()
	}
	if what.Has(session.CosinesChanged) {
		m.reader.Repaint()
	}
	if what.Has(session.WatchChanged) {
		m.showWatched()
	}
	cmd := m.start(work)
	if what.Has(session.Ranked) {
		cmd = tea.Batch(cmd, m.why.Ranked())
	}
	if what.Has(session.WatchChanged) {
		cmd = tea.Batch(cmd, m.why.Rewatched())
	}
	if what.Has(session.JudgedChanged) {
		cmd = tea.Batch(cmd, m.judge.Changed())
	}
	if what.Has(session.ComparisonsChanged) {
		cmd = tea.Batch(cmd, m.compare.Save())
	}
	if what.Has(session.Recovered) {
		cmd = tea.Batch(cmd, m.sayRecovered())
	}
	if what.Has(session.BreakpointsChanged) {
		cmd = tea.Batch(cmd, m.tune.Found())
	}
	return cmd
}

// selectedID is the chunk id of the selected section, empty for none.
func (m *Model) selectedID() string {
	if it := m.results.Selected(); it != nil {
		return it.ChunkID
	}
	return ""
}
