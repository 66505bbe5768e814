package transfer_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/sqlite"
	"github.com/webrag/webrag-tui/store/transfer"
)

func open(t *testing.T) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "corpus.db"), sqlite.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func id(name string) string { return uuid.NewSHA1(uuid.NameSpaceURL, []byte(name)).String() }

// page has two sections with a child each, one of them with a vector; the first
// links to another page.
func page(name, linksTo string) store.Bundle {
	url := "https://example.org/" + name
	d := store.Document{
		ID: id(url), SourceURL: url, URL: url + "?x=1", URLAliases: []string{url + "/old"}, Title: "Page " + name,
		Metadata: map[string]string{"module": "m"}, Tags: []string{"a", "b"}, Depth: 2, ContentHash: "c", DerivedHash: "d",
		FetchedAt: time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC), CurrentIngestionID: id(url + "#1"),
	}
	b := store.Bundle{Document: d}
	for i, heading := range []string{"One", "Two"} {
		parent := store.Chunk{
			ID: id(url + heading), DocumentID: d.ID, Level: store.Parent, Index: i, SectionHeading: heading, HeadingPath: []string{heading},
			Anchor: strings.ToLower(heading), CharStart: 10 * i, CharEnd: 10*i + 10, TokenEnd: 3, ChunkText: heading + " tree.",
			HTMLText: "<p>x", HTMLTokens: 2, Flags: store.HasTable, SourceURL: url, Title: d.Title, Depth: 2, IngestionID: d.CurrentIngestionID,
		}
		child := parent
		child.ID, child.ParentID, child.Level, child.Index = id(url+heading+"child"), parent.ID, store.Child, 0
		child.Anchor, child.HTMLText, child.HTMLTokens, child.Flags = "", "", 0, 0
		child.Terms, child.EmbedHash = "one tree", "h"+heading
		if i == 0 {
			child.Embedding = []float32{0.6, 0.8}
		}
		b.Chunks = append(b.Chunks, parent, child)
	}
	if linksTo != "" {
		b.Links = []store.Link{{ChunkID: b.Chunks[0].ID, TargetURL: "https://example.org/" + linksTo, Anchor: "two", Text: "there"}}
	}
	b.Edges = []store.Edge{{SourceID: b.Chunks[0].ID, TargetID: b.Chunks[2].ID, Relation: store.Sequence, Weight: store.WeightSequence, Description: "next"}}
	return b
}

func fill(t *testing.T, s store.Store, pages ...store.Bundle) {
	t.Helper()
	w, err := s.Write(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := w.SetMeta(t.Context(), store.Meta{EmbedderID: "test", Dimensions: 2, Tokenizer: "words"}); err != nil {
		t.Fatal(err)
	}
	for _, b := range pages {
		if _, err := w.Put(t.Context(), b); err != nil {
			t.Fatal(err)
		}
	}
	a, b := pages[0].Chunks[0], pages[len(pages)-1].Chunks[0]
	if a.ID == b.ID {
		return
	}
	if missing, err := w.PutEdges(t.Context(), []store.Edge{{SourceID: a.ID, TargetID: b.ID, Relation: store.DependsOn, Weight: .3}}); err != nil || len(missing) > 0 {
		t.Fatal(missing, err)
	}
}

func TestCopyIsVerified(t *testing.T) {
	t.Parallel()
	from, to := open(t), open(t)
	fill(t, from, page("a", "b"), page("b", "a"), page("c", ""))
	var last int
	report, err := transfer.Copy(t.Context(), from, to, transfer.Options{Progress: func(done, total int) {
		if done != last+1 || total != 3 {
			t.Errorf("progress %d of %d after %d", done, total, last)
		}
		last = done
	}})
	if err != nil {
		t.Fatal(err)
	}
	if want := (transfer.Report{Documents: 3, Written: 3, Chunks: 12, Edges: 1}); report != want || last != 3 {
		t.Errorf("%+v, want %+v", report, want)
	}
	if err := transfer.Verify(t.Context(), from, to, transfer.Options{}); err != nil {
		t.Error(err)
	}
	if again, err := transfer.Copy(t.Context(), from, to, transfer.Options{}); err != nil || again.Written != 0 || again.Documents != 3 {
		t.Errorf("the second copy: %+v, %v", again, err)
	}
	edges := func(s store.Store) []store.Edge {
		v, err := s.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer v.Close()
		list, err := v.Edges(t.Context(), store.EdgeQuery{})
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	x, y := edges(from), edges(to)
	if len(x) != 6 || len(y) != len(x) { // three of structure, two of links, one imported
		t.Fatalf("%d and %d edges, want 6", len(x), len(y))
	}
	for i := range x {
		if x[i] != y[i] {
			t.Errorf("edge %d: %+v and %+v", i, x[i], y[i])
		}
	}
}

func TestVerifyFindsDifferences(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(b *store.Bundle){
		"title":                func(b *store.Bundle) { b.Document.Title = "Other" },
		"tags":                 func(b *store.Bundle) { b.Document.Tags = nil },
		"chunk_text":           func(b *store.Bundle) { b.Chunks[1].ChunkText += "!" },
		"char_end":             func(b *store.Bundle) { b.Chunks[1].CharEnd++ },
		"the vector":           func(b *store.Bundle) { b.Chunks[1].Embedding = []float32{0.8, 0.6} },
		"the links":            func(b *store.Bundle) { b.Links[0].Text = "elsewhere" },
		"the edges":            func(b *store.Bundle) { b.Edges = nil },
		"the number of chunks": func(b *store.Bundle) { b.Chunks, b.Edges = b.Chunks[:2], nil },
		"section_heading":      func(b *store.Bundle) { b.Chunks[0].SectionHeading = "" },
		"the page":             nil,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			from, to := open(t), open(t)
			fill(t, from, page("a", "b"), page("b", ""))
			other := page("a", "b")
			if change != nil {
				change(&other)
				fill(t, to, other, page("b", ""))
			} else {
				fill(t, to, page("b", ""), page("c", ""))
			}
			err := transfer.Verify(t.Context(), from, to, transfer.Options{})
			var d *transfer.DifferenceError
			if !errors.As(err, &d) {
				t.Fatalf("%v, want a difference", err)
			}
			if !strings.HasPrefix(d.What, name) {
				t.Errorf("%v, want one of %s", err, name)
			}
		})
	}
}

func TestCopyRefusesAnotherEmbedder(t *testing.T) {
	t.Parallel()
	from, to := open(t), open(t)
	fill(t, from, page("a", ""))
	w, err := to.Write(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := w.SetMeta(t.Context(), store.Meta{EmbedderID: "another", Dimensions: 2, Tokenizer: "words"}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Put(t.Context(), page("x", "")); err != nil {
		t.Fatal(err)
	}
	_ = w.Close()
	var mismatch *store.MismatchError
	if _, err := transfer.Copy(t.Context(), from, to, transfer.Options{}); !errors.As(err, &mismatch) {
		t.Errorf("%v, want a mismatch", err)
	}
}
