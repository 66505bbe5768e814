package flat

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

// cloud makes n vectors of 8 dimensions, nearly all directions, that differ.
func cloud(table, kind string, n int) string {
	return fmt.Sprintf(`CREATE TABLE %[1]s (id int PRIMARY KEY, content text, embedding %[2]s, url text);
INSERT INTO %[1]s SELECT i, 'Row ' || i, (SELECT array_agg(sin(i * (k * k + 1)) ORDER BY k) FROM generate_series(1, 8) k)::real[]::vector(8)::%[2]s,
	'page ' || i %% 50 FROM generate_series(1, %[3]d) i; ANALYZE %[1]s;`, table, kind, n)
}

func direction() []float32 { return unit(1, 2, -1, 0.5, 0.25, -2, 1, 0.1) }

// Any index that a cosine search can use is used, and found by the plan.
func TestIndexes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ kind, index, method string }{
		"hnsw":                      {"vector(8)", "CREATE INDEX x ON t USING hnsw (embedding vector_cosine_ops)", "hnsw"},
		"ivfflat":                   {"vector(8)", "CREATE INDEX x ON t USING ivfflat (embedding vector_cosine_ops) WITH (lists = 4)", "ivfflat"},
		"halfvec":                   {"halfvec(8)", "CREATE INDEX x ON t USING hnsw (embedding halfvec_cosine_ops)", "hnsw"},
		"cast":                      {"vector(8)", "CREATE INDEX x ON t USING hnsw ((embedding::halfvec(8)) halfvec_cosine_ops)", "hnsw"},
		"partial":                   {"vector(8)", "CREATE INDEX x ON t USING hnsw (embedding vector_cosine_ops) WHERE embedding IS NOT NULL", "hnsw"},
		"of undeclared dimensions":  {"vector", "CREATE INDEX x ON t USING hnsw ((embedding::vector(8)) vector_cosine_ops)", "hnsw"},
		"of one of more dimensions": {"vector", "CREATE INDEX x ON t USING hnsw ((embedding::vector(8)) vector_cosine_ops) WHERE vector_dims(embedding) = 8", "hnsw"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, made(t, cloud("t", c.kind, 3000)+c.index), "t", "")
			v := view(t, s)
			if why := s.Info().Missing[store.CapApprox]; why != "" {
				t.Fatal(why)
			}
			ids, found := nearest(t, v, store.Search{Vector: direction(), VectorRows: 20, OwnRows: 10, Policy: store.PolicySystem, EfSearch: 10, Explain: true})
			if found.Vectors.Used != "x" || found.Vectors.Index != "x" || found.Vectors.Returned == 0 || found.Vectors.Returned > 10 {
				t.Errorf("%+v", found.Vectors)
			}
			// With what it missed the nearest are there, and everything that it did not
			// return is marked.
			exact, _ := nearest(t, v, store.Search{Vector: direction(), VectorRows: 10, Exact: true})
			own := 0
			for i := range ids {
				plain := strings.TrimSuffix(ids[i], "*")
				if plain == ids[i] {
					own++
				}
				ids[i] = plain
			}
			if !slices.Equal(ids[:10], exact) || own != found.Vectors.Returned {
				t.Errorf("found and missed are %v, %d found, want %v first", ids, own, exact)
			}
			x, err := v.VectorIndex(t.Context())
			if err != nil || x.Name != "x" || x.Method != c.method || x.Rows != 3000 || !x.Valid {
				t.Errorf("the index is %+v, %v", x, err)
			}
			probed, err := v.Probe(t.Context(), store.Probe{Vector: direction(), K: 10, EfSearch: []int{10, 200}})
			if c.method != "hnsw" {
				if err == nil {
					t.Error("ef_search of another method can be tried")
				}
				return
			}
			if err != nil || probed.Rows != 3000 || len(probed.Points) != 2 || probed.Points[0].Used != "x" || probed.Points[1].Recall < 0.9 {
				t.Errorf("probed %+v, %v", probed, err)
			}
		})
	}
}

// An index of another distance, or of some rows, is none: the search is exact and
// says why.
func TestIndexesThatAreNone(t *testing.T) {
	t.Parallel()
	for index, says := range map[string]string{
		"CREATE INDEX x ON t USING hnsw (embedding vector_l2_ops)":                     "serves another distance (vector_l2_ops)",
		"CREATE INDEX x ON t USING hnsw (embedding vector_ip_ops)":                     "serves another distance (vector_ip_ops)",
		"CREATE INDEX x ON t USING hnsw (embedding vector_cosine_ops) WHERE url = 'x'": "holds only the rows with",
		"CREATE INDEX x ON t USING hnsw ((embedding::halfvec(8)) halfvec_l2_ops)":      "serves another distance",
		"SELECT 1": "has no index for a cosine search; make one: CREATE INDEX CONCURRENTLY",
	} {
		t.Run(index, func(t *testing.T) {
			t.Parallel()
			s := open(t, made(t, cloud("t", "vector(8)", 500)+index), "t", "")
			if why := s.Info().Missing[store.CapApprox]; !strings.Contains(why, says) {
				t.Errorf("it is missing because %q", why)
			}
			ids, found := nearest(t, view(t, s), store.Search{Vector: direction(), VectorRows: 5, Policy: store.PolicySystem})
			if !found.Exact || len(ids) != 5 || !strings.Contains(found.Vectors.Why, says) {
				t.Errorf("found %v: %+v", ids, found)
			}
		})
	}
}

