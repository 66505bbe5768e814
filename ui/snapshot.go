package ui

import (
	"slices"

	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/wording"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/widget"
)

// takeSnapshot asks for a name and keeps the ranking on the screen under it.
func (m *Model) takeSnapshot() tea.Cmd {
	free, _ := m.session.SnapshotName("")
	check := func(typed string) error {
		_, err := m.session.SnapshotName(typed)
		return err
	}
	p := view.NewPrompt("Take a snapshot of this ranking", "a name to find it again by; nothing typed is "+free, "", check, func(typed string) tea.Cmd {
		name, err := m.session.SnapshotName(typed)
		if m.session.Result() == nil || err != nil {
			return nil
		}
		m.session.Keep(name)
		return m.say("kept as "+name+"; D compares it", false)
	})
	p.Verb = "keep"
	p.Input.Placeholder = free
	return m.push(p)
}

// chooseSnapshot lets one of the snapshots be chosen, the latest first.
func (m *Model) chooseSnapshot(title string, then func(*session.Snapshot) tea.Cmd) tea.Cmd {
	var all []widget.Choice
	for _, s := range slices.Backward(m.session.Snapshots()) {
		all = append(all, widget.Choice{Value: s.Name, Title: wording.Line(s.Name + "   " + s.Query), Key: ""})
	}
	c := view.NewChooser(title, all, true)
	c.Then = func(name string) tea.Cmd {
		if s := m.session.Snapshot(name); s != nil {
			return then(s)
		}
		return nil
	}
	return m.push(c)
}

// compareSnapshots shows a snapshot beside the ranking on the screen. Of several,
// it lets one be chosen.
func (m *Model) compareSnapshots() tea.Cmd {
	show := func(s *session.Snapshot) tea.Cmd {
		return m.push(newPairDialog(m.pairs(), s, m.restoreSnapshot))
	}
	if len(m.session.Snapshots()) == 1 {
		return show(m.session.Snapshots()[0])
	}
	return m.chooseSnapshot("Compare which snapshot", show)
}

// pairs are the rankings that can be compared: the snapshots, then the one on the
// screen.
func (m *Model) pairs() []*session.Snapshot {
	all := slices.Clone(m.session.Snapshots())
	if now := m.session.Present("now"); now != nil {
		all = append(all, now)
	}
	return all
}

// restoreSnapshot sets the parameters of a snapshot. What they are compared with
// stays.
func (m *Model) restoreSnapshot(s *session.Snapshot) tea.Cmd {
	if s.Setting.Params == m.session.Params() {
		return m.say("these are its parameters already", false)
	}
	return tea.Batch(m.setParams(s.Setting.Params, ""), m.say("the parameters of "+s.Name+"; {tune.undo} takes them back", false))
}

func (m *Model) deleteSnapshot(s *session.Snapshot) tea.Cmd {
	m.session.Drop(s)
	return m.say("no longer kept: "+s.Name, false)
}

func (m *Model) hasResult() (bool, string) { return m.session.Result() != nil, "ask a query first" }

func (m *Model) hasSnapshot() (bool, string) {
	return len(m.session.Snapshots()) > 0, "no snapshot was taken yet: {snapshot.take} takes one"
}

func (m *Model) snapshotActions() []view.Action {
	return []view.Action{
		{
			ID: "snapshot.take", Title: "Snapshot: Take", Help: "Keep this ranking with its parameters under a name.",
			Keys: []string{"S"}, Contexts: anyPane, Enabled: m.hasResult, Run: m.takeSnapshot,
		},
		{
			ID: "snapshot.compare", Title: "Snapshot: Compare", Help: "Show a snapshot beside this ranking, or two snapshots side by side.",
			Keys: []string{"D"}, Contexts: anyPane, Enabled: m.hasSnapshot, Run: m.compareSnapshots,
		},
		{
			ID: "snapshot.restore", Title: "Snapshot: Restore its parameters…", Help: "Set the parameters that a snapshot was taken with.",
			Contexts: anyPane, Enabled: m.hasSnapshot,
			Run: func() tea.Cmd {
				return m.chooseSnapshot("Restore whose parameters", m.restoreSnapshot)
			},
		},
		{
			ID: "snapshot.delete", Title: "Snapshot: Delete…", Help: "Forget a snapshot.",
			Contexts: anyPane, Enabled: m.hasSnapshot,
			Run: func() tea.Cmd { return m.chooseSnapshot("Delete which snapshot", m.deleteSnapshot) },
		},
	}
}
