package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
)

// helpDialog lists all actions with their keys, or those that have the words that
// are typed.
type helpDialog struct {
	view.TextDialog
	input  widget.Input
	typing bool
}

func newHelpDialog(actions []view.Action, about string) *helpDialog {
	d := &helpDialog{input: widget.NewInput()}
	d.TextDialog = view.TextDialog{Title: "All keys", Wanted: 92}
	d.Text = func(s *theme.Styles, w int) []string { return helpText(actions, about, d.input.Value())(s, w) }
	return d
}

func (d *helpDialog) Handle(msg tea.Msg) view.Verdict {
	key, pressed := msg.(tea.KeyPressMsg)
	if pressed {
		switch name := key.String(); {
		case name == "esc" && (d.typing || d.input.Value() != ""):
			d.typing, d.Top = false, 0
			d.input.Reset()
			return view.Verdict{}
		case name == "enter" && d.typing:
			d.typing = false
			return view.Verdict{}
		case d.typing && (name == "up" || name == "down" || name == "pgup" || name == "pgdown"):
			return d.TextDialog.Handle(msg)
		case !d.typing && (name == "f" || name == "/"):
			d.typing = true
			d.input.Focus()
			return view.Verdict{}
		}
	}
	if _, wheel := msg.(tea.MouseWheelMsg); wheel || !d.typing {
		return d.TextDialog.Handle(msg)
	}
	if d.input.Type(msg) {
		d.Top = 0
	}
	return view.Verdict{}
}

func (d *helpDialog) Draw(s *theme.Styles, w, h int) []string {
	w = widget.FrameWidth(d.Wanted, w)
	filtered := d.typing || d.input.Value() != ""
	lines := d.Text(s, w-4)
	if !filtered {
		d.Resize(max(0, min(len(lines), h-4)), len(lines))
		return widget.Frame(s, d.Title, lines[d.Top:d.Until()], d.Position(), w)
	}
	d.Resize(max(0, h-6), len(lines)) // the box keeps its size while it is typed
	lines = lines[d.Top:d.Until()]
	for len(lines) < d.Height {
		lines = append(lines, "")
	}
	lines = append([]string{d.input.Line(s, w-4), ""}, lines...)
	return widget.Frame(s, d.Title, lines, d.Position(), w)
}

// Hints implements [view.Dialog].
func (d *helpDialog) Hints() []view.Hint {
	switch {
	case d.typing:
		return []view.Hint{{Keys: "enter", Verb: "keep"}, {Keys: "esc", Verb: "all keys"}}
	case d.input.Value() != "":
		return []view.Hint{{Keys: "f", Verb: "find"}, {Keys: "esc", Verb: "all keys"}}
	}
	return append([]view.Hint{{Keys: "f", Verb: "find"}}, d.TextDialog.Hints()...)
}

// isHelp says that a dialog is the list of all keys.
func isHelp(d view.Dialog) bool {
	_, is := d.(*helpDialog)
	return is
}

func (d *helpDialog) Cursor() *tea.Cursor {
	if !d.typing {
		return nil
	}
	return d.input.Caret(4, 1)
}

// helpText lists the actions that have all words with their keys, by group in the
// order of their first appearance.
func helpText(actions []view.Action, about, words string) func(*theme.Styles, int) []string {
	var names []string
	groups := map[string][]*view.Action{}
	for i := range actions {
		if !hasWords(&actions[i], words) {
			continue
		}
		name, _, _ := strings.Cut(actions[i].Title, ": ")
		if groups[name] == nil {
			names = append(names, name)
		}
		groups[name] = append(groups[name], &actions[i])
	}
	return func(s *theme.Styles, w int) []string {
		var lines []string
		if strings.TrimSpace(words) == "" {
			lines = append(widget.Styled(s.Faint.Render, widget.Wrapped(about, w)), "")
		}
		for _, name := range names {
			lines = append(lines, s.Title.Render(name))
			for _, a := range groups[name] {
				lines = append(lines, helpLines(s, a, w)...)
			}
			lines = append(lines, "")
		}
		if len(names) == 0 {
			return append(lines, s.Faint.Render("no key and no action has these words"))
		}
		return lines[:len(lines)-1]
	}
}

// hasWords says that an action has each of some words in its name, what it does,
// or as its key.
func hasWords(a *view.Action, words string) bool {
	text := a.Title + " " + a.Short + " " + a.Help + " " + strings.Join(a.Keys, " ")
	for word := range strings.FieldsSeq(words) {
		if widget.FoldIndex(text, word) < 0 {
			return false
		}
	}
	return true
}

// helpLines are a line or more for an action. One without a key is called by its
// name in the palette.
func helpLines(s *theme.Styles, a *view.Action, w int) []string {
	const keyWide = 16
	_, verb, _ := strings.Cut(a.Title, ": ")
	keys, about := strings.Join(a.Keys, " "), a.Help
	if keys == "" {
		keys, about = ":", "“"+verb+"”: "+a.Help
	}
	help := widget.Wrapped(about, max(8, w-keyWide))
	if w < 60 {
		help = []string{verb}
	}
	lines := make([]string, len(help))
	for i, h := range help {
		lines[i] = s.KeyName.Render(widget.Fit(keys, keyWide)) + h
		keys = ""
	}
	return lines
}
