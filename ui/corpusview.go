package ui

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
)

// corpusView is what the view of the corpus holds. Everything in it belongs to
// one opened corpus; another one begins anew.
type corpusView struct {
	of *session.Corpus
	// reading and readingLinks are set while a block of pages, or of links, is on its
	// way, complete once all pages were read.
	reading, readingLinks, complete bool
	// failed is why pages or links could not be read; nothing more is read until
	// it is tried again.
	failed error

	tree treePane
	page pagePane
	// answer sums up the result that is shown.
	answer answerPages
	// traversal is the diagram under the list.
	traversal widget.Drawing[traversalLook]
	// between are the pages by which it leads that the query did not reach.
	between map[string]bool
	// came is the section from which the view was last entered.
	came string
}

const (
	// pageBlock is how many pages are read at once, linkBlock of how many the links.
	pageBlock, linkBlock = 500, 100
	// pagesAtOnce is how many pages are read unasked; after them the next block
	// is read when the cursor is pagesAhead from the end.
	pagesAtOnce, pagesAhead = 4000, 200
)

// enterCorpus is called when the view is opened: it goes to the page of the
// section that the explorer is on, unless it comes from there already.
func (m *Model) enterCorpus() tea.Cmd {
	v := &m.corpusView
	it := m.results.Selected()
	if it == nil || it.ChunkID == v.came {
		return nil
	}
	v.came = it.ChunkID
	v.tree.wanted = it.DocumentID
	v.page.wanted = sectionID(it)
	v.tree.goToWanted()
	if v.page.id == it.DocumentID {
		m.arrived()
	}
	return nil
}

// followCorpus keeps the view of the corpus supplied. It runs after every message
// and costs nothing while another view is shown.
func (m *Model) followCorpus() tea.Cmd {
	if m.view != viewCorpus || m.session.Corpus() == nil {
		return nil
	}
	v := &m.corpusView
	if v.of != m.session.Corpus() {
		m.session.StopReading(session.KindPages, session.KindPageLinks)
		*v = corpusView{
			of: m.session.Corpus(), came: v.came,
			tree: treePane{w: v.tree.w, h: v.tree.h, wanted: v.tree.wanted, table: v.tree.table},
			page: pagePane{w: v.page.w, Pager: widget.Pager{Height: v.page.Height}, wanted: v.page.wanted},
		}
	}
	if v.answer.pages == nil || v.answer.of != m.session.Result() {
		v.answer = evidenceOn(m.session.Result())
		v.page.whole.unmark()
	}
	v.tree.tails = m.tails
	m.followTraversal()
	return tea.Batch(m.readPages(), m.readLinks(), m.followPage(), m.followWhole())
}

// readPages reads the next block of pages, if it is wanted.
func (m *Model) readPages() tea.Cmd {
	v := &m.corpusView
	n := len(v.tree.pages.pages)
	if v.reading || v.complete || v.failed != nil || n >= pagesAtOnce && len(v.tree.rows)-v.tree.At > pagesAhead {
		return nil
	}
	v.reading = true
	return m.start(m.session.ReadPages(n, pageBlock))
}

// readLinks reads the links of the next pages, where they can say which pages
// were reached from them.
func (m *Model) readLinks() tea.Cmd {
	v := &m.corpusView
	if v.readingLinks || v.failed != nil || m.session.Corpus().Missing[store.CapLinks] != "" {
		return nil
	}
	ids := v.tree.pages.linksWanted(linkBlock)
	if len(ids) == 0 {
		return nil
	}
	v.readingLinks = true
	return m.start(m.session.ReadPageLinks(ids))
}

// onPages takes a block of pages.
func (m *Model) onPages(d session.Done) tea.Cmd {
	v := &m.corpusView
	v.reading = false
	if d.Err != nil {
		v.failed = d.Err
		return nil
	}
	v.complete = len(d.Pages) < pageBlock
	v.tree.pages.add(d.Pages)
	v.tree.build()
	v.tree.goToWanted()
	return m.readPages()
}

// onPageLinks takes the links of a block of pages.
func (m *Model) onPageLinks(d session.Done) tea.Cmd {
	v := &m.corpusView
	v.readingLinks = false
	if d.Err != nil {
		v.failed = d.Err
		return nil
	}
	v.tree.pages.link(d.PageLinks)
	v.tree.build()
	return m.readLinks()
}

// corpusFailure is what stands in the way of the view, or nil.
func (m *Model) corpusFailure() error {
	v := &m.corpusView
	switch {
	case v.failed != nil:
		return v.failed
	case v.page.err != nil && !errors.Is(v.page.err, context.Canceled):
		return v.page.err
	}
	return v.page.whole.err
}

// retryPages reads again what could not be read.
func (m *Model) retryPages() tea.Cmd {
	v := &m.corpusView
	v.failed, v.page.err, v.page.whole.err = nil, nil, nil
	v.page.due = ""
	return nil // the view is supplied after every message
}

