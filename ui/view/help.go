package view

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// Help is a dialog that lists all actions with their keys, first those of what has the
// keys, and what the words of the screen mean; or of all that what has the words that are
// typed.
type Help struct {
	TextDialog
	input  widget.Input
	typing bool
}

// HelpOn says what help is about.
type HelpOn struct {
	Actions []Action
	// Place is where the keys go, Named what it is called. Hints are those of the dialog
	// that has the keys instead, nil for none.
	Place Context
	Named string
	Hints []Hint
	// About stands before all.
	About string

	here map[string]bool // what can be done in the place now, and not everywhere
}

// NewHelp is the dialog, as things are now.
func NewHelp(h HelpOn) *Help {
	const everywhere = 6 // places, from which on an action is at home in none of them
	h.here = map[string]bool{}
	for i := range h.Actions {
		a := &h.Actions[i]
		h.here[a.ID] = h.Hints == nil && len(a.Keys) > 0 && a.Contexts.Has(h.Place) && len(a.Contexts) < everywhere && a.CanRun()
	}
	d := &Help{input: widget.NewInput()}
	d.TextDialog = TextDialog{Title: "All keys", Wanted: 92}
	d.Text = func(s *theme.Styles, w int) []string { return h.text(s, w, d.input.Value()) }
	return d
}

// Handle implements [Dialog].
func (d *Help) Handle(msg tea.Msg) Verdict {
	key, pressed := msg.(tea.KeyPressMsg)
	if pressed {
		switch name := key.String(); {
		case name == "esc" && (d.typing || d.input.Value() != ""):
			d.typing, d.Top = false, 0
			d.input.Reset()
			return Verdict{}
		case name == "enter" && d.typing:
			d.typing = false
			return Verdict{}
		case d.typing && (name == "up" || name == "down" || name == "pgup" || name == "pgdown"):
			return d.TextDialog.Handle(msg)
		case !d.typing && (name == "f" || name == "/"):
			d.typing = true
			d.input.Focus()
			return Verdict{}
		}
	}
	if _, wheel := msg.(tea.MouseWheelMsg); wheel || !d.typing {
		return d.TextDialog.Handle(msg)
	}
	if d.input.Type(msg) {
		d.Top = 0
	}
	return Verdict{}
}

// Draw implements [Dialog].
func (d *Help) Draw(s *theme.Styles, w, h int) []string {
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

// Hints implements [Dialog].
func (d *Help) Hints() []Hint {
	switch {
	case d.typing:
		return []Hint{{Keys: "enter", Verb: "keep"}, {Keys: "esc", Verb: "all keys"}}
	case d.input.Value() != "":
		return []Hint{{Keys: "f", Verb: "find"}, {Keys: "esc", Verb: "all keys"}}
	}
	return append([]Hint{{Keys: "f", Verb: "find"}}, d.TextDialog.Hints()...)
}

// Cursor implements [Dialog].
func (d *Help) Cursor() *tea.Cursor {
	if !d.typing {
		return nil
	}
	return d.input.Caret(4, 1)
}

// text lists what has all words: the keys of the present place, all others by group in the
// order of their first appearance, and the glossary.
func (h *HelpOn) text(s *theme.Styles, w int, words string) []string {
	var lines []string
	part := func(title string, rows []string) {
		if len(rows) > 0 {
			lines = append(append(append(lines, s.Title.Render(title)), rows...), "")
		}
	}
	if strings.TrimSpace(words) == "" {
		lines = append(widget.Styled(s.Faint.Render, widget.Wrapped(h.About, w)), "")
	}
	var groups []string
	of := map[string][]string{}
	var here []string
	for i := range h.Actions {
		a := &h.Actions[i]
		switch group, _, _ := strings.Cut(a.Title, ": "); {
		case !hasWords(words, a.Title, a.Short, a.Help, a.Words, strings.Join(a.Keys, " ")):
		case h.here[a.ID]:
			here = append(here, helpLines(s, a, w)...)
		default:
			if of[group] == nil {
				groups = append(groups, group)
			}
			of[group] = append(of[group], helpLines(s, a, w)...)
		}
	}
	if h.Hints != nil {
		for _, hint := range h.Hints {
			if hint.Keys != "" && hasWords(words, hint.Keys, hint.Verb) {
				here = append(here, s.KeyName.Render(widget.Fit(hint.Keys, keyWide))+hint.Verb)
			}
		}
		part("Here, in this box", here)
	} else {
		part("Here, in "+h.Named, here)
	}
	for _, name := range groups {
		part(name, of[name])
	}
	part("What the words mean", glossaryLines(s, w, words, wording.Glossary()))
	part("What the words of judging and measuring mean", glossaryLines(s, w, words, wording.MeasuringGlossary()))
	if len(lines) == 0 {
		return []string{s.Faint.Render("no key, no action and no word has these words")}
	}
	return lines[:len(lines)-1]
}

// glossaryLines are those of a list of words that have words in what they mean.
func glossaryLines(s *theme.Styles, w int, words string, list []wording.Term) []string {
	var lines []string
	for _, t := range list {
		if !hasWords(words, t.Name, t.Means) {
			continue
		}
		name := t.Name
		for _, l := range widget.Wrapped(t.Means, max(8, w-termWide)) {
			lines = append(lines, s.Strong.Render(widget.Fit(name, termWide))+l)
			name = ""
		}
	}
	return lines
}

// hasWords says that some texts have each of some words.
func hasWords(words string, texts ...string) bool {
	text := strings.Join(texts, " ")
	for word := range strings.FieldsSeq(words) {
		if widget.FoldIndex(text, word) < 0 {
			return false
		}
	}
	return true
}

// The columns of the keys, and of the words of the glossary.
const (
	keyWide  = 16
	termWide = 18
)

// helpLines are a line or more for an action. One without a key is called by its
// name in the palette.
func helpLines(s *theme.Styles, a *Action, w int) []string {
	_, verb, _ := strings.Cut(a.Title, ": ")
	keys, about := "", a.Help
	for _, k := range a.Keys {
		if keys == "" || len(keys)+1+len(k) < keyWide {
			keys = strings.TrimSpace(keys + " " + k)
		}
	}
	if keys == "" {
		keys, about = ":", "“"+verb+"”: "+a.Help
	}
	help := widget.Wrapped(about, max(8, w-keyWide))
	if w < 60 && a.Keys != nil {
		help = []string{verb}
	}
	lines := make([]string, len(help))
	for i, h := range help {
		lines[i] = s.KeyName.Render(widget.Fit(keys, keyWide)) + h
		keys = ""
	}
	return lines
}
