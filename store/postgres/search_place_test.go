package postgres

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

func pgID(kind string, n int) string { return md5ID(fmt.Sprint(kind, n)) }

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
