package view

import (
	"testing"

	tea "charm.land/bubbletea/v2"
)

// What a prompt proposes is selected: typing and pasting take its place, and moving or
// erasing keeps the rest of it.
func TestTypingReplacesWhatIsProposed(t *testing.T) {
	letter := func(r rune) tea.Msg { return tea.KeyPressMsg{Code: r, Text: string(r)} }
	for name, c := range map[string]struct {
		typed []tea.Msg
		want  string
	}{
		"nothing":           {nil, "webrag-2"},
		"letters":           {[]tea.Msg{letter('m'), letter('e')}, "me"},
		"a paste":           {[]tea.Msg{tea.PasteMsg{Content: "mine"}}, "mine"},
		"a step back first": {[]tea.Msg{tea.KeyPressMsg{Code: tea.KeyLeft}, letter('x')}, "webrag-x2"},
		"one off the end":   {[]tea.Msg{tea.KeyPressMsg{Code: tea.KeyBackspace}, letter('3')}, "webrag-3"},
	} {
		t.Run(name, func(t *testing.T) {
			p := NewPrompt("Save as profile", "", "webrag-2", func(string) error { return nil }, nil)
			for _, msg := range c.typed {
				p.Handle(msg)
			}
			if got := p.Input.Value(); got != c.want {
				t.Errorf("the prompt holds %q, not %q", got, c.want)
			}
		})
	}
}
