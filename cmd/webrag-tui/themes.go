package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adrg/xdg"

	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/theme"
)

// themesFolder holds the user's themes.
func themesFolder() string { return filepath.Join(xdg.ConfigHome, appFolder, "themes") }

// looks is the theme that is set, with the user's themes to choose from.
type looks struct {
	name string
	own  []*theme.Theme
	// notices tell of themes that cannot be read. None of them is the one that is
	// set: that would be an error.
	notices []retrieval.Notice
}

// loadLooks reads the user's themes. The one that is set must be there and right;
// of the others, those with mistakes are left out.
func loadLooks(c *config.Config) (looks, error) {
	set := c.Value("ui.theme")
	l := looks{name: set.Text}
	if !slices.Contains(theme.Names(), set.Text) {
		path := set.Text
		if !strings.HasSuffix(path, ".toml") {
			path = filepath.Join(themesFolder(), path+".toml")
		}
		mine, err := theme.Load(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return looks{}, noTheme(set, path)
		case err != nil:
			return looks{}, fmt.Errorf("%s: ui.theme: %w", set.Origin, err)
		}
		l.name, l.own = mine.Name(), []*theme.Theme{mine}
	}
	all, err := theme.LoadFolder(themesFolder())
	for _, t := range all {
		if t.Name() != l.name {
			l.own = append(l.own, t)
		}
	}
	if err != nil {
		for line := range strings.Lines(err.Error()) {
			l.notices = append(l.notices, retrieval.Notice{Code: "theme", Text: "a theme is left out: " + strings.TrimSuffix(line, "\n")})
		}
	}
	return l, nil
}

// noTheme says that a theme does not exist, and which do.
func noTheme(set config.Value, path string) error {
	why := fmt.Sprintf("%q is none of %s, and there is no file %s", set.Text, strings.Join(theme.Names(), ", "), path)
	if near, ok := config.Nearest(set.Text, theme.Names()); ok {
		why += fmt.Sprintf(" (did you mean %q?)", near)
	}
	return &config.Error{Origin: set.Origin, Key: set.Setting.Key, Why: why}
}
