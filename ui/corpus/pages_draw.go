package corpus

import (
	"strconv"
	"strings"

	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/wording"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/widget"
)

func (v pagesPane) Title() (name, note string) {
	t := &v.tree
	if len(t.pages.pages) == 0 {
		return "Pages", ""
	}
	note = strconv.Itoa(len(t.pages.pages))
	if all := v.Session().Summary(); all != nil && !v.complete {
		note += " of " + wording.Count(all.Documents)
	}
	switch {
	case t.table:
		note += "  by " + t.order.String()
	case v.lacks(store.CapLinks) != "":
		note += "  by address: no links"
	case t.pages.byLinks > 0:
		note += "  by links"
	default:
		note += "  by address"
	}
	if v.reading || v.readingLinks {
		note += " " + v.Styles().Signs.Ellipsis
	}
	return "Pages", note
}

// Hidden implements [view.Pager].
func (v pagesPane) Hidden() (above, below int) { return v.tree.Hidden() }

func (v pagesPane) Draw(w, h int, focused bool) []string {
	t := &v.tree
	if said := v.placeholder(w); said != nil {
		return widget.Clip(said, w, h)
	}
	var lines []string
	columns := t.columns(w)
	if t.headHeight() > 0 {
		lines = append(lines, t.headLine(v.Styles(), columns, w))
	}
	for i := t.Top; i < t.Until(); i++ {
		if t.table {
			lines = append(lines, v.tableLine(i, columns, w, focused))
		} else {
			lines = append(lines, v.treeLine(i, w, focused))
		}
	}
	if t.foot > 0 {
		lines = append(widget.Clip(lines, w, h-t.foot), v.traversal.Lines...)
	}
	return widget.Clip(lines, w, h)
}

// placeholder is what stands in the list while there are no pages in it, nil when
// there are.
func (v pagesPane) placeholder(w int) []string {
	if missing := v.needs.Missing(w); missing != nil {
		return missing
	}
	s := v.Styles()
	var lines []string
	say := func(style lipgloss.Style, text string) {
		lines = append(lines, "")
		lines = append(lines, widget.Indented(widget.Styled(style.Render, widget.Wrapped(text, w-4)), 2)...)
	}
	switch {
	case v.failed != nil && len(v.tree.rows) == 0:
		say(s.Failure, "! The pages could not be read.")
		say(s.Text, wording.FirstLine(v.failed))
		say(s.Faint, "enter tries again.")
	case len(v.tree.rows) == 0 && v.complete:
		say(s.Strong, "This corpus has no pages to show.")
		say(s.Text, "Pages that were deleted, or that belong to another owner, are not listed.")
	case len(v.tree.rows) == 0:
		say(s.Faint, s.Signs.Ellipsis)
	}
	return lines
}

// evidenceSign is a sign for a page that gave evidence, and one for a page that did
// not: all that was found on it was dropped, or it only leads to others. Empty is a page
// that the query had nothing to do with.
func (v pagesPane) evidenceSign(id string) string {
	e, reached := v.answer.pages[id]
	switch signs := &v.Styles().Signs; {
	case e.given():
		return signs.Check
	case reached, v.between[id]:
		return signs.Dash
	}
	return ""
}

// drawnSign is the sign of a page in its cell.
func (v pagesPane) drawnSign(id string) string {
	s := v.Styles()
	switch sign := v.evidenceSign(id); {
	case s.Spoken:
		return v.saidOf(id)
	case sign == "":
		return " "
	case sign == s.Signs.Check:
		return s.Score.Render(sign)
	default:
		return s.Faint.Render(sign)
	}
}

// saidOf says of a page what its sign means, for a screen that is read aloud.
func (v pagesPane) saidOf(id string) string {
	switch v.evidenceSign(id) {
	case "":
		return ""
	case v.Styles().Signs.Check:
		return "reached"
	default:
		return "not reached"
	}
}

// depthFrom is the width from which on the tree says how deep pages are.
const depthFrom = 36

// Said implements [view.Pane].
func (v pagesPane) Said() string {
	t := &v.tree
	e := t.selected()
	if e == nil || v.needs.Missing(t.w) != nil {
		return ""
	}
	name, sign := t.name(e), v.saidOf(e.ID)
	if t.table {
		if t.order == orderURL {
			name = wording.Line(e.URL)
		}
		words := []string{name, sign}
		for _, c := range t.columns(t.w) {
			words = append(words, c.cell(e))
		}
		return wording.Aloud(words...)
	}
	fold, depth := "", ""
	switch r := t.rows[t.At]; {
	case !r.Inner:
	case t.pages.Folded(r.Node):
		fold = "folded"
	default:
		fold = "unfolded"
	}
	if t.w >= depthFrom {
		depth = "depth " + strconv.Itoa(e.Depth)
	}
	return wording.Aloud(fold, name, sign, depth)
}

