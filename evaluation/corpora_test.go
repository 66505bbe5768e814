package evaluation_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/evaluation/internal/judged"
	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store/sqlite"
	"github.com/webrag/webrag-tui/testdata"
)

// corpora is the folder of real documentation pages that "make corpora" fetches.
func corpora(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("WEBRAG_CORPORA")
	if dir == "" {
		if os.Getenv("CI") != "" && !testing.Short() {
			t.Fatal("WEBRAG_CORPORA is not set, and CI must read the real pages")
		}
		t.Skip("the real pages are not there: run make corpora, and make test finds them")
	}
	return dir
}

// library is a corpus that is filled step by step.
type library struct {
	t    *testing.T
	deps retrieval.Deps
	tok  embedder.Tokenizer
}

func newLibrary(t *testing.T) *library {
	t.Helper()
	st, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "library.db"), sqlite.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	return openLibrary(t, retrieval.Deps{Store: st, Embedder: embedder.NewBuiltin()})
}

func openLibrary(t *testing.T, deps retrieval.Deps) *library {
	t.Helper()
	tok, err := embedder.NewTokenizer(deps.Embedder.Info().Tokenizer)
	if err != nil {
		t.Fatal(err)
	}
	return &library{t: t, deps: deps, tok: tok}
}

func (l *library) add(set *source.Set, err error) indexing.Report {
	l.t.Helper()
	if err != nil {
		l.t.Fatal(err)
	}
	report, err := indexing.Run(l.t.Context(), l.deps.Store, set.All(l.t.Context()), indexing.Options{Embedder: l.deps.Embedder, Tokenizer: l.tok})
	if err != nil {
		l.t.Fatal(err)
	}
	return report
}

func (l *library) ask(query string, change func(*param.Params)) retrieval.Result {
	l.t.Helper()
	p, _ := param.Preset(param.PresetWebRAG)
	if change != nil {
		change(&p)
	}
	res, err := retrieval.Retrieve(l.t.Context(), l.deps, retrieval.Query{Text: query}, p, retrieval.Options{})
	if err != nil {
		l.t.Fatal(err)
	}
	return res
}

// byRank are the source URLs of the first n sections by rank.
func byRank(res *retrieval.Result, n int) []string {
	items := slices.Clone(res.Items)
	slices.SortFunc(items, func(a, b retrieval.Item) int { return a.Rank - b.Rank })
	var urls []string
	for i := range items[:min(n, len(items))] {
		urls = append(urls, items[i].SourceURL)
	}
	return urls
}

const (
	sklearnPages = "python-sklearn-doc/usr/share/doc/python-sklearn-doc/html"
	pythonPages  = "python3.11-doc/usr/share/doc/python3.11/html"
)

// TestThePagesOfTheSpecification indexes the three pages that the retrieval
// specification tests with, one after the other, so that the mode switches.
func TestThePagesOfTheSpecification(t *testing.T) {
	dir := corpora(t)
	l := newLibrary(t)

	everest, err := fs.Sub(testdata.Files, ".")
	if err != nil {
		t.Fatal(err)
	}
	l.add(source.ScanFS(t.Context(), only{everest, "everest.html"}, "encyclopaedia", source.Options{}))
	res := l.ask("Mount Everest", nil)
	if res.Mode != param.ModeFullContext || len(res.Items) != res.Stats.TotalParentChunks || len(res.Items) < 5 {
		t.Fatalf("one small page gives %s with %d of %d sections", res.Mode, len(res.Items), res.Stats.TotalParentChunks)
	}
	for i := range res.Items {
		if res.Items[i].Score != 1 || res.Items[i].HasRaw {
			t.Fatalf("full context has a score of %v", res.Items[i].Score)
		}
	}

	l.add(source.Scan(t.Context(), []string{
		filepath.Join(dir, sklearnPages, "modules/ensemble.html"), filepath.Join(dir, pythonPages, "glossary.html"),
	}, source.Options{}))
	for query, page := range map[string]string{
		"gradient boosting": "modules/ensemble.html", "what is a decorator": "glossary.html", "Mount Everest": "Mount_Everest",
	} {
		res := l.ask(query, nil)
		if res.Mode != param.ModeChunk {
			t.Fatalf("three pages of %d tokens give %s", res.Stats.TotalTokens, res.Mode)
		}
		urls := byRank(&res, 1)
		if len(urls) == 0 || !strings.Contains(urls[0], page) {
			t.Errorf("%q brings %q first, not %s", query, urls, page)
		}
	}
	decorator := l.ask("what is a decorator", nil)
	found := false
	for i := range decorator.Items {
		found = found || strings.Contains(decorator.Items[i].ChunkText, "A function returning another function")
	}
	if !found {
		t.Error("the glossary's entry for decorators is not among the sections")
	}
	math := l.ask("gradient boosting", func(p *param.Params) { p.Mode = param.ModeFullContext; p.ContextBudget = 1 << 30 })
	html := 0
	for i := range math.Items {
		if math.Items[i].Surface == retrieval.SurfaceHTML && strings.Contains(math.Items[i].SourceURL, "ensemble") {
			html++
		}
	}
	if html == 0 {
		t.Error("no section of the ensemble page prefers its HTML")
	}
}

// checkWholePackage adds all pages of a package to those of its guide, and asks for
// what it is known for.
func checkWholePackage(t *testing.T, guide *judged.Library, dir string) {
	t.Helper()
	l := openLibrary(t, guide.Deps)
	report := l.add(source.Scan(t.Context(), []string{filepath.Join(dir, sklearnPages)}, source.Options{}))
	if report.Added < 300 || report.Added+report.Updated < 900 || len(report.Failed) > 10 {
		t.Fatalf("%d pages were added, %d were known below another folder, %d failed", report.Added, report.Updated, len(report.Failed))
	}
	res := l.ask("gradient boosting", nil)
	urls := byRank(&res, 5)
	for _, url := range urls {
		if !strings.Contains(url, "ensemble") && !strings.Contains(url, "gradient_boosting") {
			t.Errorf("gradient boosting brings %s among the first: %q", url, urls)
		}
	}
	if len(urls) < 5 {
		t.Errorf("gradient boosting brings %d sections", len(urls))
	}
	again := l.add(source.Scan(t.Context(), []string{filepath.Join(dir, sklearnPages, "modules")}, source.Options{}))
	if again.Updated+again.Unchanged == 0 {
		t.Error("a folder of the same pages is not recognised")
	}
}
