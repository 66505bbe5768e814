package postgres

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

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
				if _, err := v.reading.Tx().Exec(context.Background(), "SET LOCAL enable_sort TO off"); err != nil {
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
