package ui

import (
	"cmp"
	"slices"

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
	then func(m *Model, value string) tea.Cmd
	wide int // in cells, 0 for the usual
}

func newChooser(title string, all []widget.Choice, typed bool) *chooser {
	return &chooser{Chooser: widget.NewChooser(all, typed), title: title}
}

func (c *chooser) handle(msg tea.Msg) verdict {
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		c.Go(c.At + wheelVerb(msg).Rows(0))
	case tea.MouseClickMsg:
		if c.Click(msg.Y - 1) {
			return c.choose(c.Chosen())
		}
	case tea.KeyPressMsg:
		key := msg.String()
		v := motionsTyped[key]
		switch {
		case key == "esc" || key == "q" && !c.Typed:
			return verdict{closed: true}
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
	return verdict{}
}

func (c *chooser) byKey(key string) verdict {
	if key == "j" || key == "k" {
		c.Go(c.At + motions[key].Rows(0))
	}
	for i := range c.All {
		if c.All[i].Key == key {
			return c.choose(&c.All[i])
		}
	}
	return verdict{}
}

func (c *chooser) choose(one *widget.Choice) verdict {
	switch {
	case one == nil:
		return verdict{}
	case c.action:
		return verdict{closed: true, action: one.Value}
	case one.Off != "":
		return verdict{}
	}
	return verdict{closed: true, then: given(c.then, one.Value)}
}

// given is what is to be done with a value that was chosen or typed.
func given(then func(*Model, string) tea.Cmd, value string) func(*Model) tea.Cmd {
	if then == nil {
		return nil
	}
	return func(m *Model) tea.Cmd { return then(m, value) }
}

func (c *chooser) view(s *theme.Styles, w, h int) []string {
	w = widget.FrameWidth(cmp.Or(c.wide, 64), w)
	return widget.Frame(s, c.title, c.Lines(s, w-4, h-4), "enter choose   esc close", w)
}

func (c *chooser) cursor() *tea.Cursor {
	if !c.Typed {
		return nil
	}
	return c.Input.Caret(4, 1)
}

// prompt asks for one line of text.
type prompt struct {
	title, label string
	// then is done with the text that was typed.
	then  func(m *Model, text string) tea.Cmd
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

func newPrompt(title, label, value string, check func(string) error, then func(m *Model, text string) tea.Cmd) *prompt {
	in := widget.NewInput()
	in.Set(value)
	in.Focus()
	return &prompt{title: title, label: label, input: in, check: check, then: then, verb: "open"}
}

func (p *prompt) handle(msg tea.Msg) verdict {
	if key, ok := msg.(tea.KeyPressMsg); ok {
		switch key.String() {
		case "esc":
			return verdict{closed: true}
		case "enter":
			if p.doing != "" {
				return verdict{}
			}
			if err := p.check(p.input.Value()); err != nil {
				p.wrong = err.Error()
				return verdict{}
			}
			if p.stays {
				p.wrong, p.doing = "", "one moment"
			}
			return verdict{closed: !p.stays, then: given(p.then, p.input.Value())}
		}
	}
	if p.doing != "" {
		return verdict{}
	}
	p.wrong = ""
	p.input.Type(msg)
	return verdict{}
}

func (p *prompt) view(s *theme.Styles, w, _ int) []string {
	w = widget.FrameWidth(72, w)
	lines := []string{p.input.Line(s, w-4), ""}
	switch {
	case p.doing != "":
		lines = append(lines, s.Faint.Render(p.doing+" "+s.Signs.Ellipsis))
	case p.wrong != "":
		for i, l := range wrapped(oneLine(p.wrong), w-6) {
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
	at := slices.IndexFunc(m.dialogs, func(d dialog) bool { return d == dialog(p) })
	if p == nil || at < 0 {
		return
	}
	p.doing = ""
	if err == nil {
		m.dialogs = slices.Delete(m.dialogs, at, at+1)
		return
	}
	p.wrong = firstLine(err)
}

// isOpen says that a prompt was not left.
func (m *Model) isOpen(p *prompt) bool {
	return slices.ContainsFunc(m.dialogs, func(d dialog) bool { return d == dialog(p) })
}

func (p *prompt) cursor() *tea.Cursor { return p.input.Caret(4, 1) }
