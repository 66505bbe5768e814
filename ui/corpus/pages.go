package corpus

import (
	"slices"

	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/wording"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/ui/widget"
)

// pageList lists the pages of the corpus: as the tree of the links by which they
// are reached, or as a table.
type pageList struct {
	w, h  int
	pages pageTree
	// named is a title as pages are called by it.
	named func(title string) string
	// foot are the last rows, which the traversal has.
	foot int

	table    bool
	order    pageOrder
	reversed bool

	rows []widget.TreeRow
	widget.List
	// wanted is the page to go to once it is read, empty for none.
	wanted string
	// hit is what is being searched for, hits the rows that have it.
	hit  string
	hits []int
}

// selected is the page under the cursor, or nil.
func (p *pageList) selected() *session.PageEntry {
	if p.At < 0 || p.At >= len(p.rows) {
		return nil
	}
	return &p.pages.pages[p.rows[p.At].Node]
}

// build lays the rows out anew and keeps the cursor on its page.
func (p *pageList) build() {
	id := ""
	if at := p.selected(); at != nil {
		id = at.ID
	}
	if p.table {
		p.rows = p.pages.sorted(p.order, p.reversed, p.name)
	} else {
		p.rows = p.pages.Rows()
	}
	p.search(p.hit)
	if at := p.rowOf(id); at >= 0 {
		p.At = at
	}
	p.goTo(p.At)
}

// name is what a page is called: its title without what all titles share, else
// its address.
func (p *pageList) name(e *session.PageEntry) string {
	if t := p.named(e.Title); t != "" {
		return t
	}
	return wording.ShortURL(e.URL, 2*ansi.StringWidth(e.URL)+8)
}

func (p *pageList) rowOf(id string) int {
	at, ok := p.pages.byID[id]
	if !ok {
		return -1
	}
	return slices.IndexFunc(p.rows, func(r widget.TreeRow) bool { return r.Node == at })
}

// goToPage selects a page that was read, unfolding what it hangs from.
func (p *pageList) goToPage(id string) bool {
	at, ok := p.pages.byID[id]
	if !ok {
		return false
	}
	p.pages.Reveal(at)
	p.build()
	p.goTo(p.rowOf(id))
	return true
}

func (p *pageList) goToWanted() {
	if p.wanted != "" && p.goToPage(p.wanted) {
		p.wanted = ""
	}
}

func (p *pageList) goTo(row int) {
	p.At = max(0, min(row, len(p.rows)-1))
	p.scroll()
}

// bodyHeight is the number of rows that have room.
func (p *pageList) bodyHeight() int { return max(0, p.h-p.headHeight()-p.foot) }

func (p *pageList) headHeight() int {
	if p.h > 3 {
		return 1
	}
	return 0
}

func (p *pageList) scroll() {
	p.Height = max(1, p.bodyHeight())
	around := min(2, p.Height/4) // rows that stay in sight above and below the cursor
	p.Show(p.At - around)
	p.Show(p.At + around)
	p.Pager.Resize(p.Height, len(p.rows))
}

// fold folds or unfolds what hangs from the page under the cursor.
func (p *pageList) fold() {
	if p.selected() != nil && p.rows[p.At].Inner {
		p.pages.Fold(p.rows[p.At].Node)
		p.build()
	}
}

func (p *pageList) foldOrUp() {
	if p.selected() == nil || p.table {
		return
	}
	at := p.rows[p.At]
	if at.Inner && !p.pages.Folded(at.Node) {
		p.fold()
		return
	}
	if up := p.pages.Parent[at.Node]; up >= 0 {
		p.goTo(p.rowOf(p.pages.pages[up].ID))
	}
}

// search finds the rows whose title or address has words.
func (p *pageList) search(words string) {
	p.hit, p.hits = words, nil
	if words == "" {
		return
	}
	for i, r := range p.rows {
		e := &p.pages.pages[r.Node]
		if widget.FoldIndex(p.name(e), words) >= 0 || widget.FoldIndex(wording.Line(e.URL), words) >= 0 {
			p.hits = append(p.hits, i)
		}
	}
}

// pagesPane is the list of the corpus's pages.
type pagesPane struct{ *View }

func (v pagesPane) SetSize(w, h int) {
	t := &v.tree
	t.w, t.h = w, h
	t.scroll()
}

func (v pagesPane) Move(verb widget.Verb) {
	t := &v.tree
	t.goTo(t.At + verb.Rows(t.Height))
}

func (v pagesPane) Click(_, y int) tea.Cmd {
	t := &v.tree
	if row, ok := t.RowOf(y - t.headHeight()); ok {
		again := t.At == row
		t.goTo(row)
		if again && !t.table {
			t.fold()
		}
	}
	return nil
}

// Selected is the page under the cursor.
func (v pagesPane) Selected() (chunk view.Chunk, ok bool) {
	if p := v.tree.selected(); p != nil {
		return view.Chunk{URL: p.URL, Page: view.Page{URL: p.URL, Title: v.PageTitle(p.Title)}}, true
	}
	return chunk, false
}

func (v pagesPane) Search(words string) {
	t := &v.tree
	t.search(words)
	if i, n := widget.HitAt(t.hits, t.At); n > 0 {
		t.goTo(t.hits[i-1])
	}
}

// Found implements [view.Finder]: before anything is typed, nothing is.
func (v pagesPane) Found() (at, of int) {
	return widget.HitAt(v.tree.hits, v.tree.At)
}

// Step goes to the next page that was found or, while nothing is searched for,
// that has a part in the answer.
func (v pagesPane) Step(n int) tea.Cmd {
	t := &v.tree
	t.goTo(widget.NextOf(v.stops(), t.At, n))
	return nil
}

func (v pagesPane) Stops() int { return len(v.stops()) }

// stops are the rows of the pages that were found or, while nothing is searched for,
// that have a part in the answer.
func (v pagesPane) stops() []int {
	t := &v.tree
	if t.hit != "" {
		return t.hits
	}
	var stops []int
	for i, r := range t.rows {
		if v.answer.pages[t.pages.pages[r.Node].ID].given() {
			stops = append(stops, i)
		}
	}
	return stops
}
