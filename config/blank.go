package config

import (
	"fmt"
	"strings"
)

// BlankEnv writes a documented .env file in which every variable is commented
// out at its default, grouped by section.
func BlankEnv(settings []Setting) string {
	var b strings.Builder
	b.WriteString("# Settings of webrag-tui. Copy this file to .env and remove the # before what you change.\n")
	b.WriteString("# Precedence: flags, then the environment, then .env, then the config file, then the default.\n")
	section := ""
	for i := range settings {
		s := &settings[i]
		if s.Env == "" {
			continue
		}
		if at, _, _ := strings.Cut(s.Key, "."); at != section {
			section = at
			fmt.Fprintf(&b, "\n# -- %s%s\n", section, " "+strings.Repeat("-", 70-len(section)))
		}
		def := s.Default
		if s.DefaultNote != "" {
			def = s.DefaultNote
		}
		if def == "" {
			def = "none"
		}
		unit, value := "", s.Default
		if s.Unit != "" {
			unit = " " + s.Unit
		}
		if value == "" {
			value = s.Example
		}
		fmt.Fprintf(&b, "\n# %s\n# Default: %s%s. Accepts: %s.\n# %s=%s\n", s.Help, def, unit, s.Range(), s.Env, value)
	}
	return b.String()
}
