package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// A plain screen is for a reader who hears it or feels it, line by line: one pane
// at a time, the selected row in words before the pane, and the cursor, which
// screen readers follow, where something is selected or begins.

// said are the lines before the focused pane: its selected row, in words.
func (m frame) said() []string {
	return widget.Wrapped(m.selected(m.panel(m.focus).Said()), m.width)
}

// selected is the line of the selected row, empty without one.
func (m frame) selected(words string) string {
	if words == "" {
		return ""
	}
	const room = 80 // for words in the place of signs: the line has no columns
	return m.styles.Strong.Render("selected:") + " " + strings.TrimRight(m.styles.Line(words, ansi.StringWidth(words)+room), " ")
}

// saidOf is what stands before a dialog: the row under its cursor, which says more than is
// drawn where the dialog has the words, else what is drawn of it.
func (m frame) saidOf(d view.Dialog, box []string) []string {
	words := ""
	if said, ok := d.(view.SaidDialog); ok {
		words = said.Said()
	} else if at := m.markedRow(box); at >= 0 {
		row := strings.TrimLeft(ansi.Strip(box[at]), " "+m.styles.Signs.Seam)
		words = wording.Columns(strings.Trim(strings.TrimPrefix(row, m.styles.Signs.Marker), " "+m.styles.Signs.Seam))
	}
	return widget.Clip(widget.Wrapped(m.selected(words), m.width), m.width, m.place.said.Dy())
}

// markedRow is the row with the sign of the selection before it, -1 without one.
func (m frame) markedRow(lines []string) int {
	for i, l := range lines {
		if strings.HasPrefix(strings.TrimLeft(ansi.Strip(l), " "+m.styles.Signs.Seam), m.styles.Signs.Marker) {
			return i
		}
	}
	return -1
}

// readingCursor is where the cursor of a plain screen stands while nothing is
// typed: before the selected row, or at the beginning of the pane.
func (m frame) readingCursor(lines []string) *tea.Cursor {
	y := m.place.said.Min.Y
	if m.top() != nil && strings.TrimSpace(ansi.Strip(lines[y])) == "" {
		if at := m.markedRow(lines[y:]); at >= 0 {
			y += at
		}
	}
	if s, ok := m.place.Slot(m.focus); ok && m.top() == nil && strings.TrimSpace(ansi.Strip(lines[y])) == "" {
		y = s.Body.Min.Y
	}
	return tea.NewCursor(0, y)
}

// plainly lays a dialog over the panes of a plain screen: nothing of them is left
// beside it, where it would be read into it.
func plainly(lines, box []string, from, to int) []string {
	out := append([]string(nil), lines...)
	for y := from; y < to; y++ {
		out[y] = ""
		if i := y - from; i < len(box) {
			out[y] = box[i]
		}
	}
	return out
}
