package corpus

import (
	"strconv"

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
	columns := v.columns(w)
	if t.headHeight() > 0 {
		lines = append(lines, t.headLine(v.Styles(), columns, w))
	}
	for i := t.Top; i < t.Until(); i++ {
		lines = append(lines, v.line(i, columns, w, focused))
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

// Said implements [view.Pane].
func (v pagesPane) Said() string {
	t := &v.tree
	e := t.selected()
	if e == nil || v.needs.Missing(t.w) != nil {
		return ""
	}
	words := []string{t.name(e)}
	switch r := t.rows[t.At]; {
	case t.table && t.order == orderURL:
		words[0] = wording.Line(e.URL)
	case t.table, !r.Inner:
	case t.pages.Folded(r.Node):
		words = append(words, "folded")
	default:
		words = append(words, "unfolded")
	}
	for _, c := range v.columns(t.w) {
		switch said := c.cell(e); {
		case said == "":
		case c.said != nil:
			words = append(words, c.said(e))
		default:
			words = append(words, c.name+" "+said)
		}
	}
	return wording.Aloud(words...)
}

// column is a column beside the pages' names.
type column struct {
	name string
	wide int
	// by is what sorting by it is called, orderTitle for a column that nothing is
	// sorted by.
	by   pageOrder
	cell func(*session.PageEntry) string
	// said is the cell in words, where its head and itself do not say it.
	said func(*session.PageEntry) string
	// stands is set where the cells stand out, as long as they are numbers.
	stands bool
}

const (
	// titleLeast is the width below which titles give up columns.
	titleLeast = 20
	// depthFrom is the width from which on the tree says how deep pages are, which is
	// mostly how far they are indented.
	depthFrom = 50
)

// columns are those that fit beside the titles, the more telling ones first: in the tree
// where the query has the page, and how deep it is.
func (v pagesPane) columns(w int) []column {
	t := &v.tree
	var all []column
	if len(v.answer.pages) > 0 {
		all = append(all, v.rankColumn())
	}
	depth := column{name: "depth", wide: 7, by: orderDepth, cell: func(e *session.PageEntry) string { return strconv.Itoa(e.Depth) }}
	switch {
	case t.table:
		all = append(all, column{name: "tokens", wide: 8, by: orderTokens, cell: func(e *session.PageEntry) string { return wording.Count(e.Tokens) }}, depth)
		all = append(all, t.furtherColumns()...)
	case t.pages.deepest() > 0 && w >= depthFrom: // else it says the same of all
		all = append(all, depth)
	}
	room := w - 4 - titleLeast
	n := 0
	for n < len(all) && all[n].wide <= room {
		room -= all[n].wide
		n++
	}
	return all[:n]
}

// rankColumn says how far above a page stands in the result: by the rank of its best
// section, or a dash where all that was found on it was dropped.
func (v pagesPane) rankColumn() column {
	return column{
		name: "rank", wide: 5, stands: true,
		cell: func(e *session.PageEntry) string {
			switch found, reached := v.answer.pages[e.ID]; {
			case found.given():
				return strconv.Itoa(found.rank)
			case reached:
				return none(v.Styles())
			}
			return ""
		},
		said: func(e *session.PageEntry) string {
			if found := v.answer.pages[e.ID]; found.given() {
				return "rank " + strconv.Itoa(found.rank)
			}
			return "gave nothing"
		},
	}
}

// none is the cell of a page that gave nothing. What is read aloud has the word, which the
// column has room for as it has none beside it.
func none(s *theme.Styles) string {
	if s.Spoken {
		return "none"
	}
	return s.Signs.Dash
}

// furtherColumns are those of the table that stand behind the others.
func (p *pageList) furtherColumns() []column {
	all := []column{
		{name: "sections", wide: 10, cell: func(e *session.PageEntry) string { return wording.Count(e.Sections) }},
		{name: "fetched", wide: 12, by: orderDate, cell: func(e *session.PageEntry) string { return dayOf(e.Fetched) }},
	}
	var spoken, answered bool
	for i := range min(len(p.pages.pages), pageBlock) {
		spoken = spoken || p.pages.pages[i].Language != ""
		answered = answered || p.pages.pages[i].Status != 0
	}
	if spoken {
		all = append(all, column{name: "lang", wide: 7, cell: func(e *session.PageEntry) string { return ansi.Truncate(wording.Line(e.Language), 5, "") }})
	}
	if answered {
		all = append(all, column{name: "status", wide: 8, cell: func(e *session.PageEntry) string {
			if e.Status == 0 {
				return ""
			}
			return strconv.Itoa(e.Status)
		}})
	}
	return all
}

// headLine are the heads of the columns. That of the column that the table is sorted by
// says which way: upwards from the least.
func (p *pageList) headLine(s *theme.Styles, columns []column, w int) string {
	direction := s.Signs.ArrowUp
	if p.reversed {
		direction = s.Signs.ArrowDown
	}
	named := func(name string, sorted bool) string {
		if sorted && p.table {
			return s.Strong.Render(direction + name)
		}
		return s.Faint.Render(name)
	}
	right := ""
	for _, c := range columns {
		right += widget.Spread("", named(c.name, c.by == p.order && c.by != orderTitle), c.wide)
	}
	name := named("title", p.order == orderTitle)
	switch {
	case !p.table:
		name = named("  page", false)
	case p.order == orderURL:
		name = named("address", true)
	}
	return widget.Spread(" "+name, right+" ", w)
}

// line is the row of a page: its name, in the tree under what it hangs from, and the
// columns.
func (v pagesPane) line(i int, columns []column, w int, focused bool) string {
	t, s := &v.tree, v.Styles()
	r := t.rows[i]
	e := &t.pages.pages[r.Node]
	mark, style := widget.Mark(s, i == t.At, focused, s.Text)
	left := ""
	if !t.table {
		sign := " "
		if r.Inner {
			sign = s.Signs.Unfolded
			if t.pages.Folded(r.Node) {
				sign = s.Signs.Folded
			}
		}
		left = widget.Indent(r.Level, w/3) + s.Faint.Render(sign) + " " // deep pages keep room for their names
	}
	right := ""
	for _, c := range columns {
		cell, look := c.cell(e), s.Faint
		if c.stands && cell != none(s) {
			look = s.Score
		}
		right += look.Render(widget.FitRight(cell, c.wide))
	}
	right += " "
	room := w - 2 - ansi.StringWidth(left) - ansi.StringWidth(right)
	name := t.name(e)
	if t.table && t.order == orderURL {
		name = wording.ShortURL(e.URL, room)
	}
	return widget.Spread(mark+left+widget.Marked(s, name, t.hit, style, room), right, w)
}
