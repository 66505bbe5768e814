package ui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/wording"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/widget"
)

// resultsPane is the list of sections, by page or by rank.
type resultsPane struct {
	w           int
	widget.List // over rows, with -1 where none can be selected
	groups      []group
	below       []retrieval.Item
	flat        bool
	folded      map[string]bool
	// best is the highest score, which bars are scaled to. full is set in
	// full-context mode, where all scores are the same and near, the highest
	// similarity of any passage, takes its place.
	best, near float64
	full       bool
	floor      string // as in [cutHeading]
	arms       bool   // as in [cutHeading]
	tails      session.Tails
	// level is set where all pages have the same depth, which then says nothing.
	level    bool
	sections int // sections of the result, without an opened one
	rankWide int // width of the rank column

	// of is the result that is listed, changes how it differs from the baseline.
	of      *retrieval.Result
	changes changes
	// steady says that sections may move at any time: there is always room for how
	// they do, so that nothing else moves.
	steady bool
	// compact says that pages take one line each.
	compact bool
	// fallen counts what the stages dropped, 0 where that is not known. Where the
	// list ends before, seeAll names the key that shows them.
	fallen int
	seeAll string

	rows []row
	// held says that the selected section was to stay on its line when the ranking
	// changed, and the cursor has not moved since.
	held bool
	// hit is what is being searched for, to be marked in the rows.
	hit string

	// version grows with every change of rows; drawn keeps the last drawing.
	version int
	drawn   widget.Drawing[resultsLook]
}

// resultsLook is all that a drawing of the list depends on.
type resultsLook struct {
	version, w int
	list       widget.List
	focused    bool
	styles     *theme.Styles
	hit        string
}

// show replaces what is listed. The section in keep stays selected and on its
// line of the screen if it is still there, or what is listed in its place;
// otherwise the best one is selected.
func (p *resultsPane) show(groups []group, result *retrieval.Result, keep string) {
	line, before, found := p.At-p.Top, p.selected(), p.sections > 0
	p.groups, p.of = groups, result
	p.below, p.full, p.floor, p.arms = nil, false, "", false
	p.best, p.near, p.sections, p.fallen = 0, 0, 0, 0
	if result != nil {
		p.below = result.NearMisses
		p.full = result.Mode == param.ModeFullContext
		p.best = result.TopScore()
		p.sections = len(result.Items)
		// Where sections are dropped by their rank in the result, that in an arm
		// needs a name.
		p.arms = result.Terms != nil || slices.ContainsFunc(p.below, func(it retrieval.Item) bool {
			return it.Why != nil && it.Why.Arm == "" && it.Why.Reason == phrase.ReasonBeyondTopK
		})
		if result.Floor.Scale != "" {
			p.floor = result.Floor.String()
		}
		if result.Trace != nil {
			for i := range result.Trace.Stages {
				p.fallen += len(result.Trace.Stages[i].Dropped)
			}
		}
	}
	for _, g := range groups {
		for _, it := range g.items {
			if len(it.Matches) > 0 {
				p.near = max(p.near, it.Matches[0].Similarity)
			}
		}
	}
	p.measureRanks()
	p.build()
	at := p.rowOf(keep)
	if at < 0 && before != nil && before.ChunkID == keep {
		at = p.rowInPlaceOf(before)
	}
	if keep != "" && at >= 0 && found {
		p.hold(at, line)
		return
	}
	// Where there was nothing but what had been dropped, the best is to be seen.
	p.Top = 0
	if p.At = at; keep == "" || at < 0 {
		p.At = p.firstChoice()
	}
	p.scroll()
}

// change says how a result differs from the baseline. If it is the one that is
// listed, the list follows at once, and its selected section stays on its line.
func (p *resultsPane) change(of *retrieval.Result, c changes) {
	p.changes = c
	p.version++
	if of == nil || of != p.of {
		return
	}
	line := p.At - p.Top
	p.build()
	p.hold(p.At, line)
}

// build lays the rows out anew and keeps the cursor on its section.
func (p *resultsPane) build() {
	var id string
	if it := p.selected(); it != nil {
		id = it.ChunkID
	}
	p.version++
	p.rows = rowsOf(p.groups, p.below, listing{flat: p.flat, compact: p.compact, folded: p.folded, floor: p.floor, arms: p.arms, gone: p.changes.gone, against: p.changes.against})
	if len(p.below) >= retrieval.MostNearMisses && p.fallen > len(p.below) {
		p.rows = append(p.rows, row{kind: rowMore, group: -1, label: fmt.Sprintf("%s fell in all: %s shows them", wording.Count(p.fallen), p.seeAll)})
	}
	p.Total = len(p.rows)
	p.At = p.rowOf(id)
	if p.At < 0 {
		p.At = p.firstChoice()
	}
}

