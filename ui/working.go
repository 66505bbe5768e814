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
			cmds = append(cmds, m.after(view.SpinnerDelay, slownessDue{w.Gen}))
		}
		if w.Delay > 0 {
			cmds[i] = m.after(w.Delay, workDue{w})
		}
	}
	return tea.Batch(cmds...)
}

func (m *Model) begin(w session.Work) tea.Cmd {
	ctx := m.ctx
	return func() tea.Msg { return workDone{w.Run(ctx)} }
}

// workDue says that work has rested for long enough.
type workDue struct{ session.Work }

func (msg workDue) apply(m *Model) tea.Cmd {
	if !m.session.Awaits(msg.Kind, msg.Gen) {
		return nil
	}
	return m.begin(msg.Work)
}

// workDone brings what work of the session has brought.
type workDone struct{ session.Done }

// afterDone says and shows what is not of the session, by the kind of work that is done.
var afterDone = map[session.Kind]func(*Model, session.Done) tea.Cmd{
	session.KindEvidence:   (*Model).onEvidence,
	session.KindBaseline:   (*Model).onBaseline,
	session.KindWhy:        func(m *Model, d session.Done) tea.Cmd { return m.why.Reported(d) },
	session.KindAdmit:      func(m *Model, d session.Done) tea.Cmd { return m.why.Admitted(d) },
	session.KindOpenBeside: func(m *Model, d session.Done) tea.Cmd { return m.welcome.Take(d) },
	session.KindClose:      (*Model).onClosed,
	session.KindSection:    func(m *Model, d session.Done) tea.Cmd { return m.onVisited(d, "section could not be read") },
	session.KindAddress:    func(m *Model, d session.Done) tea.Cmd { return m.onVisited(d, "address could not be opened") },
	session.KindSpan:       (*Model).onSpan,
	session.KindLinks:      (*Model).onLinks,
	session.KindOutline:    (*Model).onOutline,
	session.KindText:       (*Model).onText,
	session.KindHealth:     (*Model).onHealth,
	session.KindSections:   func(m *Model, d session.Done) tea.Cmd { return m.why.Listed(d) },
	session.KindIndex:      func(m *Model, d session.Done) tea.Cmd { return m.welcome.Take(d) },
}

func (msg workDone) apply(m *Model) tea.Cmd {
	switch awaited := m.session.Awaits(msg.Kind, msg.Gen); {
	case !awaited:
		return m.start(m.session.Apply(msg.Done)) // what was opened in vain is closed
	case msg.Kind == session.KindAnswer:
		return m.onAnswer(msg.Done)
	case msg.Kind == session.KindOpen:
		return m.onOpened(msg.Done)
	}
	cmd := m.showSession(m.selectedID(), m.session.Apply(msg.Done))
	if after := afterDone[msg.Kind]; after != nil {
		cmd = tea.Batch(cmd, after(m, msg.Done))
	}
	for i := range m.views {
		if v, ok := m.views[i].View.(view.Taker); ok {
			cmd = tea.Batch(cmd, v.Take(msg.Done))
		}
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
	if what.Has(session.SurveyChanged) {
		m.showSurvey()
	}
	if what.Has(session.Compared) {
		m.showDifference()
	}
	if what.Has(session.ResultChanged) {
		m.list(keep) // after comparing: what is gone is listed, too
	}
	if what.Has(session.Ranked) {
		m.why.Ranked()
	}
	if what.Has(session.Examined) {
		m.score.Examined()
	}
	if what.Has(session.CosinesChanged) {
		m.repaint()
	}
	if what.Has(session.WatchChanged) {
		m.showWatched()
	}
	cmd := m.start(work)
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
