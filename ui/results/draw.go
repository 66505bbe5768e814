package results

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// drawing has what draws and says the rows of a list.
type drawing struct {
	*list
	s *theme.Styles
	// focused says that keys go to the list.
	focused bool
}

// lines are the visible rows, drawn anew only where something of them has changed.
func (p *list) lines(s *theme.Styles, focused bool) []string {
	look := look{p.version, p.w, p.List, focused, s, p.hit}
	return p.drawn.Keep(look, func() []string { return drawing{p, s, focused}.draw() })
}

func (d drawing) draw() []string {
	var lines []string
	for i := d.Top; i < d.Until(); i++ {
		at := i
		if i == d.Top && i > 0 && d.rows[i].kind == addressRow {
			at-- // of a page that is cut here, its title says more
		}
		lines = append(lines, d.line(at))
	}
	return widget.Clip(lines, d.w, d.Height)
}

// addressFrom is the width from which on addresses stand under the titles: in all
// rows, or in none.
const addressFrom = 48

func (d drawing) line(i int) string {
	r := d.rows[i]
	switch r.kind {
	case pageRow:
		return d.groupLine(r, i == d.At)
	case addressRow:
		g := d.groups[r.group]
		var known []string
		if !d.level {
			known = append(known, fmt.Sprintf("depth %d", g.depth))
		}
		if !g.opened && !d.full { // in full context they stand in the line above
			known = append(known, wording.Plural(len(g.items), "section"))
		}
		facts := strings.Join(known, " · ")
		indent := strings.Repeat(" ", d.rankWide+2)
		room := d.w - len(indent) - ansi.StringWidth(facts) - 3 - d.moveWide()
		address := wording.ShortURL(g.url, room)
		if d.suffixes.Strip(g.title) == "" || d.w-d.moveWide() < addressFrom {
			address = "" // it is the page's name already, or would be cut in most rows
		}
		return indent + widget.Spread(d.s.Faint.Render(address), d.s.Faint.Render(facts)+" "+widget.Repeat(" ", d.moveWide()), d.w-len(indent))
	case sectionRow:
		return d.sectionLine(r, i == d.At)
	case cutRow:
		return d.s.Faint.Render(widget.Repeat(d.s.Signs.Rule, 2) + " " + r.label + " " + strings.Repeat(d.s.Signs.Rule, max(0, d.w-ansi.StringWidth(r.label)-5)))
	case moreRow:
		return strings.Repeat(" ", d.rankWide+2) + d.s.Faint.Render(ansi.Truncate(d.s.Signs.Ellipsis+" "+wording.Line(r.label), max(1, d.w-d.rankWide-3), d.s.Signs.Ellipsis))
	case goneRow:
		return d.goneLine(r.item, i == d.At)
	case belowRow:
		name := wording.LeafFirst(r.item, d.suffixes)
		mark, style := widget.Mark(d.s, i == d.At, d.focused, d.s.Faint)
		indent := strings.Repeat(" ", d.rankWide+1)
		right := style.Render(d.failedValue(r.item)) + widget.Repeat(" ", 1+d.moveWide())
		return mark + indent + widget.Spread(widget.Marked(d.s, name, d.hit, style, d.w-len(indent)-ansi.StringWidth(right)-3), right, d.w-len(indent)-1)
	}
	return ""
}

func (d drawing) groupLine(r row, current bool) string {
	g := &d.groups[r.group]
	sign := d.s.Signs.Unfolded + " "
	if d.folded[g.url] {
		sign = d.s.Signs.Folded + " "
	}
	mark, style := widget.Mark(d.s, current, d.focused, d.s.Strong)
	right := ""
	if held, score := d.pageWords(g); score == "" {
		right = d.s.Faint.Render(held)
	} else {
		held += "  "
		fits := ansi.StringWidth(d.suffixes.Strip(g.title))+ansi.StringWidth(held)+5+d.moveWide()+d.rankWide+5 <= d.w
		if d.folded[g.url] || d.compact && (fits || d.w >= barWidth) { // where it is narrow, the title says more
			right = d.s.Faint.Render(held)
		}
		right += d.s.Score.Render(fmt.Sprintf("%5s", score))
	}
	right += widget.Repeat(" ", d.moveWide())
	title := d.pageTitle(g)
	left := mark + strings.Repeat(" ", max(0, d.rankWide-1)) + d.s.Faint.Render(sign) + widget.Marked(d.s, title, d.hit, style, d.w-ansi.StringWidth(right)-d.rankWide-4)
	return widget.Spread(left, right+" ", d.w)
}

func (d drawing) sectionLine(r row, current bool) string {
	it := r.item
	mark, style := widget.Mark(d.s, current, d.focused, d.s.Text)
	rank := fmt.Sprintf("%*d", d.rankWide, it.Rank)
	right := d.scoreCell(it) + d.moveCell(it)
	if it.Rank == 0 { // opened, not found
		rank, right = strings.Repeat(" ", d.rankWide), ""
	}
	room := d.w - d.rankWide - 2 - ansi.StringWidth(right) - 2
	name := wording.Heading(it)
	if d.flat {
		if title := d.flatTitle(it, name); title != "" && ansi.StringWidth(name)+6 < room {
			shown := widget.Marked(d.s, name, d.hit, style, room)
			return widget.Spread(mark+d.s.Faint.Render(rank)+" "+shown+"  "+d.s.Faint.Render(ansi.Truncate(title, room-ansi.StringWidth(name)-2, "…")), right+" ", d.w)
		}
	}
	return widget.Spread(mark+d.s.Faint.Render(rank)+" "+widget.Marked(d.s, name, d.hit, style, room), right+" ", d.w)
}

// scoreCell is the bar and the number of a section. In full-context mode nothing
// was selected by a score: the nearest passage is shown, faintly.
func (d drawing) scoreCell(it *retrieval.Item) string {
	value, ok := d.scoreOf(it)
	if !ok {
		return ""
	}
	best, number, style := d.best, d.s.Score, d.s.Bars[wording.Level(it.Score, 0, d.best)]
	if d.full {
		best, number, style = d.near, d.s.Faint, d.s.Faint
	}
	score := number.Render(fmt.Sprintf("%5s", wording.Score(value)))
	wide := d.barCells()
	if wide == 0 {
		return score
	}
	b := widget.Bar(value, best, wide, d.s.Plain)
	return style.Render(b) + strings.Repeat(" ", wide-ansi.StringWidth(b)+1) + score
}

// goneLine is a section that only the baseline returns: its rank there, and what
// dropped it where there is room for that.
func (d drawing) goneLine(it *retrieval.Item, current bool) string {
	mark, style := widget.Mark(d.s, current, d.focused, d.s.Faint)
	indent := strings.Repeat(" ", d.rankWide+1)
	was := d.s.Down.Render(goneRank(it))
	room := d.w - 1 - len(indent) - 1
	right := was
	if why := d.s.Faint.Render(d.goneWhy(it)); ansi.StringWidth(why)+2+ansi.StringWidth(was) <= room-goneNameWidth {
		right = why + "  " + was
	}
	name := widget.Marked(d.s, wording.LeafFirst(it, d.suffixes), d.hit, style, room-ansi.StringWidth(right)-2)
	return mark + indent + widget.Spread(name, right+" ", d.w-1-len(indent))
}
