package postgres

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/ann"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

func normalised(v []float32) []float32 {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
	return v
}

// urlsOf are the addresses of the crowd's documents from first in steps.
func urlsOf(first, step, n int) (urls []string) {
	for i := range n {
		urls = append(urls, fmt.Sprintf("https://crowd.example/%d", first+i*step))
	}
	return urls
}

func ids(rows []store.VectorRow) (ids []string) {
	for _, r := range rows {
		ids = append(ids, r.ID)
	}
	return ids
}

// documents are those of the large corpus: its passages are too many to be
// compared one by one.
const documents = 510

// TestTheIndex asks one large corpus in all ways.
func TestTheIndex(t *testing.T) {
	t.Parallel()
	dsn := crowd(t, documents)
	s := open(t, dsn, Options{})
	r := rand.New(rand.NewPCG(1, 2))
	var queries [][]float32
	for i := range 8 {
		queries = append(queries, vectorNear(t, dsn, 1+i*37, 5, r))
	}
	for _, test := range []struct {
		name string
		run  func(*testing.T, *Store, [][]float32)
	}{
		{"safe", safeFindsWhatExactDoes},
		{"a small scope is exact", smallScopes},
		{"a large scope is not", largeScopes},
		{"an index that returns too few", tooFew},
		{"system", systemReturnsItsOwn},
		{"system, in a scope", systemUnderReturns},
		{"near misses", nearMisses},
		{"settings", settingsLast},
		{"settings out of range", settingsOutOfRange},
		{"the index is used at every ef_search", everyEf},
		{"forms that the planner knows", forms},
		{"exact never uses the index", exactForm},
		{"system, by its own statement", systemFindsWhatItsStatementDoes},
		{"no plan is kept", noKeptPlan},
		{"health", health},
		{"probe", probes},
		{"places", placesByRank},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, s, queries) })
	}
}

func safeFindsWhatExactDoes(t *testing.T, s *Store, queries [][]float32) {
	inView(t, s, func(v *View) {
		hits, all := 0, 0
		for _, q := range queries {
			exact := mustSearch(t, v, store.Search{Vector: q, VectorRows: 60, Exact: true})
			if !exact.Exact || exact.VectorScanned != documents*crowdPassages || exact.Vectors.Why == "" || len(exact.Vectors.Settings) != 0 {
				t.Errorf("exact: %+v", exact.Vectors)
			}
			found := mustSearch(t, v, store.Search{Vector: q, VectorRows: 60, EfSearch: 40, Policy: store.PolicySafe, Explain: true})
			if found.Exact || found.EfSearch != 400 || found.Vectors.Rows != 200 || found.Vectors.Returned != 200 || len(found.Vector) != 60 || found.VectorReturned != 60 {
				t.Fatalf("safe: %d rows, %+v", len(found.Vector), found.Vectors)
			}
			if found.Vectors.Used != "chunks_embedding_hnsw_idx" || found.Vectors.Why != "" || found.Vectors.Iterative != store.IterativeRelaxed {
				t.Errorf("safe: %+v", found.Vectors)
			}
			sorted(t, found.Vector)
			for _, id := range ids(found.Vector) {
				if all++; slices.Contains(ids(exact.Vector), id) {
					hits++
				}
			}
		}
		if float64(hits) < .95*float64(all) {
			t.Errorf("recall is %d of %d", hits, all)
		}
	})
}

// sorted expects the order of a search, without what cannot be compared.
func sorted(t *testing.T, rows []store.VectorRow) {
	t.Helper()
	for i := range rows {
		if i > 0 && ann.CompareRows(rows[i-1], rows[i]) >= 0 || math.IsNaN(rows[i].Similarity) {
			t.Fatalf("row %d is out of order: %+v", i, rows[max(0, i-1):i+1])
		}
	}
}

