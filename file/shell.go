package file

import "strings"

// ShellWord quotes a text for a POSIX shell if it needs that, so that a command that
// is advised can be copied (POSIX.1-2017, Shell Command Language, 2.2.2).
func ShellWord(text string) string {
	isPlain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./:@%+=,", r)
	}
	if text != "" && strings.TrimFunc(text, isPlain) == "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
