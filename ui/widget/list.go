package widget

import (
	"fmt"
	"strconv"

	"charm.land/lipgloss/v2"

	"github.com/webrag/webrag-tui/theme"
)

// Verb is a motion, whatever key or wheel made it. The zero value moves nothing.
type Verb uint8

// The motions: by a row, by half or all of what is visible, to an end, and by a
// turn of the wheel.
const (
	Up Verb = iota + 1
	Down
	HalfUp
	HalfDown
	PageUp
	PageDown
	Home
	End
	WheelUp
	WheelDown
)

const (
	// wheelLines is how many lines of text a turn of the wheel scrolls. A cursor
	// goes one row.
	wheelLines = 3
	// toTheEnd is more rows than anything has.
	toTheEnd = 1 << 30
)

// Rows is how many rows a cursor goes, downwards if positive, where a page has so
// many. A page of 0 rows is none: its verbs move nothing.
func (v Verb) Rows(page int) int {
	half := max(min(page, 1), page/2)
	return [...]int{0, -1, 1, -half, half, -page, page, -toTheEnd, toTheEnd, -1, 1}[v]
}

// Lines is as [Verb.Rows], of text without a cursor.
func (v Verb) Lines(page int) int {
	if v.Turns() {
		return v.Rows(page) * wheelLines
	}
	return v.Rows(page)
}

// Turns says that the verb is a turn of the wheel.
func (v Verb) Turns() bool { return v == WheelUp || v == WheelDown }

// Pager is a window on rows or lines: Height of Total are visible, from Top on.
// It scrolls what others draw. The viewport of bubbles keeps the text itself, as
// lines that are all laid out; the views lay out what is visible.
type Pager struct{ Top, Height, Total int }

// Resize tells how many rows are visible at most, and how many there are.
func (p *Pager) Resize(height, total int) {
	p.Height, p.Total = height, total
	p.Scroll(0)
}

// Scroll moves the window by rows, down if positive, as far as there are any: no
// row stays empty while others are hidden.
func (p *Pager) Scroll(rows int) { p.Top = max(0, min(p.Top+rows, p.Total-p.Height)) }

// Turn scrolls as a verb says. A page leaves a line of the last in sight.
func (p *Pager) Turn(v Verb) { p.Scroll(v.Lines(max(1, p.Height-1))) }

// Show moves the window no further than a row needs to be in it. Of rows that do
// not fit together, the one that is shown last stays in sight. A window without
// height, as before the first drawing, stays.
func (p *Pager) Show(row int) {
	if p.Height > 0 {
		p.Top = max(min(p.Top, row), row-p.Height+1)
	}
}

// RowOf is the row on a visible line, which counts from 0, and whether there is one.
func (p *Pager) RowOf(line int) (int, bool) {
	return p.Top + line, line >= 0 && p.Top+line < p.Until()
}

// Has says that a row is visible.
func (p *Pager) Has(row int) bool { return row >= p.Top && row < p.Top+p.Height }

// Until is the row after the last visible one.
func (p *Pager) Until() int { return max(p.Top, min(p.Top+p.Height, p.Total)) }

// Below is how many rows are hidden under the visible ones.
func (p *Pager) Below() int { return max(0, p.Total-p.Top-p.Height) }

// List is a [Pager] with a cursor on a row, At; -1 where it can stand on none.
// That of bubbles draws, filters and counts pages by itself.
type List struct {
	Pager
	At int
}

// Go puts the cursor on a row, or on the nearest that there is, and shows it.
func (l *List) Go(row int) {
	l.At = max(0, min(row, l.Total-1))
	l.Show(l.At)
	l.Scroll(0)
}

// Resize is as [Pager.Resize], with the cursor on a row that there is, and in sight.
func (l *List) Resize(height, total int) {
	l.Height, l.Total = height, total
	l.Go(l.At)
}

// Walk moves the cursor by n of the rows that it can stand on, or as far as there
// are any, and says whether it went. It does not scroll.
func (l *List) Walk(n int, stops func(row int) bool) bool {
	step, from := 1, l.At
	if n < 0 {
		step, n = -1, -n
	}
	for row := l.At + step; n > 0 && row >= 0 && row < l.Total; row += step {
		if stops(row) {
			l.At = row
			n--
		}
	}
	return l.At != from
}

// Position says which of the rows are visible, where not all are: "1–14 of 57".
func (p *Pager) Position() string {
	if p.Height >= p.Total || p.Height <= 0 {
		return ""
	}
	return fmt.Sprintf("%d–%d of %d", p.Top+1, p.Until(), p.Total)
}

// Hidden is how many rows are hidden above and below the visible ones; none in a window
// without height.
func (p *Pager) Hidden() (above, below int) {
	if p.Height <= 0 {
		return 0, 0
	}
	return p.Top, p.Below()
}

// More says how much is hidden above and below what is visible, from the longest words to
// signs; nothing where nothing is. Every pane says it in these, in the line of its title.
func More(s *theme.Styles, above, below int) []string {
	up, down := strconv.Itoa(above), strconv.Itoa(below)
	var forms []string
	switch {
	case above > 0 && below > 0:
		forms = []string{up + " above, " + down + " below", s.Signs.ArrowUp + up + " " + s.Signs.ArrowDown + down}
	case above > 0:
		forms = []string{up + " more above", up + " above", s.Signs.ArrowUp + up}
	case below > 0:
		forms = []string{down + " more below", down + " below", s.Signs.ArrowDown + down}
	}
	if s.Spoken && forms != nil {
		return forms[:len(forms)-1] // read aloud, an arrow is a letter
	}
	return forms
}

// Mark is the sign before a row, one cell wide, and the style of its text: that of
// the row under the cursor, where keys go or elsewhere, or the row's own.
func Mark(s *theme.Styles, current, focused bool, own lipgloss.Style) (string, lipgloss.Style) {
	switch {
	case !current:
		return " ", own
	case focused:
		return s.Accent.Render(s.Signs.Marker), s.Selected
	default:
		return s.Faint.Render(s.Signs.Marker), s.Strong
	}
}
