package ann

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
)

const (
	// exactRows is the most rows that a safe search compares one by one: about
	// where that begins to cost more than an index that goes on searching.
	exactRows = 20_000
	// safeRows is how many rows a safe search asks the index for, at least: asking
	// for few is what makes an index miss some of them.
	safeRows = 200
	// nearMissRows is the most rows that are compared one by one to show what an
	// index has missed. It takes about a second.
	nearMissRows = 200_000
)

// Search fills in the vector arm of found, whose query and numbers of rows the
// caller has checked.
func (s *Searcher) Search(ctx context.Context, spec *store.Search, found *store.Found) error {
	found.Vectors.Index = s.Index.Name
	why := s.whyExact(spec)
	if why != "" {
		found.Vectors.Why = why
		return s.searchExactly(ctx, spec, found)
	}
	if spec.Policy != store.PolicySystem {
		return s.searchSafely(ctx, spec, found)
	}
	return s.searchAsSystem(ctx, spec, found)
}

// whyExact is why no index is asked, as far as that does not depend on rows.
func (s *Searcher) whyExact(spec *store.Search) string {
	x := &s.Index
	switch {
	case spec.Exact:
		return "an exact search was asked for"
	case x.Name == "":
		return cmp.Or(x.Why, "there is no index of the vectors")
	case spec.Policy == store.PolicySystem:
		return ""
	case x.Method != MethodHNSW:
		return "how much an index of the method " + x.Method + " misses depends on how it was built"
	}
	return ""
}

// searchExactly compares all rows in scope.
func (s *Searcher) searchExactly(ctx context.Context, spec *store.Search, found *store.Found) error {
	asked := &found.Vectors
	asked.Rows = spec.VectorRows
	var batch pgx.Batch
	q := s.Table.Exactly(spec.Vector, spec.Scope, spec.VectorRows)
	var rows vectorRows
	queueRows(&batch, q, &rows)
	if err := s.Table.QueueCount(&batch, spec.Scope, &found.VectorScanned); err != nil {
		return err
	}
	if spec.Explain {
		s.Index.QueuePlan(&batch, q, asked)
	}
	if err := s.Tx.SendBatch(ctx, &batch).Close(); err != nil {
		return err
	}
	if rows.orphans {
		batch = pgx.Batch{}
		queueRows(&batch, s.Table.Whole(spec.Vector, spec.Scope, spec.VectorRows), &rows)
		if err := s.Tx.SendBatch(ctx, &batch).Close(); err != nil {
			return err
		}
	}
	found.Vector, found.Exact, found.EfSearch = rows.rows, true, 0
	asked.Returned, found.VectorReturned = len(found.Vector), len(found.Vector)
	return nil
}

// searchSafely asks the index so widely that it misses next to nothing, unless
// comparing all rows costs no more.
func (s *Searcher) searchSafely(ctx context.Context, spec *store.Search, found *store.Found) error {
	rows, err := s.Table.AtMost(ctx, s.Tx, spec.Scope, exactRows+1)
	if err != nil {
		return err
	}
	if rows <= exactRows {
		of := "the corpus"
		if !spec.Scope.IsZero() {
			of = "the scope"
		}
		found.Vectors.Why = fmt.Sprintf("%s has no more than %d passages", of, exactRows)
		return s.searchExactly(ctx, spec, found)
	}
	limit := max(spec.VectorRows, safeRows)
	set := indexSettings{ef: min(mostEf, max(spec.EfSearch, 2*limit)), iterative: store.IterativeRelaxed, bounded: true, forced: true}
	if err := s.askIndex(ctx, spec, set, limit, found); err != nil {
		return err
	}
	if found.Vectors.Returned < limit {
		*found = store.Found{Vectors: store.Asked{
			Index: found.Vectors.Index,
			Why:   fmt.Sprintf("the index returned %d of %d rows", found.Vectors.Returned, limit),
		}}
		return s.searchExactly(ctx, spec, found)
	}
	found.Vector = found.Vector[:min(len(found.Vector), spec.VectorRows)]
	found.VectorReturned = len(found.Vector)
	return nil
}

