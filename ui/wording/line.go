package wording

import (
	"strings"

	"github.com/webrag/webrag-tui/offset"
)

// Line is text of unknown origin as one line that is safe to draw.
func Line(s string) string { return strings.TrimSpace(offset.Line(s)) }

// Display is text of unknown origin, with its lines, that is safe to draw.
func Display(s string) string { return offset.Display(s).Text }

// FirstLine is an error in one line.
func FirstLine(err error) string {
	line, _, _ := strings.Cut(strings.TrimSpace(err.Error()), "\n")
	return Line(line)
}
