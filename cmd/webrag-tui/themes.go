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
	"github.com/webrag/webrag-tui/ui"
)

// themesFolder holds the user's themes.
func themesFolder() string { return filepath.Join(xdg.ConfigHome, appFolder, "themes") }

// loadThemes reads the user's themes for the explorer. The one that is set must be there
// and right; of the others, those with mistakes are left out, which a notice tells.
func loadThemes(c *config.Config, o *ui.Options) error {
	set := c.Value("ui.theme")
	o.Theme = set.Text
	if !slices.Contains(theme.Names(), set.Text) {
		path := set.Text
		if !strings.HasSuffix(path, ".toml") {
			path = filepath.Join(themesFolder(), path+".toml")
		}
		mine, err := theme.Load(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return noTheme(set, path)
		case err != nil:
			return fmt.Errorf("%s: ui.theme: %w", set.Origin, err)
		}
		o.Theme, o.Themes = mine.Name(), []*theme.Theme{mine}
	}
	all, err := theme.LoadFolder(themesFolder())
	for _, t := range all {
		if t.Name() != o.Theme {
			o.Themes = append(o.Themes, t)
		}
	}
	if err != nil {
		for line := range strings.Lines(err.Error()) {
			o.Notices = append(o.Notices, retrieval.Notice{Code: "theme", Text: "a theme is left out: " + strings.TrimSuffix(line, "\n")})
		}
	}
	return nil
}

// noTheme says that a theme does not exist, and which do.
func noTheme(set config.Value, path string) error {
	why := fmt.Sprintf("%q is none of %s, and there is no file %s", set.Text, strings.Join(theme.Names(), ", "), path)
	return &config.Error{Origin: set.Origin, Key: set.Setting.Key, Why: why + config.DidYouMean(set.Text, theme.Names())}
}
