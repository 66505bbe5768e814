package sqlite

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/sqlite/internal/part"
	"github.com/webrag/webrag-tui/store/sqlite/internal/vector"
)

// snapshotOf returns a snapshot of documents with these vectors and no parents, whose
// rows have ids in an order of their own, and what reads the vectors.
func snapshotOf(dims int, documents [][][]float32) (*snapshot, floatReader) {
	s := &snapshot{isLoaded: true, vectors: newBlocks(dims)}
	var all [][]float32
	n := uint64(0)
	for _, vectors := range documents {
		chunks := []part.Chunk{{Row: part.Row{ID: uuid.UUID{15: 1}}}}
		for i := range vectors {
			var id uuid.UUID
			n++
			binary.BigEndian.PutUint64(id[:], n*0x9E3779B97F4A7C15)
			chunks = append(chunks, part.Chunk{Row: part.Row{ID: id, Index: int32(i), State: part.Embedded}, ParentID: chunks[0].ID})
		}
		p := part.Assemble(chunks)
		p.Slot = s.vectors.size
		s.vectors = s.vectors.grown(len(vectors))
		for i, v := range vectors {
			s.vectors.encode(p.Slot+i, v)
		}
		all = append(all, vectors...)
		s.docs = append(s.docs, &document{part: p})
	}
	s.insert(s.docs)
	return s, func(_ context.Context, refs []ref, do func(i int, v []float32)) error {
		for i, r := range refs {
			do(i, all[r.doc.part.VectorOf(r.row)])
		}
		return nil
	}
}

// nearestPlain is what nearest does, without bounds.
func nearestPlain(t rapid.TB, q []float32, k int, spans []span, read floatReader) []store.VectorRow {
	var all []store.VectorRow
	for _, sp := range spans {
		for r := sp.from; r < sp.to; r++ {
			at := ref{sp.doc, int32(r)}
			err := read(context.Background(), []ref{at}, func(_ int, v []float32) {
				all = append(all, store.VectorRow{
					ID: at.id().String(), ParentID: at.doc.part.ParentID(at.row), DocumentID: at.doc.id.String(), Similarity: vector.Exact(q, v),
				})
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	slices.SortFunc(all, func(a, b store.VectorRow) int {
		return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(a.ID, b.ID))
	})
	return all[:min(k, len(all))]
}

// The scan finds what comparing every vector exactly finds, in its order, whatever
// the vectors: equal ones, zero, of one component, almost equal.
func TestNearestIsExact(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		dims := rapid.SampledFrom([]int{1, 2, 3, 8, 33, 64}).Draw(rt, "dimensions")
		component := rapid.OneOf(rapid.Float32Range(-1, 1), rapid.SampledFrom([]float32{0, 0, 1, -1, 1e-20, -1e-42}))
		pool := rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) []float32 {
			v := rapid.SliceOfN(component, dims, dims).Draw(rt, "vector")
			if n := math.Sqrt(vector.Exact(v, v)); n > 1e-6 {
				for i := range v {
					v[i] = float32(float64(v[i]) / n)
				}
			}
			return v
		}), 1, 12).Draw(rt, "vectors")
		near := rapid.Custom(func(rt *rapid.T) []float32 {
			v := slices.Clone(rapid.SampledFrom(pool).Draw(rt, "like"))
			if rapid.Bool().Draw(rt, "moved") {
				i := rapid.IntRange(0, dims-1).Draw(rt, "component")
				v[i] = math.Nextafter32(v[i], 0)
			}
			return v
		})
		s, read := snapshotOf(dims, rapid.SliceOfN(rapid.SliceOfN(near, 0, 12), 1, 6).Draw(rt, "documents"))
		var spans []span
		for _, d := range s.docs {
			if from, to := rapid.IntRange(1, len(d.part.Rows)).Draw(rt, "from"), len(d.part.Rows); from < to {
				spans = append(spans, span{d, from, to})
			}
		}
		q := near.Draw(rt, "query")
		k := rapid.IntRange(1, 80).Draw(rt, "k")
		got, scanned, err := s.nearest(context.Background(), q, k, spans, read)
		if err != nil {
			rt.Fatal(err)
		}
		if want := nearestPlain(rt, q, k, spans, read); !slices.Equal(got, want) {
			rt.Fatalf("found %v of %d, want %v", got, scanned, want)
		}
		// So does the place of each.
		all := nearestPlain(rt, q, scanned, spans, read)
		for i, row := range all {
			id, _ := store.ParseID(row.ID)
			d, r, ok := s.chunkByID(id)
			before, err := s.before(context.Background(), q, spans, ref{d, r}, row.Similarity, read)
			if err != nil || !ok || before != i {
				rt.Fatalf("%d come before %v, want %d: %v", before, row, i, err)
			}
		}
	})
}

// Goroutines share a large scan, and find what one would.
func TestNearestInShares(t *testing.T) {
	t.Parallel()
	const dims, each = 8, 701
	random := rand.New(rand.NewPCG(3, 4))
	r := func() []float32 {
		v := make([]float32, dims)
		for i := range v {
			v[i] = float32(random.NormFloat64())
		}
		normalise(v)
		return v
	}
	documents := make([][][]float32, 3*rowsEach/each)
	for i := range documents {
		for range each {
			documents[i] = append(documents[i], r())
		}
	}
	s, read := snapshotOf(dims, documents)
	var spans []span
	for _, d := range s.docs {
		spans = append(spans, span{d, 1, 1 + each})
	}
	for n := 1; n < 9; n++ {
		if got := slices.Concat(share(spans, n)...); len(share(spans, n)) > n || !slices.Equal(got, spans) {
			t.Errorf("%d shares are not all spans in their order", n)
		}
	}
	for _, k := range []int{1, 60, 5000} {
		q := r()
		got, scanned, err := s.nearest(context.Background(), q, k, spans, read)
		if err != nil || scanned != s.live {
			t.Fatal(scanned, err)
		}
		if want := nearestPlain(t, q, k, spans, read); !slices.Equal(got, want) {
			t.Errorf("the %d nearest are not those that comparing all exactly finds", k)
		}
		if !slices.IsSortedFunc(got, func(a, b store.VectorRow) int { return cmp.Compare(b.Similarity, a.Similarity) }) {
			t.Errorf("the %d nearest are not in order", k)
		}
	}
}
