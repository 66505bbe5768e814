package tour

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/widget"
)

// Resize takes lines for the captions of a screen of h lines, which needs least itself, and
// says how many.
func (t *Player) Resize(h, least int) (rows int) {
	switch {
	case !t.on || h <= least:
		t.rows = 0
	case h < 20:
		t.rows = 1
	default:
		t.rows = 2
	}
	return t.rows
}

// Caption is what stands under the screen.
func (t *Player) Caption() string { return t.caption }

// place is which of how many texts stands there: "3 of 12"; empty without a text.
func (t *Player) place() string {
	if t.caption == "" {
		return ""
	}
	return fmt.Sprintf("%d of %d", t.script.captions(t.at), t.script.captions(len(t.script.Steps)))
}

// Lines are those of the caption, w cells wide.
func (t *Player) Lines(s *theme.Styles, w int) []string {
	if t.rows == 0 {
		return nil
	}
	hint := "space pauses"
	switch {
	case t.asked && t.paused:
		hint = "space goes on"
	case t.paused:
		hint = "paused: space goes on"
	}
	if w < 60 {
		hint = ""
		if t.paused {
			hint = "space"
		}
	}
	hint = strings.TrimSpace(t.place() + "   " + hint)
	sign := s.Accent.Render(" " + s.Signs.Marker + " ")
	if s.Spoken {
		sign = " tour: "
	}
	indent := strings.Repeat(" ", ansi.StringWidth(sign))
	room := w - ansi.StringWidth(sign) - ansi.StringWidth(hint) - 3
	text := widget.Wrapped(t.caption, room)
	if len(text) > t.rows {
		text = text[:t.rows]
		text[t.rows-1] = widget.Fit(strings.TrimRight(text[t.rows-1], " ")+" "+s.Signs.Ellipsis, room)
	}
	lines := make([]string, t.rows)
	for i := range lines {
		left, right := indent, ""
		if i == 0 {
			left, right = sign, s.Faint.Render(hint)+" "
		}
		if i < len(text) {
			left += s.Strong.Render(text[i])
		}
		lines[i] = widget.Spread(left, right, w)
		if s.Spoken {
			lines[i] = s.Line(lines[i], w)
		}
	}
	return lines
}
