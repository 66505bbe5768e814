package indexing_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/store"
)

// What was embedded for a stored child is made again, and each of its code points
// is found where it came from.
func TestEmbeddedTexts(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	code := "```go\n" + strings.Repeat("call(of, a, long, listing)\n\n", 60) + "```\n"
	links := "# Where to\n\nSee [the übung](https://example.org/a) in [reference][r].\n\n- [elsewhere](b.md)\n- [more](c.md)\n\nThe end.\n\n[r]: https://example.org/r\n"
	glossary := markdown("c.html", "")
	glossary.HTML = "<main><h1>Glossary</h1><dl><dt>leaf</dt><dd>" + strings.Repeat("An end of a tree. ", 10) + "</dd><dt><code>root()</code></dt><dd>Its beginning.</dd></dl></main>"
	pages := []source.NormalizedDocument{markdown("a.md", trees), markdown("b.md", "# B\n\n"+code), glossary, markdown("d.md", links), markdown("e.md", "- [more](c.md)\n\nThe end of it all.\n")}
	b.mustRun(pages...)
	v, err := b.store.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	docs, err := v.Documents(t.Context(), store.Scope{}, store.Page{})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[indexing.EmbeddedFrom]bool{}
	var whole []string
	for _, doc := range docs {
		var text strings.Builder
		parents, err := v.Parents(t.Context(), store.Scope{DocumentIDs: []string{doc.ID}}, store.FieldText, store.Page{})
		if err != nil {
			t.Fatal(err)
		}
		ids, want := []string{}, map[string]bool{}
		for i := range parents {
			text.WriteString(parents[i].ChunkText)
			ids = append(ids, parents[i].ID)
		}
		children, err := v.Children(t.Context(), ids, 0)
		if err != nil {
			t.Fatal(err)
		}
		for i := range children {
			want[children[i].ID] = true
		}
		texts, err := indexing.EmbeddedTexts(t.Context(), v, doc.ID, want)
		if err != nil || len(texts) != len(children) {
			t.Fatalf("%d texts for %d children, error %v", len(texts), len(children), err)
		}
		page := []rune(text.String())
		for i := range texts {
			e := &texts[i]
			if !e.Agrees || e.ChunkID != children[i].ID {
				t.Errorf("%s: child %d was embedded from another text than %q", doc.SourceURL, i, e.Text)
			}
			whole = append(whole, e.Text)
			runes, at := []rune(e.Text), 0
			for _, p := range e.Parts {
				seen[p.From] = true
				if p.Start != at || p.End <= p.Start || p.End > len(runes) {
					t.Fatalf("parts of %q are %+v", e.Text, e.Parts)
				}
				at = p.End
				if p.From == indexing.EmbeddedBody && string(runes[p.Start:p.End]) != string(page[p.At:p.At+p.End-p.Start]) {
					t.Errorf("%q is said to come from %q", string(runes[p.Start:p.End]), string(page[p.At:p.At+p.End-p.Start]))
				}
			}
			if at != len(runes) {
				t.Errorf("the parts of %q end at %d", e.Text, at)
			}
		}
	}
	for _, kind := range []indexing.EmbeddedFrom{indexing.EmbeddedTitle, indexing.EmbeddedHeadings, indexing.EmbeddedRepeated, indexing.EmbeddedBody} {
		if !seen[kind] {
			t.Errorf("no text has a part %d", kind)
		}
	}
	if !slices.ContainsFunc(whole, func(s string) bool {
		return strings.Contains(s, "See the übung in reference") && !strings.Contains(s, "elsewhere")
	}) {
		t.Errorf("no text has holes: %q", whole)
	}
}

func TestEmbeddedFindsWordsOnThePage(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	b.mustRun(markdown("d.md", "# Top\n\nA [wo](https://example.org/a)rd here.\n"))
	v, err := b.store.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	docs, err := v.Documents(t.Context(), store.Scope{}, store.Page{})
	if err != nil {
		t.Fatal(err)
	}
	children := b.read().children[docs[0].SourceURL]
	texts, err := indexing.EmbeddedTexts(t.Context(), v, docs[0].ID, map[string]bool{children[0].ID: true})
	if err != nil || len(texts) != 1 {
		t.Fatal(texts, err)
	}
	e := &texts[0]
	before, _, _ := strings.Cut(e.Text, "word")
	at := len([]rune(before))
	// "word" is parted by the address: its range holds that.
	from, to, ok := e.Page(at, at+4)
	page := []rune("# Top\n\nA [wo](https://example.org/a)rd here.\n")
	if !ok || string(page[from:to]) != "wo](https://example.org/a)rd" {
		t.Errorf("found at %d to %d, %t, in %+v of %q", from, to, ok, e.Parts, e.Text)
	}
	if _, _, ok := e.Page(0, 1); ok || e.From(0) == indexing.EmbeddedBody {
		t.Error("a heading is said to stand in the body")
	}
}

// The shares of the words in what was embedded add up to the cosine that the search
// returns: nothing that is embedded is left out.
func TestSharesOfStoredTextsAddUpToTheSearchsCosine(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	b.mustRun(markdown("a.md", trees))
	builtin := embedder.NewBuiltin()
	const query = "roots of a tree"
	vector, err := builtin.EmbedOne(t.Context(), query, embedder.RoleQuery)
	if err != nil {
		t.Fatal(err)
	}
	v, err := b.store.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	found, err := v.Search(t.Context(), store.Search{Vector: vector, VectorRows: 50})
	if err != nil || len(found.Vector) == 0 {
		t.Fatal(found, err)
	}
	docs, err := v.Documents(t.Context(), store.Scope{}, store.Page{})
	if err != nil {
		t.Fatal(err)
	}
	for _, hit := range found.Vector {
		texts, err := indexing.EmbeddedTexts(t.Context(), v, docs[0].ID, map[string]bool{hit.ID: true})
		if err != nil || len(texts) != 1 {
			t.Fatal(texts, err)
		}
		s := builtin.Shares(query, texts[0].Text)
		total := 0.0
		for _, w := range s.Text {
			total += w.Share
		}
		if math.Abs(total-hit.Similarity) > 1e-6 {
			t.Errorf("shares add up to %.8f, the search returned %.8f", total, hit.Similarity)
		}
	}
}
