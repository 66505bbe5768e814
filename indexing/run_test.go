package indexing_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/sqlite"
)

// bundle is a corpus in a file and a way to index into it.
type bundle struct {
	t     *testing.T
	store *sqlite.Store
	o     indexing.Options
}

func newBundle(t *testing.T) *bundle {
	t.Helper()
	st, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "corpus.db"), sqlite.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	tok, err := embedder.NewTokenizer("cl100k_base")
	if err != nil {
		t.Fatal(err)
	}
	clock := time.Date(2025, 1, 2, 3, 4, 5, 0, time.UTC)
	return &bundle{t: t, store: st, o: indexing.Options{
		Embedder: embedder.NewBuiltin(), Tokenizer: tok,
		Now: func() time.Time { clock = clock.Add(time.Second); return clock },
	}}
}

func (b *bundle) run(pages ...source.NormalizedDocument) (indexing.Report, error) {
	return indexing.Run(b.t.Context(), b.store, all(pages), b.o)
}

func (b *bundle) mustRun(pages ...source.NormalizedDocument) indexing.Report {
	b.t.Helper()
	report, err := b.run(pages...)
	if err != nil {
		b.t.Fatalf("run: %v", err)
	}
	return report
}

func all(pages []source.NormalizedDocument) iter.Seq2[source.NormalizedDocument, error] {
	return func(yield func(source.NormalizedDocument, error) bool) {
		for _, p := range pages {
			if !yield(p, nil) {
				return
			}
		}
	}
}

// stored is what a corpus holds.
type stored struct {
	version   int64
	meta      store.Meta
	documents map[string]store.Document // by source URL
	parents   map[string][]store.Chunk  // by source URL
	children  map[string][]store.Chunk  // by source URL
}

func (b *bundle) read() stored {
	b.t.Helper()
	ctx := b.t.Context()
	v, err := b.store.Read(ctx)
	if err != nil {
		b.t.Fatal(err)
	}
	defer v.Close()
	s := stored{
		version: v.Version(), meta: v.Meta(), documents: map[string]store.Document{},
		parents: map[string][]store.Chunk{}, children: map[string][]store.Chunk{},
	}
	docs, err := v.Documents(ctx, store.Scope{}, store.Page{})
	if err != nil {
		b.t.Fatal(err)
	}
	for _, d := range docs {
		s.documents[d.SourceURL] = d
	}
	every := store.FieldText | store.FieldHTML | store.FieldTerms | store.FieldEmbedding
	parents, err := v.Parents(ctx, store.Scope{}, every, store.Page{})
	if err != nil {
		b.t.Fatal(err)
	}
	for _, p := range parents {
		s.parents[p.SourceURL] = append(s.parents[p.SourceURL], p)
		children, err := v.Children(ctx, []string{p.ID}, every)
		if err != nil {
			b.t.Fatal(err)
		}
		s.children[p.SourceURL] = append(s.children[p.SourceURL], children...)
	}
	return s
}

func markdown(name, text string) source.NormalizedDocument {
	return source.NormalizedDocument{
		URL: "https://example.org/" + name, SourceURL: "https://example.org/" + name, DocType: "markdown",
		Markdown: text, FetchedAt: time.Date(2024, 5, 6, 0, 0, 0, 0, time.UTC),
	}
}

const trees = "# Trees\n\nA decision tree splits.\n\n## Depth\n\nThe depth is bounded by `max_depth`. See [forests](forests.md#size).\n\n## Impurity\n\nGini is $1 - \\sum p^2$.\n"

