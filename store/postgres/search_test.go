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
		if _, err := v.reading.Tx().Exec(context.Background(), "SET LOCAL enable_sort TO off"); err != nil {
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
