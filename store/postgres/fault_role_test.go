package postgres

import (
	"errors"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

// reads asks a view for what every corpus has.
func reads(t *testing.T, v *View) {
	t.Helper()
	ctx := t.Context()
	_ = mustAnswer(t, v)
	stats, err := v.Stats(ctx, store.Scope{})
	must(t, "stats", err)
	docs, err := v.Documents(ctx, store.Scope{SourceURLs: []string{siteURL(0)}}, store.Page{})
	must(t, "documents", err)
	parents, err := v.Parents(ctx, store.Scope{}, everything, store.Page{})
	must(t, "parents", err)
	if stats.Documents != sitePages || len(docs) != 1 || len(parents) != stats.Parents {
		t.Errorf("%+v, %d documents, %d parents", stats, len(docs), len(parents))
	}
	_, total, err := v.Find(ctx, store.FindQuery{Quote: "says about roots in every edition"})
	must(t, "find", err)
	if total == 0 {
		t.Error("a quote is not found")
	}
	_, err = v.Hidden(ctx)
	must(t, "hidden", err)
	_, err = v.Deleted(ctx)
	must(t, "deleted", err)
	_, err = v.VectorIndex(ctx)
	must(t, "the index", err)
}

// A role that may only read opens a corpus and reads everything, and is told what
// it lacks when it writes.
func TestARoleThatOnlyReadsASite(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Database(t)
	mustIndexSite(t, open(t, dsn, Options{Create: true}), 1)
	before := stateOf(t, dsn)
	s := open(t, inRole(t, dsn, `GRANT SELECT ON ALL TABLES IN SCHEMA public TO ROLE`), Options{Create: true})
	v := view(t, s)
	reads(t, v)
	edges, err := v.Edges(t.Context(), store.EdgeQuery{})
	if err != nil || len(edges) == 0 || len(s.Info().Missing) > 0 || !s.Info().ReadOnly {
		t.Errorf("%d edges, %v, %+v", len(edges), err, s.Info())
	}
	_, err = indexSite(t, s, 2)
	if !errors.Is(err, store.ErrReadOnly) || !strings.Contains(err.Error(), "GRANT INSERT, UPDATE, DELETE") {
		t.Errorf("indexing: %v", err)
	}
	if got := stateOf(t, dsn); got.eachWhole(t, state{}, before) != sitePages || got.between != before.between {
		t.Error("something was written")
	}
}

// Without edges or links a corpus can be read; without its texts it cannot.
func TestARoleThatMayNotReadATable(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Database(t)
	mustIndexSite(t, open(t, dsn, Options{Create: true}), 1)
	optional := map[string]store.Capability{"chunk_edges": store.CapEdges, "links": store.CapLinks, "staged_vectors": ""}
	for _, table := range ownTables() {
		as := inRole(t, dsn, `GRANT SELECT ON ALL TABLES IN SCHEMA public TO ROLE`, `REVOKE SELECT ON `+table+` FROM ROLE`)
		capability, can := optional[table]
		if !can {
			_, err := Open(t.Context(), as, Options{})
			if err == nil || !strings.Contains(err.Error(), "public."+table) || !strings.Contains(err.Error(), "GRANT SELECT") {
				t.Errorf("without %s: %v", table, err)
			}
			continue
		}
		s := open(t, as, Options{})
		v := view(t, s)
		reads(t, v)
		edges, err := v.Edges(t.Context(), store.EdgeQuery{})
		must(t, "edges", err)
		docs, err := v.Documents(t.Context(), store.Scope{}, store.Page{})
		must(t, "documents", err)
		links, err := v.Links(t.Context(), docs[0].ID)
		must(t, "links", err)
		if len(edges) > 0 == (table == "chunk_edges") || len(links) > 0 == (table == "links") {
			t.Errorf("without %s there are %d edges and %d links", table, len(edges), len(links))
		}
		if why := s.Info().Missing[capability]; capability != "" && !strings.Contains(why, "public."+table) {
			t.Errorf("without %s, what is missing is %v", table, s.Info().Missing)
		}
	}
}

// A table that a role may not read any more, while it is open, is named.
func TestRightsThatAreTakenAway(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Database(t)
	mustIndexSite(t, open(t, dsn, Options{Create: true}), 1)
	as := inRole(t, dsn, `GRANT SELECT ON ALL TABLES IN SCHEMA public TO ROLE`)
	s := open(t, as, Options{})
	v := view(t, s)
	role := pgtest.Value[string](t, as, "SELECT current_user")
	exec(t, dsn, `REVOKE SELECT ON chunks FROM `+role)
	_, err := answer(t.Context(), v)
	if err == nil || !strings.Contains(err.Error(), "GRANT SELECT") || !strings.Contains(err.Error(), "chunks") {
		t.Errorf("without a right: %v", err)
	}
	exec(t, dsn, `GRANT SELECT ON chunks TO `+role)
	reads(t, v)
}
