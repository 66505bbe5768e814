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

// lines draws the visible rows.
func (p *list) lines(s *theme.Styles, focused bool) []string {
	look := look{p.version, p.w, p.List, focused, s, p.hit}
	return p.drawn.Keep(look, func() []string { return p.draw(s, focused) })
}

// addressFrom is the width from which on addresses stand under the titles: in all
// rows, or in none.
const addressFrom = 48

func (p *list) line(s *theme.Styles, i int, focused bool) string {
	r := p.rows[i]
	switch r.kind {
	case pageRow:
		return p.groupLine(s, r, i == p.At, focused)
	case addressRow:
		g := p.groups[r.group]
		var known []string
		if !p.level {
			known = append(known, fmt.Sprintf("depth %d", g.depth))
		}
		if !g.opened && !p.full { // in full context they stand in the line above
			known = append(known, wording.Plural(len(g.items), "section"))
		}
		facts := strings.Join(known, " · ")
		indent := strings.Repeat(" ", p.rankWide+2)
		room := p.w - len(indent) - ansi.StringWidth(facts) - 3 - p.moveWide(s)
		address := wording.ShortURL(g.url, room)
		if p.tails.Strip(g.title) == "" || p.w-p.moveWide(s) < addressFrom {
			address = "" // it is the page's name already, or would be cut in most rows
		}
		return indent + widget.Spread(s.Faint.Render(address), s.Faint.Render(facts)+" "+widget.Repeat(" ", p.moveWide(s)), p.w-len(indent))
	case sectionRow:
		return p.sectionLine(s, r, i == p.At, focused)
	case cutRow:
		return s.Faint.Render(widget.Repeat(s.Signs.Rule, 2) + " " + r.label + " " + strings.Repeat(s.Signs.Rule, max(0, p.w-ansi.StringWidth(r.label)-5)))
	case moreRow:
		return strings.Repeat(" ", p.rankWide+2) + s.Faint.Render(ansi.Truncate(s.Signs.Ellipsis+" "+wording.Line(r.label), max(1, p.w-p.rankWide-3), s.Signs.Ellipsis))
	case goneRow:
		return p.goneLine(s, r.item, i == p.At, focused)
	case belowRow:
		name := wording.LeafFirst(r.item, p.tails)
		mark, style := widget.Mark(s, i == p.At, focused, s.Faint)
		indent := strings.Repeat(" ", p.rankWide+1)
		right := style.Render(p.failedValue(r.item)) + widget.Repeat(" ", 1+p.moveWide(s))
		return mark + indent + widget.Spread(widget.Marked(s, name, p.hit, style, p.w-len(indent)-ansi.StringWidth(right)-3), right, p.w-len(indent)-1)
	}
	return ""
}

func (p *list) groupLine(s *theme.Styles, r row, current, focused bool) string {
	g := &p.groups[r.group]
	sign := s.Signs.Unfolded + " "
	if p.folded[g.url] {
		sign = s.Signs.Folded + " "
	}
	mark, style := widget.Mark(s, current, focused, s.Strong)
	right := ""
	if held, score := p.pageWords(g); score == "" {
		right = s.Faint.Render(held)
	} else {
		held += "  "
		fits := ansi.StringWidth(p.tails.Strip(g.title))+ansi.StringWidth(held)+5+p.moveWide(s)+p.rankWide+5 <= p.w
		if p.folded[g.url] || p.compact && (fits || p.w >= barWidth) { // where it is narrow, the title says more
			right = s.Faint.Render(held)
		}
		right += s.Score.Render(fmt.Sprintf("%5s", score))
	}
	right += widget.Repeat(" ", p.moveWide(s))
	title := p.pageTitle(g)
	left := mark + strings.Repeat(" ", max(0, p.rankWide-1)) + s.Faint.Render(sign) + widget.Marked(s, title, p.hit, style, p.w-ansi.StringWidth(right)-p.rankWide-4)
	return widget.Spread(left, right+" ", p.w)
}

func (p *list) sectionLine(s *theme.Styles, r row, current, focused bool) string {
	it := r.item
	mark, style := widget.Mark(s, current, focused, s.Text)
	rank := fmt.Sprintf("%*d", p.rankWide, it.Rank)
	right := p.scoreCell(s, it) + p.moveCell(s, it)
	if it.Rank == 0 { // opened, not found
		rank, right = strings.Repeat(" ", p.rankWide), ""
	}
	room := p.w - p.rankWide - 2 - ansi.StringWidth(right) - 2
	name := wording.Heading(it)
	if p.flat {
		if title := p.flatTitle(it, name); title != "" && ansi.StringWidth(name)+6 < room {
			shown := widget.Marked(s, name, p.hit, style, room)
			return widget.Spread(mark+s.Faint.Render(rank)+" "+shown+"  "+s.Faint.Render(ansi.Truncate(title, room-ansi.StringWidth(name)-2, "…")), right+" ", p.w)
		}
	}
	return widget.Spread(mark+s.Faint.Render(rank)+" "+widget.Marked(s, name, p.hit, style, room), right+" ", p.w)
}

// scoreCell is the bar and the number of a section. In full-context mode nothing
// was selected by a score: the nearest passage is shown, faintly.
func (p *list) scoreCell(s *theme.Styles, it *retrieval.Item) string {
	value, ok := p.scoreOf(it)
	if !ok {
		return ""
	}
	best, number, style := p.best, s.Score, s.Bars[wording.Level(it.Score, 0, p.best)]
	if p.full {
		best, number, style = p.near, s.Faint, s.Faint
	}
	score := number.Render(fmt.Sprintf("%5s", wording.Score(value)))
	wide := p.barCells(s)
	if wide == 0 {
		return score
	}
	b := widget.Bar(value, best, wide, s.Plain)
	return style.Render(b) + strings.Repeat(" ", wide-ansi.StringWidth(b)+1) + score
}

// goneLine is a section that only the baseline returns: its rank there, and what
// dropped it where there is room for that.
func (p *list) goneLine(s *theme.Styles, it *retrieval.Item, current, focused bool) string {
	mark, style := widget.Mark(s, current, focused, s.Faint)
	indent := strings.Repeat(" ", p.rankWide+1)
	was := s.Down.Render(goneRank(it))
	room := p.w - 1 - len(indent) - 1
	right := was
	if why := s.Faint.Render(p.goneWhy(it)); ansi.StringWidth(why)+2+ansi.StringWidth(was) <= room-goneNameWidth {
		right = why + "  " + was
	}
	name := widget.Marked(s, wording.LeafFirst(it, p.tails), p.hit, style, room-ansi.StringWidth(right)-2)
	return mark + indent + widget.Spread(name, right+" ", p.w-1-len(indent))
}
