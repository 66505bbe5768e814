package theme

import (
	"fmt"
	"strings"

	"charm.land/glamour/v2/ansi"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
)

// Styles are the styles of the screen by role. They are immutable.
type Styles struct {
	// Key tells sets of styles apart; renderings are cached under it.
	Key string
	// Plain is set where there are too few colours for eighth blocks to be
	// told from text: bars are drawn with "#".
	Plain bool
	// Spoken is set for a screen that is read aloud, or by touch: one pane at a
	// time, words in place of bars, and [Styles.Line] over every line.
	Spoken bool
	// Signs are what is drawn beside words.
	Signs Signs

	// Text is ordinary text, Strong the same in bold; Faint is secondary.
	Text, Strong, Faint lipgloss.Style
	// Rule draws the lines between panes.
	Rule lipgloss.Style
	// Accent marks the query, the focus and the selection; Title is the title
	// of the focused pane, TitleOff that of the others.
	Accent, Title, TitleOff lipgloss.Style
	// Selected is the selected row's text.
	Selected lipgloss.Style
	// Score is for numbers of relevance; Bars are its steps from weak to strong.
	Score lipgloss.Style
	Bars  [3]lipgloss.Style
	// Hit marks a found word in a list.
	Hit lipgloss.Style
	// Up and Down are for change, Warning and Failure for what went wrong.
	Up, Down, Warning, Failure lipgloss.Style
	// KeyName is a key in the footer and in help.
	KeyName lipgloss.Style
	// Link is an address.
	Link lipgloss.Style

	// MatchWeak to Cited are the marks laid over rendered text; Focus is added
	// to the one that the reader stands on, Twice to text that several marks
	// cover, and Gutter styles the bars and numbers beside them.
	MatchWeak, MatchMedium, MatchStrong, Found, Cited, Focus, Twice, Gutter Mark
	// Markdown styles rendered text. It changes no case and sets no colour for
	// the document as a whole, so that the source map of a rendering holds and
	// its lines stay short.
	Markdown ansi.StyleConfig
}

// Mark is what painting adds to a cell. Empty colours leave the cell's own.
type Mark struct {
	Foreground, Background   string
	Bold, Underline, Reverse bool
}

// Options say what the terminal can show.
type Options struct {
	// Dark says that the terminal's background is dark.
	Dark bool
	// Profile is what colours the terminal shows. Terminals of sixteen colours
	// get the ansi16 theme and those without any the mono theme, whatever the
	// name.
	//
	// Defaults to true colour.
	Profile colorprofile.Profile
	// Spoken makes styles for a screen that is read aloud. They have no colours.
	Spoken bool
}

// New makes the styles of a built-in theme; the empty name is [Lamp].
func New(name string, o Options) (*Styles, error) {
	if name == "" {
		name = Lamp
	}
	if _, ok := palettes(name); !ok {
		return nil, fmt.Errorf("theme %q does not exist: one of %s", name, strings.Join(Names(), ", "))
	}
	switch o.Profile {
	case colorprofile.NoTTY, colorprofile.ASCII:
		name = Mono
	case colorprofile.ANSI:
		if name != Mono {
			name = ANSI16
		}
	}
	both, _ := palettes(name)
	p, shade := both.of(o.Dark)
	if o.Spoken {
		s := mono()
		// Bars are left out: they are drawn in blocks, which are silent.
		s.Key, s.Plain, s.Spoken = "spoken", false, true
		return s, nil
	}
	if name == Mono {
		return mono(), nil
	}
	s := fromPalette(p)
	s.Key = name + "/" + shade
	s.Plain = name == ANSI16
	return s, nil
}

func fromPalette(p palette) *Styles {
	text := foreground(p.text)
	accent := foreground(p.accent)
	s := &Styles{
		Signs: drawn(),
		Text:  text, Strong: text.Bold(true), Faint: foreground(p.faint),
		Rule:   foreground(p.rule),
		Accent: accent, Title: accent.Bold(true), TitleOff: foreground(p.faint),
		Selected: accent.Bold(true),
		Score:    foreground(p.score),
		Hit:      foreground(p.found.ink).Background(lipgloss.Color(p.found.back)),
		Up:       foreground(p.up), Down: foreground(p.down),
		Warning: foreground(p.warning), Failure: foreground(p.failure).Bold(true),
		KeyName: accent, Link: foreground(p.faint).Underline(true),

		MatchWeak: mark(p.marks[0]), MatchMedium: mark(p.marks[1]), MatchStrong: mark(p.marks[2]),
		Found: mark(p.found), Cited: mark(p.cited),
		Focus:  Mark{Bold: true},
		Twice:  Mark{Underline: true},
		Gutter: Mark{Foreground: p.score},

		Markdown: markdown(p),
	}
	for i, c := range p.warm {
		s.Bars[i] = foreground(c)
	}
	return s
}

// mono says with weight and lines what the others say with colours.
func mono() *Styles {
	plain := lipgloss.NewStyle()
	bold := plain.Bold(true)
	return &Styles{
		Key: Mono, Plain: true, Signs: drawn(),
		Text: plain, Strong: bold, Faint: plain.Faint(true),
		Rule:   plain.Faint(true),
		Accent: bold, Title: bold.Underline(true), TitleOff: plain,
		Selected: bold,
		Score:    plain, Bars: [3]lipgloss.Style{plain, plain, plain},
		Hit: plain.Reverse(true),
		Up:  plain, Down: plain, Warning: bold, Failure: bold,
		KeyName: bold, Link: plain.Underline(true),

		MatchWeak:   Mark{Underline: true},
		MatchMedium: Mark{Underline: true, Bold: true},
		MatchStrong: Mark{Reverse: true},
		Found:       Mark{Reverse: true, Underline: true},
		Cited:       Mark{Reverse: true, Bold: true},
		Focus:       Mark{Bold: true, Underline: true},
		Twice:       Mark{Bold: true},

		Markdown: markdown(palette{}),
	}
}

func foreground(c string) lipgloss.Style {
	if c == "" {
		return lipgloss.NewStyle()
	}
	return lipgloss.NewStyle().Foreground(lipgloss.Color(c))
}

func mark(g ground) Mark {
	// Without a background of its own a mark would be a colour only.
	return Mark{Foreground: g.ink, Background: g.back, Underline: g.back == ""}
}

// KeySign is a key as footers name it.
func (s *Styles) KeySign(key string) string {
	g := &s.Signs
	if s.Spoken {
		return strings.Replace(key, "shift+", "shift ", 1)
	}
	switch key {
	case "left":
		return g.ArrowLeft
	case "right":
		return g.ArrowRight
	case "up":
		return g.ArrowUp
	case "down":
		return g.ArrowDown
	case "shift+left":
		return "shift " + g.ArrowLeft
	case "backspace":
		if !s.Plain {
			return "⌫"
		}
		return key
	default:
		return key
	}
}
