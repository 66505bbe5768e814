package ui

import (
	tea "charm.land/bubbletea/v2"
)

func tuneActions() []action {
	return []action{
		{
			ID: "tune.open", Title: "Tune: Parameters", Short: "tune", Help: "Show or hide the parameters.",
			Keys: []string{"t"}, Contexts: anyPane, Footer: 79, Run: func(m *Model) tea.Cmd { return m.toggleTune() },
		},
		{
			ID: "tune.undo", Title: "Tune: Undo", Short: "undo", Help: "Take the last change of parameters back.",
			Keys: []string{"u"}, Contexts: anyPane, Run: func(m *Model) tea.Cmd { return m.undoChange() },
		},
		{
			ID: "tune.redo", Title: "Tune: Redo", Help: "Make the change again that was taken back.",
			Keys: []string{"ctrl+r"}, Contexts: anyPane, Run: func(m *Model) tea.Cmd { return m.redoChange() },
		},
		{
			ID: "tune.pin", Title: "Tune: Pin as baseline", Short: "pin", Help: "Compare with the ranking as it is now; again to compare with the profile.",
			Keys: []string{"s"}, Contexts: anyPane, Footer: 45, Run: func(m *Model) tea.Cmd { return m.pin() },
		},
	}
}

func (m *Model) toggleTune() tea.Cmd {
	if m.tune.open && m.view == viewExplore {
		return m.closeTune()
	}
	cmd := m.showView(viewExplore)
	m.tune.open, m.zoomed = true, false
	return tea.Batch(cmd, m.focusOn(paneTune))
}

func (m *Model) closeTune() tea.Cmd {
	m.tune.open = false
	if m.focus == paneTune {
		m.focus = paneResults
	}
	m.arrange()
	return nil
}

// tunePanel is the drawer of parameters.
type tunePanel struct{}

func (tunePanel) setSize(*Model, int, int) {}

func (tunePanel) title(m *Model) (name, note string) { return "Tune", m.settingName() }

func (tunePanel) view(_ *Model, w, h int, _ bool) []string { return clip(nil, w, h) }

func (tunePanel) move(*Model, int) {}

func (tunePanel) movePage(*Model, int, int) {}

func (tunePanel) moveEnd(*Model, int) {}

func (tunePanel) scrollBy(*Model, int) {}

func (tunePanel) click(*Model, int, int) tea.Cmd { return nil }
