package indexing_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/testdata/hostilepages"
)

// TestHostilePagesStayBounded holds what is made of a page to a multiple of it,
// however the page repeats itself, and loses none of its text.
func TestHostilePagesStayBounded(t *testing.T) {
	t.Parallel()
	const size = 30_000
	d, err := indexing.NewDeriver(newBundle(t).o)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range hostilepages.All() {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			name := filepath.Join(t.TempDir(), "page"+p.Ext)
			// A larger one would be left out for its size where the limit is attacked.
			if n := len(p.Make(10 * size)); n > 10*size || n < 9*size {
				t.Errorf("a page of %d bytes has %d", 10*size, n)
			}
			if err := os.WriteFile(name, []byte(p.Make(size)), 0o600); err != nil {
				t.Fatal(err)
			}
			set, err := source.Scan(t.Context(), []string{name}, source.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for doc, err := range set.All(t.Context()) {
				if err != nil {
					continue // refused with a reason
				}
				out, err := d.Derive(t.Context(), doc)
				if err != nil {
					if !errors.Is(err, indexing.ErrNoText) && !errors.Is(err, indexing.ErrTooManyParts) && !errors.Is(err, indexing.ErrLongAddress) && !errors.Is(err, indexing.ErrManyAliases) {
						t.Error(err)
					}
					continue
				}
				checkBounds(t, &out, size, growth(p.Name))
			}
		})
	}
}

// A page of 300,000 aliases took minutes, in which no signal was heard.
func TestAPageOfTooManyAliasesIsRefused(t *testing.T) {
	t.Parallel()
	d, err := indexing.NewDeriver(newBundle(t).o)
	if err != nil {
		t.Fatal(err)
	}
	doc := source.NormalizedDocument{URL: "https://a.example/", Markdown: "# A\n\nA page.\n"}
	for i := range 1001 {
		doc.URLAliases = append(doc.URLAliases, fmt.Sprintf("https://a.example/%d", i))
	}
	const says = "1001: more url_aliases than the 1,000 that a page may have: name those that links or questions use"
	if _, err := d.Derive(t.Context(), doc); !errors.Is(err, indexing.ErrManyAliases) || err.Error() != says {
		t.Errorf("1,001 aliases: %v", err)
	}
	doc.URLAliases = doc.URLAliases[:1000]
	if out, err := d.Derive(t.Context(), doc); err != nil || len(out.Bundle.Document.URLAliases) != 1000 {
		t.Errorf("1,000 aliases: %v", err)
	}
}

// A password in an address must not be what every list of pages prints.
func TestAPageIsKnownWithoutTheUserOfItsAddress(t *testing.T) {
	t.Parallel()
	d, err := indexing.NewDeriver(newBundle(t).o)
	if err != nil {
		t.Fatal(err)
	}
	given := []string{"https://user:secret@a.example/alias"}
	out, err := d.Derive(t.Context(), source.NormalizedDocument{
		URL: "https://user:secret@a.example/x", SourceURL: "https://user:secret@a.example/x", URLAliases: given,
		Markdown: "# A\n\n[here](other)\n",
	})
	if err != nil {
		t.Fatal(err)
	}
	b := &out.Bundle
	if b.Document.ID != indexing.DocumentID("https://a.example/x", "") {
		t.Errorf("the id is not that of %s", b.Document.SourceURL)
	}
	if s := fmt.Sprintf("%+v", *b); strings.Contains(s, "secret") {
		t.Errorf("the password is in %s", s)
	}
	if !strings.Contains(given[0], "secret") {
		t.Error("the caller's aliases were changed")
	}
}

// growth is how many times its size a page may come to. Without bounds it is thousands
// of times. The worst is 180 times: long headings over a letter each.
func growth(name string) int {
	if strings.HasSuffix(name, "with a long head") {
		return 10 // 1 to 3 times; 18 to 23 times where each piece repeats all of the head
	}
	return 300
}

