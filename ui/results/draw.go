package results

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

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
	// shortest is as of factsFor.
	shortest int
}

// lines are the visible rows, drawn anew only where something of them has changed.
func (p *list) lines(s *theme.Styles, focused bool) []string {
	look := look{p.version, p.w, p.List, focused, p.gradedWide, s, p.hit}
	return p.drawn.Keep(look, func() []string { return drawing{list: p, s: s, focused: focused}.draw() })
}

func (d drawing) draw() []string {
	var lines []string
	c := d.columns()
	d.shortest = d.factsFor()
	for i := d.Top; i < d.Until()-d.barren(); i++ {
		lines = append(lines, d.line(i, c))
	}
	if d.barren() > 0 {
		lines = append(lines, strings.Repeat(" ", d.rankWide+2)+d.s.Faint.Render(d.s.Signs.Ellipsis))
	}
	return widget.Clip(lines, d.w, d.Height)
}

// barren is 1 where the last line would be the head of what is out of sight, else 0.
func (p *list) barren() int {
	if last := p.Until() - 1; last > p.Top && last < len(p.rows)-1 && p.rows[last].kind == cutRow {
		return 1
	}
	return 0
}

// insideIndent is how far sections stand in from the title of their page.
const insideIndent = 2

func (d drawing) line(i int, c columns) string {
	r, current := &d.rows[i], i == d.At
	switch r.kind {
	case pageRow:
		return d.pageLine(&d.groups[r.group], current)
	case sectionRow:
		return d.sectionLine(r, current, c)
	case cutRow:
		return d.cutLine(r.label)
	case moreRow:
		return strings.Repeat(" ", d.rankWide+2) + d.s.Faint.Render(ansi.Truncate(d.s.Signs.Ellipsis+" "+wording.Line(r.label), max(1, d.w-d.rankWide-3), d.s.Signs.Ellipsis))
	case goneRow:
		return d.goneLine(r, current)
	default:
		return d.belowLine(r, current)
	}
}

// cutLine stands above candidates that one cut dropped: what it says of the cut is what goes last.
func (d drawing) cutLine(label string) string {
	const rules = 5 // with the blanks beside the label
	short := strings.TrimPrefix(label, "dropped: ")
	label = cmp.Or(widget.FirstFitting(d.w-rules, label, short), widget.CutAtWord(short, d.w-rules))
	return d.s.Faint.Render(widget.Repeat(d.s.Signs.Rule, 2) + " " + label + " " + widget.Repeat(d.s.Signs.Rule, d.w-ansi.StringWidth(label)-rules))
}

// row puts a name after a rank, and at the right end what belongs there. The name gets all
// the room that is left.
func (d drawing) row(r *row, current bool, rank, right string) string {
	page, own := d.s.Strong, d.s.Text
	if r.kind != sectionRow {
		page, own = d.s.Faint, d.s.Faint
	}
	mark, style := widget.Mark(d.s, current, d.focused, own)
	if current {
		page = style
	}
	left := mark + d.s.Faint.Render(fmt.Sprintf("%*s ", d.rankWide, rank)) + strings.Repeat(" ", d.indent(r))
	room := d.w - ansi.StringWidth(left) - ansi.StringWidth(right) - 1
	if right != "" {
		room--
		right += " "
	}
	name := wording.CutPath(d.name(r), room)
	at := strings.Index(name, wording.TrailSign)
	if at < 0 {
		at = len(name) // the page itself
	}
	if r.inside {
		at = 0
	}
	left += widget.Marked(d.s, name[:at], d.hit, page, room) + widget.Marked(d.s, name[at:], d.hit, style, room)
	return widget.Spread(left, right, d.w)
}

// indent is how far a row stands in.
func (p *list) indent(r *row) int {
	if r.inside {
		return insideIndent
	}
	return 0
}

// pageFacts are what stands beside the title of a page, from the longest on.
func (d drawing) pageFacts(g *group) (all []string) {
	facts, score := d.pageWords(g)
	for _, fact := range append(facts, "") {
		all = append(all, d.s.Faint.Render(" "+fact)+"  "+d.s.Score.Render(fmt.Sprintf("%*s", d.scoreWide, score)))
	}
	return all
}

// factsFor is how much shorter than at length what stands beside titles has to be to say of
// all pages the same, where there are depths.
func (d drawing) factsFor() int {
	if d.level {
		return 0
	}
	for i := range d.groups {
		if g := &d.groups[i]; !g.alone() && ansi.StringWidth(d.pageName(g.url, g.title))+d.factsWide(g)+1 > d.w-d.rankWide-3 {
			return 1
		}
	}
	return 0
}

// factsWide is how wide the longest of pageFacts is: there are more pages than those that
// are drawn.
func (d drawing) factsWide(g *group) int {
	facts, score := d.pageWords(g)
	return 1 + ansi.StringWidth(facts[0]) + 2 + max(d.scoreWide, ansi.StringWidth(score))
}

// pageLine is a page with several sections: what does not fit beside its title is left out.
func (d drawing) pageLine(g *group, current bool) string {
	sign := d.s.Signs.Unfolded
	if d.folded[g.url] {
		sign = d.s.Signs.Folded
	}
	mark, style := widget.Mark(d.s, current, d.focused, d.s.Strong)
	left := mark + d.s.Faint.Render(strings.Repeat(" ", max(0, d.rankWide-1))+sign+" ")
	title, room := d.pageName(g.url, g.title), d.w-d.rankWide-3
	facts, right := d.pageFacts(g), ""
	for _, try := range facts[min(d.shortest, len(facts)-1):] {
		if ansi.StringWidth(title)+ansi.StringWidth(try)+1 <= room {
			right = try
			break
		}
	}
	return widget.Spread(left+widget.Marked(d.s, title, d.hit, style, room), right+" ", d.w)
}

func (d drawing) sectionLine(r *row, current bool, c columns) string {
	it := r.item
	if it.Rank == 0 { // opened, not found
		facts, _ := d.pageWords(&d.groups[r.group])
		return d.row(r, current, "", d.s.Faint.Render(facts[0]))
	}
	c = d.beside(r, c, d.w-d.rankWide-2)
	return d.row(r, current, fmt.Sprint(it.Rank), d.moveCell(it, c)+d.scoreCell(it, c))
}

// belowLine is a candidate that was dropped, and the number for which it was.
func (d drawing) belowLine(r *row, current bool) string {
	return d.row(r, current, "", d.s.Faint.Render(d.failedValue(r.item)))
}

// goneLine is a section that only the baseline returns: its rank there, and what
// dropped it where there is room for that.
func (d drawing) goneLine(r *row, current bool) string {
	was, why := d.s.Down.Render(goneRank(r.item)), d.goneWhy(r.item)
	if ansi.StringWidth(d.name(r))+ansi.StringWidth(why)+ansi.StringWidth(was)+4 <= d.w-d.rankWide-2 {
		return d.row(r, current, "", d.s.Faint.Render(why)+"  "+was)
	}
	return d.row(r, current, "", was)
}
