package trials

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/store/sqlite"
)

// BenchmarkImport imports as many judgments as MS MARCO's training set has, into a new set
// and once more into the same. The budget is two seconds on a machine that does nothing
// else; what counts is the fastest of three.
func BenchmarkImport(b *testing.B) {
	const documents, queries, each = 1000, 50_000, 10
	pages := fstest.MapFS{}
	for i := range documents {
		pages[fmt.Sprintf("%d.md", i)] = &fstest.MapFile{Data: fmt.Appendf(nil, "# Page %d\n\nThis is page %d.\n", i, i)}
	}
	st, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "c.db"), sqlite.Options{Create: true})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { st.Close() })
	emb := embedder.NewBuiltin()
	tok, err := embedder.NewTokenizer(emb.Info().Tokenizer)
	if err != nil {
		b.Fatal(err)
	}
	set, err := source.ScanFS(b.Context(), pages, "pages", source.Options{})
	if err == nil {
		_, err = indexing.Run(b.Context(), st, set.All(b.Context()), indexing.Options{Embedder: emb, Tokenizer: tok})
	}
	if err != nil {
		b.Fatal(err)
	}
	var qrels, texts bytes.Buffer
	for q := range queries {
		fmt.Fprintf(&texts, "q%d\twhat is number %d\n", q, q)
		for i := range each {
			fmt.Fprintf(&qrels, "q%d 0 %d %d\n", q, (q+i*97)%documents, i%4)
		}
	}
	folder, sets := b.TempDir(), b.TempDir()
	file := func(name string, text []byte) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			b.Fatal(err)
		}
		return path
	}
	path, flags := file("large.qrels", qrels.Bytes()), &importFlags{queries: file("topics.tsv", texts.Bytes())}
	p := &Program{
		Sets: func() (string, error) { return sets, nil },
		Corpus: func(context.Context) (*Corpus, error) {
			return &Corpus{Deps: retrieval.Deps{Store: st, Embedder: emb}, Name: "c", Close: func() {}}, nil
		},
		Narrate: func([]retrieval.Notice) {},
		Now:     time.Now,
	}
	for _, c := range []struct {
		name  string
		fresh bool
	}{{"new", true}, {"again", false}} {
		b.Run(c.name, func(b *testing.B) {
			best := time.Hour
			for b.Loop() {
				for range 3 {
					if c.fresh {
						if err := os.RemoveAll(filepath.Join(sets, "large")); err != nil {
							b.Fatal(err)
						}
					}
					start := time.Now()
					if err := p.judgeImport(b.Context(), "large", path, flags); err != nil {
						b.Fatal(err)
					}
					best = min(best, time.Since(start))
				}
			}
			b.ReportMetric(best.Seconds(), "measured")
			b.ReportMetric(2, "budget")
		})
	}
}