func checkBounds(t *testing.T, out *indexing.Derived, size, growth int) {
	t.Helper()
	b := &out.Bundle
	if n := b.Document.ParentCount; n > indexing.MaxSections {
		t.Errorf("%d sections", n)
	}
	if n := len(b.Chunks) - b.Document.ParentCount; n > indexing.MaxPassages {
		t.Errorf("%d passages", n)
	}
	made, at := len(b.Document.Title), 0
	for i := range b.Chunks {
		c := &b.Chunks[i]
		made += len(out.EmbedTexts[i]) + len(c.ChunkText) + len(c.HTMLText) + len(c.Terms) + len(c.HeadingTerms) + len(c.TitleTerms) +
			len(c.Anchor) + len(c.SourceURL) + len(c.Title) + len(strings.Join(c.HeadingPath, "")) + len(strings.Join(c.Anchors, ""))
		if c.ParentID == "" {
			if c.CharStart != at {
				t.Fatalf("section %d begins at %d, not at %d", c.Index, c.CharStart, at)
			}
			at = c.CharEnd
		}
	}
	for _, l := range b.Links {
		made += len(l.TargetURL) + len(l.Text)
	}
	if made > growth*size {
		t.Errorf("%d bytes of a page of %d: %d sections, %d chunks, %d links", made, size, b.Document.ParentCount, len(b.Chunks), len(b.Links))
	}
}

// TestManySectionsAreJoined holds a page with more sections than a page may have to
// being cut into fewer, none of which is over the ceiling.
func TestManySectionsAreJoined(t *testing.T) {
	if testing.Short() {
		t.Skip("what it does is of one goroutine: the full run has this test")
	}
	t.Parallel()
	b := newBundle(t)
	text := strings.Repeat("## a\nb\n", indexing.MaxSections+1)
	d, err := indexing.NewDeriver(b.o)
	if err != nil {
		t.Fatal(err)
	}
	out, err := d.Derive(t.Context(), markdown("many.md", text))
	if err != nil {
		t.Fatal(err)
	}
	var joined strings.Builder
	for _, c := range out.Bundle.Chunks {
		if c.ParentID == "" {
			joined.WriteString(c.ChunkText)
			if n := b.o.Tokenizer.Count(c.ChunkText); n > 1000 {
				t.Errorf("section %d has %d tokens", c.Index, n)
			}
		}
	}
	if n := out.Bundle.Document.ParentCount; joined.String() != text || n < 2 || n > 200 {
		t.Errorf("%d sections with %d of %d bytes", n, joined.Len(), len(text))
	}
	// One section less is cut as ever.
	out, err = d.Derive(t.Context(), markdown("less.md", strings.Repeat("## a\nb\n", indexing.MaxSections)))
	if err != nil || out.Bundle.Document.ParentCount != indexing.MaxSections {
		t.Errorf("%d sections, %v", out.Bundle.Document.ParentCount, err)
	}
	if _, err = d.Derive(t.Context(), markdown("far.md", strings.Repeat("a\n\n", 500_000))); !errors.Is(err, indexing.ErrTooManyParts) {
		t.Errorf("500,000 paragraphs: %v", err)
	}
}

// stuck is a tokenizer that comes to no end.
type stuck struct {
	entered chan struct{}
	end     chan struct{}
}

func (stuck) ID() string       { return "stuck" }
func (stuck) Exact() bool      { return true }
func (stuck) Count(string) int { return 1 }
func (s stuck) Starts(string) []int {
	close(s.entered)
	<-s.end
	return []int{0}
}

// TestAStoppedRunWaitsForNoPage holds a run that is stopped to ending although a page
// is still being cut.
func TestAStoppedRunWaitsForNoPage(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	s := stuck{make(chan struct{}), make(chan struct{})}
	b.o.Tokenizer = s
	ended := make(chan error)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		_, err := indexing.Run(ctx, b.store, all([]source.NormalizedDocument{markdown("a.md", "# A\n")}), b.o)
		ended <- err
	}()
	<-s.entered
	cancel()
	err := <-ended // the test's own limit ends one that waits
	close(s.end)
	if err == nil {
		t.Error("no error of a run that was stopped")
	}
}
