package results

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

// List is the list of sections, by page or by rank.
type List struct {
	widget.List // over Rows, with -1 where none can be selected
	w           int
	Groups      []Group
	below       []retrieval.Item
	// Flat lists by rank; Folded are the pages that are, by address.
	Flat   bool
	Folded map[string]bool
	// Best is the highest score, which bars are scaled to. full is set in
	// full-context mode, where all scores are the same and near, the highest
	// similarity of any passage, takes its place.
	Best, near float64
	full       bool
	floor      string // as in [wording.CutHeading]
	arms       bool   // as in [wording.CutHeading]
	// Tails are left out of the titles of pages.
	Tails session.Tails
	// Level is set where all pages have the same depth, which then says nothing.
	Level    bool
	sections int // sections of the result, without an opened one
	rankWide int // width of the rank column

	// of is the result that is listed, changes how it differs from the baseline.
	of      *retrieval.Result
	changes Changes
	// steady says that sections may move at any time: there is always room for how
	// they do, so that nothing else moves.
	steady bool
	// compact says that pages take one line each.
	compact bool
	// fallen counts what the stages dropped, 0 where that is not known. Where the
	// list ends before, SeeAll names the key that shows them.
	fallen int
	SeeAll string

	// Rows are its lines.
	Rows []Row
	// held says that the selected section was to stay on its line when the ranking
	// changed, and the cursor has not moved since.
	held bool
	// Hit is what is being searched for, to be marked in the rows.
	Hit string

	// version grows with every change of rows; drawn keeps the last drawing.
	version int
	drawn   widget.Drawing[look]
}

// look is all that a drawing of the list depends on.
type look struct {
	version, w int
	list       widget.List
	focused    bool
	styles     *theme.Styles
	hit        string
}

// Redraw draws the rows anew although nothing of them has changed.
func (p *List) Redraw() {
	p.version++
	p.drawn = widget.Drawing[look]{}
}

// Put replaces what is listed. The section in keep stays selected and on its
// line of the screen if it is still there, or what is listed in its place;
// otherwise the best one is selected.
func (p *List) Put(groups []Group, result *retrieval.Result, keep string) {
	line, before, found := p.At-p.Top, p.Selected(), p.sections > 0
	p.Groups, p.of = groups, result
	p.below, p.full, p.floor, p.arms = nil, false, "", false
	p.Best, p.near, p.sections, p.fallen = 0, 0, 0, 0
	if result != nil {
		p.below = result.NearMisses
		p.full = result.Mode == param.ModeFullContext
		p.Best = result.TopScore()
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
		for _, it := range g.Items {
			if len(it.Matches) > 0 {
				p.near = max(p.near, it.Matches[0].Similarity)
			}
		}
	}
	p.measureRanks()
	p.Build()
	at := p.RowWith(keep)
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
		p.At = p.FirstChoice()
	}
	p.ShowCursor()
}

// Change says how a result differs from the baseline. If it is the one that is
// listed, the list follows at once, and its selected section stays on its line.
func (p *List) Change(of *retrieval.Result, c Changes) {
	p.changes = c
	p.version++
	if of == nil || of != p.of {
		return
	}
	line := p.At - p.Top
	p.Build()
	p.hold(p.At, line)
}

// Build lays the rows out anew and keeps the cursor on its section.
func (p *List) Build() {
	var id string
	if it := p.Selected(); it != nil {
		id = it.ChunkID
	}
	p.version++
	p.Rows = rowsOf(p.Groups, p.below, listing{Flat: p.Flat, compact: p.compact, Folded: p.Folded, floor: p.floor, arms: p.arms, Gone: p.changes.Gone, Against: p.changes.Against})
	if len(p.below) >= retrieval.MostNearMisses && p.fallen > len(p.below) {
		p.Rows = append(p.Rows, Row{Kind: More, Group: -1, Label: fmt.Sprintf("%s fell in all: %s shows them", wording.Count(p.fallen), p.SeeAll)})
	}
	p.Total = len(p.Rows)
	p.At = p.RowWith(id)
	if p.At < 0 {
		p.At = p.FirstChoice()
	}
}

