package ui

import (
	"testing"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/ui/wording"
)

// Whatever is tuned, watched, kept and compared at whatever size, the screen
// fits, and every state can be left by esc.
func TestComparingFits(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "")
	keys := []string{
		"t", "s", "u", "*", "#", "S", "D", "enter", "esc", "a", "b", "x", "r", "R", "p", "d", "j", "k", "g", "G",
		"pgdown", "pgup", "tab", "space", "2", "3", "1", "e", "z",
	}
	rapid.Check(t, func(rt *rapid.T) {
		d.steps = 0
		for range rapid.IntRange(1, 5).Draw(rt, "steps") {
			switch rapid.IntRange(0, 6).Draw(rt, "what") {
			case 0:
				d.send(tea.WindowSizeMsg{Width: rapid.IntRange(0, 200).Draw(rt, "w"), Height: rapid.IntRange(0, 60).Draw(rt, "h")})
			case 1:
				p := d.session().Params()
				field := rapid.SampledFrom([]string{"similarity_floor", "depth_decay_rate", "top_k", "keyword_weight"}).Draw(rt, "field")
				if p.Set(field, rapid.SampledFrom([]string{"0", "0.2", "0.36", "0.5", "1", "4"}).Draw(rt, "value")) == nil {
					d.push(d.set(p, field))
				}
			case 2:
				d.setQuery(rapid.SampledFrom([]string{depthQuestion, "what is a similarity floor", wording.Line(hostile), "zzz"}).Draw(rt, "query"))
				d.push(d.submitQuery())
			default:
				d.send(keyOf(rapid.SampledFrom(keys).Draw(rt, "key")))
			}
			d.quit = false
			if rapid.IntRange(0, 3).Draw(rt, "settle") == 0 {
				d.settle()
			}
			fits(rt, d)
		}
		d.settle()
		for range 12 {
			d.send(keyOf("esc"))
		}
		d.settle()
		if d.dialogs() > 0 || d.typing() {
			rt.Fatalf("%d dialogs are still open, typing %v", d.dialogs(), d.typing())
		}
	})
}
