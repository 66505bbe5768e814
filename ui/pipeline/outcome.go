package pipeline

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// outcomePane is what happened in one stage.
type outcomePane struct{ *View }

func (v outcomePane) SetSize(w, h int) {
	l := &v.list
	// Sentences are wrapped anew, and groups have another share of the room.
	v.resized = v.resized || w != l.w || h != l.Height
	l.w, l.Height = w, h
	l.scroll(false)
}

// Hidden implements [view.Pager].
func (v outcomePane) Hidden() (above, below int) { return v.list.Hidden() }

func (v outcomePane) Title() (name, note string) {
	stages := v.stages()
	if len(stages) == 0 {
		return "Stage", ""
	}
	st := &stages[v.stageAt()]
	if v.without {
		if p, ok := v.withoutStage(st.Name); ok {
			return phrase.Capital(withoutTitle(st.Name, p)), "what would change"
		}
	}
	if !flowsInto(st) {
		return phrase.Capital(stageTitle(st.Name)), ""
	}
	return phrase.Capital(stageTitle(st.Name)), fmt.Sprintf("%s %s %s", wording.Count(st.In), v.Styles().Signs.ArrowRight, wording.Count(st.Out))
}

// Move moves the cursor over candidates and the heads of their groups; where there are
// none, and with the wheel, the text.
func (v outcomePane) Move(verb widget.Verb) {
	l := &v.list
	if !verb.Turns() && l.Walk(verb.Rows(l.Height), l.stops) {
		l.scroll(true)
		return
	}
	l.Scroll(verb.Lines(l.Height))
}

func (v outcomePane) Click(_, y int) tea.Cmd {
	l := &v.list
	at, ok := l.RowOf(y)
	if !ok || !l.stops(at) {
		return nil
	}
	l.At = at
	if l.rows[at].kind != candidateRow {
		l.fold()
	}
	return nil
}

// Selected implements [view.Selector].
func (v outcomePane) Selected() (chunk view.Chunk, ok bool) {
	if c := v.list.selected(); c != nil {
		return view.Chunk{ID: c.id, Section: c.section, Page: c.of}, true
	}
	return chunk, false
}

func (v outcomePane) Draw(w, h int, focused bool) []string {
	s, l := v.Styles(), &v.list
	var lines []string
	for i := l.Top; i < l.Until(); i++ {
		r := &l.rows[i]
		mark, style := widget.Mark(s, i == l.At, focused, s.Text)
		switch r.kind {
		case textRow:
			lines = append(lines, " "+s.Faint.Render(ansi.Truncate(r.text, max(0, w-2), s.Signs.Ellipsis)))
		case headRow:
			lines = append(lines, mark+v.headLine(i, focused, w-1))
		case restRow:
			_, style = widget.Mark(s, i == l.At, focused, s.Faint)
			lines = append(lines, mark+"   "+style.Render(s.Signs.Ellipsis+" "+restWords(&l.groups[r.group], r.at)))
		default:
			lines = append(lines, mark+"   "+v.candidateLine(i, style, w-4))
		}
	}
	return widget.Clip(lines, w, h)
}

// headLine is the head of a group: how many there are, what became of them, and why; where
// they are folded the names of the first, as many as there is room for.
func (v outcomePane) headLine(i int, focused bool, w int) string {
	s, l := v.Styles(), &v.list
	_, style := widget.Mark(s, i == l.At, focused, s.Strong)
	r := l.rows[i]
	g := &l.groups[r.group]
	if g.drops && i != l.At {
		style = s.Down.Bold(true)
	}
	sign, folded := s.Signs.Unfolded, i+1 >= len(l.rows) || l.rows[i+1].kind != candidateRow
	if folded {
		sign = s.Signs.Folded
	}
	line := s.Faint.Render(sign) + " " + style.Render(g.what)
	if g.why != "" {
		line += "  " + s.Text.Render(ansi.Truncate(g.why, max(1, w-ansi.StringWidth(line)-2), s.Signs.Ellipsis))
	}
	if folded {
		at := 2 + l.headWidth() + 3 // the names of several groups stand below each other
		if names := g.names(s, w-at); names != "" {
			line = widget.Padded(line, at) + s.Faint.Render(names)
		}
	}
	return line
}

