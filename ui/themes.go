package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

func (m *Model) themeActions() []view.Action {
	return []view.Action{
		{
			ID: "theme.next", Title: "Theme: Next", Help: "Change the theme.",
			Contexts: anyPane, Enabled: m.hasThemes, Run: m.nextTheme,
		},
		{
			ID: "theme.choose", Title: "Theme: Choose…", Help: "Choose a theme, looking at each.",
			Contexts: anyPane, Enabled: m.hasThemes, Run: m.chooseTheme,
		},
		{
			ID: "theme.shade", Title: "Theme: Light or dark", Help: "Change between light and dark.",
			Contexts: anyPane, Enabled: m.hasThemes, Run: m.toggleDark,
		},
	}
}

func (m *Model) hasThemes() (bool, string) {
	return !m.opts.Plain, "a plain screen has no colours"
}

// isDark is what is taken for the background before the terminal answers.
func isDark(o Options) bool {
	if o.Dark != nil {
		return *o.Dark
	}
	return !o.AssumeLight
}

// restyle makes the styles anew after a change of theme, background or profile.
func (m *Model) restyle() {
	m.styles = m.stylesOf(m.themeName)
	s := m.styles
	m.input.Restyle(s)
	m.find.input.Restyle(s)
}

// stylesOf makes the styles of a theme, the user's or a built-in one. For one
// that does not exist they are those of the default, and the user is told.
func (m *Model) stylesOf(name string) *theme.Styles {
	o := theme.Options{Dark: m.dark, Profile: m.profile, Spoken: m.opts.Plain}
	for _, t := range m.opts.Themes {
		if t.Name() == name {
			return t.Styles(o)
		}
	}
	s, err := theme.New(name, o)
	if err != nil {
		m.say(err.Error(), true)
		m.themeName = theme.Lamp
		s, _ = theme.New(theme.Lamp, o) // the default exists
	}
	return s
}

// themeNames are the built-in themes and the user's, in the order in which they
// are offered.
func (m *Model) themeNames() []string {
	names := theme.Names()
	for _, t := range m.opts.Themes {
		names = append(names, t.Name())
	}
	return names
}

func (m *Model) setTheme(name string) {
	m.themeName = name
	m.restyle()
}

func (m *Model) nextTheme() tea.Cmd {
	names := m.themeNames()
	m.setTheme(names[(slices.Index(names, m.themeName)+1)%len(names)])
	return m.say("theme "+m.themeName, false)
}

func (m *Model) toggleDark() tea.Cmd {
	m.dark = !m.dark
	m.restyle()
	if m.dark {
		return m.say("for dark backgrounds", false)
	}
	return m.say("for light backgrounds", false)
}

// themeDialog chooses a theme; the screen behind it shows the one that the
// cursor stands on.
type themeDialog struct {
	m *Model
	*view.Chooser
	before string
}

func (m *Model) chooseTheme() tea.Cmd {
	var all []widget.Choice
	for _, name := range m.themeNames() {
		all = append(all, widget.Choice{Value: name, Title: wording.Line(name)})
	}
	d := &themeDialog{m: m, Chooser: view.NewChooser("Theme", all, false), before: m.themeName}
	d.Then = func(name string) tea.Cmd {
		m.setTheme(name)
		return m.say(`theme `+name+`; "theme" in the section [ui] of the config file keeps it`, false)
	}
	d.At = max(0, slices.Index(m.themeNames(), m.themeName))
	return m.push(d)
}

func (d *themeDialog) Handle(msg tea.Msg) view.Verdict {
	v := d.Chooser.Handle(msg)
	name := d.before
	switch {
	case v.Then != nil:
		return v
	case !v.Closed:
		name = d.Chosen().Value
	}
	v.Then = func() tea.Cmd {
		d.m.setTheme(name)
		return nil
	}
	return v
}