func TestRunStoresPages(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	forests := markdown("forests.md", "***\n# Forests\n\n## Size\n\n![curve](curve.png) Trees: n.\n\n```python\nfit()\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n")
	forests.Title = "Forests"
	report := b.mustRun(markdown("trees.md", trees), forests)
	if report.Pages != 2 || report.Added != 2 || report.Embedded == 0 || !report.Wrote() || len(report.Failed) != 0 {
		t.Fatalf("report %+v", report)
	}
	s := b.read()
	if s.meta.EmbedderID != b.o.Embedder.Info().ID || s.meta.Tokenizer != "cl100k_base" || s.meta.Calibration.P995 == 0 {
		t.Errorf("meta %+v", s.meta)
	}
	for url, parents := range s.parents {
		var text strings.Builder
		for _, p := range parents {
			text.WriteString(p.ChunkText)
		}
		want := trees
		if url == forests.SourceURL {
			want = forests.Markdown
		}
		if text.String() != want {
			t.Errorf("parents of %s are %q, want %q", url, text.String(), want)
		}
	}
	depth := s.parents["https://example.org/trees.md"][1]
	if depth.SectionHeading != "Depth" || !slices.Equal(depth.HeadingPath, []string{"Trees", "Depth"}) || depth.Anchor != "depth" {
		t.Errorf("section %q, path %q, anchor %q", depth.SectionHeading, depth.HeadingPath, depth.Anchor)
	}
	if impurity := s.parents["https://example.org/trees.md"][2]; impurity.Flags != store.HasMath || impurity.HTMLOmittedReason != "no_html" {
		t.Errorf("flags %b, reason %q", impurity.Flags, impurity.HTMLOmittedReason)
	}
	f := s.parents[forests.SourceURL]
	if len(f) != 2 || f[1].Flags != store.HasCode|store.HasTable|store.HasImage {
		t.Fatalf("%d parents of forests, flags %b", len(f), f[len(f)-1].Flags)
	}
	if refs := f[1].ImageRefs; len(refs) != 1 || refs[0] != (store.ImageRef{URL: "https://example.org/curve.png", Alt: "curve"}) {
		t.Errorf("images %v", refs)
	}
	ruler := s.children[forests.SourceURL][0]
	if ruler.Embedding != nil || ruler.EmbedHash != "" || ruler.Terms != "" {
		t.Errorf("a ruler is searched: %q", ruler.Terms)
	}
	if c := s.children[forests.SourceURL][1]; c.Embedding == nil || !strings.Contains(c.Terms, "fit") || strings.Contains(c.Terms, "png") {
		t.Errorf("terms %q", c.Terms)
	}
}

// TestTextWithoutWords holds a child whose text has no usable word for the
// embedder to having no vector, because a cosine with it would be no number.
func TestTextWithoutWords(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	report := b.mustRun(markdown("a.md", "the and of\n"))
	for _, c := range b.read().children["https://example.org/a.md"] {
		if c.Embedding != nil || c.EmbedHash == "" {
			t.Errorf("%q has hash %q and a vector: %v", c.ChunkText, c.EmbedHash, c.Embedding != nil)
		}
	}
	if report.Blank != 1 || report.Added != 1 {
		t.Errorf("report %+v", report)
	}
	if again := b.mustRun(markdown("a.md", "the and of\n")); again.Unchanged != 1 {
		t.Errorf("again: %+v", again)
	}
}

// TestEqualTextsAreEmbeddedOnce indexes one text under two addresses.
func TestEqualTextsAreEmbeddedOnce(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	if report := b.mustRun(markdown("a.md", "# Same\n\ntext\n"), markdown("b.md", "# Same\n\ntext\n")); report.Embedded != 1 || report.Reused != 1 || report.Added != 2 {
		t.Errorf("report %+v", report)
	}
	if report := b.mustRun(markdown("c.md", "# Same\n\ntext\n")); report.Embedded != 0 || report.Reused != 1 || report.Added != 1 {
		t.Errorf("a known text: %+v", report)
	}
}

func TestRunAgainWritesNothing(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	pages := []source.NormalizedDocument{markdown("a.md", trees), markdown("b.md", "# B\n\nother\n")}
	b.mustRun(pages...)
	before := b.read()
	for i := range pages {
		pages[i].FetchedAt = pages[i].FetchedAt.Add(time.Hour) // fetched anew
	}
	report := b.mustRun(pages...)
	after := b.read()
	if report.Unchanged != 2 || report.Wrote() || report.Embedded != 0 || after.version != before.version {
		t.Errorf("report %+v, version %d then %d", report, before.version, after.version)
	}
}

func TestRunReplacesOnlyWhatChanged(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	b.mustRun(markdown("a.md", trees), markdown("b.md", "# B\n\nother\n"))
	before := b.read()
	report := b.mustRun(markdown("a.md", strings.Replace(trees, "bounded", "limited, as one wishes,", 1)), markdown("b.md", "# B\n\nother\n"))
	after := b.read()
	if report.Updated != 1 || report.Unchanged != 1 || report.Embedded != 1 {
		t.Errorf("report %+v", report)
	}
	url := "https://example.org/a.md"
	if before.documents[url].ID != after.documents[url].ID {
		t.Error("the document has another id")
	}
	for i, same := range []bool{true, false, true} {
		if got := before.parents[url][i].ID == after.parents[url][i].ID; got != same {
			t.Errorf("parent %d keeps its id: %v", i, got)
		}
	}
	if before.documents["https://example.org/b.md"].Changed != after.documents["https://example.org/b.md"].Changed {
		t.Error("the other page was written")
	}
	ingestion := after.documents[url].CurrentIngestionID
	for _, c := range append(after.parents[url], after.children[url]...) {
		if c.IngestionID != ingestion {
			t.Errorf("chunk %s is of ingestion %s, not %s", c.ID, c.IngestionID, ingestion)
		}
	}
}

