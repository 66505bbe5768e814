package postgres

import (
	"context"
	"slices"
	"testing"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/webragtest"
)

// everything is the fields that a chunk can be read with.
const everything = store.FieldText | store.FieldHTML | store.FieldTerms | store.FieldEmbedding

// readEverything asks a view of a vintage for all that it has.
func readEverything(t *testing.T, v *View) {
	t.Helper()
	ctx := context.Background()
	stats, err := v.Stats(ctx, store.Scope{})
	must(t, "stats", err)
	documents, err := v.Documents(ctx, store.Scope{}, store.Page{})
	must(t, "documents", err)
	if len(documents) != stats.Documents {
		t.Errorf("%d documents, counted are %d", len(documents), stats.Documents)
	}
	for _, d := range documents {
		_, err := v.Links(ctx, d.ID)
		must(t, "links", err)
	}
	parents, err := v.Parents(ctx, store.Scope{}, everything, store.Page{})
	must(t, "parents", err)
	var ids []string
	for _, p := range parents {
		ids = append(ids, p.ID)
	}
	children, err := v.Children(ctx, ids, everything)
	must(t, "children", err)
	if len(children) != stats.Children || len(parents) != stats.Parents {
		t.Errorf("%d children and %d parents, counted are %+v", len(children), len(parents), stats)
	}
	_, err = v.Chunks(ctx, ids, everything)
	must(t, "chunks", err)
	_, err = v.Deleted(ctx)
	must(t, "deleted", err)
	_, err = v.Hidden(ctx)
	must(t, "hidden", err)
	_, err = v.Within(ctx, store.Scope{}, ids)
	must(t, "within", err)
	_, err = v.Edges(ctx, store.EdgeQuery{})
	must(t, "edges", err)
	_, err = v.Edges(ctx, store.EdgeQuery{Nodes: ids})
	must(t, "edges at nodes", err)
	if len(children) > 0 {
		searchEverything(t, v, children)
	}
}

// searchEverything asks for the children of a view in every way that there is.
func searchEverything(t *testing.T, v *View, children []store.Chunk) {
	t.Helper()
	ctx := context.Background()
	words := store.Search{Terms: store.Terms("the nearest passages"), KeywordRows: 10, Match: store.MatchAuto, Unindexed: true}
	found, err := v.Search(ctx, words)
	must(t, "a search by words", err)
	if len(found.Keyword) == 0 || !found.KeywordUnindexed {
		t.Errorf("words find %+v", found)
	}
	_, err = v.Place(ctx, words, children[0].ID)
	must(t, "a place among words", err)
	for _, q := range []store.FindQuery{
		{ChunkID: children[0].ID}, {SourceURL: children[0].SourceURL}, {Quote: children[0].ChunkText},
	} {
		_, total, err := v.Find(ctx, q)
		must(t, "find", err)
		if total == 0 {
			t.Errorf("nothing found of %+v", q)
		}
	}
	_, err = v.VectorIndex(ctx)
	must(t, "the index", err)

	at := slices.IndexFunc(children, func(c store.Chunk) bool { return c.Embedding != nil })
	if at < 0 || v.layout.vector.dims == 0 {
		return // there is nothing that a query could be compared with
	}
	nearest := &children[at]
	for _, policy := range []store.Policy{store.PolicySystem, store.PolicySafe} {
		for _, exact := range []bool{false, true} {
			spec := store.Search{
				Vector: nearest.Embedding, VectorRows: 20, EfSearch: 100, Iterative: store.IterativeOff,
				Policy: policy, Exact: exact, Explain: true,
			}
			found, err := v.Search(ctx, spec)
			must(t, "a search by vector", err)
			if len(found.Vector) == 0 || found.Vector[0].Similarity < 1-1e-6 {
				t.Errorf("%s, exact %v: the nearest are %+v", policy, exact, found.Vector)
			}
			_, err = v.Place(ctx, spec, nearest.ID)
			must(t, "a place among vectors", err)
		}
	}
	if v.layout.vector.index.name != "" {
		_, err = v.Probe(ctx, store.Probe{Vector: nearest.Embedding, K: 5, EfSearch: []int{10, 40}, Iterative: store.IterativeOff})
		must(t, "a probe", err)
	}
}

func must(t *testing.T, what string, err error) {
	t.Helper()
	if err != nil {
		t.Errorf("%s: %v", what, err)
	}
}

// All vintages hold the same pages, so they answer alike.
func TestVintagesAnswerAlike(t *testing.T) {
	var want []store.Chunk
	for _, vt := range webragtest.Vintages() {
		v := view(t, open(t, vintage(t, vt), Options{}))
		chunks, err := v.Parents(context.Background(), store.Scope{}, everything, store.Page{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range chunks {
			// Only the later vintages know of images.
			chunks[i].Flags &^= store.HasImage
		}
		if want == nil {
			want = chunks
		}
		if len(chunks) != len(want) {
			t.Fatalf("%s has %d parents, want %d", vt, len(chunks), len(want))
		}
		for i := range chunks {
			if a, b := chunks[i], want[i]; a.ID != b.ID || a.ChunkText != b.ChunkText || a.HTMLText != b.HTMLText || a.Flags != b.Flags || a.CharStart != b.CharStart || a.CharEnd != b.CharEnd || a.SectionHeading != b.SectionHeading {
				t.Errorf("%s differs: %+v, want %+v", vt, a, b)
			}
		}
	}
}
