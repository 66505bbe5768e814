package theme

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/colorprofile"

	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/file"
)

// Theme is a theme of the user's own.
//
// Its file is TOML: base names the built-in theme that gives what the file leaves
// out, the other keys are colours by their role. They hold for both backgrounds,
// or for one of them in the sections [dark] and [light].
type Theme struct {
	name   string
	shades pair
}

// suffix ends the name of a theme's file.
const suffix = ".toml"

// Name is the name of its file without the ending.
func (t *Theme) Name() string { return t.name }

// Styles makes the styles of the theme. A terminal of sixteen colours gets them
// if the theme is content with those, otherwise the theme [ANSI16].
func (t *Theme) Styles(o Options) *Styles {
	p, shade := t.shades.of(o.Dark)
	if o.Profile == colorprofile.ANSI && !p.isANSI16() || o.Profile == colorprofile.ASCII || o.Profile == colorprofile.NoTTY || o.Spoken {
		s, err := New(ANSI16, o)
		if err != nil {
			panic(err) // the name is one of ours
		}
		return s
	}
	s := fromPalette(p)
	s.Key = "own " + t.name + "/" + shade
	s.Plain = o.Profile == colorprofile.ANSI
	return s
}

// Load reads the theme of a file. What is wrong in it is a [config.Error] each,
// joined.
func Load(path string) (*Theme, error) {
	raw, err := file.Read(path, config.MaxFile)
	if err != nil {
		return nil, fmt.Errorf("read the theme: %w", err)
	}
	return parse(path, raw)
}

// LoadFolder reads all themes of a folder, by name. The error joins what is wrong
// with those that cannot be read; a folder that is missing has none.
func LoadFolder(dir string) ([]*Theme, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the folder of themes: %w", err)
	}
	var themes []*Theme
	var problems []error
	for _, e := range entries {
		if e.IsDir() || !strings.HasSuffix(e.Name(), suffix) {
			continue
		}
		t, err := Load(filepath.Join(dir, e.Name()))
		if err != nil {
			problems = append(problems, err)
			continue
		}
		themes = append(themes, t)
	}
	return themes, errors.Join(problems...)
}