func smallScopes(t *testing.T, s *Store, queries [][]float32) {
	inView(t, s, func(v *View) {
		for _, scope := range []store.Scope{
			{SourceURLs: urlsOf(1, 1, 1)},
			{SourceURLs: urlsOf(1, 20, 30)},
			{SourceURLs: urlsOf(1, 2, 250)},
			{SourceURLs: []string{"'; DROP TABLE chunks; --", `https://crowd.example/7`}},
		} {
			for _, q := range queries[:3] {
				exact := mustSearch(t, v, store.Search{Vector: q, VectorRows: 60, Exact: true, Scope: scope})
				safe := mustSearch(t, v, store.Search{Vector: q, VectorRows: 60, Policy: store.PolicySafe, Scope: scope})
				if !safe.Exact || safe.EfSearch != 0 || !strings.Contains(safe.Vectors.Why, "the scope has no more than 20000 passages") {
					t.Errorf("safe: %+v", safe.Vectors)
				}
				if !slices.Equal(safe.Vector, exact.Vector) || safe.VectorScanned != exact.VectorScanned || len(safe.Vector) != min(60, safe.VectorScanned) {
					t.Errorf("%d of %d rows, exact %d of %d", len(safe.Vector), safe.VectorScanned, len(exact.Vector), exact.VectorScanned)
				}
			}
		}
	})
}

func largeScopes(t *testing.T, s *Store, queries [][]float32) {
	scope := store.Scope{ExcludeDocumentIDs: []string{"00000000-0000-0000-0000-000000000000"}}
	inView(t, s, func(v *View) {
		found := mustSearch(t, v, store.Search{Vector: queries[0], VectorRows: 300, Policy: store.PolicySafe, Scope: scope, Explain: true})
		if found.Exact || len(found.Vector) != 300 || found.EfSearch != 600 || found.Vectors.Used == "" {
			t.Errorf("%d rows, ef_search %d, %+v", len(found.Vector), found.EfSearch, found.Vectors)
		}
	})
}

// tooFew searches where deleted rows hide what is left: nearly all passages of a
// query's topic.
func tooFew(t *testing.T, s *Store, queries [][]float32) {
	inView(t, s, func(v *View) {
		l := *v.layout
		l.vector.index.predicate = "chunk_level = 'child' AND embedding IS NOT NULL AND c.source_url < 'https://crowd.example/11'"
		v.layout = &l
		found := mustSearch(t, v, store.Search{Vector: queries[0], VectorRows: 700, Policy: store.PolicySafe})
		if !found.Exact || len(found.Vector) != 700 || !strings.Contains(found.Vectors.Why, "the index returned") || found.EfSearch != 0 {
			t.Errorf("%d rows, %+v", len(found.Vector), found.Vectors)
		}
	})
}

func systemReturnsItsOwn(t *testing.T, s *Store, queries [][]float32) {
	inView(t, s, func(v *View) {
		for _, c := range []struct {
			spec           store.Search
			limit, ef, own int
		}{
			{store.Search{EfSearch: 100}, 100, 100, 60},
			{store.Search{EfSearch: 30}, 30, 30, 30},
			{store.Search{EfSearch: 0}, 60, 40, 40},
			{store.Search{EfSearch: 50, Iterative: store.IterativeRelaxed}, 60, 50, 60},
			{store.Search{EfSearch: 50, Iterative: store.IterativeStrict}, 60, 50, 60},
		} {
			spec := c.spec
			spec.Vector, spec.VectorRows, spec.Policy = queries[0], 60, store.PolicySystem
			found := mustSearch(t, v, spec)
			if found.Exact || found.EfSearch != c.ef || found.Vectors.Rows != c.limit || len(found.Vector) != c.own {
				t.Errorf("%+v: %d rows, ef_search %d, %+v", c.spec, len(found.Vector), found.EfSearch, found.Vectors)
			}
			if want := max(c.spec.Iterative, store.IterativeOff); c.spec.Iterative != "" && found.Vectors.Iterative != c.spec.Iterative || c.spec.Iterative == "" && found.Vectors.Iterative != store.IterativeOff {
				t.Errorf("iterative is %q, want %q", found.Vectors.Iterative, want)
			}
			sorted(t, found.Vector)
			for _, row := range found.Vector {
				if row.Missed {
					t.Errorf("nobody asked what was missed, but %+v", row)
				}
			}
		}
	})
}