// headWidth is the width of the longest head of a folded group, without names.
func (l *outcomeList) headWidth() (wide int) {
	for i := range l.groups {
		if folded, _ := l.isFolded(i); folded {
			wide = max(wide, ansi.StringWidth(l.groups[i].what)+2+ansi.StringWidth(l.groups[i].why))
		}
	}
	return wide
}

// names are those of its first candidates that w cells have room for; empty where that is
// none.
func (g *group) names(s *theme.Styles, w int) (names string) {
	const between = " · "
	for i := range g.all {
		longer := names + g.all[i].way()
		if i+1 < len(g.all) {
			longer += between
		}
		if ansi.StringWidth(longer)+1 > w {
			break
		}
		names = longer
	}
	if strings.HasSuffix(names, between) {
		names += s.Signs.Ellipsis
	}
	return names
}

// restWords say how many of a group are hidden.
func restWords(g *group, shown int) string { return wording.Count(len(g.all)-shown) + " more" }

// leastName is what a name keeps when the page that stands before it takes all the room.
const leastName = 16

// candidateLine is a candidate: what decided, by how much, and who it is.
func (v outcomePane) candidateLine(i int, style lipgloss.Style, w int) string {
	s, l := v.Styles(), &v.list
	c, g := l.candidateOf(i), &l.groups[l.rows[i].group]
	line := ""
	if g.value > 0 {
		line = valueIn(s, c.value, g.value) + "  "
	}
	if g.note > 0 {
		note := s.Faint
		switch {
		case c.up:
			note = s.Up
		case c.down:
			note = s.Down
		}
		line += note.Render(widget.Padded(c.note, g.note)) + "  "
	}
	into := ""
	if c.into != "" {
		into = " " + s.Signs.ArrowRight + " " + c.into
		if s.Spoken {
			into = " into " + c.into
		}
	}
	room := w - ansi.StringWidth(line) - 1
	if room < leastName+ansi.StringWidth(into) {
		into = ""
	}
	room -= ansi.StringWidth(into)
	page, name := c.page, c.name
	if page != "" {
		// The page is cut before the heading, and neither goes altogether.
		sign := wording.TrailSign
		left := max(room-ansi.StringWidth(sign)-ansi.StringWidth(name), room/3)
		if c.apart {
			page = widget.CutLeft(page, max(1, left))
		}
		page = ansi.Truncate(page, max(1, left), s.Signs.Ellipsis)
		room -= ansi.StringWidth(page) + ansi.StringWidth(sign)
		line += widget.Marked(s, page, l.hit, s.Faint, max(1, left)) + s.Faint.Render(sign)
	}
	return line + widget.Marked(s, name, l.hit, style, room) + s.Faint.Render(into)
}

// Said implements [view.Pane].
func (v outcomePane) Said() string {
	l := &v.list
	if c := l.selected(); c != nil {
		g := &l.groups[l.rows[l.At].group]
		why := ""
		switch {
		case g.drops:
			why = g.why
		case c.into != "":
			why = "into " + c.into
		}
		return wording.Aloud(strings.TrimSpace(c.value), c.note, c.way(), why)
	}
	g := l.foldable()
	if g == nil {
		return ""
	}
	if r := l.rows[l.At]; r.kind == restRow {
		return wording.Aloud(restWords(g, r.at), g.what, g.why)
	}
	folded := "unfolded"
	if l.At+1 >= len(l.rows) || l.rows[l.At+1].kind != candidateRow {
		folded = "folded"
	}
	return wording.Aloud(folded, g.what, g.why)
}