func TestRunReportsBadPages(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	pages := func(yield func(source.NormalizedDocument, error) bool) {
		_ = yield(source.NormalizedDocument{}, &source.PageError{Path: "broken.html", Err: source.ErrBinary}) &&
			yield(markdown("blank.md", " \n\u00a0\n"), nil) &&
			yield(markdown("a.md", trees), nil) &&
			yield(markdown("a.md", "# another\n"), nil)
	}
	report, err := indexing.Run(t.Context(), b.store, pages, b.o)
	if err != nil {
		t.Fatal(err)
	}
	if report.Added != 1 || len(report.Failed) != 3 {
		t.Fatalf("report %+v", report)
	}
	if len(report.Copies) != 0 {
		t.Errorf("report %+v", report)
	}
	var twice *indexing.DuplicateError
	if !errors.Is(report.Failed[0], source.ErrBinary) || !errors.Is(report.Failed[1], indexing.ErrNoText) || !errors.As(report.Failed[2], &twice) {
		t.Errorf("failed: %v", report.Failed)
	}
}

// Documentation is often installed under two names, each page with the canonical address of
// the first: what has the same text is a copy, and no failure.
func TestRunLeavesOutCopies(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	under := func(path, root, text string) source.NormalizedDocument {
		d := markdown("guide.html", text)
		d.Path, d.Root = path, root
		return d
	}
	report := b.mustRun(under("guide.html", "/doc", trees), under("ch01.html", "/doc", trees), markdown("b.md", "# B\n\nother\n"))
	want := []indexing.Copy{{Path: "ch01.html", First: "guide.html", SourceURL: "https://example.org/guide.html"}}
	if !slices.Equal(report.Copies, want) || len(report.Failed) != 0 || report.Added != 2 || report.Pages != 3 {
		t.Errorf("report %+v", report)
	}
	if again := b.mustRun(under("guide.html", "/doc", trees), under("ch01.html", "/doc", trees)); again.Wrote() || len(again.Copies) != 1 {
		t.Errorf("again: %+v", again)
	}
	for root, advice := range map[string]string{"/doc": "give each its own canonical address", "/other": "--base-url", "": "--base-url"} {
		report, err := indexing.Run(t.Context(), b.store, func(yield func(source.NormalizedDocument, error) bool) {
			_ = yield(under("guide.html", "/doc", trees), nil) && yield(under("ch01.html", root, "# Something else\n"), nil)
		}, b.o)
		if err != nil || len(report.Failed) != 1 || !strings.Contains(report.Failed[0].Error(), advice) || !strings.Contains(report.Failed[0].Error(), "guide.html") {
			t.Errorf("of %s: %v, %v", root, report.Failed, err)
		}
	}
}

// stopper fails or cancels once it has embedded some batches.
type stopper struct {
	embedder.Embedder
	after int
	do    func() error
	calls int
}

func (s *stopper) EmbedMany(ctx context.Context, texts []string, role embedder.Role) ([][]float32, error) {
	if s.calls++; s.calls > s.after {
		if err := s.do(); err != nil {
			return nil, err
		}
	}
	return s.Embedder.EmbedMany(ctx, texts, role)
}

func manyPages(n int) []source.NormalizedDocument {
	pages := make([]source.NormalizedDocument, n)
	for i := range pages {
		pages[i] = markdown(fmt.Sprintf("p%03d.md", i), fmt.Sprintf("# Page %d\n\nIt tells of %d.\n\n## More\n\nAnd of %d.\n", i, i*7, i*13))
	}
	return pages
}

func TestRunStoppedMidwayLeavesAValidCorpus(t *testing.T) {
	t.Parallel()
	boom := errors.New("the server is gone")
	for _, c := range []struct {
		name string
		do   func(cancel context.CancelFunc) error
		want error
	}{
		{"embedding fails", func(context.CancelFunc) error { return boom }, boom},
		{"the user cancels", func(cancel context.CancelFunc) error { cancel(); return nil }, context.Canceled},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBundle(t)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			o := b.o
			o.Embedder = &stopper{Embedder: b.o.Embedder, after: 1, do: func() error { return c.do(cancel) }}
			o.BatchTexts = 10
			pages := manyPages(30)
			report, err := indexing.Run(ctx, b.store, all(pages), o)
			if !errors.Is(err, c.want) {
				t.Fatalf("error %v, want %v", err, c.want)
			}
			s := b.read()
			if len(s.documents) != report.Added || len(s.documents) >= len(pages) {
				t.Fatalf("%d documents, reported %d of %d", len(s.documents), report.Added, len(pages))
			}
			for url, d := range s.documents {
				if len(s.parents[url]) != d.ParentCount || len(s.children[url]) == 0 {
					t.Errorf("%s is half written", url)
				}
				for _, child := range s.children[url] {
					if child.Embedding == nil {
						t.Errorf("%s has a child without its vector", url)
					}
				}
			}
			if again := b.mustRun(pages...); again.Added+again.Unchanged != len(pages) {
				t.Errorf("the next run reports %+v", again)
			}
		})
	}
}

