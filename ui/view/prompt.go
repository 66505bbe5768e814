package view

import (
	"github.com/webrag/webrag-tui/ui/wording"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/widget"
)

// Prompt asks for one line of text.
type Prompt struct {
	Title, label string
	// Then is done with the text that was typed.
	Then  func(text string) tea.Cmd
	Input widget.Input
	// check says what is wrong with the text, nil when nothing is.
	check func(string) error
	Wrong string
	// Verb is what enter does.
	Verb string
	// Stays keeps the prompt open until whoever acts on the text has said how it
	// went, with [Prompt.Answer]; Doing says what is being done meanwhile.
	Stays bool
	Doing string
	// Left is done when the prompt is left while that is being done; nil is nothing.
	Left func() tea.Cmd
	// paths completes what is typed, nil where it is no path.
	paths *paths
	// selected says that the text is still the one that was proposed: what is typed takes
	// its place, and any other key keeps it.
	selected bool
}

// NewPrompt asks under a title for a text, which is value at first, selected as a whole.
// label says what is to be typed, check what is wrong with it.
func NewPrompt(title, label, value string, check func(string) error, then func(text string) tea.Cmd) *Prompt {
	in := widget.NewInput()
	in.Set(value)
	in.Focus()
	in.Select(value != "")
	return &Prompt{Title: title, label: label, Input: in, check: check, Then: then, Verb: "open", selected: value != ""}
}

// Handle implements [Dialog].
func (p *Prompt) Handle(msg tea.Msg) Verdict {
	if key, ok := msg.(tea.KeyPressMsg); ok {
		switch key.String() {
		case "esc":
			if p.Doing != "" {
				return Verdict{Closed: true, Then: p.Left}
			}
			return Verdict{Closed: true}
		case "enter":
			if p.Doing != "" {
				return Verdict{}
			}
			if err := p.check(p.Input.Value()); err != nil {
				p.Wrong = err.Error()
				return Verdict{}
			}
			if p.Stays {
				p.Wrong, p.Doing = "", "one moment"
			}
			return Verdict{Closed: !p.Stays, Then: Given(p.Then, p.Input.Value())}
		case "tab":
			if p.paths != nil && p.Doing == "" {
				p.Wrong = ""
				return Verdict{Then: p.complete}
			}
		}
	}
	if p.Doing != "" {
		return Verdict{}
	}
	p.Wrong = ""
	p.deselect(msg)
	if p.Input.Type(msg) && p.paths != nil {
		p.paths.found, p.paths.said = nil, ""
	}
	return Verdict{}
}

// deselect ends the selection of the proposed text with the first thing that is typed.
func (p *Prompt) deselect(msg tea.Msg) {
	if !p.selected {
		return
	}
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		if msg.Text != "" {
			p.Input.Set("")
		}
	case tea.PasteMsg:
		p.Input.Set("")
	default:
		return
	}
	p.selected = false
	p.Input.Select(false)
}

// Draw implements [Dialog].
func (p *Prompt) Draw(s *theme.Styles, w, _ int) []string {
	w = widget.FrameWidth(72, w)
	lines := []string{p.Input.Line(s, w-4), ""}
	switch {
	case p.Doing != "":
		lines = append(lines, s.Faint.Render(p.Doing+" "+s.Signs.Ellipsis))
	case p.Wrong != "":
		for i, l := range widget.Wrapped(wording.Line(p.Wrong), w-6) {
			sign := "  "
			if i == 0 {
				sign = s.Failure.Render("! ")
			}
			lines = append(lines, sign+l)
		}
	case p.paths != nil && (len(p.paths.found) > 1 || p.paths.said != ""):
		lines = append(lines, p.paths.lines(s, w-4)...)
	default:
		lines = append(lines, s.Faint.Render(p.label))
	}
	return widget.Frame(s, p.Title, lines, "", w)
}

// Hints implements [Dialog].
func (p *Prompt) Hints() []Hint {
	if p.Doing != "" {
		return []Hint{{"esc", "leave it"}}
	}
	if p.paths != nil {
		return []Hint{{"enter", p.Verb}, {"tab", "complete the path"}, Closes}
	}
	return []Hint{{"enter", p.Verb}, Closes}
}

// Answer says how what was typed went: what was wrong with it, nil for nothing.
func (p *Prompt) Answer(err error) {
	p.Doing, p.Wrong = "", ""
	if err != nil {
		p.Wrong = wording.FirstLine(err)
	}
}

// Cursor implements [Dialog].
func (p *Prompt) Cursor() *tea.Cursor { return p.Input.Caret(4, 1) }
