package corpus

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
)

const (
	// pageBlock is how many pages are read at once, linkBlock of how many the links.
	pageBlock, linkBlock = 500, 100
	// pagesAtOnce is how many pages are read unasked; after them the next block
	// is read when the cursor is pagesAhead from the end.
	pagesAtOnce, pagesAhead = 4000, 200
)

// Take implements [view.Taker].
func (v *View) Take(d session.Done) tea.Cmd {
	switch d.Kind {
	case session.KindPages:
		return v.takePages(d)
	case session.KindPageLinks:
		return v.takeLinks(d)
	case session.KindPage:
		return pagePane{v}.take(d)
	case session.KindPageTexts:
		return pagePane{v}.takeTexts(d)
	}
	return nil
}

// lacks is why the corpus lacks a capability, empty where it has it.
func (v *View) lacks(c store.Capability) string {
	if corpus := v.Session().Corpus(); corpus != nil {
		return corpus.Missing[c]
	}
	return ""
}

// readPages reads the next block of pages, if it is wanted.
func (v *View) readPages() tea.Cmd {
	n := len(v.tree.pages.pages)
	if v.reading || v.complete || v.failed != nil || n >= pagesAtOnce && len(v.tree.rows)-v.tree.At > pagesAhead {
		return nil
	}
	v.reading = true
	return v.Begin(v.Session().ReadPages(n, pageBlock))
}

// readLinks reads the links of the next pages, where they can say which pages
// were reached from them.
func (v *View) readLinks() tea.Cmd {
	if v.readingLinks || v.failed != nil || v.lacks(store.CapLinks) != "" {
		return nil
	}
	ids := v.tree.pages.linksWanted(linkBlock)
	if len(ids) == 0 {
		return nil
	}
	v.readingLinks = true
	return v.Begin(v.Session().ReadPageLinks(ids))
}

// takePages takes a block of pages.
func (v *View) takePages(d session.Done) tea.Cmd {
	v.reading = false
	if d.Err != nil {
		v.failed = d.Err
		return nil
	}
	v.complete = len(d.Pages) < pageBlock
	v.tree.pages.add(d.Pages)
	v.tree.build()
	v.tree.goToWanted()
	return v.readPages()
}

// takeLinks takes the links of a block of pages.
func (v *View) takeLinks(d session.Done) tea.Cmd {
	v.readingLinks = false
	if d.Err != nil {
		v.failed = d.Err
		return nil
	}
	v.tree.pages.link(d.PageLinks)
	v.tree.build()
	return v.readLinks()
}

// failure is what stands in the way of the view, or nil.
func (v *View) failure() error {
	switch {
	case v.failed != nil:
		return v.failed
	case v.page.err != nil && !errors.Is(v.page.err, context.Canceled):
		return v.page.err
	}
	return v.page.whole.err
}

// retryPages reads again what could not be read.
func (v *View) retryPages() tea.Cmd {
	v.failed, v.page.err, v.page.whole.err = nil, nil, nil
	v.page.due = ""
	return nil // Follow reads, as long as the view is shown
}
