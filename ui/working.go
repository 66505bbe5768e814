package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/session"
)

// start begins the work of the session. What is to rest first comes back as a message.
func (m *Model) start(work []session.Work) tea.Cmd {
	cmds := make([]tea.Cmd, len(work))
	for i, w := range work {
		cmds[i] = m.begin(w)
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

func (msg workDue) arrive(m *Model) tea.Cmd {
	if !m.session.Awaits(msg.Kind, msg.Gen) {
		return nil
	}
	return m.begin(msg.Work)
}

// workDone brings what work of the session has brought.
type workDone struct{ session.Done }

func (msg workDone) arrive(m *Model) tea.Cmd {
	if !m.session.Awaits(msg.Kind, msg.Gen) {
		return nil
	}
	switch msg.Kind {
	case session.KindAnswer:
		return m.onAnswer(msg.Done)
	case session.KindEvidence:
		return m.onEvidence(msg.Done)
	case session.KindBaseline:
		return m.onBaseline(msg.Done)
	case session.KindWhy:
		return m.why.Reported(msg.Done)
	case session.KindAdmit:
		return m.why.Admitted(msg.Done)
	}
	return m.showSession(m.selectedID(), m.session.Apply(msg.Done))
}

// showSession shows what the session has changed and begins the work that follows from
// it. keep is the chunk id of the section that stays selected, empty for none.
func (m *Model) showSession(keep string, work []session.Work) tea.Cmd {
	return m.showChanges(m.session.Changed(), keep, work)
}

func (m *Model) showChanges(what session.Changes, keep string, work []session.Work) tea.Cmd {
	if what.Has(session.Compared) {
		m.showDifference()
	}
	if what.Has(session.ResultChanged) {
		m.list(keep) // after comparing: what is gone is listed, too
	}
	if what.Has(session.Ranked) {
		m.why.Ranked()
	}
	if what.Has(session.WatchChanged) {
		m.showWatched()
	}
	cmd := m.start(work)
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
