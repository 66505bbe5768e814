package spans

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/ui/surface"
)

// sampled is which of the real pages are read: every tenth. All of them take some
// minutes; then 6,389 of 6,393 sections align, and 99.3 % of 36,425 passages and
// 99.4 % of 33,735 random spans are painted exactly.
const sampled = 10

// realSections calls check for the sections with HTML of every n-th real page,
// and for the passages that each is searched by, as spans of its text.
func realSections(t *testing.T, n int, check func(c *store.Chunk, passages []Span)) {
	t.Helper()
	root := os.Getenv("WEBRAG_CORPORA")
	if root == "" {
		if os.Getenv("CI") != "" && !testing.Short() {
			t.Fatal("WEBRAG_CORPORA is not set, and CI must read the real pages")
		}
		t.Skip("WEBRAG_CORPORA is not set: run `make corpora` and set it to that folder to test on real pages")
	}
	var pages []string
	for _, pkg := range []string{"python-sklearn-doc", "python3.11-doc"} {
		err := filepath.WalkDir(filepath.Join(root, pkg), func(path string, _ fs.DirEntry, err error) error {
			if strings.HasSuffix(path, ".html") {
				pages = append(pages, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(pages) < 1000 {
		t.Fatalf("only %d pages are below %s", len(pages), root)
	}
	var sample []string
	for i := 0; i < len(pages); i += n {
		sample = append(sample, pages[i])
	}
	tok, err := embedder.NewTokenizer("cl100k_base")
	if err != nil {
		t.Fatal(err)
	}
	deriver, err := indexing.NewDeriver(indexing.Options{Embedder: embedder.NewBuiltin(), Tokenizer: tok})
	if err != nil {
		t.Fatal(err)
	}
	set, err := source.Scan(t.Context(), sample, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for doc, err := range set.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		derived, err := deriver.Derive(t.Context(), doc)
		if err != nil {
			continue // a page without text
		}
		chunks := derived.Bundle.Chunks
		for i := range chunks {
			if chunks[i].Level != store.Parent || chunks[i].HTMLText == "" {
				continue
			}
			var passages []Span
			for _, c := range chunks[i+1:] {
				if c.Level == store.Parent {
					break
				}
				passages = append(passages, Span{Start: c.CharStart - chunks[i].CharStart, End: c.CharEnd - chunks[i].CharStart})
			}
			check(&chunks[i], passages)
		}
	}
}

// TestMarksOnTheHTMLOfRealPages paints the passages of real sections, and random
// spans, on the HTML of the sections. What is painted must read like the span.
// Where it does not, it is nearly always a formula, which the two forms write
// differently, a cell whose lines the HTML form parts by a slash, or a section
// that begins within a table or a program, whose markdown shows signs that its
// HTML does not have.
func TestMarksOnTheHTMLOfRealPages(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a while")
	}
	var (
		rng               = rand.New(rand.NewPCG(17, 18))
		sections, aligned int
		passages, random  tally
		lost, alike       int
	)
	realSections(t, sampled, func(c *store.Chunk, found []Span) {
		shown, err := surface.Markdown(c.HTMLText)
		if err != nil {
			t.Fatalf("%s: %v", c.ID, err)
		}
		x := newCrossing(t, c.ChunkText, shown)
		sections++
		if !x.x.Holds() {
			t.Logf("%s, section %q: the forms share %.2f", c.SourceURL, c.SectionHeading, x.x.Shared())
			return
		}
		aligned++
		judge := func(s Span, count *tally) {
			got, want, placed := x.judge(s)
			if want == "" {
				return
			}
			count.all++
			switch {
			case got == want:
				count.exact++
			case !placed:
				lost++
			case near(got, want):
				alike++
			}
		}
		for _, s := range found {
			judge(s, &passages)
		}
		for range 6 {
			judge(somewhere(rng, x.from, c.ChunkText), &random)
		}
	})
	t.Logf("%d of %d sections align", aligned, sections)
	t.Logf("painted exactly: %.2f %% of %d passages, %.2f %% of %d random spans; of the others %d have no place and %d are nearly the same",
		100*passages.share(), passages.all, 100*random.share(), random.all, lost, alike)
	switch {
	case sections < 100:
		t.Errorf("only %d sections were seen", sections)
	case float64(aligned) < 0.99*float64(sections):
		t.Errorf("only %d of %d sections align", aligned, sections)
	case passages.share() < 0.97 || random.share() < 0.97:
		t.Errorf("%.2f %% of the passages and %.2f %% of random spans are exact", 100*passages.share(), 100*random.share())
	}
}

// near reports that two texts differ in less than a tenth.
func near(a, b string) bool {
	shared := 0
	for _, r := range offset.Common([]rune(a), []rune(b)) {
		shared += r.N
	}
	return 10*shared >= 9*max(len([]rune(a)), len([]rune(b)))
}
