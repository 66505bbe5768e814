package sqlite

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/sqlite/internal/quantise"
	"github.com/webrag/webrag-tui/store/sqlite/internal/vector"
)

// scanCheckRows is how many rows are compared between two looks at the context:
// under a millisecond at 384 dimensions.
const scanCheckRows = 4096

// rowsEach is how many rows are worth a goroutine of their own.
const rowsEach = 25_000

// hit is a row that may be among the best: its similarity is at most high.
type hit struct {
	ref
	high float32
}

// nearest compares q with all vectors in spans and returns the k best rows by exact
// similarity. The bytes of the vectors bound each similarity; rows whose upper bound
// is below k lower ones are not among the best, and the few others are read and
// compared exactly.
func (s *snapshot) nearest(ctx context.Context, q []float32, k int, spans []span, read floatReader) ([]store.VectorRow, int, error) {
	scanned := 0
	for _, sp := range spans {
		first, end := sp.doc.part.VectorsOf(sp.from, sp.to)
		scanned += end - first
	}
	k = min(k, scanned)
	if k == 0 {
		return []store.VectorRow{}, scanned, context.Cause(ctx)
	}
	query := quantise.NewQuery(q)
	shares := share(spans, min(runtime.GOMAXPROCS(0), max(1, scanned/rowsEach)))
	found := make([]candidates, len(shares))
	var wg sync.WaitGroup
	for i := range shares {
		found[i].best.Limit = k
		scan := func() { found[i].scan(ctx, s.vectors, query, shares[i]) }
		if i == len(shares)-1 {
			scan()
			break
		}
		wg.Go(scan)
	}
	wg.Wait()
	if ctx.Err() != nil {
		return nil, 0, context.Cause(ctx)
	}
	rows, err := exact(ctx, q, joined(found), k, read)
	return rows, scanned, err
}

// share cuts spans into n lists of about as many rows.
func share(spans []span, n int) [][]span {
	if n == 1 {
		return [][]span{spans}
	}
	rows := 0
	for _, sp := range spans {
		rows += sp.to - sp.from
	}
	out := make([][]span, 0, n)
	from, before := 0, 0
	for i, sp := range spans {
		before += sp.to - sp.from
		if before*n >= rows*(len(out)+1) {
			out = append(out, spans[from:i+1])
			from = i + 1
		}
	}
	return out
}

// candidates are the rows of a scan that can be among the best.
type candidates struct {
	best quantise.Top
	hits []hit
	dots [blockRows]int32
}

// scan adds the rows of spans. It ends early when the context does.
func (c *candidates) scan(ctx context.Context, vectors vectorBlocks, q *quantise.Query, spans []span) {
	check, full := scanCheckRows, 4*c.best.Limit+scanCheckRows
	for _, sp := range spans {
		p := sp.doc.part
		first, end := p.VectorsOf(sp.from, sp.to)
		for i := first; i < end; {
			rows, notes := vectors.run(p.Slot+i, p.Slot+end)
			dots := c.dots[:len(notes)]
			q.Dots(dots, rows)
			floor := c.best.Floor()
			for j, n := range notes {
				low, high := q.Bounds(dots[j], n)
				if high < floor {
					continue
				}
				c.hits = append(c.hits, hit{ref{sp.doc, p.RowOf(i + j)}, high})
				if c.best.Add(low) {
					floor = c.best.Floor()
				}
			}
			i += len(notes)
			if check -= len(notes); check <= 0 {
				check = scanCheckRows
				if ctx.Err() != nil {
					return
				}
			}
			if len(c.hits) > full {
				c.hits = above(c.hits, floor)
				full = max(full, 2*len(c.hits))
			}
		}
	}
}

// above leaves the hits that are not below floor.
func above(hits []hit, floor float32) []hit {
	return slices.DeleteFunc(hits, func(h hit) bool { return h.high < floor })
}

// joined returns the rows that can be among the best of all scans.
func joined(found []candidates) []hit {
	best, hits := found[0].best, found[0].hits
	for i := range found[1:] {
		hits = append(hits, found[i+1].hits...)
		for _, low := range found[i+1].best.Values {
			best.Add(low)
		}
	}
	return above(hits, best.Floor())
}

// exact scores hits in float64 and returns the k best. Those with the highest bounds
// are read first: the others often are below what is found by then.
func exact(ctx context.Context, q []float32, hits []hit, k int, read floatReader) ([]store.VectorRow, error) {
	type scored struct {
		ref
		similarity float64
	}
	slices.SortFunc(hits, func(a, b hit) int { return cmp.Compare(b.high, a.high) })
	var best []scored
	refs := make([]ref, 0, k)
	for n := k; len(hits) > 0; n = max(1, k/4) {
		refs = refs[:0]
		for len(hits) > 0 && len(refs) < n && (len(best) < k || float64(hits[0].high) >= best[k-1].similarity) {
			refs, hits = append(refs, hits[0].ref), hits[1:]
		}
		if len(refs) == 0 {
			break
		}
		err := read(ctx, refs, func(i int, v []float32) { best = append(best, scored{refs[i], vector.Exact(q, v)}) })
		if err != nil {
			return nil, err
		}
		slices.SortFunc(best, func(a, b scored) int {
			return cmp.Or(cmp.Compare(b.similarity, a.similarity), a.compareID(b.ref))
		})
		best = best[:min(k, len(best))]
	}
	out := make([]store.VectorRow, len(best))
	for i, r := range best {
		out[i] = store.VectorRow{
			ID: r.id().String(), ParentID: r.doc.part.ParentID(r.row), DocumentID: r.doc.id.String(),
			Similarity: r.similarity,
		}
	}
	return out, nil
}
