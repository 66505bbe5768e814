package widget

import (
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"github.com/webrag/webrag-tui/theme"
)

// Input is a line that is typed into: the text input of bubbles, with the terminal's
// own cursor, which input methods need, and without its colours.
type Input struct{ textinput.Model }

// NewInput is an empty line; it takes no text before [textinput.Model.Focus].
func NewInput() Input {
	in := Input{textinput.New()}
	in.Prompt = ""
	in.SetVirtualCursor(false)
	st := in.Styles()
	for _, state := range []*textinput.StyleState{&st.Focused, &st.Blurred} {
		*state = textinput.StyleState{Placeholder: lipgloss.NewStyle().Faint(true)}
	}
	in.SetStyles(st)
	return in
}

// Restyle gives the line the look of a theme.
func (in *Input) Restyle(s *theme.Styles) {
	st := in.Styles()
	st.Focused.Text, st.Focused.Placeholder = s.Strong, s.Faint
	st.Blurred.Text, st.Blurred.Placeholder = s.Text, s.Faint
	in.SetStyles(st)
}

// Set replaces the text, and puts the cursor behind it.
func (in *Input) Set(text string) {
	in.SetValue(text)
	in.CursorEnd()
}

// Select draws the text as selected, or as it is typed.
func (in *Input) Select(on bool) {
	st := in.Styles()
	st.Focused.Text = st.Focused.Text.Reverse(on)
	in.SetStyles(st)
}

// Type gives the line a key or a paste, and says whether its text is another now.
func (in *Input) Type(msg tea.Msg) (changed bool) {
	before := in.Value()
	in.Model, _ = in.Update(msg)
	return in.Value() != before
}

// View draws the line, without the zeros that the library fills up with what wide characters
// of a placeholder take twice.
func (in *Input) View() string { return strings.ReplaceAll(in.Model.View(), "\x00", "") }

// Line draws the line after the sign of a prompt, in w cells.
func (in *Input) Line(s *theme.Styles, w int) string {
	in.SetWidth(max(1, w-4))
	return Fit(s.Accent.Render(s.Signs.Prompt+" ")+in.View(), w) // after a resize it scrolls only when it is typed into
}

// Caret is where the cursor stands when the text begins at x, y; nil while nothing
// is typed.
func (in *Input) Caret(x, y int) *tea.Cursor {
	c := in.Cursor()
	if c != nil {
		c.X, c.Y = c.X+x, c.Y+y
	}
	return c
}
