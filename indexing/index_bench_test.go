//go:build unix

package indexing_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/store/sqlite"
)

// Budgets, as multiples of parsing and tokenising the same pages.
const (
	deriveBudget = 1.5
	storeBudget  = 2.5
)

// cpu is the processor time of this process so far, of all its threads: the
// workers of a run must not make it look cheaper than it is.
func cpu(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// benchPages are every twelfth of the real pages, or the guide's pages where
// those are not unpacked.
func benchPages(b *testing.B, d *indexing.Deriver) []source.NormalizedDocument {
	b.Helper()
	root := os.Getenv("WEBRAG_CORPORA")
	folders, step := []string{"../docs/guide", "../testdata"}, 1
	if root != "" {
		folders, step = nil, 12
		for _, folder := range realPages {
			folders = append(folders, filepath.Join(root, folder))
		}
	} else {
		b.Log("WEBRAG_CORPORA is not set: measured on the guide's few small pages")
	}
	var pages []source.NormalizedDocument
	for _, folder := range folders {
		set, err := source.Scan(b.Context(), []string{folder}, source.Options{})
		if err != nil {
			b.Fatal(err)
		}
		n := 0
		for doc, err := range set.All(b.Context()) {
			if err != nil || doc.HTML == "" {
				continue
			}
			if n++; n%step != 0 {
				continue
			}
			if _, err := d.Derive(b.Context(), doc); errors.Is(err, indexing.ErrNoText) {
				continue
			}
			pages = append(pages, doc)
		}
	}
	if len(pages) == 0 {
		b.Fatal("no HTML pages")
	}
	return pages
}

// parseAndTokenise is the least that any indexer does with the pages.
func parseAndTokenise(b *testing.B, pages []source.NormalizedDocument, texts []string, tok embedder.Tokenizer) time.Duration {
	b.Helper()
	start := cpu(b)
	for i := range pages {
		if _, err := html.Parse(strings.NewReader(pages[i].HTML)); err != nil {
			b.Fatal(err)
		}
		tok.Starts(texts[i])
	}
	return cpu(b) - start
}

// benchTexts are the pages' markdown.
func benchTexts(b *testing.B, d *indexing.Deriver, pages []source.NormalizedDocument) (texts []string, size int64) {
	b.Helper()
	for _, page := range pages {
		out, err := d.Derive(b.Context(), page)
		if err != nil {
			b.Fatal(err)
		}
		var text strings.Builder
		for _, c := range out.Bundle.Chunks {
			if c.ParentID == "" {
				text.WriteString(c.ChunkText)
			}
		}
		texts = append(texts, text.String())
		size += int64(len(page.HTML))
	}
	return texts, size
}

// median of ratios: one collection of garbage must not decide.
func median(ratios []float64) float64 {
	slices.Sort(ratios)
	return ratios[len(ratios)/2]
}

// BenchmarkDeriveHTML takes pages to chunks, flags, html_text and terms.
func BenchmarkDeriveHTML(b *testing.B) {
	d, tok := newDeriver(b)
	pages := benchPages(b, d)
	texts, size := benchTexts(b, d, pages)
	b.SetBytes(size)
	var ratios []float64
	for b.Loop() {
		floor := parseAndTokenise(b, pages, texts, tok)
		start := cpu(b)
		for _, page := range pages {
			if _, err := d.Derive(b.Context(), page); err != nil {
				b.Fatal(err)
			}
		}
		ratios = append(ratios, float64(cpu(b)-start)/float64(floor))
	}
	b.ReportMetric(median(ratios), "measured")
	b.ReportMetric(deriveBudget, "budget")
}

// still embeds in no time.
type still struct{ embedder.Embedder }

func (s still) Info() embedder.Info {
	info := s.Embedder.Info()
	info.InProcess = false // nothing is measured about its cosines
	return info
}

func (s still) EmbedMany(_ context.Context, texts []string, _ embedder.Role) ([][]float32, error) {
	vector := make([]float32, s.Embedder.Info().Dims)
	vector[0] = 1
	out := make([][]float32, len(texts))
	for i := range out {
		out[i] = vector
	}
	return out, nil
}

// BenchmarkStoreHTML takes pages into a new corpus, embedding left out.
func BenchmarkStoreHTML(b *testing.B) {
	d, tok := newDeriver(b)
	pages := benchPages(b, d)
	texts, size := benchTexts(b, d, pages)
	b.SetBytes(size)
	var ratios []float64
	for b.Loop() {
		floor := parseAndTokenise(b, pages, texts, tok)
		st, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "corpus.db"), sqlite.Options{Create: true})
		if err != nil {
			b.Fatal(err)
		}
		start := cpu(b)
		report, err := indexing.Run(b.Context(), st, all(pages), indexing.Options{
			Embedder: still{embedder.NewBuiltin()}, Tokenizer: tok,
		})
		ratios = append(ratios, float64(cpu(b)-start)/float64(floor))
		if err != nil || report.Added != len(pages) {
			b.Fatalf("%+v, %v", report, err)
		}
		if err := st.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(median(ratios), "measured")
	b.ReportMetric(storeBudget, "budget")
}
