package ui

import (
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/webrag/webrag-tui/theme"
)

// sea is a theme of a user's own.
func sea(t *testing.T) *theme.Theme {
	t.Helper()
	path := filepath.Join(t.TempDir(), "sea.toml")
	if err := os.WriteFile(path, []byte("accent = \"#0af\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	mine, err := theme.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return mine
}

func withSea(t *testing.T) func(*Options, *fakeCorpus) {
	return func(o *Options, f *fakeCorpus) {
		asking("decay")(o, f)
		o.Themes = []*theme.Theme{sea(t)}
	}
}

func TestNextThemeGoesRound(t *testing.T) {
	d := drive(t, 1, 120, 40, withSea(t), "")
	want := append(theme.Names(), "sea", theme.Lamp)
	for _, name := range want[1:] {
		d.press(": 'theme: next' enter")
		d.mustShow("theme " + name)
		if d.theme() != name {
			t.Fatalf("the theme is %s, want %s", d.theme(), name)
		}
	}
}

func TestChoosingAThemeShowsEach(t *testing.T) {
	d := drive(t, 1, 120, 40, withSea(t), ": 'theme: choose' enter")
	d.mustShow(theme.Okabe, theme.Mono, "sea")
	at := func(want string) {
		t.Helper()
		if !strings.HasPrefix(d.styles().Key, want) {
			t.Fatalf("the screen shows %s, want %s", d.styles().Key, want)
		}
	}
	at("lamp/")
	d.press("j")
	at("contrast/")
	d.press("j j j j")
	at("own sea/")
	d.press("esc")
	at("lamp/")
	d.press(": 'theme: choose' enter j j enter")
	at("okabe/")
	d.mustShow("theme okabe", "the config file keeps it")
}

func TestShadeByTheTerminalUnlessItIsSet(t *testing.T) {
	yes, no := true, false
	white, black := tea.BackgroundColorMsg{Color: color.White}, tea.BackgroundColorMsg{Color: color.Black}
	for _, c := range []struct {
		name   string
		set    func(*Options)
		answer tea.Msg
		dark   bool
	}{
		{"no answer", func(*Options) {}, nil, true},
		{"no answer, but a guess", func(o *Options) { o.AssumeLight = true }, nil, false},
		{"a light terminal", func(*Options) {}, white, false},
		{"a dark terminal and a wrong guess", func(o *Options) { o.AssumeLight = true }, black, true},
		{"set to dark on a light terminal", func(o *Options) { o.Dark = &yes }, white, true},
		{"set to light on a dark terminal", func(o *Options) { o.Dark = &no }, black, false},
		{"set to light, no answer", func(o *Options) { o.Dark = &no }, nil, false},
	} {
		d := drive(t, 1, 120, 40, func(o *Options, _ *fakeCorpus) {
			o.Dark = nil
			c.set(o)
		}, "")
		if c.answer != nil {
			d.send(c.answer)
		}
		if d.dark() != c.dark {
			t.Errorf("%s: dark is %v", c.name, d.dark())
		}
	}
}

func TestAThemeThatIsMissingIsTold(t *testing.T) {
	d := drive(t, 1, 120, 40, func(o *Options, _ *fakeCorpus) { o.Theme = "none" }, "")
	if d.theme() != theme.Lamp {
		t.Errorf("the theme is %s", d.theme())
	}
}

// Every theme, the user's too, on every kind of terminal and background, shows
// the same words in the same places in every view. Of themes with few colours,
// bars are of signs, and code has quotes where there are none.
func TestEveryThemeShowsTheSame(t *testing.T) {
	for _, view := range []string{"", "e", "2", "3", "?", "y", ": 'split'"} {
		d := drive(t, 1, 120, 40, withSea(t), view)
		for _, profile := range []colorprofile.Profile{colorprofile.TrueColor, colorprofile.ANSI256, colorprofile.ANSI, colorprofile.ASCII} {
			shown := map[string]string{}
			for _, name := range d.themes() {
				kind := "rich"
				switch {
				case name == theme.Mono, profile == colorprofile.ASCII:
					kind = theme.Mono
				case name == theme.ANSI16, profile == colorprofile.ANSI:
					kind = theme.ANSI16
				}
				for _, dark := range []bool{true, false} {
					d.wear(name, dark)
					d.send(tea.ColorProfileMsg{Profile: profile})
					d.settle()
					got := d.screen()
					if shown[kind] == "" {
						shown[kind] = got
					}
					if want := shown[kind]; got != want {
						t.Fatalf("after %q, %s, dark %v, %v:\n%s\nwant\n%s", view, name, dark, profile, got, want)
					}
				}
			}
		}
	}
}
