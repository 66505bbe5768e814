package edges_test

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/indexing/edges"
	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/sqlite"
)

var pages = []source.NormalizedDocument{
	{SourceURL: "https://example.org/trees/", Markdown: "# Trees\n\nIntro.\n\n## Depth {#d}\n\nDeep.\n\n### Limits\n\nAt most.\n\n## Notes\n\nOne.\n"},
	{SourceURL: "https://example.org/forests.html", URLAliases: []string{"https://example.org/woods"}, Title: "Forests", Markdown: "A banner.\n\n# Forests\n\nMany.\n\n# A\n\n## Notes\n\nx\n\n# B\n\n## Notes\n\ny\n"},
}

// openPages makes a corpus of the pages and returns a view with the ids of its
// chunks: "Trees/Depth" of a section, "Trees/Depth/0" of its first passage.
func openPages(t *testing.T) (store.View, map[string]string) {
	t.Helper()
	ctx := t.Context()
	st, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "c.db"), sqlite.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	tok, err := embedder.NewTokenizer("cl100k_base")
	if err != nil {
		t.Fatal(err)
	}
	var seq iter.Seq2[source.NormalizedDocument, error] = func(yield func(source.NormalizedDocument, error) bool) {
		for _, p := range pages {
			if !yield(p, nil) {
				return
			}
		}
	}
	if _, err := indexing.Run(ctx, st, seq, indexing.Options{Embedder: embedder.NewBuiltin(), Tokenizer: tok}); err != nil {
		t.Fatal(err)
	}
	v, err := st.Read(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = v.Close() })
	parents, err := v.Parents(ctx, store.Scope{}, 0, store.Page{})
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]string{}
	for _, p := range parents {
		name := strings.Join(p.HeadingPath, "/")
		ids[name] = p.ID
		children, err := v.Children(ctx, []string{p.ID}, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range children {
			ids[fmt.Sprintf("%s/%d", name, c.Index)] = c.ID
		}
	}
	return v, ids
}

func TestResolve(t *testing.T) {
	t.Parallel()
	v, ids := openPages(t)
	const trees, forests = "https://example.org/trees", "https://example.org/forests.html"
	for _, c := range []struct {
		end  edges.End
		want string // a section, or what the reason says
	}{
		{edges.End{ChunkID: ids["Trees/Depth"]}, "Trees/Depth"},
		{edges.End{ChunkID: ids["Trees/Depth/1"]}, "Trees/Depth"},
		{edges.End{URL: trees}, "Trees"},
		{edges.End{URL: "HTTP://EXAMPLE.org/trees/index.html", Anchor: "d"}, "Trees/Depth"},
		{edges.End{URL: trees, Anchor: "limits"}, "Trees/Depth"},
		{edges.End{URL: trees, Heading: "depth"}, "Trees/Depth"},
		{edges.End{URL: trees, Heading: "Limits"}, "Trees/Depth"},
		{edges.End{URL: trees, Heading: "Notes"}, "Trees/Notes"},
		{edges.End{URL: "https://example.org/woods"}, "Forests"},
		{edges.End{URL: forests, Heading: "Notes"}, `2 sections of https://example.org/forests.html have the heading "Notes"; give the anchor`},
		{edges.End{URL: forests, Heading: "None"}, `no section of https://example.org/forests.html has the heading "None"`},
		{edges.End{URL: forests, Anchor: "none"}, `no section of https://example.org/forests.html has the anchor "none"`},
		{edges.End{URL: "https://example.org/none"}, "there is no page https://example.org/none"},
		{edges.End{ChunkID: "none"}, "there is no chunk none"},
	} {
		entry := edges.Entry{Line: 7, Source: edges.End{ChunkID: ids["B/Notes"]}, Target: c.end, Relation: store.Elaborates, Weight: .5, Description: "why"}
		for range 2 {
			got, err := edges.Resolve(t.Context(), v, []edges.Entry{entry})
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Missing) == 1 {
				if m := got.Missing[0]; m.Line != 7 || !strings.HasPrefix(m.Err.Error(), c.want) {
					t.Errorf("%v: %v, want %s", entry, m, c.want)
				}
			} else {
				from, to := entry.Source.ChunkID, ids[c.want]
				if len(c.end.ChunkID) == 0 && entry.Target != c.end {
					from, to = ids[c.want], entry.Target.ChunkID
				}
				e := got.Edges[0]
				if e.SourceID != from || e.TargetID != to || e.ID != store.EdgeID(from, to, store.Elaborates) ||
					e.Weight != .5 || e.Description != "why" || e.Origin != store.OriginImport || e.DocumentID == "" || e.TargetDocumentID == "" {
					t.Errorf("%v became %+v", entry, e)
				}
			}
			if c.end.ChunkID == "" {
				entry.Source, entry.Target = entry.Target, entry.Source // and the other way round
			}
		}
	}
}

func TestResolveKeepsTheHeaviest(t *testing.T) {
	t.Parallel()
	v, ids := openPages(t)
	source, target := edges.End{ChunkID: ids["Trees/Notes"]}, edges.End{ChunkID: ids["Trees"]}
	passage := edges.End{ChunkID: ids["Trees/0"]}
	entries := []edges.Entry{
		{Line: 1, Source: source, Target: target, Relation: store.CausedBy, Weight: .3, Description: "light"},
		{Line: 2, Source: source, Target: passage, Relation: store.CausedBy, Weight: .9, Description: "heavy"},
		{Line: 3, Source: source, Target: target, Relation: store.SimilarTo, Weight: .1},
		{Line: 4, Source: target, Target: passage, Relation: store.CausedBy, Weight: 1},
		{Line: 5, Source: target, Target: source, Relation: store.CausedBy, Weight: .2},
	}
	var first []store.Edge
	for range 10 {
		got, err := edges.Resolve(t.Context(), v, entries)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Edges) != 3 || got.Duplicates != 1 || len(got.Missing) != 1 || got.Missing[0].Line != 4 || !strings.Contains(got.Missing[0].Error(), "are one section") {
			t.Fatalf("%+v", got)
		}
		at := slices.IndexFunc(got.Edges, func(e store.Edge) bool { return e.SourceID == source.ChunkID && e.Relation == store.CausedBy })
		if e := got.Edges[at]; e.Weight != .9 || e.Description != "heavy" {
			t.Errorf("%+v", e)
		}
		if first == nil {
			first = got.Edges
		}
		if !slices.Equal(first, got.Edges) {
			t.Errorf("another order gives %+v, not %+v", got.Edges, first)
		}
		rand.Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
	}
}

func TestPagesPrefersTheCanonicalAddress(t *testing.T) {
	t.Parallel()
	docs := []store.Document{
		{ID: "3", SourceURL: "https://example.org/b", URLAliases: []string{"https://example.org/a/", ""}},
		{ID: "2", SourceURL: "https://example.org/a"},
		{ID: "1", SourceURL: "https://example.org/c"},
		{ID: "4", SourceURL: "https://example.org/c/", Owner: "me"},
	}
	pages := edges.Pages(docs)
	for address, want := range map[string]string{"https://example.org/a": "2", "https://example.org/b": "3", "https://example.org/c": "4"} {
		if got := pages[store.PageKey(address)].ID; got != want {
			t.Errorf("%s is document %s, want %s", address, got, want)
		}
	}
	if len(pages) != 3 {
		t.Errorf("%d keys", len(pages))
	}
}
