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
// is below k lower ones are not among the best, and the few others are compared
// exactly.
func (s *snapshot) nearest(ctx context.Context, q []float32, k int, spans []span) ([]store.VectorRow, int, error) {
	scanned := 0
	for _, sp := range spans {
		first, end := sp.doc.part.vectorsOf(sp.from, sp.to)
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
	return s.exact(q, joined(found), k), scanned, nil
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
		first, end := p.vectorsOf(sp.from, sp.to)
		for i := first; i < end; {
			rows, notes := vectors.byteRun(p.slot+i, p.slot+end)
			dots := c.dots[:len(notes)]
			q.Dots(dots, rows)
			floor := c.best.Floor()
			for j, n := range notes {
				low, high := q.Bounds(dots[j], n)
				if high < floor {
					continue
				}
				c.hits = append(c.hits, hit{ref{sp.doc, p.rowOf(i + j)}, high})
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

// exact scores hits in float64 and returns the k best.
func (s *snapshot) exact(q []float32, hits []hit, k int) []store.VectorRow {
	type scored struct {
		ref
		similarity float64
	}
	rows := make([]scored, len(hits))
	for i, h := range hits {
		p := h.doc.part
		rows[i] = scored{h.ref, vector.Exact(q, s.vectors.at(p.vectorOf(h.row)))}
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
