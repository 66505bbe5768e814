package ui

import (
	"strings"

	"github.com/webrag/webrag-tui/ui/view"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/widget"
)

// textDialog shows text that is scrolled: help, notices, the details of an
// error.
type textDialog struct {
	title string
	// lines lays the text out for a width.
	lines  func(s *theme.Styles, w int) []string
	wanted int // width that it would like
	widget.Pager
}

func (d *textDialog) Handle(msg tea.Msg) view.Verdict {
	key, verb := view.Motion(msg)
	d.Turn(verb)
	return view.Verdict{Closed: key == "esc" || key == "q" || key == "?" || key == "enter"}
}

func (d *textDialog) Draw(s *theme.Styles, w, h int) []string {
	w = widget.FrameWidth(d.wanted, w)
	lines := d.lines(s, w-4)
	d.Resize(max(0, min(len(lines), h-4)), len(lines))
	return widget.Frame(s, d.title, lines[d.Top:d.Until()], d.hint(), w)
}

// hint names the keys that do something now.
func (d *textDialog) hint() string {
	if d.Total > d.Height {
		return "↑ ↓ scroll   esc close"
	}
	return "esc close"
}

func (d *textDialog) Cursor() *tea.Cursor { return nil }

// plainText lays out sentences as they are.
func plainText(paragraphs ...string) func(*theme.Styles, int) []string {
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
