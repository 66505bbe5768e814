//go:build unix

package indexing_test

import (
	"crypto/sha256"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/store/sqlite"
)

// Budgets: of a run over unchanged pages as a multiple of SHA-256 of their files, and of a
// run that changes one page as a multiple of the same run in a corpus of that page alone.
const (
	unchangedBudget = 6
	onePageBudget   = 2
)

// benchFolder is a folder of real pages, or of the guide's where those are not unpacked.
func benchFolder(b *testing.B) string {
	b.Helper()
	if root := os.Getenv("WEBRAG_CORPORA"); root != "" {
		return filepath.Join(root, "git-doc")
	}
	b.Log("WEBRAG_CORPORA is not set: measured on the guide's few small pages")
	return "../docs/guide"
}

// benchIndex is a corpus of a folder, which may be none, and a way to index more.
func benchIndex(b *testing.B, folder string) (index func(path string) indexing.Report) {
	b.Helper()
	tok, err := embedder.NewTokenizer("cl100k_base")
	if err != nil {
		b.Fatal(err)
	}
	st, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "corpus.db"), sqlite.Options{Create: true})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = st.Close() })
	index = func(path string) indexing.Report {
		b.Helper()
		set, err := source.Scan(b.Context(), []string{path}, source.Options{})
		if err != nil {
			b.Fatal(err)
		}
		o := indexing.Options{Embedder: embedder.NewBuiltin(), Tokenizer: tok, Program: "benchmark"}
		report, err := indexing.RunPages(b.Context(), st, set.Pages(b.Context()), o)
		if err != nil {
			b.Fatal(err)
		}
		return report
	}
	if folder != "" {
		index(folder)
	}
	return index
}

// BenchmarkUnchangedPages measures a run that has nothing to do, in processor time.
func BenchmarkUnchangedPages(b *testing.B) {
	folder := benchFolder(b)
	index := benchIndex(b, folder)
	var ratios []float64
	for b.Loop() {
		start := cpu(b)
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".html") && !strings.HasSuffix(path, ".md") {
				return err
			}
			raw, err := os.ReadFile(path)
			sha256.Sum256(raw)
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
		floor := cpu(b) - start
		start = cpu(b)
		if report := index(folder); report.Unchanged != report.Pages-len(report.Failed) || report.Unchanged == 0 {
			b.Fatalf("%+v", report)
		}
		ratios = append(ratios, float64(cpu(b)-start)/float64(max(floor, time.Microsecond)))
	}
	b.ReportMetric(unchangedBudget, "budget")
	b.ReportMetric(median(ratios), "measured")
}

// BenchmarkOnePageOfMany measures a run over one page that changes each time, in processor
// time: it is to cost the same however many others there are.
func BenchmarkOnePageOfMany(b *testing.B) {
	many, alone := benchIndex(b, benchFolder(b)), benchIndex(b, "")
	page := filepath.Join(b.TempDir(), "page.md")
	one := func(index func(string) indexing.Report) time.Duration {
		start := cpu(b)
		if report := index(page); report.Added+report.Updated != 1 {
			b.Fatalf("%+v", report)
		}
		return cpu(b) - start
	}
	var ratios []float64
	for n := 0; b.Loop(); n++ {
		text := "# Page\n\n## Part\n\n" + strings.Repeat("words ", n%40+1) + "\n\n## Other part\n\nthat stays as it is\n"
		if err := os.WriteFile(page, []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
		base := one(alone)
		ratios = append(ratios, float64(one(many))/float64(max(base, time.Microsecond)))
	}
	b.ReportMetric(onePageBudget, "budget")
	b.ReportMetric(median(ratios), "measured")
}
