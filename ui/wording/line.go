package wording

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/offset"
)

// Line is text of unknown origin as one line that is safe to draw.
func Line(s string) string { return offset.Trimmed(s) }

// Display is text of unknown origin, with its lines, that is safe to draw.
func Display(s string) string { return offset.Display(s).Text }

// FirstLine is an error in one line.
func FirstLine(err error) string {
	line, _, _ := strings.Cut(strings.TrimSpace(err.Error()), "\n")
	return Line(line)
}

// Aloud are the parts of a row as a screen that is read aloud says them: those that are
// empty are left out.
func Aloud(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), ", ")
}

// Columns are the columns of a row, which two blanks or more set apart, as [Aloud] has
// them.
func Columns(row string) string {
	parts := strings.Split(row, "  ")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return Aloud(parts...)
}

// Noted is a name with a note in a column behind it, as lists have them.
func Noted(name, note string) string {
	const column = 14
	return name + strings.Repeat(" ", max(2, column-ansi.StringWidth(name))) + note
}
