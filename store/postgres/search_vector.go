package postgres

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

// searchVectors fills in the vector arm.
func (v *View) searchVectors(ctx context.Context, tx pgx.Tx, spec *store.Search, found *store.Found) error {
	found.Vectors.Index = v.layout.vector.index.name
	why := v.whyExact(spec)
	if why != "" {
		found.Vectors.Why = why
		return v.searchExactly(ctx, tx, spec, found)
	}
	if spec.Policy != store.PolicySystem {
		return v.searchSafely(ctx, tx, spec, found)
	}
	return v.searchAsSystem(ctx, tx, spec, found)
}

// whyExact is why no index is asked, as far as that does not depend on rows.
func (v *View) whyExact(spec *store.Search) string {
	x := &v.layout.vector.index
	switch {
	case spec.Exact:
		return "an exact search was asked for"
	case x.name == "":
		return cmp.Or(x.why, "there is no index of the vectors")
	case spec.Policy == store.PolicySystem:
		return ""
	case x.method != methodHNSW:
		return "how much an index of the method " + x.method + " misses depends on how it was built"
	}
	return ""
}

// searchExactly compares all rows in scope.
func (v *View) searchExactly(ctx context.Context, tx pgx.Tx, spec *store.Search, found *store.Found) error {
	asked := &found.Vectors
	asked.Rows = spec.VectorRows
	var batch pgx.Batch
	q := v.exactly(spec.Vector, spec.Scope, spec.VectorRows)
	var rows vectorRows
	queueVectorRows(&batch, q, &rows)
	if err := v.queueScanned(&batch, spec.Scope, &found.VectorScanned); err != nil {
		return err
	}
	if spec.Explain {
		v.queuePlan(&batch, q, asked)
	}
	if err := tx.SendBatch(ctx, &batch).Close(); err != nil {
		return err
	}
	if rows.orphans {
		batch = pgx.Batch{}
		queueVectorRows(&batch, v.exactlyWhole(spec.Vector, spec.Scope, spec.VectorRows), &rows)
		if err := tx.SendBatch(ctx, &batch).Close(); err != nil {
			return err
		}
	}
	found.Vector, found.Exact, found.EfSearch = rows.rows, true, 0
	asked.Returned, found.VectorReturned = len(found.Vector), len(found.Vector)
	return nil
}

// searchSafely asks the index so widely that it misses next to nothing, unless
// comparing all rows costs no more.
func (v *View) searchSafely(ctx context.Context, tx pgx.Tx, spec *store.Search, found *store.Found) error {
	rows, err := v.scopeCount(ctx, tx, spec.Scope, exactRows+1)
	if err != nil {
		return err
	}
	if rows <= exactRows {
		of := "the corpus"
		if !spec.Scope.IsZero() {
			of = "the scope"
		}
		found.Vectors.Why = fmt.Sprintf("%s has no more than %d passages", of, exactRows)
		return v.searchExactly(ctx, tx, spec, found)
	}
	limit := max(spec.VectorRows, safeRows)
	set := indexSettings{ef: min(mostEf, max(spec.EfSearch, 2*limit)), iterative: store.IterativeRelaxed, bounded: true, forced: true}
	if err := v.askIndex(ctx, tx, spec, set, limit, found); err != nil {
		return err
	}
	if found.Vectors.Returned < limit {
		*found = store.Found{Vectors: store.Asked{
			Index: found.Vectors.Index,
			Why:   fmt.Sprintf("the index returned %d of %d rows", found.Vectors.Returned, limit),
		}}
		return v.searchExactly(ctx, tx, spec, found)
	}
	found.Vector = found.Vector[:min(len(found.Vector), spec.VectorRows)]
	found.VectorReturned = len(found.Vector)
	return nil
}

// searchAsSystem asks the index just as the system under study does, and shows
// beside what it missed.
func (v *View) searchAsSystem(ctx context.Context, tx pgx.Tx, spec *store.Search, found *store.Found) error {
	own := spec.VectorRows
	if spec.OwnRows > 0 {
		own = min(own, spec.OwnRows)
	}
	set := indexSettings{ef: spec.EfSearch, iterative: cmp.Or(spec.Iterative, store.IterativeOff)}
	limit := own
	if set.ef > 0 && set.iterative == store.IterativeOff && v.layout.vector.index.method == methodHNSW {
		// The index finds that many whatever is asked for, and what fewer would be
		// are the first of them.
		limit = set.ef
	}
	if err := v.askIndex(ctx, tx, spec, set, limit, found); err != nil {
		return err
	}
	found.Vector = found.Vector[:min(len(found.Vector), spec.VectorRows)]
	found.VectorReturned = len(found.Vector)
	if spec.VectorRows <= own {
		return nil // nobody asks what was missed
	}
	return v.addMissed(ctx, tx, spec, found)
}

// askIndex makes the approximate search. Only where the index need not be used
// does the planner learn of the scope.
func (v *View) askIndex(ctx context.Context, tx pgx.Tx, spec *store.Search, set indexSettings, limit int, found *store.Found) error {
	settings, err := set.list(v.layout)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, statements(settings)); err != nil {
		return err
	}
	asked := &found.Vectors
	asked.Rows, asked.Iterative, asked.Settings = limit, set.iterative, chosen(settings)
	var batch pgx.Batch
	q := v.nearest(spec.Vector, spec.Scope, limit, set.forced)
	var rows vectorRows
	queueVectorRows(&batch, q, &rows)
	found.EfSearch = set.ef
	if set.ef == 0 && v.layout.vector.index.method == methodHNSW {
		queueNumber(&batch, statement{sql: "SELECT current_setting('hnsw.ef_search')::int"}, &found.EfSearch)
	}
	if spec.Explain {
		v.queuePlan(&batch, q, asked)
	}
	if set.forced {
		batch.Queue(resetSort)
	}
	if err := tx.SendBatch(ctx, &batch).Close(); err != nil {
		return err
	}
	found.Vector, found.Exact = rows.rows, false
	asked.Returned = len(found.Vector)
	return nil
}

// addMissed adds the rows that are as near as those found, but were not. Of more
// rows than can be compared these are those of a wider search.
func (v *View) addMissed(ctx context.Context, tx pgx.Tx, spec *store.Search, found *store.Found) error {
	rows, err := v.scopeCount(ctx, tx, spec.Scope, nearMissRows+1)
	if err != nil {
		return err
	}
	var wide store.Found
	if rows <= nearMissRows {
		err = v.searchExactly(ctx, tx, &store.Search{Scope: spec.Scope, Vector: spec.Vector, VectorRows: spec.VectorRows}, &wide)
	} else {
		found.Vectors.Why = fmt.Sprintf("of more than %d passages, what the index missed is looked for with the index itself, more widely", nearMissRows)
		set := indexSettings{ef: mostEf, iterative: store.IterativeRelaxed, bounded: true, forced: true}
		err = v.askIndex(ctx, tx, &store.Search{Scope: spec.Scope, Vector: spec.Vector}, set, spec.VectorRows, &wide)
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
	slices.SortFunc(found, compareVectorRows)
	return found
}
