package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/theme"
)

// textDialog shows text that is scrolled: help, notices, the details of an
// error.
type textDialog struct {
	title string
	// lines lays the text out for a width.
	lines  func(s *theme.Styles, w int) []string
	wanted int // width that it would like
	top    int
	height int // lines of text visible at the last drawing
	total  int
}

func (d *textDialog) handle(msg tea.Msg) verdict {
	key, ok := msg.(tea.KeyPressMsg)
	if !ok {
		if wheel, ok := msg.(tea.MouseWheelMsg); ok {
			d.scroll(wheelStep(wheel))
		}
		return verdict{}
	}
	switch key.String() {
	case "esc", "q", "?", "enter":
		return verdict{closed: true}
	case "down", "j":
		d.scroll(1)
	case "up", "k":
		d.scroll(-1)
	case "pgdown", "space", "ctrl+d":
		d.scroll(max(1, d.height-1))
	case "pgup", "ctrl+u":
		d.scroll(-max(1, d.height-1))
	case "g", "home":
		d.top = 0
	case "G", "end":
		d.scroll(d.total)
	}
	return verdict{}
}

func (d *textDialog) scroll(n int) { d.top = max(0, min(d.top+n, d.total-d.height)) }

func (d *textDialog) view(s *theme.Styles, w, h int) []string {
	w = dialogWidth(d.wanted, w)
	lines := d.lines(s, w-4)
	d.total = len(lines)
	d.height = max(0, min(len(lines), h-4))
	d.scroll(0)
	hint := "esc close"
	if d.total > d.height {
		hint = "↑ ↓ scroll   esc close"
	}
	return box(s, d.title, lines[d.top:min(d.total, d.top+d.height)], hint, w)
}

func (d *textDialog) cursor() *tea.Cursor { return nil }

// plainText lays out sentences as they are.
func plainText(paragraphs ...string) func(*theme.Styles, int) []string {
	return func(_ *theme.Styles, w int) []string {
		var lines []string
		for i, p := range paragraphs {
			if i > 0 {
				lines = append(lines, "")
			}
			for part := range strings.SplitSeq(p, "\n") {
				lines = append(lines, wrapped(part, w)...)
			}
		}
		return lines
	}
}
