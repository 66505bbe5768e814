package ui

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/charmbracelet/colorprofile"

	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// look is how the screen looks: a theme, for a background and a terminal's colours.
type look struct {
	shell  view.Shell
	themes []*theme.Theme // the user's own
	// plain is set for a screen that is read aloud.
	plain bool
	// restyled is told of new styles.
	restyled func(*theme.Styles)

	styles    *theme.Styles
	themeName string
	dark      bool
	profile   colorprofile.Profile
}

func (l *look) themeActions() []view.Action {
	return []view.Action{
		{
			ID: "theme.next", Title: "Theme: Next", Words: "colour color", Help: "Change the theme.",
			Contexts: anyPane, Enabled: l.hasThemes, Run: l.nextTheme,
		},
		{
			ID: "theme.choose", Title: "Theme: Choose…", Words: "colour color appearance", Help: "Choose a theme, looking at each.",
			Contexts: anyPane, Enabled: l.hasThemes, Run: l.chooseTheme,
		},
		{
			ID: "theme.shade", Title: "Theme: Light or dark", Words: "colour color background", Help: "Change between light and dark.",
			Contexts: anyPane, Enabled: l.hasThemes, Run: l.toggleDark,
		},
	}
}

func (l *look) hasThemes() (bool, string) {
	return !l.plain, "a plain screen has no colours"
}

// newLook is the look that options ask for, without styles yet.
func newLook(shell view.Shell, o Options, restyled func(*theme.Styles)) look {
	l := look{
		shell: shell, themes: o.Themes, plain: o.Plain, restyled: restyled,
		themeName: cmp.Or(o.Theme, theme.Lamp), dark: isDark(o), profile: colorprofile.TrueColor,
	}
	if o.NoColor {
		l.profile = colorprofile.ASCII
	}
	return l
}

// isDark is what is taken for the background before the terminal answers.
func isDark(o Options) bool {
	if o.Dark != nil {
		return *o.Dark
	}
	return !o.AssumeLight
}

// restyle makes the styles anew after a change of theme, background or profile.
func (l *look) restyle() {
	l.styles = l.stylesOf(l.themeName)
	l.restyled(l.styles)
}

// stylesOf makes the styles of a theme, the user's or a built-in one. For one
// that does not exist they are those of the default, and the user is told.
func (l *look) stylesOf(name string) *theme.Styles {
	o := theme.Options{Dark: l.dark, Profile: l.profile, Spoken: l.plain}
	for _, t := range l.themes {
		if t.Name() == name {
			return t.Styles(o)
		}
	}
	s, err := theme.New(name, o)
	if err != nil {
		l.shell.Say(err.Error(), true)
		l.themeName = theme.Lamp
		s, _ = theme.New(theme.Lamp, o) // the default exists
	}
	return s
}

// themeNames are the built-in themes and the user's, in the order in which they
// are offered.
func (l *look) themeNames() []string {
	names := theme.Names()
	for _, t := range l.themes {
		names = append(names, t.Name())
	}
	return names
}

func (l *look) setTheme(name string) {
	l.themeName = name
	l.restyle()
}

func (l *look) nextTheme() tea.Cmd {
	names := l.themeNames()
	l.setTheme(names[(slices.Index(names, l.themeName)+1)%len(names)])
	return l.shell.Say("theme "+l.themeName, false)
}

func (l *look) toggleDark() tea.Cmd {
	l.dark = !l.dark
	l.restyle()
	if l.dark {
		return l.shell.Say("for dark backgrounds", false)
	}
	return l.shell.Say("for light backgrounds", false)
}

// themeDialog chooses a theme; the screen behind it shows the one that the
// cursor stands on.
type themeDialog struct {
	look *look
	*view.Chooser
	before string
}

func (l *look) chooseTheme() tea.Cmd {
	var all []widget.Choice
	for _, name := range l.themeNames() {
		all = append(all, widget.Choice{Value: name, Title: wording.Line(name)})
	}
	d := &themeDialog{look: l, Chooser: view.NewChooser("Theme", all, false), before: l.themeName}
	d.Then = func(name string) tea.Cmd {
		l.setTheme(name)
		return l.shell.Say(`theme `+name+`; "theme" in the section [ui] of the config file keeps it`, false)
	}
	d.At = max(0, slices.Index(l.themeNames(), l.themeName))
	return l.shell.Push(d)
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
		d.look.setTheme(name)
		return nil
	}
	return v
}
