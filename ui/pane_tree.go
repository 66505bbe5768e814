package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// treePane lists the pages of the corpus: as the tree of the links by which they
// are reached, or as a table.
type treePane struct {
	w, h  int
	pages pageTree
	tails session.Tails
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
func (p *treePane) selected() *session.PageEntry {
	if p.At < 0 || p.At >= len(p.rows) {
		return nil
	}
	return &p.pages.pages[p.rows[p.At].Node]
}

// build lays the rows out anew and keeps the cursor on its page.
func (p *treePane) build() {
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
func (p *treePane) name(e *session.PageEntry) string {
	if t := p.tails.Strip(e.Title); t != "" {
		return t
	}
	return wording.ShortURL(e.URL, 2*ansi.StringWidth(e.URL)+8)
}

func (p *treePane) rowOf(id string) int {
	at, ok := p.pages.byID[id]
	if !ok {
		return -1
	}
	return slices.IndexFunc(p.rows, func(r widget.TreeRow) bool { return r.Node == at })
}

// goToPage selects a page that was read, unfolding what it hangs from.
func (p *treePane) goToPage(id string) bool {
	at, ok := p.pages.byID[id]
	if !ok {
		return false
	}
	p.pages.Reveal(at)
	p.build()
	p.goTo(p.rowOf(id))
	return true
}

func (p *treePane) goToWanted() {
	if p.wanted != "" && p.goToPage(p.wanted) {
		p.wanted = ""
	}
}

func (p *treePane) goTo(row int) {
	p.At = max(0, min(row, len(p.rows)-1))
	p.scroll()
}

// bodyHeight is the number of rows that have room.
func (p *treePane) bodyHeight() int { return max(0, p.h-p.headHeight()-p.foot) }

func (p *treePane) headHeight() int {
	if p.table && p.h > 3 {
		return 1
	}
	return 0
}

func (p *treePane) scroll() {
	p.Height = max(1, p.bodyHeight())
	around := min(2, p.Height/4) // rows that stay in sight above and below the cursor
	p.Show(p.At - around)
	p.Show(p.At + around)
	p.Pager.Resize(p.Height, len(p.rows))
}

// fold folds or unfolds what hangs from the page under the cursor.
func (p *treePane) fold() {
	if p.selected() != nil && p.rows[p.At].Inner {
		p.pages.Fold(p.rows[p.At].Node)
		p.build()
	}
}

func (p *treePane) foldOrUp() {
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
func (p *treePane) search(words string) {
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

// treePanel is the list of the corpus's pages.
type treePanel struct{ *Model }

func (m treePanel) SetSize(w, h int) {
	t := &m.corpusView.tree
	t.w, t.h = w, h
	t.scroll()
}

func (m treePanel) Move(v widget.Verb) {
	t := &m.corpusView.tree
	t.goTo(t.At + v.Rows(t.Height))
}

func (m treePanel) Click(_, y int) tea.Cmd {
	t := &m.corpusView.tree
	if row, ok := t.RowOf(y - t.headHeight()); ok {
		again := t.At == row
		t.goTo(row)
		if again && !t.table {
			t.fold()
		}
	}
	return nil
}

func (m treePanel) Search(words string) {
	t := &m.corpusView.tree
	t.search(words)
	if i, n := widget.HitAt(t.hits, t.At); n > 0 {
		t.goTo(t.hits[i-1])
	}
}

func (m treePanel) Found() (at, of int) {
	return widget.HitAt(m.corpusView.tree.hits, m.corpusView.tree.At)
}

// step goes to the next page that was found or, while nothing is searched for,
// that has a part in the answer.
func (m treePanel) Step(n int) {
	t := &m.corpusView.tree
	t.goTo(widget.NextOf(m.pageStops(), t.At, n))
}

func (m treePanel) Stops() int { return len(m.pageStops()) }

func (m *Model) pageStops() []int {
	t := &m.corpusView.tree
	if t.hit != "" {
		return t.hits
	}
	var stops []int
	for i, r := range t.rows {
		if m.corpusView.answer.pages[t.pages.pages[r.Node].ID].given() {
			stops = append(stops, i)
		}
	}
	return stops
}