// searchAsSystem asks the index just as the system under study does, and shows
// beside what it missed.
func (s *Searcher) searchAsSystem(ctx context.Context, spec *store.Search, found *store.Found) error {
	own := spec.VectorRows
	if spec.OwnRows > 0 {
		own = min(own, spec.OwnRows)
	}
	set := indexSettings{ef: spec.EfSearch, iterative: cmp.Or(spec.Iterative, store.IterativeOff)}
	limit := own
	if set.ef > 0 && set.iterative == store.IterativeOff && s.Index.Method == MethodHNSW {
		// The index finds that many whatever is asked for, and what fewer would be
		// are the first of them.
		limit = set.ef
	}
	if err := s.askIndex(ctx, spec, set, limit, found); err != nil {
		return err
	}
	found.Vector = found.Vector[:min(len(found.Vector), spec.VectorRows)]
	found.VectorReturned = len(found.Vector)
	if spec.VectorRows <= own {
		return nil // nobody asks what was missed
	}
	return s.addMissed(ctx, spec, found)
}

// askIndex makes the approximate search. Only where the index need not be used
// does the planner learn of the scope.
func (s *Searcher) askIndex(ctx context.Context, spec *store.Search, set indexSettings, limit int, found *store.Found) error {
	settings, err := set.list(&s.Index)
	if err != nil {
		return err
	}
	if _, err := s.Tx.Exec(ctx, statements(settings)); err != nil {
		return err
	}
	asked := &found.Vectors
	asked.Rows, asked.Iterative, asked.Settings = limit, set.iterative, chosen(settings)
	var batch pgx.Batch
	q := s.Table.Nearest(spec.Vector, spec.Scope, limit, set.forced)
	var rows vectorRows
	queueRows(&batch, q, &rows)
	found.EfSearch = set.ef
	if set.ef == 0 && s.Index.Method == MethodHNSW {
		queueNumber(&batch, Statement{SQL: "SELECT current_setting('hnsw.ef_search')::int"}, &found.EfSearch)
	}
	if spec.Explain {
		s.Index.QueuePlan(&batch, q, asked)
	}
	if set.forced {
		batch.Queue(resetSort)
	}
	if err := s.Tx.SendBatch(ctx, &batch).Close(); err != nil {
		return err
	}
	found.Vector, found.Exact = rows.rows, false
	asked.Returned = len(found.Vector)
	return nil
}

// addMissed adds the rows that are as near as those found, but were not. Of more
// rows than can be compared these are those of a wider search.
func (s *Searcher) addMissed(ctx context.Context, spec *store.Search, found *store.Found) error {
	rows, err := s.Table.AtMost(ctx, s.Tx, spec.Scope, nearMissRows+1)
	if err != nil {
		return err
	}
	var wide store.Found
	if rows <= nearMissRows {
		err = s.searchExactly(ctx, &store.Search{Scope: spec.Scope, Vector: spec.Vector, VectorRows: spec.VectorRows}, &wide)
	} else {
		found.Vectors.Why = fmt.Sprintf("of more than %d passages, what the index missed is looked for with the index itself, more widely", nearMissRows)
		set := indexSettings{ef: mostEf, iterative: store.IterativeRelaxed, bounded: true, forced: true}
		err = s.askIndex(ctx, &store.Search{Scope: spec.Scope, Vector: spec.Vector}, set, spec.VectorRows, &wide)
	}
	if err != nil {
		return err
	}
	found.Vector = withMissed(found.Vector, wide.Vector, spec.VectorRows)
	return nil
}

// withMissed adds to the rows that were found those of a better search, marked, as
// far as limit leaves room: the nearest.
func withMissed(found, better []store.VectorRow, limit int) []store.VectorRow {
	known := make(map[string]bool, len(found))
	for i := range found {
		known[found[i].ID] = true
	}
	for _, r := range better {
		if len(found) >= limit {
			break
		}
		if !known[r.ID] {
			r.Missed = true
			found = append(found, r)
		}
	}
	slices.SortFunc(found, CompareRows)
	return found
}
