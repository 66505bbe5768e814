package sqlite

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/store"
)

// What another program wrote into the file does not get round the guard: whichever
// of owner, ingestion and deletion disagrees, on chunk, parent or document, no read
// shows the chunk, and a place tells its own owner's store why.
func TestGuardAgainstForeignRows(t *testing.T) {
	t.Parallel()
	mine, yours := ownedTest(testPage("mine", 1, 4), "alice"), ownedTest(testPage("yours", 1, 4), "bob")
	// The chunk in question is the second section's child; its parent is before it.
	parent, child := mine.Chunks[2], mine.Chunks[3]
	for name, c := range map[string]struct {
		change string
		args   []any
		// hidden is how many of alice's eight chunks are not shown, documents how
		// many documents are.
		hidden, documents int
		// forAlice and forAll are why the child is absent.
		forAlice, forAll store.Absence
	}{
		"the child's owner":            {`UPDATE chunks SET owner = 'bob' WHERE id = ?`, []any{child.ID}, 1, 1, store.AbsentUnknown, store.AbsentOwner},
		"the child's owner, none":      {`UPDATE chunks SET owner = NULL WHERE id = ?`, []any{child.ID}, 1, 1, store.AbsentUnknown, store.AbsentOwner},
		"the parent's owner":           {`UPDATE chunks SET owner = 'bob' WHERE id = ?`, []any{parent.ID}, 2, 1, store.AbsentStale, store.AbsentOwner},
		"the document's owner":         {`UPDATE documents SET owner = 'bob', changed = changed + 0 WHERE id = ?`, []any{mine.Document.ID}, 8, 0, store.AbsentUnknown, store.AbsentOwner},
		"the document's owner, none":   {`UPDATE documents SET owner = NULL WHERE id = ?`, []any{mine.Document.ID}, 8, 0, store.AbsentUnknown, store.AbsentOwner},
		"the child's ingestion":        {`UPDATE chunks SET ingestion_id = 'former' WHERE id = ?`, []any{child.ID}, 1, 1, store.AbsentStale, store.AbsentStale},
		"the child's ingestion, none":  {`UPDATE chunks SET ingestion_id = NULL WHERE id = ?`, []any{child.ID}, 1, 1, store.AbsentStale, store.AbsentStale},
		"the parent's ingestion":       {`UPDATE chunks SET ingestion_id = 'former' WHERE id = ?`, []any{parent.ID}, 2, 1, store.AbsentStale, store.AbsentStale},
		"the document's ingestion":     {`UPDATE documents SET current_ingestion_id = 'next' WHERE id = ?`, []any{mine.Document.ID}, 8, 1, store.AbsentStale, store.AbsentStale},
		"no ingestion of the document": {`UPDATE documents SET current_ingestion_id = NULL WHERE id = ?`, []any{mine.Document.ID}, 8, 0, store.AbsentStale, store.AbsentStale},
		"no ingestion at all":          {`UPDATE documents SET current_ingestion_id = NULL; UPDATE chunks SET ingestion_id = NULL`, nil, 8, 0, store.AbsentStale, store.AbsentStale},
		"deleted":                      {`UPDATE documents SET deleted_at = '2026-01-01T00:00:00.000000Z' WHERE id = ?`, []any{mine.Document.ID}, 8, 0, store.AbsentDeleted, store.AbsentDeleted},
		"a foreign parent":             {`UPDATE chunks SET parent_id = ?2 WHERE id = ?1`, []any{child.ID, yours.Chunks[0].ID}, 1, 1, store.AbsentStale, store.AbsentStale},
		"a foreign document":           {`UPDATE chunks SET document_id = ?2 WHERE id = ?1`, []any{child.ID, yours.Document.ID}, 1, 1, store.AbsentUnknown, store.AbsentOwner},
		"a foreign document and owner": {`UPDATE chunks SET document_id = ?2, owner = 'bob' WHERE id = ?1`, []any{child.ID, yours.Document.ID}, 1, 1, store.AbsentUnknown, store.AbsentStale},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newTest(t, mine, yours)
			w := writerTest(t, s)
			edge := store.Edge{SourceID: mine.Chunks[0].ID, TargetID: parent.ID, Relation: store.Sequence, Weight: 1}
			if missing, err := w.PutEdges(t.Context(), []store.Edge{edge}); err != nil || len(missing) != 0 {
				t.Fatal(missing, err)
			}
			_ = w.Close()
			foreignTest(t, s.path, c.change, c.args...)
			alice := openTest(t, s.path, Options{Owner: "alice"})
			shown := idsOf(mine.Chunks)
			for _, r := range []struct {
				store   *Store
				absence store.Absence
			}{{alice, c.forAlice}, {openTest(t, s.path, Options{}), c.forAll}} {
				v := readTest(t, r.store)
				if got := visibleIDs(t, v, shown); len(got) != 8-c.hidden || got[child.ID] {
					t.Errorf("for %q %d chunks are shown, want %d", r.store.owner, len(got), 8-c.hidden)
				}
				p, err := v.Place(t.Context(), store.Search{Vector: testVector(1), Terms: []string{"gen1"}}, child.ID)
				if err != nil || p.Absence != r.absence || p.VectorRank+p.KeywordRank != 0 {
					t.Errorf("for %q the child is placed %+v, %v, want %q", r.store.owner, p, err, r.absence)
				}
				if told := p.Chunk.ID != "" || p.HasVector || p.Keyword.Length.Sum() > 0; told == (r.absence == store.AbsentUnknown) {
					t.Errorf("for %q a chunk that is %q is told of: %+v", r.store.owner, r.absence, p)
				}
			}
			// Nor does a writer connect the chunk, or know the vector of a child whose
			// owner is not its document's.
			w = writerTest(t, alice)
			lost := []store.Edge{{SourceID: child.ID, TargetID: yours.Chunks[0].ID, Relation: store.CausedBy, Weight: 1}, {SourceID: child.ID, TargetID: mine.Chunks[6].ID, Relation: store.CausedBy, Weight: 1}}
			if missing, err := w.PutEdges(t.Context(), lost); err != nil || len(missing) != 2 {
				t.Errorf("edges of a hidden child: %+v, %v", missing, err)
			}
			known, err := w.Known(t.Context(), []string{child.EmbedHash})
			if err != nil || c.forAll == store.AbsentOwner && child.Owner == "alice" && !strings.Contains(name, "parent") && len(known) != 0 {
				t.Errorf("the vector of the child is known: %v, %v", known, err)
			}
			_ = w.Close()
			hidden := map[string]store.Hidden{
				"the child's ingestion": {Stale: 1}, "the document's ingestion": {Stale: 8},
				"no ingestion of the document": {Unfinished: 1}, "deleted": {Deleted: 1}, "the child's owner": {},
			}
			if want, ok := hidden[name]; ok {
				if got, err := readTest(t, alice).Hidden(t.Context()); err != nil || got != want {
					t.Errorf("for alice %+v is hidden, %v, want %+v", got, err, want)
				}
			}
			docs, err := readTest(t, alice).Documents(t.Context(), store.Scope{}, store.Page{})
			if err != nil || len(docs) != c.documents {
				t.Errorf("alice has %d documents, %v, want %d", len(docs), err, c.documents)
			}
		})
	}
}

