package ann

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
)

// mostProbed is the most rows that a probe compares.
const mostProbed = 1000

// CheckProbe refuses a probe whose numbers are out of range, or that there is no
// index for. Its vector is the caller's to check.
func (x *Index) CheckProbe(p *store.Probe) error {
	if x.Method != MethodHNSW || x.Name == "" {
		why := x.Why
		if x.Name != "" {
			why = "its method is " + x.Method
		}
		return fmt.Errorf("there is no HNSW index whose ef_search could be tried: %s", why)
	}
	if p.K < 1 || p.K > mostProbed {
		return fmt.Errorf("the number of rows to compare is %d, not between 1 and %d", p.K, mostProbed)
	}
	for _, ef := range p.EfSearch {
		if ef < leastEf || ef > mostEf {
			return fmt.Errorf("ef_search %d is not between %d and %d", ef, leastEf, mostEf)
		}
	}
	return nil
}

// Probe searches with each of the settings and compares with an exact search.
// Each search runs twice, and the second run is timed: what the first one brought
// into memory is there for all.
func (s *Searcher) Probe(ctx context.Context, p *store.Probe) (store.Probed, error) {
	var probed store.Probed
	q := s.Table.Count(p.Scope)
	if err := s.Tx.QueryRow(ctx, q.SQL, q.Args...).Scan(&probed.Rows); err != nil {
		return store.Probed{}, err
	}
	exact, took, err := s.timed(ctx, s.Table.Exactly(p.Vector, p.Scope, p.K))
	if err != nil {
		return store.Probed{}, err
	}
	probed.Exact = took
	for _, ef := range p.EfSearch {
		point, err := s.probe(ctx, p, ef, exact)
		if err != nil {
			return store.Probed{}, err
		}
		probed.Points = append(probed.Points, point)
	}
	return probed, nil
}

// probe tries one setting.
func (s *Searcher) probe(ctx context.Context, p *store.Probe, ef int, exact []store.VectorRow) (store.ProbePoint, error) {
	settings, err := indexSettings{ef: ef, iterative: p.Iterative}.list(&s.Index)
	if err != nil {
		return store.ProbePoint{}, err
	}
	if _, err := s.Tx.Exec(ctx, statements(settings)); err != nil {
		return store.ProbePoint{}, err
	}
	q := s.Table.Nearest(p.Vector, p.Scope, p.K, false)
	rows, took, err := s.timed(ctx, q)
	if err != nil {
		return store.ProbePoint{}, err
	}
	var asked store.Asked
	var batch pgx.Batch
	s.Index.QueuePlan(&batch, q, &asked)
	if err := s.Tx.SendBatch(ctx, &batch).Close(); err != nil {
		return store.ProbePoint{}, err
	}
	return store.ProbePoint{
		EfSearch: ef, Returned: len(rows), Recall: recall(rows, exact), Took: took, Used: asked.Used,
	}, nil
}

// timed runs a search twice and times the second run.
func (s *Searcher) timed(ctx context.Context, q Statement) (found []store.VectorRow, took time.Duration, err error) {
	for range 2 {
		start := time.Now()
		rows, err := s.Tx.Query(ctx, q.SQL, q.Args...)
		if err != nil {
			return nil, 0, err
		}
		read, err := readRows(rows)
		if err != nil {
			return nil, 0, err
		}
		found, took = read.rows, time.Since(start)
	}
	return found, took, nil
}

// recall is the share of the exact rows that were found: one as near as the last
// of them counts, since of equals any will do. Of nothing, all was found.
func recall(found, exact []store.VectorRow) float64 {
	if len(exact) == 0 {
		return 1
	}
	last := exact[len(exact)-1].Similarity
	hits := 0
	for i := range found {
		if found[i].Similarity >= last {
			hits++
		}
	}
	return float64(min(hits, len(exact))) / float64(len(exact))
}
