package postgres

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
)

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
			if _, err := v.reading.Tx().Exec(ctx, "SET LOCAL hnsw.ef_search TO 100; SET LOCAL hnsw.iterative_scan TO off; SET LOCAL enable_sort TO off"); err != nil {
				t.Fatal(err)
			}
			own := v.nearest(q, scope, 60, false)
			rows, err := v.reading.Tx().Query(ctx, asTheSpecificationSays, own.args[0], .7, 60, scope.SourceURLs)
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
