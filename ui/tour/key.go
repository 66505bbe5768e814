package tour

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// keyCodes are the keys that have names.
var keyCodes = map[string]rune{
	"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "space": tea.KeySpace,
	"backspace": tea.KeyBackspace, "delete": tea.KeyDelete,
	"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
	"home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
}

// keyNamed is the message of a key by its name.
func keyNamed(name string) tea.KeyPressMsg {
	var mod tea.KeyMod
	for {
		if rest, ok := strings.CutPrefix(name, "ctrl+"); ok && rest != "" {
			mod, name = mod|tea.ModCtrl, rest
		} else if rest, ok := strings.CutPrefix(name, "shift+"); ok && rest != "" {
			mod, name = mod|tea.ModShift, rest
		} else {
			break
		}
	}
	k := tea.KeyPressMsg{Mod: mod, Code: keyCodes[name]}
	switch {
	case name == "space":
		k.Text = " "
	case k.Code != 0:
	default:
		k.Code = []rune(name)[0]
		if mod&tea.ModCtrl == 0 {
			k.Text = name
		}
	}
	return k
}
