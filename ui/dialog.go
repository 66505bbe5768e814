package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/widget"
)

// verdict is what a dialog answers to a message. The root acts on it, so that
// dialogs know nothing of the program but what whoever opened them said is to be
// done.
type verdict struct {
	closed bool
	// action is the ID of an action to run once the dialog is closed.
	action string
	// then is done with the dialog's result; nil is nothing.
	then func(*Model) tea.Cmd
}

// dialog is a box over the screen that gets all keys while it is open.
type dialog interface {
	handle(tea.Msg) verdict
	// view draws at most w by h cells; all lines are of one width.
	view(s *theme.Styles, w, h int) []string
	// cursor is where text is typed, relative to the box; nil for nowhere.
	cursor() *tea.Cursor
}

// push opens a dialog over what is on the screen.
func (m *Model) push(d dialog) tea.Cmd {
	m.dialogs = append(m.dialogs, d)
	return nil
}

// wholeDialog is a dialog that takes the whole screen below the query.
type wholeDialog interface {
	dialog
	isWhole()
}

// motions are the keys that move in a dialog where no text is typed, turning those
// that go through a list beside a line that is typed into.
var (
	motions = map[string]widget.Verb{
		"down": widget.Down, "j": widget.Down, "up": widget.Up, "k": widget.Up,
		"pgdown": widget.PageDown, "space": widget.PageDown, "ctrl+d": widget.PageDown, "pgup": widget.PageUp, "ctrl+u": widget.PageUp,
		"g": widget.Home, "home": widget.Home, "G": widget.End, "end": widget.End,
	}
	motionsTyped = map[string]widget.Verb{
		"down": widget.Down, "ctrl+n": widget.Down, "tab": widget.Down, "up": widget.Up, "shift+tab": widget.Up,
		"pgdown": widget.PageDown, "pgup": widget.PageUp,
	}
)

// motion is the key of a message and how it moves in a dialog, or how a turn of the
// wheel does.
func motion(msg tea.Msg) (key string, v widget.Verb) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return msg.String(), motions[msg.String()]
	case tea.MouseWheelMsg:
		return "", wheelVerb(msg)
	}
	return "", 0
}
