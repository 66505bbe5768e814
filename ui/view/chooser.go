package view

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// Chooser is a dialog to choose in, narrowed by typing (the palette) or by one key (a
// menu).
type Chooser struct {
	widget.Chooser
	Title string
	// IsAction says that the values are IDs of actions.
	IsAction bool
	// Then is done with the value that was chosen.
	Then func(value string) tea.Cmd
	// Else is done with what was typed where nothing has that name; nil for nothing.
	Else func(text string) tea.Cmd
	// Wide is its width in cells, 0 for the usual.
	Wide int
}

// NewChooser offers choices under a title; typed narrows them by typing.
func NewChooser(title string, all []widget.Choice, typed bool) *Chooser {
	return &Chooser{Chooser: widget.NewChooser(all, typed), Title: title}
}

// Handle implements [Dialog].
func (c *Chooser) Handle(msg tea.Msg) Verdict {
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		c.Go(c.At + WheelVerb(msg).Rows(0))
	case tea.MouseClickMsg:
		if c.Click(msg.Y - 1) {
			return c.choose(c.Chosen())
		}
	case tea.KeyPressMsg:
		key := msg.String()
		v := MotionsTyped[key]
		switch {
		case key == "esc" || key == "q" && !c.Typed:
			return Verdict{Closed: true}
		case key == "enter" && c.Chosen() == nil && c.Else != nil && c.Typed:
			return Verdict{Closed: true, Then: Given(c.Else, c.Input.Value())}
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
	return Verdict{}
}

func (c *Chooser) byKey(key string) Verdict {
	if key == "j" || key == "k" {
		c.Go(c.At + Motions[key].Rows(0))
	}
	for i := range c.All {
		if c.All[i].Key == key {
			return c.choose(&c.All[i])
		}
	}
	return Verdict{}
}

func (c *Chooser) choose(one *widget.Choice) Verdict {
	switch {
	case one == nil:
		return Verdict{}
	case one.Off != "":
		return Verdict{} // the box says why
	case c.IsAction:
		return Verdict{Closed: true, Action: one.Value}
	}
	return Verdict{Closed: true, Then: Given(c.Then, one.Value)}
}

// Given is what is to be done with a value that was chosen or typed.
func Given(then func(string) tea.Cmd, value string) func() tea.Cmd {
	if then == nil {
		return nil
	}
	return func() tea.Cmd { return then(value) }
}

// Draw implements [Dialog].
func (c *Chooser) Draw(s *theme.Styles, w, h int) []string {
	if !s.Spoken {
		w = widget.FrameWidth(cmp.Or(c.Wide, 64), w)
	}
	lines := c.Lines(s, w-4, h-4)
	return widget.Frame(s, c.Title, lines, c.Position(), w)
}

// Said implements [SaidDialog].
func (c *Chooser) Said() string {
	one := c.Chosen()
	if one == nil {
		return ""
	}
	if one.Off != "" {
		return wording.Aloud(wording.Columns(one.Title), "not now: "+one.Off)
	}
	return wording.Aloud(wording.Columns(one.Title), wording.Columns(one.Key))
}

// Hints implements [Dialog].
func (c *Chooser) Hints() []Hint {
	hints := []Hint{{"enter", "choose"}, {"up down", "select"}, Closes}
	if c.Typed {
		hints = append(hints, Hint{"", "type to narrow"})
	}
	return hints
}

// Cursor implements [Dialog].
func (c *Chooser) Cursor() *tea.Cursor {
	if !c.Typed {
		return nil
	}
	return c.Input.Caret(4, 1)
}
