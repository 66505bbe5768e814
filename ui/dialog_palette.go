package ui

import (
	"cmp"
	"slices"

	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/wording"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/widget"
)

// chooser is a dialog to choose in, narrowed by typing (the palette) or by one key (a
// menu).
type chooser struct {
	widget.Chooser
	title  string
	action bool // values are IDs of actions
	// then is done with the value that was chosen.
	then func(value string) tea.Cmd
	wide int // in cells, 0 for the usual
}

func newChooser(title string, all []widget.Choice, typed bool) *chooser {
	return &chooser{Chooser: widget.NewChooser(all, typed), title: title}
}

func (c *chooser) Handle(msg tea.Msg) view.Verdict {
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		c.Go(c.At + view.WheelVerb(msg).Rows(0))
	case tea.MouseClickMsg:
		if c.Click(msg.Y - 1) {
			return c.choose(c.Chosen())
		}
	case tea.KeyPressMsg:
		key := msg.String()
		v := view.MotionsTyped[key]
		switch {
		case key == "esc" || key == "q" && !c.Typed:
			return view.Verdict{Closed: true}
		case key == "enter":
			return c.choose(c.Chosen())
		case v != 0:
			c.Go(c.At + v.Rows(0))
		case c.Typed:
			c.Type(msg)
		default:
			return c.byKey(key)
		}
	default:
		c.Type(msg)
	}
	return view.Verdict{}
}

func (c *chooser) byKey(key string) view.Verdict {
	if key == "j" || key == "k" {
		c.Go(c.At + view.Motions[key].Rows(0))
	}
	for i := range c.All {
		if c.All[i].Key == key {
			return c.choose(&c.All[i])
		}
	}
	return view.Verdict{}
}

func (c *chooser) choose(one *widget.Choice) view.Verdict {
	switch {
	case one == nil:
		return view.Verdict{}
	case c.action:
		return view.Verdict{Closed: true, Action: one.Value}
	case one.Off != "":
		return view.Verdict{}
	}
	return view.Verdict{Closed: true, Then: given(c.then, one.Value)}
}

// given is what is to be done with a value that was chosen or typed.
func given(then func(string) tea.Cmd, value string) func() tea.Cmd {
	if then == nil {
		return nil
	}
	return func() tea.Cmd { return then(value) }
}

func (c *chooser) Draw(s *theme.Styles, w, h int) []string {
	w = widget.FrameWidth(cmp.Or(c.wide, 64), w)
	return widget.Frame(s, c.title, c.Lines(s, w-4, h-4), "enter choose   esc close", w)
}

func (c *chooser) Cursor() *tea.Cursor {
	if !c.Typed {
		return nil
	}
	return c.Input.Caret(4, 1)
}

// prompt asks for one line of text.
type prompt struct {
	title, label string
	// then is done with the text that was typed.
	then  func(text string) tea.Cmd
	input widget.Input
	// check says what is wrong with the text, nil when nothing is.
	check func(string) error
	wrong string
	// verb is what enter does.
	verb string
	// stays keeps the prompt open until whoever acts on the text has said how it
	// went, with [Model.answerPrompt]; doing says what is being done meanwhile.
	stays bool
	doing string
}

func newPrompt(title, label, value string, check func(string) error, then func(text string) tea.Cmd) *prompt {
	in := widget.NewInput()
	in.Set(value)
	in.Focus()
	return &prompt{title: title, label: label, input: in, check: check, then: then, verb: "open"}
}

func (p *prompt) Handle(msg tea.Msg) view.Verdict {
	if key, ok := msg.(tea.KeyPressMsg); ok {
		switch key.String() {
		case "esc":
			return view.Verdict{Closed: true}
		case "enter":
			if p.doing != "" {
				return view.Verdict{}
			}
			if err := p.check(p.input.Value()); err != nil {
				p.wrong = err.Error()
				return view.Verdict{}
			}
			if p.stays {
				p.wrong, p.doing = "", "one moment"
			}
			return view.Verdict{Closed: !p.stays, Then: given(p.then, p.input.Value())}
		}
	}
	if p.doing != "" {
		return view.Verdict{}
	}
	p.wrong = ""
	p.input.Type(msg)
	return view.Verdict{}
}

func (p *prompt) Draw(s *theme.Styles, w, _ int) []string {
	w = widget.FrameWidth(72, w)
	lines := []string{p.input.Line(s, w-4), ""}
	switch {
	case p.doing != "":
		lines = append(lines, s.Faint.Render(p.doing+" "+s.Signs.Ellipsis))
	case p.wrong != "":
		for i, l := range widget.Wrapped(wording.Line(p.wrong), w-6) {
			sign := "  "
			if i == 0 {
				sign = s.Failure.Render("! ")
			}
			lines = append(lines, sign+l)
		}
	default:
		lines = append(lines, s.Faint.Render(p.label))
	}
	return widget.Frame(s, p.title, lines, "enter "+p.verb+"   esc close", w)
}

// answerPrompt ends what a prompt that stays has begun: without an error it is
// closed, otherwise what was typed can be mended. It does nothing where the prompt
// was left.
func (m *Model) answerPrompt(p *prompt, err error) {
	at := slices.IndexFunc(m.dialogs, func(d view.Dialog) bool { return d == view.Dialog(p) })
	if p == nil || at < 0 {
		return
	}
	p.doing = ""
	if err == nil {
		m.dialogs = slices.Delete(m.dialogs, at, at+1)
		return
	}
	p.wrong = wording.FirstLine(err)
}

// isOpen says that a prompt was not left.
func (m *Model) isOpen(p *prompt) bool {
	return slices.ContainsFunc(m.dialogs, func(d view.Dialog) bool { return d == view.Dialog(p) })
}

func (p *prompt) Cursor() *tea.Cursor { return p.input.Caret(4, 1) }
