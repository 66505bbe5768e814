package ui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
)

// tuned shows a tune pane with a jump, a parameter typed by hand and another one
// under the cursor.
const tunedKeys = "t ] j j j j right k k k k"

func TestTuneScreens(t *testing.T) {
	for _, size := range [][2]int{{200, 60}, {120, 40}, {80, 24}, {50, 15}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			d := openGuide(t, size[0], size[1], "webrag", depthQuestion, tunedKeys)
			golden.RequireEqual(t, d.screen())
		})
	}
	for _, c := range []struct{ name, keys string }{
		{"the graph unfolded", "G enter j j j j j j j j j j j j j j"},
		{"presets", "p"},
		{"a word chosen", "j enter"},
		{"a value typed", "enter ctrl+u '7' enter"},
	} {
		t.Run(c.name, func(t *testing.T) {
			golden.RequireEqual(t, openTune(t, 120, 40, "webrag", c.keys).screen())
		})
	}
	t.Run("code points", func(t *testing.T) {
		golden.RequireEqual(t, openTune(t, 120, 40, "webrag", "]").screenBy(ansi.WcWidth))
	})
	t.Run("read aloud", func(t *testing.T) {
		d := drive(t, 1, 80, 40, func(o *Options, f *fakeCorpus) {
			onGuide(t, "webrag", depthQuestion)(o, f)
			o.Plain = true
		}, "t ] right")
		golden.RequireEqual(t, d.screen())
	})
	t.Run("without colours", func(t *testing.T) {
		d := openGuide(t, 120, 40, "webrag", depthQuestion, "")
		d.send(tea.ColorProfileMsg{Profile: colorprofile.ASCII})
		d.press(tunedKeys)
		golden.RequireEqual(t, d.screen())
	})
}

// Colours say nothing that the text does not.
func TestTuneThemesShowTheSame(t *testing.T) {
	want := openGuide(t, 120, 40, "webrag", depthQuestion, tunedKeys).screen()
	for _, profile := range []colorprofile.Profile{colorprofile.TrueColor, colorprofile.ANSI256} {
		d := openGuide(t, 120, 40, "webrag", depthQuestion, tunedKeys)
		d.send(tea.ColorProfileMsg{Profile: profile})
		d.toggleDark()
		d.hush()
		d.settle()
		if got := d.screen(); got != want {
			t.Errorf("%v, light:\n%s\nwant\n%s", profile, got, want)
		}
	}
}

// Hostile names of profiles, origins and causes stay text.
func TestTuneEscapesNothing(t *testing.T) {
	k := kept{profiles: []session.Profile{{Name: hostile, Note: hostile, Origin: func(string) string { return hostile }}}}
	k.profiles[0].Params, _ = param.Preset("hybrid")
	d := drive(t, 1, 120, 40, k.options(t), "t p down down down down down")
	for _, keys := range []string{"enter", "right", "W", "esc p"} {
		d.press(keys)
		content := d.frame().Content
		if strings.ContainsAny(ansi.Strip(content), "\x07\u009b\u202e\x00") || strings.Contains(content, "\x1b]52") {
			t.Errorf("the screen holds %q", content)
		}
	}
}
