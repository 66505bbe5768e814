package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/ui/view"
)

// push opens a dialog over what is on the screen.
func (m *Model) push(d view.Dialog) tea.Cmd {
	m.dialogs = append(m.dialogs, d)
	return nil
}

// answerPrompt ends what a prompt that stays has begun: without an error it is
// closed, otherwise what was typed can be mended. It does nothing where the prompt
// was left, and reports whether it was still open.
func (m *Model) answerPrompt(p *view.Prompt, err error) bool {
	if p == nil || !m.isOpen(p) {
		return false
	}
	p.Answer(err)
	if err == nil {
		m.dialogs = slices.DeleteFunc(m.dialogs, func(d view.Dialog) bool { return d == view.Dialog(p) })
	}
	return true
}

// isOpen says that a prompt was not left.
func (m *Model) isOpen(p *view.Prompt) bool {
	return slices.ContainsFunc(m.dialogs, func(d view.Dialog) bool { return d == view.Dialog(p) })
}
