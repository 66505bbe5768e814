package storetest

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/webrag/webrag-tui/store"
)

// scoreTolerance is how far a similarity may be from the oracle's, and tieGap
// the gap below which two rows may change places.
const (
	scoreTolerance = 1e-6
	tieGap         = 2e-6
)

func vectorTests() []test {
	tests := []test{
		{"an empty corpus finds nothing", emptyCorpus},
		{"one row", oneRow},
		{"exact ties come by id, at any limit", exactTies},
		{"scopes", vectorScopes},
		{"a vector of another dimension is refused", wrongDimension},
		{"a query that is no direction is refused", badQueries},
		{"children without vector and parents are not found", withoutVector},
	}
	for _, dims := range []int{1, 3, 770} {
		tests = append(tests, test{fmt.Sprintf("%d dimensions", dims), func(c *corpus) { randomSearch(c, dims) }})
	}
	return tests
}

func emptyCorpus(c *corpus) {
	found := c.search(store.Search{Vector: unit(1, 2), VectorRows: 5, Terms: []string{"tree"}, KeywordRows: 5})
	if len(found.Vector)+len(found.Keyword)+found.KeywordRows != 0 {
		c.Errorf("found %+v in an empty corpus", found)
	}
	c.fill(2)
	if found = c.search(store.Search{Vector: unit(1, 2), VectorRows: 5}); len(found.Vector) != 0 {
		c.Errorf("found %+v in a corpus without documents", found)
	}
	c.read(func(v store.View) {
		if st, err := v.Stats(c.ctx, store.Scope{}); err != nil || st != (store.Stats{}) {
			c.Errorf("Stats = %+v, %v", st, err)
		}
		if docs, err := v.Documents(c.ctx, store.Scope{}, store.Page{}); err != nil || len(docs) != 0 {
			c.Errorf("Documents = %v, %v", docs, err)
		}
	})
}

func oneRow(c *corpus) {
	c.fill(2, page("https://example.org/one", []passage{{"trees", unit(3, 4)}}))
	c.checkNearest(unit(1, 0), 10, store.Scope{})
}

func randomSearch(c *corpus, dims int) {
	r := rand.New(rand.NewPCG(1, uint64(dims)))
	c.fill(dims, randomPages(r, 30, dims)...)
	for range 5 {
		q := randomUnit(r, dims)
		for _, k := range []int{1, 7, 149, 10_000} {
			c.checkNearest(q, k, store.Scope{})
		}
	}
}

// exactTies plants the same vector many times: with a limit in the midst of the
// ties, the smallest ids are the ones to return.
func exactTies(c *corpus) {
	r := rand.New(rand.NewPCG(2, 3))
	pages := randomPages(r, 40, 16)
	same := randomUnit(r, 16)
	for i := range pages {
		for j := range pages[i].Chunks {
			if ch := &pages[i].Chunks[j]; ch.Embedding != nil && j%2 == 0 {
				ch.Embedding = same
			}
		}
	}
	c.fill(16, pages...)
	for _, q := range [][]float32{same, randomUnit(r, 16)} {
		for _, k := range []int{1, 2, 10, 33, 60, 100, 200} {
			c.checkNearest(q, k, store.Scope{})
		}
	}
}

func vectorScopes(c *corpus) {
	r := rand.New(rand.NewPCG(4, 5))
	pages := randomPages(r, 25, 8)
	c.fill(8, pages...)
	for _, scope := range c.someScopes(r, pages) {
		c.checkNearest(randomUnit(r, 8), 20, scope)
	}
}

// someScopes returns scopes of every kind and combination, the empty result
// among them.
func (c *corpus) someScopes(r *rand.Rand, pages []store.Bundle) []store.Scope {
	some := func(n int) (urls, ids []string) {
		for _, i := range r.Perm(len(pages))[:n] {
			urls = append(urls, pages[i].Document.SourceURL)
			ids = append(ids, pages[i].Document.ID)
		}
		return urls, ids
	}
	urls, _ := some(9)
	_, ids := some(12)
	_, without := some(5)
	_, most := some(len(pages) - 1)
	return []store.Scope{
		{SourceURLs: urls},
		{DocumentIDs: ids},
		{ExcludeDocumentIDs: without},
		{SourceURLs: urls, DocumentIDs: ids},
		{SourceURLs: urls, DocumentIDs: ids, ExcludeDocumentIDs: without},
		{DocumentIDs: most},
		{DocumentIDs: ids[:1]},
		{DocumentIDs: []string{ID("no such document")}},
		{DocumentIDs: []string{"not an id"}},
		{SourceURLs: []string{""}},
		{SourceURLs: []string{}},
		{DocumentIDs: []string{}},
		{ExcludeDocumentIDs: []string{}},
		{ExcludeDocumentIDs: []string{"not an id"}},
	}
}