func TestRunRefusesAnotherEmbedderOrTokenizer(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	b.mustRun(markdown("a.md", trees))
	b.o.Embedder = renamed{b.o.Embedder}
	_, err := b.run(markdown("a.md", trees))
	var mismatch *store.MismatchError
	if !errors.As(err, &mismatch) || strings.Contains(err.Error(), "reembed") {
		t.Errorf("another embedder: %v", err)
	}
	b = newBundle(t)
	b.mustRun(markdown("a.md", trees))
	tok, err := embedder.NewTokenizer("o200k_base")
	if err != nil {
		t.Fatal(err)
	}
	b.o.Tokenizer = tok
	_, err = b.run(markdown("a.md", trees))
	var other *indexing.TokenizerError
	if !errors.As(err, &other) || other.Have != "cl100k_base" {
		t.Errorf("another tokenizer: %v", err)
	}
}

// renamed is an embedder with other vectors and another name.
type renamed struct{ embedder.Embedder }

func (r renamed) Info() embedder.Info {
	info := r.Embedder.Info()
	info.ID = "renamed"
	return info
}

func (r renamed) EmbedMany(ctx context.Context, texts []string, role embedder.Role) ([][]float32, error) {
	vectors, err := r.Embedder.EmbedMany(ctx, texts, role)
	for _, v := range vectors {
		slices.Reverse(v)
	}
	return vectors, err
}

// TestMessagesNamePagesAsGiven holds messages to the path that the user knows.
func TestMessagesNamePagesAsGiven(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	page := func(path, text string) source.NormalizedDocument {
		p := markdown("p.md", text)
		p.DocPath, p.Path = "p.md", path
		return p
	}
	report := b.mustRun(page("s1/html/p.md", "# P\n"), page("s2/html/p.md", "# Q\n"), page("s3/toc.md", " \n"))
	if len(report.Failed) != 2 {
		t.Fatalf("report %+v", report)
	}
	for i, words := range [][]string{{"s2/html/p.md: ", "that of s1/html/p.md", "--base-url"}, {"s3/toc.md: the page has no text"}} {
		for _, w := range words {
			if got := report.Failed[i].Error(); !strings.Contains(got, w) {
				t.Errorf("%q does not say %q", got, w)
			}
		}
	}
}

// fragile is a tokenizer that cannot take one page.
type fragile struct{ embedder.Tokenizer }

func (f fragile) Starts(s string) []int {
	if strings.Contains(s, "poison") {
		panic("out of range")
	}
	return f.Tokenizer.Starts(s)
}

func TestAPageThatPanicsIsReportedInOneLine(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	var log bytes.Buffer
	b.o.Log = slog.New(slog.NewTextHandler(&log, nil))
	b.o.Tokenizer = fragile{b.o.Tokenizer}
	report := b.mustRun(markdown("a.md", "poison\n"), markdown("b.md", trees))
	if report.Added != 1 || len(report.Failed) != 1 {
		t.Fatalf("report %+v", report)
	}
	if got, want := report.Failed[0].Error(), "https://example.org/a.md: cannot be cut: out of range"; got != want {
		t.Errorf("message %q, want %q", got, want)
	}
	if !strings.Contains(log.String(), "goroutine") {
		t.Errorf("the log has no stack: %s", log.String())
	}
}

func TestProgressReachesTheEnd(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	var last indexing.Progress
	b.o.Pages = 10
	b.o.Progress = func(p indexing.Progress) {
		if p.Stage == indexing.StageIndex {
			if p.PagesDone < last.PagesDone || p.Elapsed <= last.Elapsed {
				t.Errorf("progress went from %+v to %+v", last, p)
			}
			last = p
		}
	}
	b.mustRun(manyPages(10)...)
	if last.PagesDone != 10 || last.PagesTotal != 10 || last.Vectors == 0 || last.Rate() <= 0 {
		t.Errorf("last progress %+v", last)
	}
	if left, ok := last.Left(); !ok || left != 0 {
		t.Errorf("%v left, known %v", left, ok)
	}
}