// An edge row that says nothing of where it leads does not tell of a foreign chunk.
func TestGuardOnDanglingEdges(t *testing.T) {
	t.Parallel()
	mine, yours := ownedTest(testPage("mine", 1, 2), "alice"), ownedTest(testPage("yours", 1, 2), "bob")
	s := newTest(t, mine, yours)
	for i, target := range []string{yours.Chunks[0].ID, testID("gone")} {
		execTest(t, s.path, `INSERT INTO chunk_edges (id, document_id, source_id, target_id, relation, weight, origin) VALUES (?, ?, ?, ?, 'references', 1, 'import')`,
			i, mine.Document.ID, mine.Chunks[0].ID, target)
	}
	got, err := readTest(t, openTest(t, s.path, Options{Owner: "alice"})).Edges(t.Context(), store.EdgeQuery{Dangling: true})
	if err != nil || len(got) != 1 || got[0].TargetID != testID("gone") {
		t.Errorf("alice's dangling edges are %+v, %v", got, err)
	}
}

// A page that is put as deleted leaves the keyword index, and comes back into it.
func TestPutDeletedKeepsTheIndexInStep(t *testing.T) {
	t.Parallel()
	s := newTest(t, testPage("a", 1, 3), testPage("b", 1, 3))
	gone := testPage("a", 1, 3)
	gone.Document.DeletedAt = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, b := range []store.Bundle{gone, testPage("a", 1, 3), gone, testPage("a", 2, 3)} {
		putTest(t, s, b)
		checkFile(t, s.path)
	}
}