// FirstChoice is the row of the best section, else the first selectable row. In
// full-context mode, where all sections have the same score, the best is the
// nearest.
func (p *List) FirstChoice() int {
	first, nearest := -1, -1
	for i, r := range p.Rows {
		switch {
		case !p.Stops(i):
			continue
		case r.Kind == Section && (r.Item.Rank == 1 && !p.full || p.Groups[r.Group].Opened):
			return i
		case r.Kind == Section && len(r.Item.Matches) > 0 && r.Item.Matches[0].Similarity == p.near:
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

// Stops reports that the cursor can stand on a row.
func (p *List) Stops(i int) bool {
	r := p.Rows[i]
	return r.selectable(r.Kind == Page && p.Folded[p.Groups[r.Group].URL])
}

// rowInPlaceOf is the row of what is listed instead of an item since the unit of
// the result changed: the section of a passage, the best passage of a section. It
// is -1 if there is none.
func (p *List) rowInPlaceOf(it *retrieval.Item) int {
	if it.ParentID != "" {
		return p.RowWith(it.ParentID)
	}
	best := -1
	for i, r := range p.Rows {
		if r.Item == nil || r.Item.ParentID != it.ChunkID {
			continue
		}
		if best < 0 || r.Kind == Section && r.Item.Rank < p.Rows[best].Item.Rank {
			best = i
		}
	}
	return best
}

// RowWith is the row of a chunk, -1 where it is not listed.
func (p *List) RowWith(id string) int {
	if id == "" {
		return -1
	}
	for i, r := range p.Rows {
		if r.Item != nil && r.Item.ChunkID == id {
			return i
		}
	}
	return -1
}

// Selected is the section under the cursor, nil on a folded page.
func (p *List) Selected() *retrieval.Item {
	if p.At < 0 || p.At >= len(p.Rows) {
		return nil
	}
	return p.Rows[p.At].Item
}

// OnGroup reports that the cursor stands on a folded page.
func (p *List) OnGroup() bool {
	return p.At >= 0 && p.At < len(p.Rows) && p.Rows[p.At].Kind == Page
}

// MoveBy moves the cursor by n selectable rows, or as far as there are any.
func (p *List) MoveBy(n int) {
	p.Walk(n, p.Stops)
	p.ShowCursor()
}

// MoveRows moves the cursor by about n lines.
func (p *List) MoveRows(n int) {
	target := max(0, min(len(p.Rows)-1, p.At+n))
	step := 1
	if n < 0 {
		step = -1
	}
	for at := target; at >= 0 && at < len(p.Rows); at += step {
		if p.Stops(at) {
			p.At = at
			p.ShowCursor()
			return
		}
	}
	p.MoveBy(step * len(p.Rows))
}

// Neighbour is the section n rows further on that has one, or nil.
func (p *List) Neighbour(n int) *retrieval.Item {
	if l := p.List; l.Walk(n, p.Stops) {
		return p.Rows[l.At].Item
	}
	return nil
}

// Text is what a row is found by.
func (p *List) Text(i int) string {
	r := p.Rows[i]
	switch {
	case r.Kind == Page:
		return p.Tails.Strip(p.Groups[r.Group].Title)
	case r.Kind == Below, r.Kind == Gone:
		return wording.LeafFirst(r.Item, p.Tails)
	case r.Item != nil && p.Flat:
		return wording.Heading(r.Item) + "  " + p.Tails.Strip(r.Item.Title)
	case r.Item != nil:
		return wording.Heading(r.Item)
	}
	return ""
}

// RowsWith are the rows that can be selected and have words; none for no words.
func (p *List) RowsWith(words string) []int {
	var rows []int
	for i := range p.Rows {
		if p.Stops(i) && widget.FoldIndex(p.Text(i), words) >= 0 {
			rows = append(rows, i)
		}
	}
	return rows
}

// GoTo puts the cursor on a row, and shows it.
func (p *List) GoTo(i int) {
	p.At = i
	p.ShowCursor()
}

// Fold folds or unfolds the page under the cursor.
func (p *List) Fold() {
	if p.Flat || p.At < 0 || p.At >= len(p.Rows) || p.Rows[p.At].Group < 0 {
		return
	}
	at := p.Rows[p.At].Group
	url := p.Groups[at].URL
	if p.Folded == nil {
		p.Folded = map[string]bool{}
	}
	p.Folded[url] = !p.Folded[url]
	p.Build()
	for i, r := range p.Rows {
		if r.Group == at && p.Stops(i) {
			p.GoTo(i)
			return
		}
	}
}

// View draws the visible rows.
func (p *List) View(s *theme.Styles, focused bool) []string {
	look := look{p.version, p.w, p.List, focused, s, p.Hit}
	return p.drawn.Keep(look, func() []string { return p.draw(s, focused) })
}

// addressFrom is the width from which on addresses stand under the titles: in all
// rows, or in none.
const addressFrom = 48

func (p *List) line(s *theme.Styles, i int, focused bool) string {
	r := p.Rows[i]
	switch r.Kind {
	case Page:
		return p.groupLine(s, r, i == p.At, focused)
	case Address:
		g := p.Groups[r.Group]
		var known []string
		if !p.Level {
			known = append(known, fmt.Sprintf("depth %d", g.Depth))
		}
		if !g.Opened && !p.full { // in full context they stand in the line above
			known = append(known, wording.Plural(len(g.Items), "section"))
		}
		facts := strings.Join(known, " · ")
		indent := strings.Repeat(" ", p.rankWide+2)
		room := p.w - len(indent) - ansi.StringWidth(facts) - 3 - p.moveWide(s)
		address := wording.ShortURL(g.URL, room)
		if p.Tails.Strip(g.Title) == "" || p.w-p.moveWide(s) < addressFrom {
			address = "" // it is the page's name already, or would be cut in most rows
		}
		return indent + widget.Spread(s.Faint.Render(address), s.Faint.Render(facts)+" "+widget.Repeat(" ", p.moveWide(s)), p.w-len(indent))
	case Section:
		return p.sectionLine(s, r, i == p.At, focused)
	case Cut:
		return s.Faint.Render(widget.Repeat(s.Signs.Rule, 2) + " " + r.Label + " " + strings.Repeat(s.Signs.Rule, max(0, p.w-ansi.StringWidth(r.Label)-5)))
	case More:
		return strings.Repeat(" ", p.rankWide+2) + s.Faint.Render(ansi.Truncate(s.Signs.Ellipsis+" "+wording.Line(r.Label), max(1, p.w-p.rankWide-3), s.Signs.Ellipsis))
	case Gone:
		return p.goneLine(s, r.Item, i == p.At, focused)
	case Below:
		name := wording.LeafFirst(r.Item, p.Tails)
		mark, style := widget.Mark(s, i == p.At, focused, s.Faint)
		value := ""
		if r.Item.Why != nil {
			value = wording.FailedValue(r.Item.Why, p.arms)
		}
		indent := strings.Repeat(" ", p.rankWide+1)
		right := style.Render(value) + widget.Repeat(" ", 1+p.moveWide(s))
		return mark + indent + widget.Spread(widget.Marked(s, name, p.Hit, style, p.w-len(indent)-ansi.StringWidth(right)-3), right, p.w-len(indent)-1)
	}
	return ""
}

func (p *List) groupLine(s *theme.Styles, r Row, current, focused bool) string {
	g := p.Groups[r.Group]
	sign := s.Signs.Unfolded + " "
	if p.Folded[g.URL] {
		sign = s.Signs.Folded + " "
	}
	mark, style := widget.Mark(s, current, focused, s.Strong)
	right := ""
	switch {
	case g.Cites:
		right = s.Faint.Render("opened span")
	case g.Opened:
		right = s.Faint.Render("opened")
	case p.full:
		right = s.Faint.Render(wording.Plural(len(g.Items), "section"))
	default:
		held := wording.Plural(len(g.Items), "section") + "  "
		fits := ansi.StringWidth(p.Tails.Strip(g.Title))+ansi.StringWidth(held)+5+p.moveWide(s)+p.rankWide+5 <= p.w
		if p.Folded[g.URL] || p.compact && (fits || p.w >= barWidth) { // where it is narrow, the title says more
			right = s.Faint.Render(held)
		}
		right += s.Score.Render(fmt.Sprintf("%5s", wording.Score(g.Best)))
	}
	right += widget.Repeat(" ", p.moveWide(s))
	title := p.Tails.Strip(g.Title)
	if title == "" {
		title = wording.ShortURL(g.URL, p.w)
	}
	left := mark + strings.Repeat(" ", max(0, p.rankWide-1)) + s.Faint.Render(sign) + widget.Marked(s, title, p.Hit, style, p.w-ansi.StringWidth(right)-p.rankWide-4)
	return widget.Spread(left, right+" ", p.w)
}

func (p *List) sectionLine(s *theme.Styles, r Row, current, focused bool) string {
	it := r.Item
	mark, style := widget.Mark(s, current, focused, s.Text)
	rank := fmt.Sprintf("%*d", p.rankWide, it.Rank)
	right := p.scoreCell(s, it) + p.moveCell(s, it)
	if it.Rank == 0 { // opened, not found
		rank, right = strings.Repeat(" ", p.rankWide), ""
	}
	room := p.w - p.rankWide - 2 - ansi.StringWidth(right) - 2
	name := wording.Heading(it)
	if p.Flat {
		title := p.Tails.Strip(it.Title)
		if title != "" && title != name && ansi.StringWidth(name)+6 < room {
			shown := widget.Marked(s, name, p.Hit, style, room)
			return widget.Spread(mark+s.Faint.Render(rank)+" "+shown+"  "+s.Faint.Render(ansi.Truncate(title, room-ansi.StringWidth(name)-2, "…")), right+" ", p.w)
		}
	}
	return widget.Spread(mark+s.Faint.Render(rank)+" "+widget.Marked(s, name, p.Hit, style, room), right+" ", p.w)
}

// scoreCell is the bar and the number of a section. In full-context mode nothing
// was selected by a score: the nearest passage is shown, faintly.
func (p *List) scoreCell(s *theme.Styles, it *retrieval.Item) string {
	value, best := it.Score, p.Best
	number, style := s.Score, s.Bars[wording.Level(it.Score, 0, p.Best)]
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

// Reveal selects a section, also where its page is folded.
func (p *List) Reveal(it *retrieval.Item) {
	if p.Folded[it.SourceURL] {
		p.Folded[it.SourceURL] = false
		p.Build()
	}
	if at := p.RowWith(it.ChunkID); at >= 0 {
		p.GoTo(at)
	}
}
