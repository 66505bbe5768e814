package postgres

import (
	"maps"
	"slices"
	"testing"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

// What another program wrote into the tables does not get round the guard:
// whichever of owner, ingestion and deletion disagrees, on chunk, parent or
// document, no read shows the chunk.
func TestGuardAgainstForeignRows(t *testing.T) {
	t.Parallel()
	const (
		mine, yours = "'00000000-0000-5000-8000-000000000001'", "'00000000-0000-5000-8000-000000000002'"
		// The first section of mine, and its second passage.
		parent, child = "'10000000-0000-5000-8000-000000000001'", "'20000001-0000-5000-8000-000000000001'"
	)
	owned := `; UPDATE documents SET owner = CASE id WHEN ` + mine + ` THEN 'alice' ELSE 'bob' END
		; UPDATE chunks c SET owner = d.owner FROM documents d WHERE d.id = c.document_id`
	for name, c := range map[string]struct {
		change string
		// alice, all are how many of the six chunks of mine each may read.
		alice, all int
		hidden     store.Hidden // for alice
	}{
		"nothing":                       {``, 6, 6, store.Hidden{}},
		"the child's owner":             {`UPDATE chunks SET owner = 'bob' WHERE id = ` + child, 5, 5, store.Hidden{}},
		"the child's owner, none":       {`UPDATE chunks SET owner = NULL WHERE id = ` + child, 5, 5, store.Hidden{}},
		"the parent's owner":            {`UPDATE chunks SET owner = 'bob' WHERE id = ` + parent, 3, 3, store.Hidden{}},
		"the parent's owner, none":      {`UPDATE chunks SET owner = NULL WHERE id = ` + parent, 3, 3, store.Hidden{}},
		"the document's owner":          {`UPDATE documents SET owner = 'bob' WHERE id = ` + mine, 0, 0, store.Hidden{}},
		"the document's owner, none":    {`UPDATE documents SET owner = NULL WHERE id = ` + mine, 0, 0, store.Hidden{}},
		"the child's ingestion":         {`UPDATE chunks SET ingestion_id = 'former' WHERE id = ` + child, 5, 5, store.Hidden{Stale: 1}},
		"the child's ingestion, none":   {`UPDATE chunks SET ingestion_id = NULL WHERE id = ` + child, 5, 5, store.Hidden{Stale: 1}},
		"the parent's ingestion":        {`UPDATE chunks SET ingestion_id = 'former' WHERE id = ` + parent, 3, 3, store.Hidden{Stale: 1}},
		"the document's ingestion":      {`UPDATE documents SET current_ingestion_id = 'next' WHERE id = ` + mine, 0, 0, store.Hidden{Stale: 6}},
		"no ingestion of the document":  {`UPDATE documents SET current_ingestion_id = NULL WHERE id = ` + mine, 0, 0, store.Hidden{Unfinished: 1}},
		"no ingestion at all":           {`UPDATE documents SET current_ingestion_id = NULL; UPDATE chunks SET ingestion_id = NULL`, 0, 0, store.Hidden{Unfinished: 1}},
		"deleted":                       {`UPDATE documents SET deleted_at = now() WHERE id = ` + mine, 0, 0, store.Hidden{Deleted: 1}},
		"deleted before it was indexed": {`UPDATE documents SET deleted_at = now(), current_ingestion_id = NULL WHERE id = ` + mine, 0, 0, store.Hidden{Deleted: 1}},
		"a foreign parent":              {`UPDATE chunks SET parent_id = '10000000-0000-5000-8000-000000000002' WHERE id = ` + child, 5, 5, store.Hidden{}},
		"a foreign document":            {`UPDATE chunks SET document_id = ` + yours + ` WHERE id = ` + child, 5, 5, store.Hidden{}},
		"a foreign document and owner":  {`UPDATE chunks SET owner = 'bob', document_id = ` + yours + ` WHERE id = ` + child, 5, 5, store.Hidden{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dsn := made(t, ownSchema()+vectors3+pages(2)+owned)
			pgtest.Exec(t, dsn, c.change)
			for owner, want := range map[string]int{"alice": c.alice, "": c.all, "carol": 0} {
				v := view(t, open(t, dsn, Options{Owner: owner}))
				if got := shownOf(t, v, "000000000001"); got != want {
					t.Errorf("%q reads %d chunks, want %d", owner, got, want)
				}
			}
			if got, err := view(t, open(t, dsn, Options{Owner: "alice"})).Hidden(t.Context()); err != nil || got != c.hidden {
				t.Errorf("for alice %+v is hidden, %v, want %+v", got, err, c.hidden)
			}
		})
	}
}

// shownOf returns how many of the six chunks of a page, told by the end of their
// ids, a view shows. All reads must agree.
func shownOf(t *testing.T, v *View, page string) int {
	t.Helper()
	ids := []string{
		"10000000-0000-5000-8000-" + page, "10000000-0000-5000-8001-" + page,
		"20000000-0000-5000-8000-" + page, "20000001-0000-5000-8000-" + page,
		"20000000-0000-5000-8001-" + page, "20000001-0000-5000-8001-" + page,
	}
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
			if slices.Contains(ids, c.ID) {
				byRead[read][c.ID] = true
			}
		}
	}
	ctx := t.Context()
	chunks, err := v.Chunks(ctx, ids, store.FieldText|store.FieldEmbedding)
	note("chunks", chunks, err)
	parents, err := v.Parents(ctx, store.Scope{}, 0, store.Page{})
	note("listings", parents, err)
	children, err := v.Children(ctx, ids, 0)
	note("listings", children, err)
	for _, level := range []store.Level{store.Parent, store.Child} {
		for _, url := range []string{"https://x.example/1", "https://x.example/2"} {
			found, _, err := v.Find(ctx, store.FindQuery{SourceURL: url, Level: level})
			note("addresses", found, err)
		}
	}
	found, _, err := v.Find(ctx, store.FindQuery{Quote: "text"})
	note("quotes", found, err)
	for _, id := range ids {
		found, _, err := v.Find(ctx, store.FindQuery{ChunkID: id})
		note("ids", found, err)
	}
	for _, scope := range []store.Scope{{}, {Headings: []string{"über"}}} {
		within, err := v.Within(ctx, scope, ids)
		note("within", nil, err)
		maps.Copy(byRead["within"], within)
	}
	sections, err := v.Stats(ctx, store.Scope{Headings: []string{"über"}, SourceURLs: []string{"https://x.example/1", "https://x.example/2"}})
	all := make(map[string]bool)
	for _, c := range append(parents, children...) {
		all[c.ID] = true
	}
	below, err2 := v.Children(ctx, chunkIDs(parents), 0)
	if err != nil || err2 != nil || sections.Parents != len(parents) || sections.Children != len(below) {
		t.Errorf("statistics of sections are %+v, %v, %v, of %d and %d", sections, err, err2, len(parents), len(below))
	}
	n, err := v.scopeCount(ctx, v.reading.Tx(), store.Scope{Headings: []string{"über"}}, 100)
	if err != nil || n != len(below) {
		t.Errorf("scopeCount = %d, %v, want %d", n, err, len(below))
	}
	for read, got := range byRead {
		if !maps.Equal(got, byRead["chunks"]) {
			t.Errorf("by %s are shown %v, by chunks %v", read, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(byRead["chunks"])))
		}
	}
	return len(byRead["chunks"])
}
