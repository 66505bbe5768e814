package corpus

import (
	"image"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/spans"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
)

// The panes.
const (
	// Pages lists the pages of the corpus, Page shows one.
	Pages view.Context = "pages"
	Page  view.Context = "page"
)

// Needs is what the view asks of the explorer around it, beside what all views do.
type Needs struct {
	// Missing is what stands in the place of the list, in w cells, while there is no
	// corpus or nothing in it; nil while there is.
	Missing func(w int) []string
	// Selected is the section that is selected among the results, nil for none.
	Selected func() *retrieval.Item
	// Marks are the passages of a section that the query matched, in code points of its
	// text.
	Marks func(*retrieval.Item) []spans.Span
}

// View is the view of the corpus. What it shows belongs to one opened corpus; another one
// begins anew.
type View struct {
	view.Shell
	needs Needs

	of *session.Corpus
	// reading and readingLinks are set while a block of pages, or of links, is on its
	// way, complete once all pages were read.
	reading, readingLinks, complete bool
	// failed is why pages or links could not be read; nothing more is read until
	// it is tried again.
	failed error

	tree pageList
	page shownPage
	// answer sums up the result that is shown.
	answer answerPages
	// traversal is the diagram under the list.
	traversal widget.Drawing[traversalLook]
	// came is the section from which the view was last entered.
	came string
}

var (
	_ view.Toured = (*View)(nil)
	_ view.Taker  = (*View)(nil)
)

// New is the view before a corpus is open.
func New(s view.Shell, n Needs) *View { return &View{Shell: s, needs: n} }

// Panes implements [view.View].
func (v *View) Panes() []view.Context { return []view.Context{Pages, Page} }

// Pane implements [view.View].
func (v *View) Pane(name view.Context) view.Pane {
	if name == Page {
		return pagePane{v}
	}
	return pagesPane{v}
}

// Arrange has the list beside the page or, where there is no room for that, above it.
func (v *View) Arrange(l *view.Layout, body image.Rectangle, split int, upright bool) {
	if upright {
		l.Slots = view.Above(body, l.Halves(body, view.LessThanHalf, split), Pages, Page)
		return
	}
	left, right := l.Columns(body, 38, split)
	l.Slots = []view.Slot{view.CutTitle(Pages, left), view.CutTitle(Page, right)}
}

// Enter goes to the page of the section that is selected among the results, unless the
// view was entered from there before.
func (v *View) Enter() tea.Cmd {
	it := v.needs.Selected()
	if it == nil || it.ChunkID == v.came {
		return nil
	}
	v.came = it.ChunkID
	v.tree.wanted = it.DocumentID
	v.page.wanted = it.SectionID()
	v.tree.goToWanted()
	if v.page.id == it.DocumentID {
		pagePane{v}.arrived()
	}
	return nil
}

// Follow implements [view.View].
func (v *View) Follow() tea.Cmd {
	c := v.Session().Corpus()
	if c == nil {
		return nil
	}
	if v.of != c {
		v.begin(c)
	}
	if v.answer.pages == nil || v.answer.of != v.Session().Result() {
		v.answer = evidenceOn(v.Session().Result())
		v.page.whole.unmark()
	}
	v.followTraversal()
	return tea.Batch(v.readPages(), v.readLinks(), pagePane{v}.follow(), pagePane{v}.followWhole())
}

// begin takes a corpus. What is wanted of it, and how it is listed, stays.
func (v *View) begin(c *session.Corpus) {
	v.Leave()
	v.page.whole.clear()
	*v = View{
		Shell: v.Shell, needs: v.needs, of: c, came: v.came,
		tree: pageList{w: v.tree.w, h: v.tree.h, named: v.PageTitle, wanted: v.tree.wanted, table: v.tree.table},
		page: shownPage{
			w: v.page.w, Pager: widget.Pager{Height: v.page.Height}, wanted: v.page.wanted,
			resting: v.page.resting, whole: v.page.whole,
		},
	}
}

// Leave has the pages read anew: the corpus is another one, or has other pages. What is
// shown stays until then.
func (v *View) Leave() {
	v.of = nil
	v.Session().StopReading(session.KindPages, session.KindPageLinks, session.KindPage, session.KindPageTexts)
	v.page.whole.stop()
}

// IsBusy implements [view.Toured].
func (v *View) IsBusy() bool {
	s := v.Session().Summary()
	return s != nil && s.Documents > 0 && len(v.tree.pages.pages) == 0
}

// SelectNamed implements [view.Toured]: it selects the first page of a title or an address.
func (v *View) SelectNamed(is func(names ...string) bool) (cmd tea.Cmd, missing string) {
	t := &v.tree
	for i := range t.pages.pages {
		if p := &t.pages.pages[i]; is(p.Title, p.URL) && t.goToPage(p.ID) {
			return v.Focus(Pages), ""
		}
	}
	return nil, "no page is called so"
}

// IsRendered says that the texts on the screen stand there rendered, where the page is shown
// whole.
func (v *View) IsRendered() bool {
	w := &v.page.whole
	from, to := w.visible()
	for i := from; i < to; i++ {
		if w.sections[i].marked == nil {
			return false
		}
	}
	return to > from
}

// Listed are the pages that are listed, in their order.
func (v *View) Listed() []session.PageEntry {
	all := make([]session.PageEntry, len(v.tree.rows))
	for i, r := range v.tree.rows {
		all[i] = v.tree.pages.pages[r.Node]
	}
	return all
}