// systemUnderReturns shows what a filter after the search leaves of a topic: with
// few candidates next to nothing, whatever is in scope.
func systemUnderReturns(t *testing.T, s *Store, queries [][]float32) {
	scope := store.Scope{ExcludeDocumentIDs: nil, SourceURLs: nil}
	for n := 1; n <= documents; n++ {
		if n%30 == 1 { // the topic of the first query
			scope.ExcludeDocumentIDs = append(scope.ExcludeDocumentIDs, pgID("d", n))
		}
	}
	inView(t, s, func(v *View) {
		found := mustSearch(t, v, store.Search{Vector: queries[0], VectorRows: 60, EfSearch: 40, Policy: store.PolicySystem, Scope: scope, Explain: true})
		if found.Exact || found.Vectors.Used == "" || found.Vectors.Rows != 40 || found.Vectors.Returned >= 40 || found.VectorReturned != len(found.Vector) {
			t.Errorf("%d rows, %+v", len(found.Vector), found.Vectors)
		}
		safe := mustSearch(t, v, store.Search{Vector: queries[0], VectorRows: 60, EfSearch: 40, Policy: store.PolicySafe, Scope: scope})
		if len(safe.Vector) != 60 {
			t.Errorf("safe: %d rows, %+v", len(safe.Vector), safe.Vectors)
		}
	})
}

func pgID(kind string, n int) string { return md5ID(fmt.Sprint(kind, n)) }

