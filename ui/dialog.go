package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/ui/view"
)

// push opens a dialog over what is on the screen.
func (m *Model) push(d view.Dialog) tea.Cmd {
	m.dialogs = append(m.dialogs, d)
	return nil
}
