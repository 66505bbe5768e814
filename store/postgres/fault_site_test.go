package postgres

import (
	"context"
	"fmt"
	"hash/fnv"
	"iter"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/sqlite"
	"github.com/webrag/webrag-tui/store/transfer"
)

// sitePages is how many pages the site of the tests of faults has.
const sitePages = 5

// siteURL is the address of a page, from 0.
func siteURL(page int) string { return fmt.Sprintf("https://site.example/%d.md", page) }

// siteEdition is the site as it was at a time: from one edition to the next each
// page keeps a section, changes one, loses one and gains one, and its link leads
// to another page.
func siteEdition(edition int) []source.NormalizedDocument {
	pages := make([]source.NormalizedDocument, sitePages)
	for i := range pages {
		pages[i] = source.NormalizedDocument{
			URL: siteURL(i), SourceURL: siteURL(i), DocType: "markdown", Title: fmt.Sprint("Page ", i),
			FetchedAt: time.Date(2026, 1, edition, 0, 0, 0, 0, time.UTC),
			Markdown: fmt.Sprintf(`# Page %[1]d

Page %[1]d is about trees that are split.

## Changed

In edition %[2]d of page %[1]d this reads otherwise. See [the next](%[3]s#kept).

## Only %[2]d

What edition %[2]d alone says on page %[1]d about leaves.

## Kept

What page %[1]d says about roots in every edition.
`, i, edition, siteURL((i+edition)%sitePages)),
		}
	}
	return pages
}

// each yields pages, and calls before, if it is not nil, with the number of each.
func each(pages []source.NormalizedDocument, before func(page int)) iter.Seq2[source.NormalizedDocument, error] {
	return func(yield func(source.NormalizedDocument, error) bool) {
		for i := range pages {
			if before != nil {
				before(i)
			}
			if !yield(pages[i], nil) {
				return
			}
		}
	}
}

// siteOptions are those of every run: nothing in a corpus depends on when it was
// made.
func siteOptions(t testing.TB) indexing.Options {
	t.Helper()
	tokenizer, err := embedder.NewTokenizer(embedder.TokenizerApprox)
	if err != nil {
		t.Fatal(err)
	}
	return indexing.Options{
		Embedder: wordVectors{dims: 8}, Tokenizer: tokenizer, Workers: 1,
		Now: func() time.Time { return time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC) },
	}
}

// indexSite indexes an edition into a corpus.
func indexSite(t testing.TB, s store.Store, edition int) (indexing.Report, error) {
	t.Helper()
	return indexing.Run(t.Context(), s, each(siteEdition(edition), nil), siteOptions(t))
}

func mustIndexSite(t testing.TB, s store.Store, edition int) {
	t.Helper()
	report, err := indexSite(t, s, edition)
	if err != nil || len(report.Failed) > 0 {
		t.Fatalf("edition %d: %+v, %v", edition, report, err)
	}
}

// inFile is the corpus of an edition in a file, after those before it.
func inFile(t testing.TB, editions ...int) store.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "corpus.db"), sqlite.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	for _, edition := range editions {
		mustIndexSite(t, s, edition)
	}
	return s
}

// sameCorpus fails unless both hold the same pages and nothing else.
func sameCorpus(t testing.TB, want, got store.Store) {
	t.Helper()
	if err := transfer.Verify(t.Context(), want, got, transfer.Options{}); err != nil {
		t.Errorf("the corpus is not that of a run without faults: %v", err)
	}
	if err := transfer.Verify(t.Context(), got, want, transfer.Options{}); err != nil {
		t.Errorf("the corpus is more than that of a run without faults: %v", err)
	}
}

// wordVectors makes vectors of the words of a text. One that says "unknown" is of
// words that it does not know.
type wordVectors struct{ dims int }

func (e wordVectors) Info() embedder.Info {
	id := fmt.Sprintf("words/%d", e.dims)
	return embedder.Info{ID: id, Model: id, Dims: e.dims, Tokenizer: embedder.TokenizerApprox, InProcess: true}
}

func (e wordVectors) EmbedMany(_ context.Context, texts []string, _ embedder.Role) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		vectors[i] = e.vector(text)
	}
	return vectors, nil
}

func (e wordVectors) EmbedOne(_ context.Context, text string, _ embedder.Role) ([]float32, error) {
	return e.vector(text), nil
}

func (e wordVectors) vector(text string) []float32 {
	v := make([]float32, e.dims)
	words := strings.Fields(strings.ToLower(text))
	for _, word := range words {
		if word == "unknown" {
			return make([]float32, e.dims)
		}
		h := fnv.New32a()
		_, _ = h.Write([]byte(word)) // it never fails
		v[h.Sum32()%uint32(e.dims)]++
	}
	return normalised(v)
}