// parse makes a theme of the text of its file.
func parse(path string, raw []byte) (*Theme, error) {
	t := &Theme{name: strings.TrimSuffix(filepath.Base(path), suffix)}
	if slices.Contains(Names(), t.name) {
		return nil, fmt.Errorf("%s: a theme called %s is built in; give the file another name", path, t.name)
	}
	entries, err := config.ParseTOML(raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	base := Lamp
	var problems []error
	wrong := func(e config.Entry, format string, args ...any) {
		problems = append(problems, &config.Error{
			Origin: config.Origin{Source: config.File, Name: path, Line: e.Line}, Key: e.Key, Why: fmt.Sprintf(format, args...),
		})
	}
	for _, e := range entries {
		if e.Key != "base" {
			continue
		}
		if _, ok := palettes(e.Text); !ok {
			wrong(e, "must be a built-in theme: %s%s", strings.Join(Names(), ", "), suggestion(e.Text, Names()))
			continue
		}
		base = e.Text
	}
	t.shades, _ = palettes(base)
	// What holds for both backgrounds comes first, wherever it stands.
	for _, both := range []bool{true, false} {
		for _, e := range entries {
			section, role, inSection := strings.Cut(e.Key, ".")
			var targets []*palette
			switch {
			case e.Key == "base" || inSection == both:
				continue
			case !inSection:
				role, targets = e.Key, []*palette{&t.shades.dark, &t.shades.light}
			case section == "dark":
				targets = []*palette{&t.shades.dark}
			case section == "light":
				targets = []*palette{&t.shades.light}
			default:
				wrong(e, "no such section: dark and light are%s", suggestion(section, []string{"dark", "light"}))
				continue
			}
			if !slices.Contains(roles, role) {
				wrong(e, "no such colour%s", suggestion(role, append([]string{"base"}, roles...)))
				continue
			}
			for _, p := range targets {
				err := p.set(role, e)
				if err != nil {
					wrong(e, "%v", err)
					break
				}
			}
		}
	}
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	return t, nil
}

func suggestion(word string, words []string) string {
	if near, ok := config.Nearest(word, words); ok {
		return fmt.Sprintf(" (did you mean %q?)", near)
	}
	return ""
}

// roles are the colours of a palette as files name them. See [palette] for what
// each is for.
var roles = []string{
	"text", "faint", "rule", "accent", "score", "bar_weak", "bar_medium", "bar_strong", "up", "down", "warning", "failure",
	"match_weak", "match_medium", "match_strong", "found", "cited", "code", "keyword", "literal", "comment", "function",
}

// set gives a role the colour of an entry.
func (p *palette) set(role string, e config.Entry) error {
	if e.Why != "" {
		return errors.New("must be a colour in quotes, such as \"#6cb6ff\"")
	}
	if g := p.ground(role); g != nil {
		ink, back, ok := strings.Cut(e.Text, " on ")
		if !ok {
			return fmt.Errorf("%q must be two colours, text on background, such as \"#1c1c1c on #e3b341\"", e.Text)
		}
		made := ground{}
		var err error
		if made.ink, err = colour(strings.TrimSpace(ink)); err == nil {
			made.back, err = colour(strings.TrimSpace(back))
		}
		if err == nil {
			*g = made
		}
		return err
	}
	c, err := colour(e.Text)
	if err == nil {
		*p.ink(role) = c
	}
	return err
}

// ground is the mark of a role, nil where the role is one colour.
func (p *palette) ground(role string) *ground {
	switch role {
	case "match_weak":
		return &p.marks[0]
	case "match_medium":
		return &p.marks[1]
	case "match_strong":
		return &p.marks[2]
	case "found":
		return &p.found
	case "cited":
		return &p.cited
	default:
		return nil
	}
}

// ink is the colour of a role that has one.
func (p *palette) ink(role string) *string {
	return map[string]*string{
		"text": &p.text, "faint": &p.faint, "rule": &p.rule, "accent": &p.accent, "score": &p.score,
		"bar_weak": &p.warm[0], "bar_medium": &p.warm[1], "bar_strong": &p.warm[2],
		"up": &p.up, "down": &p.down, "warning": &p.warning, "failure": &p.failure,
		"code": &p.code, "keyword": &p.keyword, "literal": &p.literal, "comment": &p.comment, "function": &p.function,
	}[role]
}

// colour checks a colour: "#rrggbb", "#rgb", the number of one of the terminal's
// 256 colours, or "default" for the terminal's own.
func colour(text string) (string, error) {
	hex, isHex := strings.CutPrefix(text, "#")
	switch {
	case text == "default":
		return "", nil
	case isHex && len(hex) == 3 && isHexadecimal(hex):
		return "#" + strings.Repeat(hex[:1], 2) + strings.Repeat(hex[1:2], 2) + strings.Repeat(hex[2:], 2), nil
	case isHex && len(hex) == 6 && isHexadecimal(hex):
		return text, nil
	}
	if n, err := strconv.ParseUint(text, 10, 8); err == nil {
		return strconv.FormatUint(n, 10), nil
	}
	return "", fmt.Errorf("%q is no colour: use \"#rrggbb\", a number from 0 to 255, or \"default\"", text)
}

func isHexadecimal(s string) bool {
	return strings.Trim(s, "0123456789abcdefABCDEF") == ""
}

// of is the palette for a background, and the background's name.
func (p pair) of(dark bool) (shade palette, name string) {
	if dark {
		return p.dark, "dark"
	}
	return p.light, "light"
}

// colours lists all colours of a palette, the backgrounds of its marks included.
func (p *palette) colours() []string {
	var all []string
	for _, role := range roles {
		if g := p.ground(role); g != nil {
			all = append(all, g.ink, g.back)
			continue
		}
		all = append(all, *p.ink(role))
	}
	return all
}

// isANSI16 says that no colour goes beyond the sixteen of every terminal.
func (p *palette) isANSI16() bool {
	return !slices.ContainsFunc(p.colours(), func(c string) bool {
		n, err := strconv.Atoi(c)
		return c != "" && (err != nil || n > 15)
	})
}
