package rendering

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/ui/spans"
	"github.com/webrag/webrag-tui/ui/wording"
)

// The blank columns beside a text in its pane; its gutter, of [spans.GutterWidth] cells,
// stands after the left ones.
const (
	Left  = 1
	right = 1
)

// Measure is how wide a pane of text is at most, in cells: lines of some ninety characters
// are read without losing the next one.
const Measure = 90 + Left + right + spans.GutterWidth

// Width is the width that texts are laid out for in a pane of w cells.
func Width(w int) int { return max(columns(w), spans.MinWidth) }

func columns(w int) int { return w - Left - right - spans.GutterWidth }

// RawLines are the lines of a text, as it is, in a pane of w cells.
func RawLines(text string, w int) []string {
	return strings.Split(ansi.Wrap(wording.Display(text), max(1, columns(w)), ""), "\n")
}

// rawLimit is how much of a text, in bytes, stands in for it while it is being
// rendered.
const rawLimit = 16 << 10

// Beginning is as much of a text as stands in for it until it is rendered.
func Beginning(text string) string {
	if len(text) > rawLimit {
		return strings.ToValidUTF8(text[:rawLimit], "") + "…"
	}
	return text
}
