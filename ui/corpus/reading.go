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

// pagesRead brings a block of pages, linksRead the links of one.
type (
	pagesRead struct {
		v     *View
		gen   int
		pages []session.PageEntry
		err   error
	}
	linksRead struct {
		v     *View
		gen   int
		links [][]string
		err   error
	}
)

// lacks is why the corpus lacks a capability, empty where it has it.
func (v *View) lacks(c store.Capability) string {
	if corpus := v.needs.Corpus(); corpus != nil {
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
	ctx, gen := v.listing.Begin(v.Context())
	r := v.needs.Corpus().Reader
	return func() tea.Msg {
		pages, err := r.Pages(ctx, n, pageBlock)
		return pagesRead{v: v, gen: gen, pages: pages, err: err}
	}
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
	ctx, gen := v.linking.Begin(v.Context())
	r := v.needs.Corpus().Reader
	return func() tea.Msg {
		links, err := r.PageLinks(ctx, ids)
		return linksRead{v: v, gen: gen, links: links, err: err}
	}
}

// Apply implements [view.Arrival].
func (msg pagesRead) Apply() tea.Cmd {
	v := msg.v
	if msg.gen != v.listing.Gen {
		return nil
	}
	v.reading = false
	if msg.err != nil {
		v.failed = msg.err
		return nil
	}
	v.complete = len(msg.pages) < pageBlock
	v.tree.pages.add(msg.pages)
	v.tree.build()
	v.tree.goToWanted()
	return v.readPages()
}

// Apply implements [view.Arrival].
func (msg linksRead) Apply() tea.Cmd {
	v := msg.v
	if msg.gen != v.linking.Gen {
		return nil
	}
	v.readingLinks = false
	if msg.err != nil {
		v.failed = msg.err
		return nil
	}
	v.tree.pages.link(msg.links)
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
	return nil // the view is supplied after every message
}
