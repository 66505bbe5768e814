package postgres

import (
	"slices"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/webragtest"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

// The links of a WebRAG database know pages only: each is an edge from the section
// that is asked about to the first section of the page that it leads to.
func TestLinkCandidatesAreEdges(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Database(t)
	webragtest.Load(t, dsn, webragtest.Links)
	s, err := Open(t.Context(), dsn, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	v, err := s.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	edges := func(q store.EdgeQuery) []store.Edge {
		t.Helper()
		edges, err := v.Edges(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		return edges
	}
	every := edges(store.EdgeQuery{})
	if len(every) == 0 {
		t.Fatal("no edges")
	}
	parents, err := v.Parents(t.Context(), store.Scope{}, 0, store.Page{})
	if err != nil {
		t.Fatal(err)
	}
	first, last := make(map[string]store.Chunk), make(map[string]store.Chunk)
	for _, p := range parents {
		if _, ok := first[p.DocumentID]; !ok {
			first[p.DocumentID] = p
		}
		last[p.DocumentID] = p
	}
	for _, e := range every {
		if e.SourceID != first[e.DocumentID].ID || e.TargetID != first[e.TargetDocumentID].ID || e.DocumentID == e.TargetDocumentID {
			t.Errorf("%+v does not lead from a first section to another", e)
		}
		if e.Relation != store.References || e.Weight != store.WeightReferences || e.Origin != store.OriginLink || !strings.HasPrefix(e.Description, "links to") {
			t.Errorf("%+v", e)
		}
		at := last[e.DocumentID]
		out := edges(store.EdgeQuery{Nodes: []string{at.ID}, Direction: store.Outgoing})
		found := false
		for _, o := range out {
			found = found || o.TargetID == e.TargetID
			if o.SourceID != at.ID || o.ID != store.EdgeID(at.ID, o.TargetID, store.References) {
				t.Errorf("asked at %s: %+v", at.ID, o)
			}
		}
		if !found {
			t.Errorf("the section %s of the page does not lead to %s", at.ID, e.TargetID)
		}
		if in := edges(store.EdgeQuery{Nodes: []string{e.TargetID}, Direction: store.Incoming}); len(in) == 0 {
			t.Errorf("nothing leads to %s", e.TargetID)
		}
	}
	if got := edges(store.EdgeQuery{Page: store.Page{Offset: 1, Limit: 1}}); len(every) > 1 && (len(got) != 1 || got[0] != every[1]) {
		t.Errorf("the second edge is %+v, want %+v", got, every[1])
	}
	one := store.Scope{DocumentIDs: []string{every[0].DocumentID}}
	if got := edges(store.EdgeQuery{Scope: one}); len(got) != 0 {
		t.Errorf("%d edges with both ends in one page", len(got))
	}
	for i, e := range every {
		if got := edges(store.EdgeQuery{After: e}); !slices.Equal(got, every[i+1:]) {
			t.Errorf("after edge %d: %+v, want %+v", i, got, every[i+1:])
		}
	}
	if got := edges(store.EdgeQuery{Origins: []store.Origin{store.OriginImport, store.OriginStructure}}); len(got) != 0 {
		t.Errorf("%d edges of other origins", len(got))
	}
	if got := edges(store.EdgeQuery{Origins: []store.Origin{store.OriginLink}}); !slices.Equal(got, every) {
		t.Errorf("edges of links: %+v, want %+v", got, every)
	}
	if got := edges(store.EdgeQuery{Relations: []store.Relation{store.Sequence}}); len(got) != 0 {
		t.Errorf("%d edges of another relation", len(got))
	}
}