func (m *Model) corpusActions() []view.Action {
	listed := func() (bool, string) { return m.corpusView.tree.selected() != nil, "no page is selected" }
	return []view.Action{
		{
			ID: "pages.table", Title: "Pages: As links or as a table", Short: "table", Help: "List the pages as the tree of the links by which they are reached, or as a table.",
			Keys: []string{"r"}, Contexts: inTree.And(inPage), Footer: 60,
			Run: m.toggleTable,
		},
		{
			ID: "pages.sort", Title: "Pages: Sort by", Short: "sort", Help: "Sort the table of pages by title, depth, tokens, date or address.",
			Keys: []string{"O"}, Contexts: inTree, Footer: 45, Enabled: m.isTable,
			Run: func() tea.Cmd { return m.sortPages(false) },
		},
		{
			ID: "pages.reverse", Title: "Pages: Turn the order round", Short: "turn", Help: "Turn the order of the table of pages round.",
			Keys: []string{"I"}, Contexts: inTree, Enabled: m.isTable,
			Run: func() tea.Cmd { return m.sortPages(true) },
		},
		{
			ID: "pages.fold", Title: "Pages: Fold", Short: "fold", Help: "Fold or unfold the pages that hang from a page.",
			Keys: []string{"space"}, Contexts: inTree, Footer: 30, Enabled: func() (bool, string) {
				return !m.corpusView.tree.table, "pages fold in the tree (r)"
			},
			Run: func() tea.Cmd { m.corpusView.tree.fold(); return nil },
		},
		{
			ID: "pages.unfold", Title: "Pages: Unfold, or open", Help: "Unfold the pages that hang from a page; where they are, open the page.",
			Keys: []string{"right", "l"}, Contexts: inTree, Enabled: listed,
			Run: m.unfoldOrOpen,
		},
		{
			ID: "pages.up", Title: "Pages: Fold, or up", Help: "Fold the pages that hang from a page; where they are, go to the page it hangs from.",
			Keys: []string{"left", "h"}, Contexts: inTree, Enabled: listed,
			Run: func() tea.Cmd { m.corpusView.tree.foldOrUp(); return nil },
		},
		{
			ID: "pages.open", Title: "Pages: Open", Short: "open", Help: "Go to the sections of the page; after an error, try again.",
			Keys: []string{"enter"}, Contexts: inTree, Footer: 80, Enabled: func() (bool, string) {
				if m.corpusFailure() != nil {
					return true, ""
				}
				return listed()
			},
			Run: func() tea.Cmd {
				if m.corpusFailure() != nil {
					return m.retryPages()
				}
				return m.focusOn(panePage)
			},
		},
		{
			ID: "page.read", Title: "Page: Read the section", Short: "read", Help: "Read the selected section in the explorer, or the whole page here; after an error, try again.",
			Keys: []string{"enter", "right", "l"}, Contexts: inPage, Footer: 80,
			Run: m.enterPageRow,
		},
		{
			ID: "page.back", Title: "Page: Back to the pages", Help: "Back to the list of pages.",
			Keys: []string{"left", "h"}, Contexts: inPage,
			Run: func() tea.Cmd { return m.focusOn(paneTree) },
		},
		{
			ID: "page.whole", Title: "Page: Whole or in parts", Short: "whole page", Help: "Read the whole page, or see its sections.",
			Keys: []string{"m"}, Contexts: inTree.And(inPage), Footer: 70, Enabled: listed,
			Run: m.toggleWhole,
		},
		{
			ID: "page.browse", Title: "Page: Open its address", Short: "browse", Help: "Open the selected page's address in the browser.", Outside: true,
			Keys: []string{"o"}, Contexts: inTree.And(inPage), Footer: 20, Enabled: m.canBrowse,
			Run: func() tea.Cmd { return openURLCmd(m.opts.OpenURL, m.corpusView.tree.selected().URL) },
		},
		{
			ID: "pages.traversal", Title: "Pages: Traversal", Short: "traversal", Help: "Show which pages the query reached, and by which links.",
			Keys: []string{"T"}, Contexts: inTree.And(inPage), Footer: 50,
			Run: m.showTraversal,
		},
	}
}

func (m *Model) isTable() (bool, string) {
	return m.corpusView.tree.table, "the tree has the order of the links; {pages.table} shows the table"
}

func (m *Model) canBrowse() (bool, string) {
	p := m.corpusView.tree.selected()
	switch {
	case p == nil:
		return false, "no page is selected"
	case m.opts.OpenURL == nil:
		return false, "no program to open addresses with"
	case !isWebURL(p.URL):
		return false, "the page has no web address"
	}
	return true, ""
}

func (m *Model) toggleTable() tea.Cmd {
	t := &m.corpusView.tree
	t.table = !t.table
	t.build()
	return nil
}

// sortPages sorts by the next column, or turns the order round.
func (m *Model) sortPages(turn bool) tea.Cmd {
	t := &m.corpusView.tree
	if turn {
		t.reversed = !t.reversed
	} else {
		t.order, t.reversed = (t.order+1)%orderCount, false
		t.At = 0
	}
	t.build()
	return nil
}

func (m *Model) unfoldOrOpen() tea.Cmd {
	t := &m.corpusView.tree
	if t.pages.Folded(t.rows[t.At].Node) && !t.table {
		t.fold()
		return nil
	}
	return m.focusOn(panePage)
}

// toggleWhole changes between the whole page and its parts.
func (m *Model) toggleWhole() tea.Cmd {
	p := &m.corpusView.page
	p.asWhole = !p.asWhole
	if p.asWhole {
		p.whole.goTo(place{section: max(0, p.cursor)})
	} else {
		m.goToSection(p.whole.at.section)
	}
	return m.focusOn(panePage)
}
