package indexing_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/indexing/source"
)

func TestReembed(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	code := "```go\n" + strings.Repeat("call(of, a, long, listing)\n\n", 60) + "```\n"
	pages := []source.NormalizedDocument{markdown("a.md", trees), markdown("b.md", "# B\n\n[text](https://example.org/long)\n\n"+code)}
	glossary := markdown("c.html", "")
	glossary.HTML = "<main><h1>Glossary</h1><dl><dt>leaf</dt><dd>" + strings.Repeat("An end of a tree. ", 10) + "</dd><dt><code>root()</code></dt><dd>Its beginning.</dd></dl></main>"
	pages = append(pages, glossary)
	b.mustRun(pages...)
	before := b.read()
	if n := len(before.children[glossary.SourceURL]); n != 2 {
		t.Fatalf("two terms make %d children", n)
	}
	b.o.Embedder, b.o.Reembed = renamed{b.o.Embedder}, true
	report, err := indexing.Run(t.Context(), b.store, nil, b.o)
	if err != nil {
		t.Fatal(err)
	}
	after := b.read()
	if after.meta.EmbedderID != "renamed" || report.Reembedded == 0 || report.Embedded != 0 {
		t.Fatalf("report %+v, meta %+v", report, after.meta)
	}
	for url := range before.children {
		for i, c := range before.children[url] {
			slices.Reverse(c.Embedding)
			if got := after.children[url][i]; !slices.Equal(got.Embedding, c.Embedding) {
				t.Errorf("%s: child %d was embedded from another text", url, i)
			}
		}
	}
	// The corpus is now as if it had been indexed so from the start.
	b.o.Reembed = false
	if again := b.mustRun(pages...); again.Unchanged != len(pages) || again.Wrote() {
		t.Errorf("indexing after it: %+v", again)
	}
}

// selective knows the words of some texts only.
type selective struct {
	renamed
	knows func(text string) bool
}

func (s selective) EmbedMany(ctx context.Context, texts []string, role embedder.Role) ([][]float32, error) {
	vectors, err := s.renamed.EmbedMany(ctx, texts, role)
	for i, v := range vectors {
		if !s.knows(texts[i]) {
			clear(v)
		}
	}
	return vectors, err
}

// TestReembedForOtherWords holds an embedder that knows other words to giving
// vectors to other children.
func TestReembedForOtherWords(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	pages := []source.NormalizedDocument{markdown("a.md", "leaf\n"), markdown("b.md", "root\n"), markdown("c.md", "***\n")}
	inner := renamed{b.o.Embedder}
	b.o.Embedder = selective{renamed{b.o.Embedder}, func(text string) bool { return text == "leaf" }}
	b.mustRun(pages...)
	vectors := func() (got []string) {
		for url, children := range b.read().children {
			for _, c := range children {
				if c.Embedding != nil {
					got = append(got, url)
				}
			}
		}
		slices.Sort(got)
		return got
	}
	if got := vectors(); !slices.Equal(got, []string{"https://example.org/a.md"}) {
		t.Fatalf("vectors for %q", got)
	}
	b.o.Reembed = true
	b.o.Embedder = named{selective{inner, func(text string) bool { return text == "root" }}, "other"}
	report, err := indexing.Run(t.Context(), b.store, nil, b.o)
	if err != nil || report.Reembedded != 1 || report.Blank != 2 {
		t.Fatalf("report %+v, %v", report, err)
	}
	if got := vectors(); !slices.Equal(got, []string{"https://example.org/b.md"}) {
		t.Errorf("vectors for %q after it", got)
	}
	if again := b.mustRun(pages...); again.Unchanged != len(pages) {
		t.Errorf("indexing after it: %+v", again)
	}
}

// named is an embedder under another name.
type named struct {
	embedder.Embedder
	id string
}

func (n named) Info() embedder.Info {
	info := n.Embedder.Info()
	info.ID = n.id
	return info
}

func TestReembedGoesOnWhereItWasStopped(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	b.mustRun(manyPages(20)...)
	before := b.read()
	b.o.BatchTexts = 16
	boom := errors.New("the server is gone")
	inner := renamed{b.o.Embedder}
	b.o.Embedder, b.o.Reembed = &stopper{Embedder: inner, after: 1, do: func() error { return boom }}, true
	stopped, err := indexing.Run(t.Context(), b.store, nil, b.o)
	if !errors.Is(err, boom) || stopped.Reembedded == 0 {
		t.Fatalf("%v after %d", err, stopped.Reembedded)
	}
	if s := b.read(); s.meta.EmbedderID != before.meta.EmbedderID || s.version != before.version {
		t.Errorf("a stopped run changed the corpus to %s", s.meta.EmbedderID)
	}
	b.o.Embedder = inner
	report, err := indexing.Run(t.Context(), b.store, nil, b.o)
	if err != nil || report.Reembedded+stopped.Reembedded != 40 {
		t.Errorf("went on with %d after %d: %v", report.Reembedded, stopped.Reembedded, err)
	}
}
