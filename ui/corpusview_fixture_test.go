package ui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
)

// The pages of the fake corpus: those of its answers and some that no query
// reaches, with links that go round in a circle.
func (f *fakeCorpus) pages() []session.PageEntry {
	if f.entries != nil {
		return f.entries
	}
	var pages []session.PageEntry
	for _, it := range guideItems() {
		at := slices.IndexFunc(pages, func(p session.PageEntry) bool { return p.ID == it.DocumentID })
		if at < 0 {
			at = len(pages)
			pages = append(pages, session.PageEntry{
				ID: it.DocumentID, URL: it.SourceURL, Title: it.Title, Depth: it.Depth, Language: "en", Status: 200,
				Keys: []string{store.PageKey(it.SourceURL)}, Fetched: time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC),
			})
		}
		pages[at].Sections++
		pages[at].Tokens += it.Tokens()
	}
	for _, name := range []string{"crawling", "ranking/ties"} {
		pages = append(pages, session.PageEntry{
			ID: guideURL + name, URL: guideURL + name, Title: "About " + name, Depth: 2, Tokens: 120, Sections: 1,
			Keys: []string{store.PageKey(guideURL + name)}, Description: "What the guide says of it.",
		})
	}
	slices.SortFunc(pages, func(a, b session.PageEntry) int {
		if a.Depth != b.Depth {
			return a.Depth - b.Depth
		}
		return strings.Compare(a.URL, b.URL)
	})
	return pages
}

func (f *fakeCorpus) Pages(_ context.Context, from, n int) ([]session.PageEntry, error) {
	if f.pagesErr != nil {
		return nil, f.pagesErr
	}
	all := f.pages()
	return all[min(from, len(all)):min(from+n, len(all))], nil
}

func (f *fakeCorpus) PageLinks(_ context.Context, ids []string) ([][]string, error) {
	next := map[string][]string{
		guideURL + "scores":  {"ranking", "scores", "crawling"},
		guideURL + "ranking": {"scores", "tuning", "ranking"},
		guideURL + "tuning":  {"ranking"},
	}
	links := make([][]string, len(ids))
	for i, id := range ids {
		for _, name := range next[id] {
			links[i] = append(links[i], store.PageKey(guideURL+name))
		}
	}
	return links, nil
}

func (f *fakeCorpus) Page(_ context.Context, id string) (*session.PageContent, error) {
	if f.pageErr != nil {
		return nil, f.pageErr
	}
	pages := f.pages()
	at := slices.IndexFunc(pages, func(p session.PageEntry) bool { return p.ID == id })
	if at < 0 {
		return nil, fmt.Errorf("page %s is no longer in the corpus", id)
	}
	e := pages[at]
	c := &session.PageContent{Document: store.Document{
		ID: id, SourceURL: e.URL, Title: e.Title, Depth: e.Depth, Description: e.Description, FetchedAt: e.Fetched,
		Language: e.Language, DocType: "html", Tags: []string{"guide", hostile}, Metadata: map[string]string{"module": "ranking"},
	}}
	for _, it := range guideItems() {
		if it.DocumentID != id {
			continue
		}
		s := store.Chunk{
			ID: it.ChunkID, DocumentID: id, SourceURL: e.URL, Title: it.Title, HeadingPath: it.HeadingPath, Index: len(c.Sections),
			CharStart: it.CharStart, CharEnd: it.CharEnd, TokenStart: it.TokenStart, TokenEnd: it.TokenEnd, Flags: it.Flags,
		}
		var children []store.Chunk
		for i, m := range it.Matches {
			children = append(children, store.Chunk{ID: m.ChunkID, ParentID: s.ID, Index: i, CharStart: m.CharStart, CharEnd: m.CharEnd, Flags: it.Flags})
		}
		c.Sections, c.Children = append(c.Sections, s), append(c.Children, children)
	}
	if len(c.Sections) == 0 && f.entries == nil {
		c.Sections = []store.Chunk{{ID: id + "#0", DocumentID: id, SourceURL: e.URL, Title: e.Title, CharStart: 100, CharEnd: 155, TokenEnd: 12}}
		c.Children = make([][]store.Chunk, 1)
	}
	if f.longPage > 0 {
		c.Sections, c.Children = longPage(id, f.longPage)
	}
	return c, nil
}

// longText is a section of about 4 KB.
func longText(i int) string {
	return fmt.Sprintf("## Part %d\n\n", i) + strings.Repeat("Some *words* of a long page, with `code` and a [link](https://a.example/), that go on. ", 46) + "\n\n- one\n- two\n"
}

// longPage are the sections of a page of so many bytes, with three children each.
func longPage(id string, size int) (sections []store.Chunk, children [][]store.Chunk) {
	at := 0
	for i := 0; at < size; i++ {
		n := len(longText(i))
		s := store.Chunk{ID: fmt.Sprintf("%s#%d", id, i), DocumentID: id, Index: i, HeadingPath: []string{fmt.Sprintf("Part %d", i)}, CharStart: at, CharEnd: at + n, TokenStart: at / 4, TokenEnd: (at + n) / 4}
		var of []store.Chunk
		for j := range 3 {
			of = append(of, store.Chunk{ID: fmt.Sprintf("%s.%d", s.ID, j), ParentID: s.ID, CharStart: at + j*n/3, CharEnd: at + (j+1)*n/3})
		}
		sections, children = append(sections, s), append(children, of)
		at += n
	}
	return sections, children
}

func (f *fakeCorpus) SectionTexts(_ context.Context, ids []string) ([]store.Chunk, error) {
	if f.textsErr != nil {
		return nil, f.textsErr
	}
	var found []store.Chunk
	for _, it := range guideItems() {
		if slices.Contains(ids, it.ChunkID) {
			found = append(found, store.Chunk{
				ID: it.ChunkID, SourceURL: it.SourceURL, Title: it.Title, HeadingPath: it.HeadingPath,
				CharStart: it.CharStart, CharEnd: it.CharEnd, ChunkText: it.ChunkText,
			})
		}
	}
	for _, id := range ids {
		if _, n, ok := strings.Cut(id, "#"); ok {
			var i int
			_, _ = fmt.Sscan(n, &i)
			found = append(found, store.Chunk{ID: id, ChunkText: longText(i)})
		}
	}
	return found, nil
}
