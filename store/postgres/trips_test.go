package postgres_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres"
	"github.com/webrag/webrag-tui/store/postgres/internal/db"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
	"github.com/webrag/webrag-tui/store/storetest"
)

// A query costs a bounded number of round trips, however much it finds: over a
// network they are what it waits for. The first query of a version counts what
// later ones know.
func TestRoundTripsOfAQuery(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Database(t)
	w, err := open(t, dsn, postgres.Options{Create: true}).Write(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := w.SetMeta(t.Context(), store.Meta{EmbedderID: "given", Dimensions: 3}); err != nil {
		t.Fatal(err)
	}
	var urls []string
	for n := range 30 {
		b := tripPage(n)
		urls = append(urls, b.Document.SourceURL)
		if _, err := w.Put(t.Context(), b); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var sent recorder
	s := open(t, dsn, postgres.Options{Conn: db.Options{Tracer: &sent}})
	deps := retrieval.Deps{Store: s, Embedder: &given{id: "given", vector: []float32{1, 0, 0}}}
	for _, c := range []struct {
		preset       string
		policy       param.SearchPolicy
		scope        store.Scope
		first, later int
	}{
		// Three views, of which each begins, reads what the corpus is, and ends; then
		// the counts, the search, the numbers of what it found, all sections of a
		// corpus of few, and the texts and pages of what is shown.
		{param.PresetWebRAG, param.PolicySafe, store.Scope{}, 17, 14},
		// The near misses are a search of their own, the settings a statement.
		{param.PresetWebRAG, param.PolicySystem, store.Scope{}, 16, 16},
		// The documents at the addresses are looked up where they are searched.
		{param.PresetWebRAG, param.PolicySafe, store.Scope{SourceURLs: urls[:10]}, 16, 15},
		// The keyword arm has a connection of its own: three statements make it, and of
		// the others those between the shared snapshot and its end run at once with
		// the vector arm's.
		{param.PresetHybrid, param.PolicySafe, store.Scope{}, 24, 20},
		{param.PresetGraph, param.PolicySafe, store.Scope{}, 26, 26},
		{param.PresetTopK, param.PolicySafe, store.Scope{}, 14, 14},
	} {
		p, _ := param.Preset(c.preset)
		p.SearchPolicy = c.policy
		if c.preset == param.PresetWebRAG {
			p.Mode = param.ModeChunk
		}
		for i, most := range []int{c.first, c.later} {
			sent.take()
			r, err := retrieval.Retrieve(t.Context(), deps, retrieval.Query{Text: "apple pear", Scope: c.scope}, p, retrieval.Options{Trace: true})
			if err != nil || len(r.Items) == 0 {
				t.Fatalf("%s: %d items, %v", c.preset, len(r.Items), err)
			}
			trips := sent.take()
			if len(trips) > most {
				t.Errorf("%s, %s, query %d: %d round trips, want at most %d:\n%s", c.preset, c.policy, i+1, len(trips), most, listed(trips))
			}
		}
	}
}

// listed shows round trips, one in a line.
func listed(trips []trip) string {
	var b strings.Builder
	for _, t := range trips {
		for i, s := range t {
			if i > 0 {
				b.WriteString(" || ")
			}
			sql := strings.Join(strings.Fields(s.sql), " ")
			b.WriteString(sql[:min(len(sql), 120)])
		}
		b.WriteString("\n")
	}
	return b.String()
}

// tripPage is a page with a section of three passages that links to the next page.
func tripPage(n int) store.Bundle {
	url := benchURL(n)
	d := store.Document{ID: storetest.ID(url), URL: url, SourceURL: url, Title: "Page", CurrentIngestionID: storetest.ID(url + "i"), DerivedHash: url}
	section := store.Chunk{ID: storetest.ID(url + "s"), DocumentID: d.ID, Level: store.Parent, ChunkText: "apple pear plum", CharEnd: 15, TokenEnd: 3}
	b := store.Bundle{Document: d, Chunks: []store.Chunk{section}}
	for i, word := range strings.Fields(section.ChunkText) {
		b.Chunks = append(b.Chunks, store.Chunk{
			ID: storetest.ID(url + word), DocumentID: d.ID, ParentID: section.ID, Level: store.Child, Index: i, ChunkText: word, Terms: word,
			EmbedHash: storetest.ID(word), Embedding: []float32{0.8, 0.6, 0}, CharEnd: 5, TokenEnd: 1,
		})
	}
	b.Links = []store.Link{{ChunkID: section.ID, TargetURL: benchURL(n + 1)}}
	return b
}

var _ embedder.Embedder = (*given)(nil)

// A document is written in as many round trips whether it has few chunks or many.
func TestRoundTripsOfAPut(t *testing.T) {
	t.Parallel()
	var sent recorder
	w, err := open(t, pgtest.Database(t), postgres.Options{Create: true, Conn: db.Options{Tracer: &sent}}).Write(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	if err := w.SetMeta(t.Context(), store.Meta{EmbedderID: "given", Dimensions: 3}); err != nil {
		t.Fatal(err)
	}
	put := func(n, more int) int {
		b := tripPage(n)
		child := b.Chunks[1]
		for i := range more {
			child.ID, child.Index = storetest.ID(fmt.Sprint(n, "-", i)), len(b.Chunks)
			child.ChunkText, child.Terms = fmt.Sprint("word", i), fmt.Sprint("word", i)
			b.Chunks = append(b.Chunks, child)
		}
		sent.take()
		if _, err := w.Put(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		return len(sent.take())
	}
	put(1, 0) // prepares statements
	if few, many := put(2, 1), put(3, 400); many != few {
		t.Errorf("%d round trips for a few chunks, %d for 400 more", few, many)
	}
}