// checkNearest compares a vector search with the oracle.
func (c *corpus) checkNearest(q []float32, k int, scope store.Scope) {
	c.Helper()
	found := c.search(store.Search{Scope: scope, Vector: q, VectorRows: k})
	c.compareVectors(found, c.want.nearest(q, scope, ""), k)
}

func (c *corpus) compareVectors(found store.Found, all []store.VectorRow, k int) {
	c.Helper()
	if want := min(k, len(all)); len(found.Vector) != want || found.VectorReturned != want {
		c.Fatalf("%d rows, VectorReturned = %d, want %d", len(found.Vector), found.VectorReturned, want)
	}
	if found.Exact && found.VectorScanned != len(all) {
		c.Errorf("VectorScanned = %d, want %d", found.VectorScanned, len(all))
	}
	similarity := make(map[string]store.VectorRow, len(all))
	for _, row := range all {
		similarity[row.ID] = row
	}
	for i, got := range found.Vector {
		want := all[i]
		if math.Abs(got.Similarity-want.Similarity) > scoreTolerance {
			c.Fatalf("row %d has similarity %.9f, want %.9f", i, got.Similarity, want.Similarity)
		}
		own, ok := similarity[got.ID]
		if !ok || own.ParentID != got.ParentID || own.DocumentID != got.DocumentID {
			c.Fatalf("row %d is %+v, want %+v", i, got, own)
		}
		gap := math.Abs(own.Similarity - want.Similarity)
		if got.ID != want.ID && (gap > tieGap || gap == 0) {
			c.Fatalf("row %d is %s (%.9f), want %s (%.9f)", i, got.ID, own.Similarity, want.ID, want.Similarity)
		}
	}
}

func wrongDimension(c *corpus) {
	c.fill(3, page("https://example.org/a", []passage{{"trees", unit(1, 2, 3)}}))
	c.read(func(v store.View) {
		_, err := v.Search(c.ctx, store.Search{Vector: unit(1, 2), VectorRows: 1})
		var mismatch *store.MismatchError
		if !errors.As(err, &mismatch) || mismatch.HaveDims != 3 || mismatch.WantDims != 2 || mismatch.Have != "test-embedder" {
			c.Errorf("Search with 2 dimensions: %v, want a MismatchError", err)
		}
	})
	c.write(func(w store.Writer) {
		_, err := w.Put(c.ctx, page("https://example.org/b", []passage{{"trees", unit(1, 2)}}))
		var mismatch *store.MismatchError
		if !errors.As(err, &mismatch) || mismatch.HaveDims != 3 || mismatch.WantDims != 2 {
			c.Errorf("Put with 2 dimensions: %v, want a MismatchError", err)
		}
	})
	c.checkNearest(unit(1, 0, 0), 5, store.Scope{})
}

// noDirections are vectors whose cosine with anything means nothing.
func noDirections() map[string][]float32 {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	return map[string][]float32{
		"zero": {0, 0}, "NaN": {nan, 1}, "infinite": {inf, 0}, "too long": {3, 4}, "too short": {0.1, 0},
	}
}

func badQueries(c *corpus) {
	c.fill(2, page("https://example.org/a", []passage{{"trees", unit(1, 2)}}))
	c.read(func(v store.View) {
		for name, q := range noDirections() {
			if found, err := v.Search(c.ctx, store.Search{Vector: q, VectorRows: 3}); err == nil {
				c.Errorf("a query that is %s found %+v", name, found.Vector)
			}
		}
	})
	c.checkNearest(unit(1, 0), 5, store.Scope{})
}

func withoutVector(c *corpus) {
	c.fill(2,
		page("https://example.org/a", []passage{{"trees", nil}, {"leaves", unit(1, 1)}, {"***", nil}, {"roots", unit(0, 1)}}),
		page("https://example.org/b", []passage{{"---", nil}}))
	c.checkNearest(unit(1, 0), 10, store.Scope{})
	c.read(func(v store.View) {
		chunks, err := v.Chunks(c.ctx, []string{ID("https://example.org/a child aa"), ID("https://example.org/a child ad")}, store.FieldEmbedding)
		if err != nil || len(chunks) != 2 {
			c.Fatalf("Chunks = %v, %v", chunks, err)
		}
		for _, ch := range chunks {
			if want := ch.ID == ID("https://example.org/a child ad"); (ch.Embedding != nil) != want {
				c.Errorf("chunk %s has the vector %v", ch.ID, ch.Embedding)
			}
		}
	})
}
