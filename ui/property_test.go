package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

// Whatever is pressed at whatever size, nothing panics and the screen fits.
func TestEverythingFits(t *testing.T) {
	keys := []string{
		"up", "down", "left", "right", "pgup", "pgdown", "home", "end", "enter", "esc", "tab", "shift+tab", "space",
		"ctrl+p", "ctrl+u", "ctrl+d", "ctrl+c", "backspace", "n", "N", "f", "m", "e", "r", "w", "y", "o", "E", "z", "+", "-", "<", ">",
		"?", ":", "/", "j", "k", "h", "l", "g", "G", "x", "余", "q",
	}
	rapid.Check(t, func(rt *rapid.T) {
		query := rapid.SampledFrom([]string{"decay", "none", "fail", "whole", ""}).Draw(rt, "query")
		d := drive(t, rapid.Uint64().Draw(rt, "seed"), 80, 24, asking(query), "")
		d.options().Notices = append(d.options().Notices, d.notices()...)
		steps := rapid.IntRange(1, 12).Draw(rt, "steps")
		for range steps {
			switch rapid.IntRange(0, 6).Draw(rt, "what") {
			case 0:
				d.send(tea.WindowSizeMsg{Width: rapid.IntRange(0, 200).Draw(rt, "w"), Height: rapid.IntRange(0, 60).Draw(rt, "h")})
			case 1:
				d.send(tea.MouseClickMsg{X: rapid.IntRange(0, 200).Draw(rt, "x"), Y: rapid.IntRange(0, 60).Draw(rt, "y"), Button: tea.MouseLeft})
			case 2:
				x, y := rapid.IntRange(0, 200).Draw(rt, "x"), rapid.IntRange(0, 60).Draw(rt, "y")
				line := d.place().Split.Handle.Min
				d.send(tea.MouseClickMsg{X: line.X, Y: line.Y, Button: tea.MouseLeft})
				d.send(tea.MouseMotionMsg{X: x, Y: y, Button: tea.MouseLeft})
				fits(rt, d)
				d.send(tea.MouseReleaseMsg{X: x, Y: y, Button: tea.MouseLeft})
			case 3:
				d.send(tea.PasteMsg{Content: rapid.SampledFrom([]string{"pasted\ntext", hostile, "余👨‍👩‍👧"}).Draw(rt, "paste")})
			default:
				d.send(keyOf(rapid.SampledFrom(keys).Draw(rt, "key")))
			}
			d.quit = false
			if rapid.Bool().Draw(rt, "settle") {
				d.settle()
			}
			fits(rt, d)
		}
	})
}

func fits(t *rapid.T, d *driver) {
	content := d.frame().Content
	if d.width() <= 0 || d.height() <= 0 {
		if content != "" {
			t.Fatalf("a screen of no size shows %q", content)
		}
		return
	}
	d.list().Redraw()
	d.score().Redraw()
	d.reader().Redraw()
	if fresh := d.frame().Content; fresh != content {
		t.Fatalf("a pane was not drawn anew:\n%s\nwant\n%s", ansi.Strip(content), ansi.Strip(fresh))
	}
	lines := strings.Split(content, "\n")
	if len(lines) > d.height() {
		t.Fatalf("%d lines on a screen of %dx%d", len(lines), d.width(), d.height())
	}
	for i, l := range lines {
		if n := ansi.StringWidth(l); n > d.width() {
			t.Fatalf("line %d has %d cells on a screen of %dx%d: %q", i, n, d.width(), d.height(), ansi.Strip(l))
		}
	}
	if strings.ContainsAny(ansi.Strip(content), "\x00\x07\u009b\u202e") {
		t.Fatal("a control character is on the screen")
	}
}

// Every theme fits and keeps what is selected and marked readable as text.
func TestThemesShowTheSame(t *testing.T) {
	want := drive(t, 1, 120, 40, asking("decay"), "").screen()
	for _, profile := range []colorprofile.Profile{colorprofile.TrueColor, colorprofile.ANSI256} {
		for _, light := range []bool{false, true} {
			d := drive(t, 1, 120, 40, asking("decay"), "")
			d.send(tea.ColorProfileMsg{Profile: profile})
			if light {
				d.toggleDark()
				d.hush()
			}
			d.settle()
			if got := d.screen(); got != want {
				t.Errorf("%v, light %v:\n%s\nwant\n%s", profile, light, got, want)
			}
		}
	}
}
