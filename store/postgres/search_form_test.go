package postgres

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/ann"
)

// settingsLast expects settings to hold for the transaction of the search alone,
// and each search to set its own.
func settingsLast(t *testing.T, s *Store, queries [][]float32) {
	inView(t, s, func(v *View) {
		found := mustSearch(t, v, store.Search{Vector: queries[0], VectorRows: 10, Policy: store.PolicySafe})
		want := []store.Setting{{Name: "enable_sort", Value: "off"}, {Name: "hnsw.ef_search", Value: "400"}, {Name: "hnsw.iterative_scan", Value: "relaxed_order"}, {Name: "hnsw.max_scan_tuples", Value: "20000"}}
		if !slices.Equal(found.Vectors.Settings, want) {
			t.Errorf("settings are %v", found.Vectors.Settings)
		}
		if got := setting(t, v, "enable_sort"); got != "on" {
			t.Errorf("after the search enable_sort is %s", got)
		}
		for _, w := range want[1:] {
			if got := setting(t, v, w.Name); got != w.Value {
				t.Errorf("%s is %s, want %s", w.Name, got, w.Value)
			}
		}
		found = mustSearch(t, v, store.Search{Vector: queries[0], VectorRows: 10, Policy: store.PolicySystem})
		if want = []store.Setting{{Name: "hnsw.iterative_scan", Value: "off"}}; !slices.Equal(found.Vectors.Settings, want) {
			t.Errorf("settings are %v", found.Vectors.Settings)
		}
		if got := setting(t, v, "hnsw.ef_search"); got != "40" || found.EfSearch != 40 {
			t.Errorf("ef_search is %s, and %d is told", got, found.EfSearch)
		}
		mustSearch(t, v, store.Search{Vector: queries[0], VectorRows: 10, EfSearch: 77, Policy: store.PolicySystem})
		// On the same connection, after the transaction.
		conn := v.reading.Tx().Conn()
		if _, err := v.reading.Tx().Exec(context.Background(), "COMMIT"); err != nil {
			t.Fatal(err)
		}
		var after string
		if err := conn.QueryRow(context.Background(), "SELECT current_setting('hnsw.ef_search')").Scan(&after); err != nil || after != "40" {
			t.Errorf("after COMMIT ef_search is %s, %v", after, err)
		}
	})
}

func settingsOutOfRange(t *testing.T, s *Store, queries [][]float32) {
	inView(t, s, func(v *View) {
		for _, spec := range []store.Search{{EfSearch: -1}, {EfSearch: 1001}, {EfSearch: math.MaxInt}, {EfSearch: 40, Iterative: "relaxed_order; DROP TABLE chunks"}} {
			spec.Vector, spec.VectorRows, spec.Policy = queries[0], 10, store.PolicySystem
			if found, err := v.Search(context.Background(), spec); err == nil {
				t.Errorf("%+v finds %d rows", spec, len(found.Vector))
			}
		}
		// The view goes on.
		mustSearch(t, v, store.Search{Vector: queries[0], VectorRows: 10, EfSearch: 1000, Policy: store.PolicySystem})
	})
}

// forms are ways to write a search, of which the planner knows only some.
func forms(t *testing.T, s *Store, queries [][]float32) {
	const (
		child, set = "c.chunk_level = 'child'", "c.embedding IS NOT NULL"
		order      = " ORDER BY c.embedding <=> $1::vector LIMIT 60"
	)
	from := "SELECT c.id FROM chunks c WHERE "
	inView(t, s, func(v *View) {
		plan := func(sql string, more ...any) string {
			var asked store.Asked
			var batch pgx.Batch
			own, index := v.nearest(queries[0], store.Scope{}, 60, false), v.layout.index()
			index.QueuePlan(&batch, ann.Statement{SQL: sql, Args: append(own.args[:1:1], more...)}, &asked)
			if err := v.reading.Tx().SendBatch(context.Background(), &batch).Close(); err != nil {
				t.Fatal(err)
			}
			return asked.Used
		}
		for form, used := range map[string]bool{
			from + child + " AND " + set + order: true,
			from + set + order:                   false,
			from + child + order:                 false,
			from + child + " AND " + set + " ORDER BY 1 - (c.embedding <=> $1::vector) DESC LIMIT 60":                   false,
			from + child + " AND " + set + " ORDER BY c.embedding <-> $1::vector LIMIT 60":                              false,
			from + child + " AND " + set + " ORDER BY (c.embedding <=> $1::vector) + 0 LIMIT 60":                        false,
			"SELECT c.id FROM chunks c JOIN documents d ON d.id = c.document_id WHERE " + child + " AND " + set + order: true,
			// What the guard says, plainly: the planner expects next to no rows of it.
			"SELECT c.id FROM chunks c JOIN documents d ON d.id = c.document_id WHERE " + child + " AND " + set +
				" AND c.ingestion_id = d.current_ingestion_id AND c.owner IS NOT DISTINCT FROM d.owner" + order: false,
		} {
			if got := plan(form); (got != "") != used {
				t.Errorf("%s\nuses %q", form, got)
			}
		}
	})
}

func exactForm(t *testing.T, s *Store, queries [][]float32) {
	inView(t, s, func(v *View) {
		for _, scope := range []store.Scope{{}, {SourceURLs: urlsOf(1, 2, 250)}} {
			found := mustSearch(t, v, store.Search{Vector: queries[0], VectorRows: 60, Exact: true, Explain: true, Scope: scope})
			if found.Vectors.Used != "" || len(found.Vectors.Plan) == 0 || strings.Contains(strings.Join(found.Vectors.Plan, "\n"), "hnsw") {
				t.Errorf("the plan is\n%s", strings.Join(found.Vectors.Plan, "\n"))
			}
		}
	})
}

// After some runs the server makes a plan for all values of a statement's
// parameters, which may ask the index for rows of which next to none are in scope.
func noKeptPlan(t *testing.T, s *Store, queries [][]float32) {
	inView(t, s, func(v *View) {
		for i := range 10 {
			mustSearch(t, v, store.Search{
				Vector: queries[0], VectorRows: 40, EfSearch: 40, Policy: store.PolicySystem,
				Scope: store.Scope{SourceURLs: urlsOf(i+1, 1, 1)},
			})
		}
		var kept, own int
		if err := v.reading.Tx().QueryRow(context.Background(), "SELECT sum(generic_plans), sum(custom_plans) FROM pg_prepared_statements WHERE statement LIKE '%<=> $1%' AND statement NOT LIKE '%prepared%'").Scan(&kept, &own); err != nil {
			t.Fatal(err)
		}
		if kept > 0 || own < 10 {
			t.Errorf("%d runs had a kept plan and %d one of their own", kept, own)
		}
	})
}
