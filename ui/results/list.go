package results

import (
	"fmt"
	"slices"

	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/wording"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/widget"
)

// list is the list of sections, by page or by rank.
type list struct {
	widget.List // over rows, with -1 where none can be selected
	w           int
	groups      []group
	below       []retrieval.Item
	// flat lists by rank; folded are the pages that are, by address.
	flat   bool
	folded map[string]bool
	// best is the highest score, which bars are scaled to. full is set in
	// full-context mode, where all scores are the same and near, the highest
	// similarity of any passage, takes its place.
	best, near float64
	full       bool
	floor      string // as in [wording.CutHeading]
	arms       bool   // as in [wording.CutHeading]
	// suffixes are left out of the titles of pages; names are what these and their sections
	// are called.
	suffixes session.TitleSuffixes
	names    *wording.Names
	// told are the names of the sections of pages, by the pages' places in groups.
	told map[int]map[string]string
	// graded is the grade of a section, in short and in words; gradedWide are the cells
	// of both, 0 for none.
	graded     func(*retrieval.Item) (short, words string)
	gradedWide [2]int
	// level is set where all pages have the same depth, which then says nothing.
	level    bool
	sections int // sections of the result, without an opened one
	// rankWide and scoreWide are the widths of the columns of ranks and of scores.
	rankWide, scoreWide int

	// of is the result that is listed, changes how it differs from the baseline.
	of      *retrieval.Result
	changes changes
	// dropped counts what the stages dropped, 0 where that is not known. Where the
	// list ends before, seeAll names the key that shows them.
	dropped int
	seeAll  string

	// rows are its lines.
	rows []row
	// held says that the selected section was to stay on its line when the ranking
	// changed, and the cursor has not moved since.
	held bool
	// hit is what is being searched for, to be marked in the rows; hits are the rows that
	// have it, and hitAt is the one of them that was gone to last.
	hit   string
	hits  []int
	hitAt int
	// from is where the cursor stood when the search began.
	from widget.List

	// version grows with every change of rows; drawn keeps the last drawing.
	version int
	drawn   widget.Drawing[look]
}

// look is all that a drawing of the list depends on.
type look struct {
	version, w int
	list       widget.List
	focused    bool
	graded     [2]int
	styles     *theme.Styles
	hit        string
}

// redraw draws the rows anew although nothing of them has changed.
func (p *list) redraw() {
	p.version++
	p.drawn = widget.Drawing[look]{}
}

