package ui

import (
	"testing"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"
)

// walkKeys are keys of all views and dialogs.
var walkKeys = []string{
	"up", "down", "left", "right", "pgup", "pgdown", "home", "end", "enter", "esc", "tab", "shift+tab", "space", "backspace",
	"ctrl+p", "ctrl+u", "ctrl+d", "ctrl+r", "n", "N", "f", "m", "e", "r", "y", "o", "E", "z", "+", "-", "<", ">", "?", ":", "/", "!",
	"j", "k", "h", "l", "g", "G", "x", "X", "t", "w", "s", "u", "*", "p", "W", "[", "]", "1", "2", "3", "v", "c", "a", "A", "I", "R", "T", "O", "L", "S",
	"shift+left", "shift+right", "余", "q",
}

// On a real corpus, wherever the keys lead at whatever size: nothing panics, the
// screen fits, and esc leads back to the results.
func TestEveryStateCanBeLeft(t *testing.T) {
	guide := onGuide(t, "webrag", depthQuestion)
	rapid.Check(t, func(rt *rapid.T) {
		d := drive(t, rapid.Uint64().Draw(rt, "seed"), 120, 40, guide, "")
		defer func() { _ = d.session().Corpus().Close() }()
		var pressed []string
		for range rapid.IntRange(1, 25).Draw(rt, "steps") {
			switch rapid.IntRange(0, 9).Draw(rt, "what") {
			case 0:
				d.send(tea.WindowSizeMsg{Width: rapid.IntRange(0, 200).Draw(rt, "w"), Height: rapid.IntRange(0, 60).Draw(rt, "h")})
			case 1:
				d.send(tea.MouseClickMsg{X: rapid.IntRange(0, 200).Draw(rt, "x"), Y: rapid.IntRange(0, 60).Draw(rt, "y"), Button: tea.MouseLeft})
			case 2:
				d.send(tea.MouseWheelMsg{X: rapid.IntRange(0, 120).Draw(rt, "x"), Y: rapid.IntRange(0, 40).Draw(rt, "y"), Button: tea.MouseWheelDown})
			default:
				k := rapid.SampledFrom(walkKeys).Draw(rt, "key")
				pressed = append(pressed, k)
				d.send(keyOf(k))
			}
			d.quit = false
			if rapid.Bool().Draw(rt, "settle") {
				d.settle()
			}
			fits(rt, d)
		}
		d.settle()
		d.send(tea.WindowSizeMsg{Width: 120, Height: 40})
		const most = 14
		for range most {
			d.send(keyOf("esc"))
			d.settle()
		}
		if d.dialogs() > 0 || d.typing() || d.view() != viewExplore || d.focus() != paneResults || d.zoomed() || d.showsTune() {
			rt.Fatalf("after %q and esc: %d dialogs, typing %v, view %v, focus %v, zoomed %v, tune %v\n%s",
				pressed, d.dialogs(), d.typing(), d.view(), d.focus(), d.zoomed(), d.showsTune(), d.screen())
		}
	})
}