// visibleIDs returns which of ids any read of a view shows. All reads must agree.
func visibleIDs(t *testing.T, v *View, ids []string) map[string]bool {
	t.Helper()
	ctx := t.Context()
	asked := stringSet(ids)
	byRead := make(map[string]map[string]bool)
	note := func(read string, chunks []store.Chunk, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", read, err)
		}
		if byRead[read] == nil {
			byRead[read] = make(map[string]bool)
		}
		for _, c := range chunks {
			if asked[c.ID] {
				byRead[read][c.ID] = true
			}
		}
	}
	chunks, err := v.Chunks(ctx, ids, store.FieldText)
	note("Chunks", chunks, err)
	parents, err := v.Parents(ctx, store.Scope{}, 0, store.Page{})
	note("listings", parents, err)
	below, err := v.Children(ctx, ids, 0)
	note("listings", below, err)
	for _, id := range ids {
		one, _, err := v.Find(ctx, store.FindQuery{ChunkID: id})
		note("Find by id", one, err)
	}
	for _, url := range []string{"https://example.org/mine", "https://example.org/yours"} {
		for _, level := range []store.Level{store.Parent, store.Child} {
			got, _, err := v.Find(ctx, store.FindQuery{SourceURL: url, Level: level, Limit: 1000})
			note("Find by URL", got, err)
		}
	}
	quoted, _, err := v.Find(ctx, store.FindQuery{Quote: "gen1", Limit: 1000})
	note("Find by quote", quoted, err)
	found, err := v.Search(ctx, store.Search{Vector: testVector(1), VectorRows: 100, Terms: []string{"gen1"}, KeywordRows: 100})
	if err != nil || found.KeywordRows != found.Terms[0].DF || len(found.Keyword) != found.KeywordRows || len(found.Vector) != found.KeywordRows {
		t.Fatalf("Search: %+v, %v", found, err)
	}
	children := 0
	for id := range byRead["Chunks"] {
		for _, c := range chunks {
			if c.ID == id && c.Level == store.Child {
				children++
			}
		}
	}
	for arm, hits := range map[string]int{
		"the vector arm":  countHits(found.Vector, asked, func(r store.VectorRow) string { return r.ID }),
		"the keyword arm": countHits(found.Keyword, asked, func(r store.KeywordRow) string { return r.ID }),
	} {
		if hits != children {
			t.Errorf("%s finds %d, Chunks shows %d children", arm, hits, children)
		}
	}
	edges, err := v.Edges(ctx, store.EdgeQuery{})
	if err != nil {
		t.Fatal(err)
	}
	at, err := v.Edges(ctx, store.EdgeQuery{Nodes: ids})
	if err != nil || len(at) != len(edges) {
		t.Errorf("%d edges at the nodes, %v, %d in all", len(at), err, len(edges))
	}
	want := byRead["Chunks"]
	for _, e := range edges {
		if !want[e.SourceID] || !want[e.TargetID] {
			t.Errorf("an edge leads from %s to %s", e.SourceID, e.TargetID)
		}
	}
	for read, got := range byRead {
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s shows %v, Chunks %v", read, got, want)
		}
	}
	return want
}

func countHits[T any](rows []T, asked map[string]bool, id func(T) string) (n int) {
	for _, r := range rows {
		if asked[id(r)] {
			n++
		}
	}
	return n
}

func idsOf(chunks []store.Chunk) []string {
	ids := make([]string, len(chunks))
	for i := range chunks {
		ids[i] = chunks[i].ID
	}
	return ids
}