func nearMisses(t *testing.T, s *Store, queries [][]float32) {
	missed := 0
	inView(t, s, func(v *View) {
		for _, q := range queries {
			spec := store.Search{Vector: q, VectorRows: 120, OwnRows: 60, EfSearch: 10, Policy: store.PolicySystem}
			found := mustSearch(t, v, spec)
			exact := mustSearch(t, v, store.Search{Vector: q, VectorRows: 120, Exact: true})
			if found.Exact || found.Vectors.Returned != 10 || found.VectorReturned != 10 || len(found.Vector) != 120 {
				t.Fatalf("%d rows, %+v", len(found.Vector), found.Vectors)
			}
			sorted(t, found.Vector)
			own := 0
			for _, row := range found.Vector {
				if !row.Missed {
					own++
				} else if !slices.Contains(ids(exact.Vector), row.ID) {
					t.Errorf("%+v was missed, but exact does not find it", row)
				}
			}
			if own != 10 {
				t.Errorf("%d rows are the index's own", own)
			}
			missed += 120 - own
		}
	})
	if missed == 0 {
		t.Error("nothing was missed")
	}
}

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
		conn := v.tx.Conn()
		if _, err := v.tx.Exec(context.Background(), "COMMIT"); err != nil {
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

// everyEf expects that a high ef_search, which makes the index look dear, does not
// send the planner to a scan of all rows.
func everyEf(t *testing.T, s *Store, queries [][]float32) {
	inView(t, s, func(v *View) {
		for _, ef := range []int{10, 40, 100, 200} {
			found := mustSearch(t, v, store.Search{Vector: queries[0], VectorRows: 60, EfSearch: ef, Policy: store.PolicySystem, Explain: true})
			if found.Vectors.Used != "chunks_embedding_hnsw_idx" {
				t.Errorf("at ef_search %d the plan is\n%s", ef, strings.Join(found.Vectors.Plan, "\n"))
			}
		}
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
			if err := v.tx.SendBatch(context.Background(), &batch).Close(); err != nil {
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

func health(t *testing.T, s *Store, _ [][]float32) {
	inView(t, s, func(v *View) {
		x, err := v.VectorIndex(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		options := []store.Setting{{Name: "m", Value: "12"}, {Name: "ef_construction", Value: "40"}}
		if x.Name != "chunks_embedding_hnsw_idx" || x.Method != "hnsw" || x.Type != "vector" || !x.Valid || x.Rows != documents*crowdPassages || !slices.Equal(x.Options, options) {
			t.Errorf("the index is %+v", x)
		}
		if x.Bytes < documents*crowdPassages*crowdDims*4 || x.TableBytes < documents*crowdPassages*crowdDims*4 || x.ToastBytes > x.TableBytes {
			t.Errorf("the sizes are %+v", x)
		}
	})
}

func probes(t *testing.T, s *Store, queries [][]float32) {
	inView(t, s, func(v *View) {
		probed, err := v.Probe(context.Background(), store.Probe{Vector: queries[0], K: 60, EfSearch: []int{10, 40, 400}})
		if err != nil {
			t.Fatal(err)
		}
		if probed.Rows != documents*crowdPassages || probed.Exact <= 0 || len(probed.Points) != 3 {
			t.Fatalf("probed %+v", probed)
		}
		for i, returned := range []int{10, 40, 60} {
			p := probed.Points[i]
			if p.Returned != returned || p.Recall > float64(returned)/60 || p.Took <= 0 || p.Used == "" {
				t.Errorf("point %d is %+v", i, p)
			}
		}
		if last := probed.Points[2]; last.Recall < .9 {
			t.Errorf("at ef_search 400 recall is %v", last.Recall)
		}
		for _, p := range []store.Probe{
			{K: 10, EfSearch: []int{40}},
			{Vector: queries[0], K: 0},
			{Vector: queries[0], K: 1001},
			{Vector: queries[0][:3], K: 10},
			{Vector: queries[0], K: 10, EfSearch: []int{40, 0}},
			{Vector: queries[0], K: 10, EfSearch: []int{1001}},
			{Vector: queries[0], K: 10, EfSearch: []int{40}, Iterative: "on"},
		} {
			if _, err := v.Probe(context.Background(), p); err == nil {
				t.Errorf("%+v is probed", p)
			}
		}
	})
}

// placesByRank expects the place that a chunk has in an exact search.
func placesByRank(t *testing.T, s *Store, queries [][]float32) {
	inView(t, s, func(v *View) {
		spec := store.Search{Vector: queries[0], VectorRows: 2000, Exact: true, Scope: store.Scope{SourceURLs: urlsOf(1, 3, 40)}}
		found := mustSearch(t, v, spec)
		for _, i := range []int{0, 1, 77, len(found.Vector) - 1} {
			row := found.Vector[i]
			p, err := v.Place(context.Background(), spec, row.ID)
			if err != nil {
				t.Fatal(err)
			}
			if p.VectorRank != i+1 || math.Abs(p.Similarity-row.Similarity) > 1e-12 || !p.HasVector || p.Absence != store.AbsentNone || p.Chunk.ID != row.ID {
				t.Errorf("row %d is placed %+v", i, p)
			}
		}
		p, err := v.Place(context.Background(), spec, pgID("c", 2)+"")
		if err != nil || p.Absence != store.AbsentUnknown {
			t.Errorf("an unknown chunk is placed %+v, %v", p, err)
		}
		p, err = v.Place(context.Background(), spec, md5ID("c2.1"))
		if err != nil || p.Absence != store.AbsentScope || p.Condition != store.ConditionSourceURL || p.VectorRank != 0 || p.Similarity == 0 {
			t.Errorf("a chunk out of scope is placed %+v, %v", p, err)
		}
	})
}

func TestQueriesOfNoUse(t *testing.T) {
	t.Parallel()
	s := open(t, made(t, ownSchema()+vectors3+cosine+"; UPDATE corpus_meta SET embedder_id = 'e', dimensions = 3"), Options{})
	inView(t, s, func(v *View) {
		var mismatch *store.MismatchError
		if _, err := v.Search(context.Background(), store.Search{Vector: []float32{1, 0}, VectorRows: 1}); !errors.As(err, &mismatch) || mismatch.Have != "e" {
			t.Errorf("two dimensions: %v", err)
		}
		for _, q := range [][]float32{{0, 0, 0}, {float32(math.NaN()), 1, 0}, {float32(math.Inf(1)), 0, 0}, {3, 4, 0}, {.1, 0, 0}} {
			if _, err := v.Search(context.Background(), store.Search{Vector: q, VectorRows: 1}); err == nil {
				t.Errorf("%v can be searched for", q)
			}
		}
	})
}

// A vector without a direction that another program stored is near to nothing.
func TestAStoredZeroVectorIsNotFound(t *testing.T) {
	t.Parallel()
	dsn := crowd(t, 1)
	pgtest.Exec(t, dsn, "UPDATE chunks SET embedding = array_fill(0, ARRAY[24])::vector WHERE id = md5('c1.1')::uuid")
	s := open(t, dsn, Options{})
	q := normalised(append([]float32{1}, make([]float32, crowdDims-1)...))
	inView(t, s, func(v *View) {
		found := mustSearch(t, v, store.Search{Vector: q, VectorRows: 100})
		if len(found.Vector) != crowdPassages-1 {
			t.Errorf("%d rows", len(found.Vector))
		}
		sorted(t, found.Vector)
	})
}

// Deleted rows stay in the graph and use up what a search looks at, until the
// scan goes on.
func TestReindexedRowsAreFound(t *testing.T) {
	t.Parallel()
	dsn := crowd(t, 60)
	pgtest.Exec(t, dsn, "ALTER TABLE chunks SET (autovacuum_enabled = off)")
	r := rand.New(rand.NewPCG(3, 4))
	q := vectorNear(t, dsn, 1, 3, r)
	for range 11 {
		pgtest.Exec(t, dsn, "DELETE FROM documents WHERE id = md5('d1')::uuid")
		pgtest.Exec(t, dsn, crowdSQL, 1, 1)
	}
	s := open(t, dsn, Options{})
	inView(t, s, func(v *View) {
		exact := mustSearch(t, v, store.Search{Vector: q, VectorRows: 40, Exact: true})
		if _, err := v.tx.Exec(context.Background(), "SET LOCAL enable_sort TO off"); err != nil {
			t.Fatal(err)
		}
		for _, iterative := range []store.Iterative{store.IterativeOff, store.IterativeRelaxed} {
			found := mustSearch(t, v, store.Search{Vector: q, VectorRows: 40, EfSearch: 40, Iterative: iterative, Policy: store.PolicySystem, Explain: true})
			if found.Vectors.Used == "" {
				t.Fatalf("the plan is\n%s", strings.Join(found.Vectors.Plan, "\n"))
			}
			switch n := len(found.Vector); {
			case iterative == store.IterativeOff && n >= 40:
				t.Errorf("without going on: %d rows, so that nothing is shown", n)
			case iterative == store.IterativeRelaxed && n != len(exact.Vector):
				t.Errorf("going on: %d rows of %d", n, len(exact.Vector))
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
		if err := v.tx.QueryRow(context.Background(), "SELECT sum(generic_plans), sum(custom_plans) FROM pg_prepared_statements WHERE statement LIKE '%<=> $1%' AND statement NOT LIKE '%prepared%'").Scan(&kept, &own); err != nil {
			t.Fatal(err)
		}
		if kept > 0 || own < 10 {
			t.Errorf("%d runs had a kept plan and %d one of their own", kept, own)
		}
	})
}

// A child whose parent may not be seen is not found, and nothing is missing for
// it.
func TestOrphansAreNotFound(t *testing.T) {
	t.Parallel()
	dsn := crowd(t, 4)
	s := open(t, dsn, Options{})
	q := vectorNear(t, dsn, 2, 7, rand.New(rand.NewPCG(5, 6)))
	pgtest.Exec(t, dsn, "UPDATE chunks SET ingestion_id = 'older' WHERE id = md5('c2.0')::uuid; UPDATE corpus_meta SET changed = 2")
	inView(t, s, func(v *View) {
		for _, spec := range []store.Search{{Exact: true}, {Policy: store.PolicySafe}, {Policy: store.PolicySystem, EfSearch: 200}} {
			spec.Vector, spec.VectorRows = q, 60
			found := mustSearch(t, v, spec)
			if len(found.Vector) != 60 {
				t.Errorf("%+v finds %d rows", spec, len(found.Vector))
			}
			for _, row := range found.Vector {
				if row.DocumentID == md5ID("d2") {
					t.Fatalf("%+v finds %+v", spec, row)
				}
			}
			sorted(t, found.Vector)
		}
		p, err := v.Place(context.Background(), store.Search{Vector: q}, md5ID("c2.7"))
		if err != nil || p.Absence != store.AbsentStale || p.VectorRank != 0 || !p.HasVector {
			t.Errorf("an orphan is placed %+v, %v", p, err)
		}
	})
}

// Half the bits: as the type of the column, and as that of the index alone.
func TestHalfVectors(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]string{
		"column": "DROP INDEX chunks_embedding_hnsw_idx; ALTER TABLE chunks ALTER COLUMN embedding TYPE halfvec(24);" +
			"CREATE INDEX ON chunks USING hnsw (embedding halfvec_cosine_ops) WHERE chunk_level = 'child' AND embedding IS NOT NULL",
		"expression": "DROP INDEX chunks_embedding_hnsw_idx;" +
			"CREATE INDEX ON chunks USING hnsw ((embedding::halfvec(24)) halfvec_cosine_ops) WHERE chunk_level = 'child' AND embedding IS NOT NULL",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dsn := crowd(t, 30)
			q := vectorNear(t, dsn, 2, 7, rand.New(rand.NewPCG(7, 8)))
			full := open(t, dsn, Options{})
			var want store.Found
			inView(t, full, func(v *View) {
				want = mustSearch(t, v, store.Search{Vector: q, VectorRows: 20, Exact: true})
			})
			pgtest.Exec(t, dsn, change)
			s := open(t, dsn, Options{})
			inView(t, s, func(v *View) {
				if _, err := v.tx.Exec(context.Background(), "SET LOCAL enable_sort TO off"); err != nil {
					t.Fatal(err)
				}
				found := mustSearch(t, v, store.Search{Vector: q, VectorRows: 20, EfSearch: 400, Policy: store.PolicySystem, Explain: true})
				if found.Exact || found.Vectors.Used == "" || len(found.Vector) != 20 {
					t.Fatalf("%d rows, %+v", len(found.Vector), found.Vectors)
				}
				for i := range found.Vector {
					if math.Abs(found.Vector[i].Similarity-want.Vector[i].Similarity) > 2e-3 {
						t.Errorf("row %d is %+v, want %+v", i, found.Vector[i], want.Vector[i])
					}
				}
				x, err := v.VectorIndex(context.Background())
				if err != nil || x.Type != "halfvec" {
					t.Errorf("the index is %+v, %v", x, err)
				}
			})
		})
	}
}

func TestABrokenIndexIsDescribed(t *testing.T) {
	t.Parallel()
	dsn := crowd(t, 3)
	pgtest.Exec(t, dsn, "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'chunks_embedding_hnsw_idx'::regclass")
	pgtest.Exec(t, dsn, "VACUUM chunks")
	s := open(t, dsn, Options{})
	q := vectorNear(t, dsn, 2, 7, rand.New(rand.NewPCG(9, 9)))
	inView(t, s, func(v *View) {
		x, err := v.VectorIndex(context.Background())
		if err != nil || x.Name != "chunks_embedding_hnsw_idx" || x.Valid || x.Why == "" || x.LastVacuum.IsZero() {
			t.Errorf("the index is %+v, %v", x, err)
		}
		found := mustSearch(t, v, store.Search{Vector: q, VectorRows: 5, EfSearch: 40, Policy: store.PolicySystem})
		if !found.Exact || found.Vectors.Why == "" || found.Vectors.Index != "" || len(found.Vector) != 5 {
			t.Errorf("%d rows, %+v", len(found.Vector), found.Vectors)
		}
		if _, err := v.Probe(context.Background(), store.Probe{Vector: q, K: 5, EfSearch: []int{40}}); err == nil {
			t.Error("it is probed")
		}
	})
	pgtest.Exec(t, dsn, "DROP INDEX chunks_embedding_hnsw_idx")
	inView(t, s, func(v *View) {
		if x, err := v.VectorIndex(context.Background()); err != nil || x.Name != "" || x.Why == "" {
			t.Errorf("without an index: %+v, %v", x, err)
		}
	})
}

// asTheSpecificationSays is the statement of the system that preset webrag stands
// for, as its specification has it. The floor inside is a filter above the index.
const asTheSpecificationSays = `
SELECT id::text, (embedding <=> $1::vector) AS distance
FROM chunks
WHERE chunk_level = 'child'
  AND embedding IS NOT NULL
  AND (embedding <=> $1::vector) < $2
  AND ($4::text[] IS NULL OR source_url = ANY($4))
ORDER BY distance ASC
LIMIT $3`

func systemFindsWhatItsStatementDoes(t *testing.T, s *Store, queries [][]float32) {
	ctx := context.Background()
	inView(t, s, func(v *View) {
		for i, q := range queries {
			var scope store.Scope
			if i%2 == 1 {
				scope.SourceURLs = urlsOf(1, 1, 255)
			}
			// The floor makes the index look dear in a corpus of vectors this short.
			if _, err := v.tx.Exec(ctx, "SET LOCAL hnsw.ef_search TO 100; SET LOCAL hnsw.iterative_scan TO off; SET LOCAL enable_sort TO off"); err != nil {
				t.Fatal(err)
			}
			own := v.nearest(q, scope, 60, false)
			rows, err := v.tx.Query(ctx, asTheSpecificationSays, own.args[0], .7, 60, scope.SourceURLs)
			if err != nil {
				t.Fatal(err)
			}
			var want []string
			var id string
			var distance float64
			if _, err := pgx.ForEachRow(rows, []any{&id, &distance}, func() error {
				want = append(want, id)
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			found := mustSearch(t, v, store.Search{Vector: q, VectorRows: 60, OwnRows: 60, EfSearch: 100, Policy: store.PolicySystem, Scope: scope, Explain: true})
			if found.Vectors.Used == "" || found.Vectors.Iterative != store.IterativeOff {
				t.Fatalf("%+v", found.Vectors)
			}
			above := found.Vector[:slices.IndexFunc(append(found.Vector, store.VectorRow{Similarity: -1}), func(r store.VectorRow) bool { return r.Similarity <= .3 })]
			if !slices.Equal(ids(above), want) || len(want) == 0 {
				t.Errorf("in %d addresses %d rows, want %d:\n%v\n%v", len(scope.SourceURLs), len(above), len(want), ids(above), want)
			}
		}
	})
}

func TestAKeywordArmThatFails(t *testing.T) {
	t.Parallel()
	dsn := crowd(t, 2)
	pgtest.Exec(t, dsn, "ALTER TABLE term_stats RENAME COLUMN df TO lost")
	s := open(t, dsn, Options{})
	q := vectorNear(t, dsn, 2, 7, rand.New(rand.NewPCG(5, 6)))
	inView(t, s, func(v *View) {
		both := store.Search{Vector: q, VectorRows: 5, Terms: []string{"word"}, KeywordRows: 5}
		found := mustSearch(t, v, both)
		if found.KeywordErr == nil || len(found.Vector) != 5 || found.Terms != nil || found.Keyword != nil {
			t.Errorf("found %+v", found)
		}
		// The transaction goes on.
		if again := mustSearch(t, v, store.Search{Vector: q, VectorRows: 5}); !slices.Equal(again.Vector, found.Vector) {
			t.Errorf("then %+v", again)
		}
		both.Vector = nil
		if found, err := v.Search(context.Background(), both); err == nil {
			t.Errorf("alone it finds %+v", found)
		}
		// Whoever gives up gets an error, not half an answer.
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		both.Vector = q
		if found, err := v.Search(ctx, both); !errors.Is(err, context.Canceled) {
			t.Errorf("given up, it finds %+v, %v", found, err)
		}
	})
}
