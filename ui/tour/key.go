package tour

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

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
	k := tea.KeyPressMsg{Mod: mod}
	switch name {
	case "enter":
		k.Code = tea.KeyEnter
	case "esc":
		k.Code = tea.KeyEscape
	case "tab":
		k.Code = tea.KeyTab
	case "space":
		k.Code, k.Text = tea.KeySpace, " "
	case "backspace":
		k.Code = tea.KeyBackspace
	case "delete":
		k.Code = tea.KeyDelete
	case "up":
		k.Code = tea.KeyUp
	case "down":
		k.Code = tea.KeyDown
	case "left":
		k.Code = tea.KeyLeft
	case "right":
		k.Code = tea.KeyRight
	case "home":
		k.Code = tea.KeyHome
	case "end":
		k.Code = tea.KeyEnd
	case "pgup":
		k.Code = tea.KeyPgUp
	case "pgdown":
		k.Code = tea.KeyPgDown
	default:
		k.Code = []rune(name)[0]
		if mod&tea.ModCtrl == 0 {
			k.Text = name
		}
	}
	return k
}