// put replaces what is listed. The section in keep stays selected and on its
// line of the screen if it is still there, or what is listed in its place;
// otherwise the best one is selected.
func (p *list) put(groups []group, result *retrieval.Result, keep string) {
	line, before, found := p.At-p.Top, p.selected(), p.sections > 0
	p.groups, p.of = groups, result
	p.below, p.full, p.floor, p.arms = nil, false, "", false
	p.best, p.near, p.sections, p.dropped = 0, 0, 0, 0
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
			p.floor = result.Floor.Said()
		}
		if result.Trace != nil {
			for i := range result.Trace.Stages {
				p.dropped += len(result.Trace.Stages[i].Dropped)
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
	p.measure()
	p.namePages()
	p.build()
	at := p.rowWith(keep)
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
	p.showCursor()
}

// change says how a result differs from the baseline. If it is the one that is
// listed, the list follows at once, and its selected section stays on its line.
func (p *list) change(of *retrieval.Result, c changes) {
	same := len(p.changes.gone) == 0 && len(c.gone) == 0 // then the rows are, too
	p.changes = c
	p.namePages()
	p.version++
	if of == nil || of != p.of || same {
		return
	}
	line := p.At - p.Top
	p.build()
	p.hold(p.At, line)
}

// build lays the rows out anew and keeps the cursor on its section.
func (p *list) build() {
	var id string
	if it := p.selected(); it != nil {
		id = it.ChunkID
	}
	p.version++
	p.rows = rowsOf(p.groups, p.below, listing{flat: p.flat, folded: p.folded, floor: p.floor, arms: p.arms, gone: p.changes.gone, against: p.changes.against})
	if len(p.below) >= retrieval.MostNearMisses && p.dropped > len(p.below) {
		p.rows = append(p.rows, row{kind: moreRow, group: -1, label: fmt.Sprintf("%s dropped in all: %s shows them", wording.Count(p.dropped), p.seeAll)})
	}
	p.Total = len(p.rows)
	p.At = p.rowWith(id)
	if p.At < 0 {
		p.At = p.firstChoice()
	}
}

// firstChoice is the row of the best section, else the first selectable row. In
// full-context mode, where all sections have the same score, the best is the
// nearest.
func (p *list) firstChoice() int {
	first, nearest := -1, -1
	for i, r := range p.rows {
		switch {
		case !p.stops(i):
			continue
		case r.kind == sectionRow && (r.item.Rank == 1 && !p.full || p.groups[r.group].opened):
			return i
		case r.kind == sectionRow && len(r.item.Matches) > 0 && r.item.Matches[0].Similarity == p.near:
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

// stops reports that the cursor can stand on a row.
func (p *list) stops(i int) bool {
	r := p.rows[i]
	return r.selectable(r.kind == pageRow && p.folded[p.groups[r.group].url])
}

// rowInPlaceOf is the row of what is listed instead of an item since the unit of
// the result changed: the section of a passage, the best passage of a section. It
// is -1 if there is none.
func (p *list) rowInPlaceOf(it *retrieval.Item) int {
	if it.ParentID != "" {
		return p.rowWith(it.ParentID)
	}
	best := -1
	for i, r := range p.rows {
		if r.item == nil || r.item.ParentID != it.ChunkID {
			continue
		}
		if best < 0 || r.kind == sectionRow && r.item.Rank < p.rows[best].item.Rank {
			best = i
		}
	}
	return best
}

// rowWith is the row of a chunk, -1 where it is not listed.
func (p *list) rowWith(id string) int {
	if id == "" {
		return -1
	}
	if it := p.selected(); it != nil && it.ChunkID == id { // as it is most often
		return p.At
	}
	for i, r := range p.rows {
		if r.item != nil && r.item.ChunkID == id {
			return i
		}
	}
	return -1
}

// selected is the section under the cursor, nil on a folded page.
func (p *list) selected() *retrieval.Item {
	if p.At < 0 || p.At >= len(p.rows) {
		return nil
	}
	return p.rows[p.At].item
}

// onPage reports that the cursor stands on a folded page.
func (p *list) onPage() bool {
	return p.At >= 0 && p.At < len(p.rows) && p.rows[p.At].kind == pageRow
}

// moveBy moves the cursor by n selectable rows, or as far as there are any.
func (p *list) moveBy(n int) {
	p.Walk(n, p.stops)
	p.showCursor()
}

// moveRows moves the cursor by about n lines.
func (p *list) moveRows(n int) {
	target := max(0, min(len(p.rows)-1, p.At+n))
	step := 1
	if n < 0 {
		step = -1
	}
	for at := target; at >= 0 && at < len(p.rows); at += step {
		if p.stops(at) {
			p.At = at
			p.showCursor()
			return
		}
	}
	p.moveBy(step * len(p.rows))
}

// neighbour is the section n rows further on that has one, or nil.
func (p *list) neighbour(n int) *retrieval.Item {
	if l := p.List; l.Walk(n, p.stops) {
		return p.rows[l.At].item
	}
	return nil
}

// rowsWith are the rows that can be selected and have words; none for no words.
func (p *list) rowsWith(words string) []int {
	var rows []int
	for i := range p.rows {
		if p.stops(i) && widget.FoldIndex(p.name(&p.rows[i]), words) >= 0 {
			rows = append(rows, i)
		}
	}
	return rows
}

// goTo puts the cursor on a row, and shows it.
func (p *list) goTo(i int) {
	p.At = i
	p.showCursor()
}

// fold folds or unfolds the page under the cursor, and reports whether it has anything to
// fold.
func (p *list) fold() bool {
	if p.flat || p.At < 0 || p.At >= len(p.rows) || p.rows[p.At].group < 0 || p.groups[p.rows[p.At].group].alone() {
		return false
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
			break
		}
	}
	return true
}

// selectChunk puts the cursor on the row of a chunk, unfolding its page, and reports
// whether there is one.
func (p *list) selectChunk(id string) bool {
	if p.rowWith(id) < 0 {
		for i := range p.groups {
			if g := p.groups[i : i+1]; p.folded[g[0].url] && holds(g, id) {
				delete(p.folded, g[0].url)
				p.build()
			}
		}
	}
	at := p.rowWith(id)
	if at >= 0 {
		p.goTo(at)
	}
	return at >= 0
}
