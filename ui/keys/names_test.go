package keys

import (
	"testing"

	tea "charm.land/bubbletea/v2"
)

func TestNamesOfKeys(t *testing.T) {
	for text, want := range map[string]string{
		"x": "x", "X": "X", "shift+x": "X", "Enter": "enter", "escape": "esc", "PageUp": "pgup", " ": "space", "space": "space",
		"shift+tab": "shift+tab", "Shift+Ctrl+PageUp": "ctrl+shift+pgup", "alt+ctrl+X": "ctrl+alt+x", "+": "+", "ctrl++": "ctrl++",
		"F5": "f5", "ä": "ä", "日": "日", "*": "*",
		"": "", "ctrl+": "", "hyperspace": "", "f13": "", "shift+!": "", "\t": "", "\u202e": "", "a+b": "",
	} {
		got, ok := Named(text)
		if got != want || ok != (want != "") {
			t.Errorf("%q is %q, %v; want %q", text, got, ok, want)
		}
	}
}

// What Named makes of a name is what a press of that key is called.
func TestNamesOfKeysAreThoseOfPresses(t *testing.T) {
	for _, k := range []tea.Key{
		{Code: tea.KeyPgUp, Mod: tea.ModCtrl | tea.ModShift},
		{Code: 'x', Mod: tea.ModAlt | tea.ModCtrl},
		{Code: 'x', ShiftedCode: 'X', Text: "X", Mod: tea.ModShift},
		{Code: tea.KeySpace, Text: " "},
		{Code: tea.KeyF5},
		{Code: '+', Mod: tea.ModCtrl},
		{Code: 'ä', Text: "ä"},
	} {
		pressed := tea.KeyPressMsg(k).String()
		if got, ok := Named(pressed); !ok || got != pressed {
			t.Errorf("a press called %q cannot be bound: %q", pressed, got)
		}
	}
}