// firstChoice is the row of the best section, else the first selectable row. In
// full-context mode, where all sections have the same score, the best is the
// nearest.
func (p *resultsPane) firstChoice() int {
	first, nearest := -1, -1
	for i, r := range p.rows {
		switch {
		case !p.stops(i):
			continue
		case r.kind == rowSection && (r.item.Rank == 1 && !p.full || p.groups[r.group].opened):
			return i
		case r.kind == rowSection && len(r.item.Matches) > 0 && r.item.Matches[0].Similarity == p.near:
			nearest = i
		}
		if first < 0 {
			first = i
		}
	}
	if p.full && nearest >= 0 {
		return nearest
	}
	return first
}

func (p *resultsPane) stops(i int) bool {
	r := p.rows[i]
	return r.selectable(r.kind == rowGroup && p.folded[p.groups[r.group].url])
}

// rowInPlaceOf is the row of what is listed instead of an item since the unit of
// the result changed: the section of a passage, the best passage of a section. It
// is -1 if there is none.
func (p *resultsPane) rowInPlaceOf(it *retrieval.Item) int {
	if it.ParentID != "" {
		return p.rowOf(it.ParentID)
	}
	best := -1
	for i, r := range p.rows {
		if r.item == nil || r.item.ParentID != it.ChunkID {
			continue
		}
		if best < 0 || r.kind == rowSection && r.item.Rank < p.rows[best].item.Rank {
			best = i
		}
	}
	return best
}

func (p *resultsPane) rowOf(id string) int {
	if id == "" {
		return -1
	}
	for i, r := range p.rows {
		if r.item != nil && r.item.ChunkID == id {
			return i
		}
	}
	return -1
}

// selected is the section under the cursor, nil on a folded page.
func (p *resultsPane) selected() *retrieval.Item {
	if p.At < 0 || p.At >= len(p.rows) {
		return nil
	}
	return p.rows[p.At].item
}

func (p *resultsPane) onGroup() bool {
	return p.At >= 0 && p.At < len(p.rows) && p.rows[p.At].kind == rowGroup
}

// move moves the cursor by n selectable rows, or as far as there are any.
func (p *resultsPane) move(n int) {
	p.Walk(n, p.stops)
	p.scroll()
}

// moveRows moves the cursor by about n lines.
func (p *resultsPane) moveRows(n int) {
	target := max(0, min(len(p.rows)-1, p.At+n))
	step := 1
	if n < 0 {
		step = -1
	}
	for at := target; at >= 0 && at < len(p.rows); at += step {
		if p.stops(at) {
			p.At = at
			p.scroll()
			return
		}
	}
	p.move(step * len(p.rows))
}

// neighbour is the section n rows further on that has one, or nil.
func (p *resultsPane) neighbour(n int) *retrieval.Item {
	if l := p.List; l.Walk(n, p.stops) {
		return p.rows[l.At].item
	}
	return nil
}

// text is what a row is found by.
func (p *resultsPane) text(i int) string {
	r := p.rows[i]
	switch {
	case r.kind == rowGroup:
		return p.tails.Strip(p.groups[r.group].title)
	case r.kind == rowBelow, r.kind == rowGone:
		return wording.LeafFirst(r.item, p.tails)
	case r.item != nil && p.flat:
		return wording.Heading(r.item) + "  " + p.tails.Strip(r.item.Title)
	case r.item != nil:
		return wording.Heading(r.item)
	}
	return ""
}

// rowsWith are the rows that can be selected and have words; none for no words.
func (p *resultsPane) rowsWith(words string) []int {
	var rows []int
	for i := range p.rows {
		if p.stops(i) && widget.FoldIndex(p.text(i), words) >= 0 {
			rows = append(rows, i)
		}
	}
	return rows
}

func (p *resultsPane) goTo(i int) {
	p.At = i
	p.scroll()
}

// fold folds or unfolds the page under the cursor.
func (p *resultsPane) fold() {
	if p.flat || p.At < 0 || p.At >= len(p.rows) || p.rows[p.At].group < 0 {
		return
	}
	at := p.rows[p.At].group
	url := p.groups[at].url
	if p.folded == nil {
		p.folded = map[string]bool{}
	}
	p.folded[url] = !p.folded[url]
	p.build()
	for i, r := range p.rows {
		if r.group == at && p.stops(i) {
			p.goTo(i)
			return
		}
	}
}

// view draws the visible rows.
func (p *resultsPane) view(s *theme.Styles, focused bool) []string {
	look := resultsLook{p.version, p.w, p.List, focused, s, p.hit}
	return p.drawn.Keep(look, func() []string { return p.draw(s, focused) })
}

// addressFrom is the width from which on addresses stand under the titles: in all
// rows, or in none.
const addressFrom = 48

