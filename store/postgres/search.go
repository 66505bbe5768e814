package postgres

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
)

// Search runs the arms of spec. A keyword arm that fails beside a vector arm is no
// error of the search.
func (v *View) Search(ctx context.Context, spec store.Search) (store.Found, error) {
	const doing = "search"
	if err := v.checkQuery(spec.Vector); err != nil {
		return store.Found{}, v.store.db.Fail(ctx, doing, err)
	}
	var found store.Found
	err := v.do(ctx, doing, func(tx pgx.Tx) error {
		found = store.Found{Exact: true}
		beside := spec.Vector != nil && spec.VectorRows > 0 && v.layout.vector.dims > 0
		if beside {
			if err := v.searcher(tx).Search(ctx, &spec, &found); err != nil {
				return err
			}
		}
		switch {
		case spec.Terms == nil:
			return nil
		case beside:
			return v.searchKeywordsBeside(ctx, tx, &spec, &found)
		}
		return v.searchKeywords(ctx, tx, &spec, &found)
	})
	if err != nil {
		return store.Found{}, err
	}
	return found, nil
}

// searchKeywordsBeside fills in the keyword arm in a savepoint, so that its
// failure leaves the rows of the vector arm and a transaction that goes on.
func (v *View) searchKeywordsBeside(ctx context.Context, tx pgx.Tx, spec *store.Search, found *store.Found) error {
	vectors := *found
	inner, err := tx.Begin(ctx)
	if err != nil {
		return err
	}
	failed := v.searchKeywords(ctx, inner, spec, found)
	if failed == nil {
		return inner.Commit(ctx)
	}
	if ctx.Err() != nil || v.store.db.IsLost(failed) {
		return failed
	}
	if err := inner.Rollback(ctx); err != nil {
		return errors.Join(failed, err)
	}
	*found = vectors
	found.KeywordErr = v.store.db.Fail(ctx, "search", failed)
	return nil
}

// unitTolerance is how far the length of a query's vector may be from 1: more
// than rounding ever makes of it, less than any mistake.
const unitTolerance = 1e-3

// checkQuery refuses vectors that this corpus cannot be asked with. nil is no
// query.
func (v *View) checkQuery(q []float32) error {
	if q == nil {
		return nil
	}
	dims := v.meta.Dimensions
	if dims == 0 {
		dims = v.layout.vector.dims
	}
	if dims != 0 && len(q) != dims {
		return &store.MismatchError{Have: v.meta.EmbedderID, HaveDims: dims, WantDims: len(q)}
	}
	var sum float64
	for _, x := range q {
		sum += float64(x) * float64(x)
	}
	switch norm := math.Sqrt(sum); {
	case math.IsNaN(norm) || math.IsInf(norm, 0):
		return errors.New("the query cannot be searched for: its vector has a component that is not a finite number")
	case norm == 0:
		return errors.New("the query cannot be searched for: its vector is zero")
	case math.Abs(norm-1) > unitTolerance:
		return fmt.Errorf("the query cannot be searched for: its vector has length %.4g instead of 1", norm)
	}
	return nil
}
