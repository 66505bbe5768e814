package sqlite

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/webrag/webrag-tui/store"
)

// scanCheckRows is how many rows are compared between two looks at the context:
// under a millisecond at 384 dimensions.
const scanCheckRows = 4096

// scanMargin is how many more rows than asked for the scan keeps. The fast
// kernel rounds, so that the last rows can be in the wrong order until they are
// scored again in float64.
const scanMargin = 32

// Search runs the arms of spec. It waits for the vectors if they are not loaded
// yet, and is always exact.
func (v *View) Search(ctx context.Context, spec store.Search) (store.Found, error) {
	found := store.Found{Exact: true}
	if spec.Vector != nil {
		if err := v.checkQuery(spec.Vector); err != nil {
			return store.Found{}, fmt.Errorf("search corpus %s: %w", v.store.path, err)
		}
	}
	sn, err := v.loaded(ctx, nil)
	if err != nil {
		return store.Found{}, err
	}
	sel := sn.in(spec.Scope)
	if spec.Vector != nil && spec.VectorRows > 0 && sn.vectors.dims > 0 {
		found.Vector, found.VectorScanned, err = sn.nearest(ctx, spec.Vector, spec.VectorRows, sn.scanned(sel))
		if err != nil {
			return store.Found{}, fmt.Errorf("search corpus %s: %w", v.store.path, err)
		}
		found.VectorReturned = len(found.Vector)
	}
	if spec.Terms != nil {
		err := fail(ctx, "search", v.store.path, v.keyword(ctx, sn, sel, &spec, &found))
		switch {
		case err == nil:
		case spec.Vector == nil || ctx.Err() != nil:
			return store.Found{}, err
		default:
			found.KeywordErr = err
		}
	}
	return found, nil
}

// checkQuery refuses vectors that this corpus cannot be asked with.
func (v *View) checkQuery(q []float32) error {
	if v.meta.Dimensions != 0 && len(q) != v.meta.Dimensions {
		return mismatch(v.meta, "", len(q))
	}
	if err := store.CheckUnit(q); err != nil {
		return fmt.Errorf("the query cannot be searched for: %w", err)
	}
	return nil
}

// hit is a row that the scan keeps.
type hit struct {
	ref
	similarity float32
}

// nearest compares q with all vectors in spans and returns the k best rows by
// exact similarity.
func (s *snapshot) nearest(ctx context.Context, q []float32, k int, spans []span) ([]store.VectorRow, int, error) {
	dot := kernel()
	best := newTopRows(min(k, s.live) + scanMargin)
	scanned, check := 0, scanCheckRows
	for _, sp := range spans {
		p := sp.doc.part
		first, end := p.vectorsOf(sp.from, sp.to)
		for i := first; i < end; {
			vectors, n := s.vectors.run(p.slot+i, p.slot+end)
			for j := range n {
				score := dot(q, vectors[j*len(q):(j+1)*len(q)])
				if score >= best.floor {
					best.add(hit{ref{sp.doc, p.rowOf(i + j)}, score})
				}
			}
			i += n
			if scanned += n; scanned >= check {
				check = scanned + scanCheckRows
				if ctx.Err() != nil {
					return nil, 0, context.Cause(ctx)
				}
			}
		}
	}
	return s.exact(q, best.hits, k), scanned, nil
}

// exact scores hits again in float64 and returns the k best.
func (s *snapshot) exact(q []float32, hits []hit, k int) []store.VectorRow {
	type scored struct {
		ref
		similarity float64
	}
	rows := make([]scored, len(hits))
	for i, h := range hits {
		p := h.doc.part
		rows[i] = scored{h.ref, dotExact(q, s.vectors.at(p.vectorOf(h.row)))}
	}
	slices.SortFunc(rows, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.similarity, a.similarity), a.compareID(b.ref))
	})
	rows = rows[:min(k, len(rows))]
	out := make([]store.VectorRow, len(rows))
	for i, r := range rows {
		out[i] = store.VectorRow{
			ID: r.id().String(), ParentID: r.doc.part.parentID(r.row), DocumentID: r.doc.id.String(),
			Similarity: r.similarity,
		}
	}
	return out
}
