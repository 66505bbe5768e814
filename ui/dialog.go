package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/ui/keys"
	"github.com/webrag/webrag-tui/ui/view"
)

// dialogs are the boxes over the screen, the top one last.
type dialogs struct{ open []view.Dialog }

// top is the one that gets the keys, nil for none.
func (d *dialogs) top() view.Dialog {
	if len(d.open) == 0 {
		return nil
	}
	return d.open[len(d.open)-1]
}

// push opens a dialog over what is on the screen.
func (d *dialogs) push(one view.Dialog) tea.Cmd {
	d.open = append(d.open, one)
	return nil
}

// pop closes the top one.
func (d *dialogs) pop() { d.open = d.open[:len(d.open)-1] }

// closeFrom closes a dialog and those over it.
func (d *dialogs) closeFrom(one view.Dialog) {
	if at := slices.Index(d.open, one); at >= 0 {
		d.open = d.open[:at]
	}
}

// leadingFrom are the actions that lead to all others from a dialog: those that are not
// what it is itself.
func leadingFrom(d view.Dialog) []string {
	if c, isChooser := d.(*view.Chooser); isChooser && c.IsAction && c.Typed {
		return []string{"help.show"}
	}
	if _, isHelp := d.(*view.Help); isHelp {
		return []string{"palette.show"}
	}
	return []string{"palette.show", "help.show"}
}

// leadsTo says that an action is done by its key from a dialog; away, that this is left for it.
func leadsTo(d view.Dialog, action string) (leads, away bool) {
	if slices.Contains(leadingFrom(d), action) {
		return true, false
	}
	if l, ok := d.(view.LeadingDialog); ok {
		return l.Leads(action)
	}
	return false, false
}

// leadingKey is the key of such an action in a dialog, empty for none: where text is typed
// into it, what types a letter is none.
func leadingKey(d view.Dialog, a *view.Action) string {
	for _, k := range a.Keys {
		if d.Cursor() == nil || !keys.IsTyped(k) {
			return k
		}
	}
	return ""
}

// leaveDialogs leaves all dialogs as esc does, before what was chosen over them is done.
func (m *Model) leaveDialogs() tea.Cmd {
	const most = 16 // steps back: a dialog may have several
	var cmds []tea.Cmd
	for n := 0; n < most && m.top() != nil; n++ {
		cmds = append(cmds, m.toDialog(tea.KeyPressMsg{Code: tea.KeyEscape}))
	}
	return tea.Batch(cmds...)
}

// answerPrompt ends what a prompt that stays has begun: without an error it is
// closed, otherwise what was typed can be mended. It does nothing where the prompt
// was left, and reports whether it was still open.
func (d *dialogs) answerPrompt(p *view.Prompt, err error) bool {
	at := slices.Index(d.open, view.Dialog(p))
	if p == nil || at < 0 {
		return false
	}
	p.Answer(err)
	if err == nil {
		d.open = slices.Delete(d.open, at, at+1)
	}
	return true
}