// The statement that is said to make an index makes one that is used.
func TestTheIndexThatIsMissing(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"vector(8)", "vector", "halfvec(8)", "halfvec"} {
		dsn := made(t, strings.ReplaceAll(cloud("t", kind, 2000), "embedding", `"My Vectors"`))
		s := open(t, dsn, "t", "embedding=my vectors")
		_, statement, ok := strings.Cut(s.Info().Missing[store.CapApprox], "make one: ")
		if !ok {
			t.Fatalf("%s: %v", kind, s.Info().Missing)
		}
		pgtest.Exec(t, dsn, statement)
		_, found := nearest(t, view(t, s), store.Search{Vector: direction(), VectorRows: 5, Policy: store.PolicySystem, Explain: true})
		if found.Exact || found.Vectors.Used == "" {
			t.Errorf("%s: after %s %+v", kind, statement, found.Vectors)
		}
	}
}

// The safe policy finds in a large table what is nearest, and in a small scope
// everything.
func TestSafely(t *testing.T) {
	t.Parallel()
	s := open(t, made(t, cloud("t", "vector(8)", 21_000)+"CREATE INDEX x ON t USING hnsw (embedding vector_cosine_ops); CREATE INDEX ON t (url); ANALYZE t"), "t", "")
	v := view(t, s)
	exact, _ := nearest(t, v, store.Search{Vector: direction(), VectorRows: 20, Exact: true})
	ids, found := nearest(t, v, store.Search{Vector: direction(), VectorRows: 20, Policy: store.PolicySafe, Explain: true})
	if found.Exact || found.Vectors.Used != "x" {
		t.Errorf("%+v", found.Vectors)
	}
	missed := 0
	for _, id := range exact {
		if !slices.Contains(ids, id) {
			missed++
		}
	}
	if missed > 1 {
		t.Errorf("%v misses %d of %v", ids, missed, exact)
	}
	scope := store.Scope{SourceURLs: []string{"page 7"}}
	ids, found = nearest(t, v, store.Search{Vector: direction(), VectorRows: 1000, Policy: store.PolicySafe, Scope: scope})
	if !found.Exact || len(ids) != 420 || found.VectorScanned != 420 || !strings.Contains(found.Vectors.Why, "the scope has no more than") {
		t.Errorf("found %d: %+v", len(ids), found)
	}
	// The system under study returns fewer than there are, and shows which.
	ids, found = nearest(t, v, store.Search{Vector: direction(), VectorRows: 30, OwnRows: 20, Policy: store.PolicySystem, EfSearch: 20, Scope: scope})
	if len(ids) != 30 || found.Vectors.Returned > 20 {
		t.Errorf("found %v: %+v", ids, found)
	}
}

func TestVectorsThatDoNotFit(t *testing.T) {
	t.Parallel()
	mixed := "CREATE TABLE t (id int PRIMARY KEY, text text, embedding vector); INSERT INTO t VALUES (1, 'a', '[1,0]'), (2, 'b', '[1,0,0]')"
	err := fails(t, made(t, mixed), "t", "")
	if !strings.Contains(err.Error(), "different dimensions (2, 3)") {
		t.Error(err)
	}
	s := open(t, made(t, llamaIndex), "", "")
	v := view(t, s)
	var mismatch *store.MismatchError
	if _, err := v.Search(t.Context(), store.Search{Vector: unit(1, 1), VectorRows: 1}); !errors.As(err, &mismatch) || mismatch.HaveDims != 3 || mismatch.WantDims != 2 {
		t.Error(err)
	}
	if _, err := v.Search(t.Context(), store.Search{Vector: []float32{2, 0, 0}, VectorRows: 1}); err == nil || !strings.Contains(err.Error(), "length 2 instead of 1") {
		t.Error(err)
	}
	for ef, ok := range map[int]bool{0: true, 1: true, 1000: true, 1001: false, -1: false} {
		_, err := v.Search(t.Context(), store.Search{Vector: unit(1, 1, 0), VectorRows: 1, EfSearch: ef, Policy: store.PolicySystem})
		if (err == nil) != ok {
			t.Errorf("ef_search %d: %v", ef, err)
		}
	}
	for _, empty := range []string{"vector(3)", "vector"} {
		s := open(t, made(t, "CREATE TABLE t (id int PRIMARY KEY, text text, embedding "+empty+")"), "t", "")
		found, err := view(t, s).Search(t.Context(), store.Search{Vector: unit(1, 1, 0), VectorRows: 1, Terms: []string{"x"}, KeywordRows: 1, Unindexed: true})
		if err != nil || len(found.Vector)+len(found.Keyword) != 0 || len(s.Info().Warnings) != 1 {
			t.Errorf("in an empty table: %+v, %v, %v", found, err, s.Info().Warnings)
		}
	}
}
