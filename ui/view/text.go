package view

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/widget"
)

// TextDialog shows text that is scrolled: help, notices, the details of an
// error.
type TextDialog struct {
	Title string
	// Text lays the text out for a width.
	Text func(s *theme.Styles, w int) []string
	// Wanted is the width that it would like, in cells.
	Wanted int
	widget.Pager
}

// Handle implements [Dialog].
func (d *TextDialog) Handle(msg tea.Msg) Verdict {
	key, verb := Motion(msg)
	d.Turn(verb)
	return Verdict{Closed: key == "esc" || key == "q" || key == "?" || key == "enter"}
}

// Draw implements [Dialog].
func (d *TextDialog) Draw(s *theme.Styles, w, h int) []string {
	w = widget.FrameWidth(d.Wanted, w)
	lines := d.Text(s, w-4)
	d.Resize(max(0, min(len(lines), h-4)), len(lines))
	return widget.Frame(s, d.Title, lines[d.Top:d.Until()], d.Position(), w)
}

// Hints implements [Dialog].
func (d *TextDialog) Hints() []Hint {
	if d.Total > d.Height {
		return []Hint{{"up down", "scroll"}, {"pgdown", "page"}, Closes}
	}
	return []Hint{Closes}
}

// Cursor implements [Dialog].
func (d *TextDialog) Cursor() *tea.Cursor { return nil }

// PlainText lays out sentences as they are.
func PlainText(paragraphs ...string) func(*theme.Styles, int) []string {
	return func(_ *theme.Styles, w int) []string {
		var lines []string
		for i, p := range paragraphs {
			if i > 0 {
				lines = append(lines, "")
			}
			for part := range strings.SplitSeq(p, "\n") {
				lines = append(lines, widget.Wrapped(part, w)...)
			}
		}
		return lines
	}
}
