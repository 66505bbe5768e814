package ui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/ui/widget"
)

// captionRows are the lines that captions get of a screen of h lines.
func (t *touring) captionRows(h int) int {
	switch {
	case !t.on || h <= minHeight:
		return 0
	case h < 20:
		return 1
	default:
		return 2
	}
}

// captionLines are the caption's, under the screen.
func (m *Model) captionLines() []string {
	t, s := &m.tour, m.styles
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
	if m.width < 60 {
		hint = ""
		if t.paused {
			hint = "space"
		}
	}
	sign := s.Accent.Render(" " + s.Signs.Marker + " ")
	if m.opts.Plain {
		sign = " tour: "
	}
	indent := strings.Repeat(" ", ansi.StringWidth(sign))
	room := m.width - ansi.StringWidth(sign) - ansi.StringWidth(hint) - 3
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
		lines[i] = widget.Spread(left, right, m.width)
		if m.opts.Plain {
			lines[i] = s.Line(lines[i])
		}
	}
	return lines
}