func (p *resultsPane) line(s *theme.Styles, i int, focused bool) string {
	r := p.rows[i]
	switch r.kind {
	case rowGroup:
		return p.groupLine(s, r, i == p.At, focused)
	case rowAddress:
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
	case rowSection:
		return p.sectionLine(s, r, i == p.At, focused)
	case rowCut:
		return s.Faint.Render(widget.Repeat(s.Signs.Rule, 2) + " " + r.label + " " + strings.Repeat(s.Signs.Rule, max(0, p.w-ansi.StringWidth(r.label)-5)))
	case rowMore:
		return strings.Repeat(" ", p.rankWide+2) + s.Faint.Render(ansi.Truncate(s.Signs.Ellipsis+" "+wording.Line(r.label), max(1, p.w-p.rankWide-3), s.Signs.Ellipsis))
	case rowGone:
		return p.goneLine(s, r.item, i == p.At, focused)
	case rowBelow:
		name := wording.LeafFirst(r.item, p.tails)
		mark, style := widget.Mark(s, i == p.At, focused, s.Faint)
		value := ""
		if r.item.Why != nil {
			value = wording.FailedValue(r.item.Why, p.arms)
		}
		indent := strings.Repeat(" ", p.rankWide+1)
		right := style.Render(value) + widget.Repeat(" ", 1+p.moveWide(s))
		return mark + indent + widget.Spread(widget.Marked(s, name, p.hit, style, p.w-len(indent)-ansi.StringWidth(right)-3), right, p.w-len(indent)-1)
	}
	return ""
}

func (p *resultsPane) groupLine(s *theme.Styles, r row, current, focused bool) string {
	g := p.groups[r.group]
	sign := s.Signs.Unfolded + " "
	if p.folded[g.url] {
		sign = s.Signs.Folded + " "
	}
	mark, style := widget.Mark(s, current, focused, s.Strong)
	right := ""
	switch {
	case g.cites:
		right = s.Faint.Render("opened span")
	case g.opened:
		right = s.Faint.Render("opened")
	case p.full:
		right = s.Faint.Render(wording.Plural(len(g.items), "section"))
	default:
		held := wording.Plural(len(g.items), "section") + "  "
		fits := ansi.StringWidth(p.tails.Strip(g.title))+ansi.StringWidth(held)+5+p.moveWide(s)+p.rankWide+5 <= p.w
		if p.folded[g.url] || p.compact && (fits || p.w >= barWidth) { // where it is narrow, the title says more
			right = s.Faint.Render(held)
		}
		right += s.Score.Render(fmt.Sprintf("%5s", wording.Score(g.best)))
	}
	right += widget.Repeat(" ", p.moveWide(s))
	title := p.tails.Strip(g.title)
	if title == "" {
		title = wording.ShortURL(g.url, p.w)
	}
	left := mark + strings.Repeat(" ", max(0, p.rankWide-1)) + s.Faint.Render(sign) + widget.Marked(s, title, p.hit, style, p.w-ansi.StringWidth(right)-p.rankWide-4)
	return widget.Spread(left, right+" ", p.w)
}

func (p *resultsPane) sectionLine(s *theme.Styles, r row, current, focused bool) string {
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
		title := p.tails.Strip(it.Title)
		if title != "" && title != name && ansi.StringWidth(name)+6 < room {
			shown := widget.Marked(s, name, p.hit, style, room)
			return widget.Spread(mark+s.Faint.Render(rank)+" "+shown+"  "+s.Faint.Render(ansi.Truncate(title, room-ansi.StringWidth(name)-2, "…")), right+" ", p.w)
		}
	}
	return widget.Spread(mark+s.Faint.Render(rank)+" "+widget.Marked(s, name, p.hit, style, room), right+" ", p.w)
}

// scoreCell is the bar and the number of a section. In full-context mode nothing
// was selected by a score: the nearest passage is shown, faintly.
func (p *resultsPane) scoreCell(s *theme.Styles, it *retrieval.Item) string {
	value, best := it.Score, p.best
	number, style := s.Score, s.Bars[wording.Level(it.Score, 0, p.best)]
	if p.full {
		if len(it.Matches) == 0 {
			return ""
		}
		value, best = it.Matches[0].Similarity, p.near
		number, style = s.Faint, s.Faint
	}
	score := number.Render(fmt.Sprintf("%5s", wording.Score(value)))
	wide := p.barCells(s)
	if wide == 0 {
		return score
	}
	b := widget.Bar(value, best, wide, s.Plain)
	return style.Render(b) + strings.Repeat(" ", wide-ansi.StringWidth(b)+1) + score
}

// reveal selects a section, also where its page is folded.
func (p *resultsPane) reveal(it *retrieval.Item) {
	if p.folded[it.SourceURL] {
		p.folded[it.SourceURL] = false
		p.build()
	}
	if at := p.rowOf(it.ChunkID); at >= 0 {
		p.goTo(at)
	}
}
