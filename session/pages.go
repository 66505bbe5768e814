package session

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/webrag/webrag-tui/store"
)

// PageReader reads pages as the view of the corpus shows them. It is called from
// several goroutines.
type PageReader interface {
	// Pages returns at most n pages, leaving out the first from of them, by depth
	// and then address. Fewer than n are the last.
	Pages(ctx context.Context, from, n int) ([]PageEntry, error)
	// PageLinks returns for each of the pages which addresses it links to, as
	// [store.PageKey] has them, each once and in the order of the page.
	PageLinks(ctx context.Context, ids []string) ([][]string, error)
	// Page returns a page with its sections, without their texts. It fails for a
	// page that is not in the corpus.
	Page(ctx context.Context, id string) (*PageContent, error)
	// SectionTexts returns the sections that exist with their markdown, in no
	// particular order.
	SectionTexts(ctx context.Context, ids []string) ([]store.Chunk, error)
}

// PageEntry is a page as it is listed.
type PageEntry struct {
	ID, URL, Title, Language string
	// Description is the beginning of the page's own, at most [describedBy] runes.
	Description string
	// Keys are the addresses that lead to the page, as [store.PageKey] has them.
	Keys []string
	// Status is the HTTP status of the fetch, 0 when there was none.
	Depth, Sections, Tokens, Status int
	Fetched                         time.Time
}

// describedBy is how much of a description is kept of each page.
const describedBy = 120

// PageContent is a page with what indexing made of it.
type PageContent struct {
	Document store.Document
	// Sections are its parents in order, and Children those of each of them, both
	// without texts.
	Sections []store.Chunk
	Children [][]store.Chunk
}

// Length is how far the sections reach, in code points of the page's markdown.
func (c *PageContent) Length() int {
	n := 0
	for i := range c.Sections {
		n = max(n, c.Sections[i].CharEnd)
	}
	return n
}

func (r reader) Pages(ctx context.Context, from, n int) (pages []PageEntry, err error) {
	err = r.view(ctx, func(v store.View) error {
		found, err := v.Documents(ctx, store.Scope{}, store.Page{Offset: from, Limit: n})
		for i := range found {
			pages = append(pages, entryOf(&found[i]))
		}
		return err
	})
	return pages, err
}

func entryOf(d *store.Document) PageEntry {
	e := PageEntry{
		ID: d.ID, URL: d.SourceURL, Title: d.Title, Language: d.Language, Depth: d.Depth,
		Sections: d.ParentCount, Tokens: d.TokenCount, Status: d.StatusCode, Fetched: d.FetchedAt,
	}
	if r := []rune(d.Description); len(r) > describedBy {
		e.Description = string(r[:describedBy])
	} else {
		e.Description = d.Description
	}
	for _, address := range append([]string{d.SourceURL, d.URL}, d.URLAliases...) {
		if key := store.PageKey(address); address != "" && !slices.Contains(e.Keys, key) {
			e.Keys = append(e.Keys, key)
		}
	}
	return e
}

func (r reader) PageLinks(ctx context.Context, ids []string) (keys [][]string, err error) {
	keys = make([][]string, len(ids))
	err = r.view(ctx, func(v store.View) error {
		for i, id := range ids {
			links, err := v.Links(ctx, id)
			if err != nil {
				return err
			}
			seen := map[string]bool{}
			for _, l := range links {
				if key := store.PageKey(l.TargetURL); !seen[key] {
					seen[key] = true
					keys[i] = append(keys[i], key)
				}
			}
		}
		return nil
	})
	return keys, err
}

func (r reader) Page(ctx context.Context, id string) (*PageContent, error) {
	c := &PageContent{}
	err := r.view(ctx, func(v store.View) error {
		scope := store.Scope{DocumentIDs: []string{id}}
		found, err := v.Documents(ctx, scope, store.Page{Limit: 1})
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return fmt.Errorf("page %s is no longer in the corpus", id)
		}
		c.Document = found[0]
		if c.Sections, err = v.Parents(ctx, scope, 0, store.Page{}); err != nil {
			return err
		}
		ids, at := make([]string, len(c.Sections)), make(map[string]int, len(c.Sections))
		for i := range c.Sections {
			ids[i], at[c.Sections[i].ID] = c.Sections[i].ID, i
		}
		children, err := v.Children(ctx, ids, 0)
		if err != nil {
			return err
		}
		c.Children = make([][]store.Chunk, len(c.Sections))
		for _, child := range children {
			if i, ok := at[child.ParentID]; ok {
				c.Children[i] = append(c.Children[i], child)
			}
		}
		for i := range c.Children {
			slices.SortStableFunc(c.Children[i], func(a, b store.Chunk) int { return cmp.Compare(a.CharStart, b.CharStart) })
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}

func (r reader) SectionTexts(ctx context.Context, ids []string) (sections []store.Chunk, err error) {
	err = r.view(ctx, func(v store.View) error {
		sections, err = v.Chunks(ctx, ids, store.FieldText)
		return err
	})
	return sections, err
}
