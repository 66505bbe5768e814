package theme

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
)

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAThemeOfOnesOwn(t *testing.T) {
	mine, err := Load(write(t, "sea.toml", `base = "okabe"
accent = "#0af"
text = "default"
[dark]
faint = 244
found = "#111111 on #F0E442"
[light]
bar_strong = "#004488"
`))
	if err != nil {
		t.Fatal(err)
	}
	if mine.Name() != "sea" {
		t.Errorf("it is called %s", mine.Name())
	}
	base, _ := palettes(Okabe)
	want := base
	want.dark.accent, want.light.accent = "#00aaff", "#00aaff"
	want.dark.faint, want.dark.found, want.light.warm[2] = "244", ground{"#F0E442", "#111111"}, "#004488"
	if mine.shades != want {
		t.Errorf("got %+v, want %+v", mine.shades, want)
	}
	s := mine.Styles(Options{Dark: true})
	if s.Found != (Mark{Foreground: "#111111", Background: "#F0E442"}) || s.Key == mine.Styles(Options{}).Key {
		t.Errorf("styles %q have the mark %+v", s.Key, s.Found)
	}
}

// The order of the file does not decide: a shade is told apart from both.
func TestASectionIsStrongerThanWhatHoldsForBoth(t *testing.T) {
	dotted, err := Load(write(t, "x.toml", "dark.accent = 1\naccent = 2\n"))
	if err != nil {
		t.Fatal(err)
	}
	if d, l := dotted.shades.dark.accent, dotted.shades.light.accent; d != "1" || l != "2" {
		t.Errorf("dark %s, light %s; want 1 and 2", d, l)
	}
}

func TestEveryRoleCanBeSet(t *testing.T) {
	for _, role := range roles {
		text := "1"
		if (&palette{}).ground(role) != nil {
			text = "1 on 2"
		}
		mine, err := Load(write(t, "x.toml", role+" = \""+text+"\"\n"))
		if err != nil {
			t.Fatal(err)
		}
		lamp, _ := palettes(Lamp)
		if mine.shades.dark == lamp.dark || mine.shades.light == lamp.light {
			t.Errorf("%s changes nothing", role)
		}
	}
}

func TestTheDocumentListsTheRoles(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("..", "docs", "themes.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(Names(), roles...) {
		if !strings.Contains(string(raw), "`"+name+"`") {
			t.Errorf("docs/themes.md does not name %s", name)
		}
	}
}

func TestMistakesInAThemeNameThePlace(t *testing.T) {
	for text, want := range map[string]string{
		"\nacent = \"#fff\"\n":              `x.toml:2: acent: no such colour (did you mean "accent"?)`,
		"[dark]\nfiant = 3\n":               `x.toml:2: dark.fiant: no such colour (did you mean "faint"?)`,
		"[drak]\nfaint = 3\n":               `x.toml:2: drak.faint: no such section: dark and light are (did you mean "dark"?)`,
		"base = \"lampe\"\n":                `x.toml:1: base: must be a built-in theme: lamp, contrast, okabe, ansi16, mono (did you mean "lamp"?)`,
		"accent = \"blue\"\n":               `x.toml:1: accent: "blue" is no colour: use "#rrggbb"`,
		"accent = \"#12345\"\n":             `"#12345" is no colour`,
		"accent = \"#ggg\"\n":               `"#ggg" is no colour`,
		"accent = 256\n":                    `"256" is no colour`,
		"accent = [1]\n":                    `x.toml:1: accent: must be a colour in quotes`,
		"found = \"#fff\"\n":                `x.toml:1: found: "#fff" must be two colours, text on background`,
		"found = \"#fff on black\"\n":       `"black" is no colour`,
		"accent = \"a\"\nfaint = \"b\"\n":   `x.toml:2: faint: "b" is no colour`,
		"accent = \n":                       `x.toml: line 1`,
		"[dark]\naccent = 1\n[dark]\nx=1\n": `x.toml: `,
	} {
		_, err := Load(write(t, "x.toml", text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
	if _, err := Load(write(t, "lamp.toml", "")); err == nil || !strings.Contains(err.Error(), "built in") {
		t.Errorf("a theme hides one that is built in: %v", err)
	}
	if _, err := Load(filepath.Join(t.TempDir(), "none.toml")); err == nil {
		t.Error("a missing file is a theme")
	}
}

func TestAFolderOfThemes(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"b.toml": "accent = 1", "a.toml": "", "broken.toml": "acent = 1", "notes.txt": "x"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	themes, err := LoadFolder(dir)
	if len(themes) != 2 || themes[0].Name() != "a" || themes[1].Name() != "b" {
		t.Errorf("found %v", themes)
	}
	if err == nil || !strings.Contains(err.Error(), "broken.toml:1: acent") {
		t.Errorf("the broken one is reported as %v", err)
	}
	if themes, err := LoadFolder(filepath.Join(dir, "none")); len(themes) > 0 || err != nil {
		t.Errorf("a missing folder gives %v, %v", themes, err)
	}
}

// A terminal of few colours gets what it can show.
func TestAThemeOfOnesOwnOnPoorerTerminals(t *testing.T) {
	rich, err := Load(write(t, "rich.toml", "accent = \"#123456\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	poor, err := Load(write(t, "poor.toml", "base = \"ansi16\"\naccent = 5\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		of   *Theme
		o    Options
		want string
	}{
		{rich, Options{Profile: colorprofile.ANSI256}, "own rich/light"},
		{rich, Options{Profile: colorprofile.ANSI}, "ansi16/light"},
		{poor, Options{Profile: colorprofile.ANSI, Dark: true}, "own poor/dark"},
		{poor, Options{Profile: colorprofile.ASCII}, Mono},
		{rich, Options{Spoken: true}, "spoken"},
	} {
		s := c.of.Styles(c.o)
		if s.Key != c.want {
			t.Errorf("%s with %v has the styles %s, want %s", c.of.Name(), c.o, s.Key, c.want)
		}
		if s.Plain != (c.o.Profile == colorprofile.ANSI || c.o.Profile == colorprofile.ASCII && !c.o.Spoken) {
			t.Errorf("%s with %v: plain is %v", c.of.Name(), c.o, s.Plain)
		}
	}
}

func FuzzTheme(f *testing.F) {
	f.Add("base = \"lamp\"\naccent = \"#fff\"\n[dark]\nfound = \"1 on 2\"\n")
	f.Add("dark.accent = 1\n[light]\nx.y = \"default on #abc\"")
	f.Add("accent = \"\x1b]0;x\x07\"")
	f.Fuzz(func(t *testing.T, text string) {
		mine, err := parse("x.toml", []byte(text))
		if err != nil {
			if !strings.Contains(err.Error(), "x.toml") {
				t.Errorf("%v does not name the file", err)
			}
			return
		}
		for _, p := range []palette{mine.shades.dark, mine.shades.light} {
			for _, c := range p.colours() {
				if got, err := colour(c); c != "" && (err != nil || got != c) {
					t.Errorf("%q passed as a colour", c)
				}
			}
		}
		mine.Styles(Options{Dark: true})
	})
}
