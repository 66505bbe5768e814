package view

import (
	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/widget"
)

// Verdict is what a dialog answers to a message. The shell acts on it, so that
// dialogs know nothing of the program but what whoever opened them said is to be
// done.
type Verdict struct {
	Closed bool
	// Action is the ID of an action to run once the dialog is closed.
	Action string
	// Then is done with the dialog's result; nil is nothing.
	Then func() tea.Cmd
}

// Dialog is a box over the screen that gets all keys while it is open.
type Dialog interface {
	Handle(tea.Msg) Verdict
	// Draw draws at most w by h cells; all lines are of one width.
	Draw(s *theme.Styles, w, h int) []string
	// Cursor is where text is typed, relative to the box; nil for nowhere.
	Cursor() *tea.Cursor
	// Hints are the keys that do something in it now, for the footer, which is the
	// dialog's while it is open.
	Hints() []Hint
}

// Hint names keys in the footer, and what they do. Where there is no room for all, the
// first ones stay, and the way out.
type Hint struct {
	// Keys are names of keys with blanks between them: "left right".
	Keys, Verb string
}

// Closes is the hint at the way out of a dialog.
var Closes = Hint{"esc", "close"}

// WholeDialog is a dialog that takes the whole screen below the query.
type WholeDialog interface {
	Dialog
	IsWhole()
}

// LeadingDialog is a dialog from which the keys of more actions work than of those that lead
// to all others.
type LeadingDialog interface {
	Dialog
	// Leads says that an action is done by its key; away, that the dialog is left for it.
	Leads(action string) (leads, away bool)
}

// SaidDialog is a dialog that says the row under its cursor in words, for a screen that is
// read aloud; empty without one.
type SaidDialog interface {
	Dialog
	Said() string
}

// Motions are the keys that move in a dialog where no text is typed, MotionsTyped
// those that go through a list beside a line that is typed into.
var (
	Motions = map[string]widget.Verb{
		"down": widget.Down, "j": widget.Down, "up": widget.Up, "k": widget.Up,
		"pgdown": widget.PageDown, "space": widget.PageDown, "ctrl+d": widget.PageDown, "pgup": widget.PageUp, "ctrl+u": widget.PageUp,
		"g": widget.Home, "home": widget.Home, "G": widget.End, "end": widget.End,
	}
	MotionsTyped = map[string]widget.Verb{
		"down": widget.Down, "ctrl+n": widget.Down, "tab": widget.Down, "up": widget.Up, "shift+tab": widget.Up,
		"pgdown": widget.PageDown, "pgup": widget.PageUp,
	}
)

// Motion is the key of a message and how it moves in a dialog, or how a turn of the
// wheel does.
func Motion(msg tea.Msg) (key string, v widget.Verb) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return msg.String(), Motions[msg.String()]
	case tea.MouseWheelMsg:
		return "", WheelVerb(msg)
	}
	return "", 0
}

// WheelVerb is how a turn of the wheel moves what is under the mouse.
func WheelVerb(msg tea.MouseWheelMsg) widget.Verb {
	switch msg.Button {
	case tea.MouseWheelDown:
		return widget.WheelDown
	case tea.MouseWheelUp:
		return widget.WheelUp
	default:
		return 0
	}
}