func (v pagesPane) treeLine(i, w int, focused bool) string {
	t, s := &v.tree, v.Styles()
	r := t.rows[i]
	e := &t.pages.pages[r.Node]
	mark, style := widget.Mark(s, i == t.At, focused, s.Text)
	sign := " "
	if r.Inner {
		sign = s.Signs.Unfolded
		if t.pages.Folded(r.Node) {
			sign = s.Signs.Folded
		}
	}
	// Deep pages keep half of the line for their names.
	indent := widget.Indent(r.Level, w/3)
	right := v.drawnSign(e.ID) + " "
	if w >= depthFrom {
		right += " " + s.Faint.Render(widget.Fit("depth "+strconv.Itoa(e.Depth), 8)) + " "
	}
	room := w - len(indent) - 4 - ansi.StringWidth(right)
	return widget.Spread(mark+indent+s.Faint.Render(sign)+" "+widget.Marked(s, t.name(e), t.hit, style, room), right, w)
}

// column is a column of the table of pages, all but the first.
type column struct {
	name string
	wide int
	// by is what sorting by it is called, orderTitle for a column that nothing is
	// sorted by.
	by   pageOrder
	cell func(*session.PageEntry) string
}

// titleLeast is the width below which titles give up columns.
const titleLeast = 20

// columns are those that fit beside the titles, the more telling ones first.
func (p *pageList) columns(w int) []column {
	all := []column{
		{"tokens", 7, orderTokens, func(e *session.PageEntry) string { return wording.Count(e.Tokens) }},
		{"depth", 6, orderDepth, func(e *session.PageEntry) string { return strconv.Itoa(e.Depth) }},
		{"sections", 9, orderTitle, func(e *session.PageEntry) string { return wording.Count(e.Sections) }},
		{"fetched", 11, orderDate, func(e *session.PageEntry) string { return dayOf(e.Fetched) }},
	}
	var spoken, answered bool
	for i := range min(len(p.pages.pages), pageBlock) {
		spoken = spoken || p.pages.pages[i].Language != ""
		answered = answered || p.pages.pages[i].Status != 0
	}
	if spoken {
		all = append(all, column{"lang", 6, orderTitle, func(e *session.PageEntry) string { return ansi.Truncate(wording.Line(e.Language), 5, "") }})
	}
	if answered {
		all = append(all, column{"status", 7, orderTitle, func(e *session.PageEntry) string {
			if e.Status == 0 {
				return ""
			}
			return strconv.Itoa(e.Status)
		}})
	}
	room := w - 4 - titleLeast
	n := 0
	for n < len(all) && all[n].wide <= room {
		room -= all[n].wide
		n++
	}
	return all[:n]
}

func (p *pageList) headLine(s *theme.Styles, columns []column, w int) string {
	direction := s.Signs.ArrowDown
	if p.reversed {
		direction = s.Signs.ArrowUp
	}
	named := func(name string, sorted bool) string {
		if sorted {
			return s.Strong.Render(direction + name)
		}
		return s.Faint.Render(name)
	}
	right := ""
	for _, c := range columns {
		cell := named(c.name, c.by == p.order && c.by != orderTitle)
		right += strings.Repeat(" ", max(0, c.wide-ansi.StringWidth(cell))) + cell
	}
	title := named("title", p.order == orderTitle)
	if p.order == orderURL {
		title = named("address", true)
	}
	return widget.Spread(" "+title, right+" ", w)
}

func (v pagesPane) tableLine(i int, columns []column, w int, focused bool) string {
	t, s := &v.tree, v.Styles()
	e := &t.pages.pages[t.rows[i].Node]
	mark, style := widget.Mark(s, i == t.At, focused, s.Text)
	right := ""
	for _, c := range columns {
		right += widget.Spread("", c.cell(e), c.wide)
	}
	right = v.drawnSign(e.ID) + s.Faint.Render(right) + " "
	room := w - 2 - ansi.StringWidth(right)
	name := t.name(e)
	if t.order == orderURL {
		name = wording.ShortURL(e.URL, room)
	}
	return widget.Spread(mark+widget.Marked(s, name, t.hit, style, room), right, w)
}
