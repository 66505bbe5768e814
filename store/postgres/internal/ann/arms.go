package ann

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/db"
)

// Arm fills in its part of what a search found.
type Arm func(ctx context.Context, tx pgx.Tx, spec *store.Search, found *store.Found) error

// Arms are the two arms of a search. Vectors is nil where there are none.
type Arms struct {
	DB             *db.DB
	Vectors, Words Arm
}

// Search runs the arms that spec asks for. A keyword arm that fails beside a
// vector arm is no error of the search: the rows of the other stay.
func (a *Arms) Search(ctx context.Context, tx pgx.Tx, spec *store.Search) (store.Found, error) {
	found := store.Found{Exact: true}
	beside := spec.Vector != nil && spec.VectorRows > 0 && a.Vectors != nil
	if beside {
		if err := a.Vectors(ctx, tx, spec, &found); err != nil {
			return found, err
		}
	}
	switch {
	case spec.Terms == nil:
		return found, nil
	case beside:
		return found, a.wordsBeside(ctx, tx, spec, &found)
	}
	return found, a.Words(ctx, tx, spec, &found)
}

// wordsBeside runs the keyword arm in a savepoint, so that its failure leaves a
// transaction that goes on.
func (a *Arms) wordsBeside(ctx context.Context, tx pgx.Tx, spec *store.Search, found *store.Found) error {
	vectors := *found
	inner, err := tx.Begin(ctx)
	if err != nil {
		return err
	}
	failed := a.Words(ctx, inner, spec, found)
	if failed == nil {
		return inner.Commit(ctx)
	}
	if ctx.Err() != nil || a.DB.IsLost(failed) {
		return failed
	}
	if err := inner.Rollback(ctx); err != nil {
		return errors.Join(failed, err)
	}
	*found = vectors
	found.KeywordErr = a.DB.Fail(ctx, "search", failed)
	return nil
}

// CheckQuery refuses vectors that a corpus cannot be asked with, whose embedder
// and dimensions are given; 0 is not known. nil is no query.
func CheckQuery(q []float32, embedderID string, dims int) error {
	if q == nil {
		return nil
	}
	if dims != 0 && len(q) != dims {
		return &store.MismatchError{Have: embedderID, HaveDims: dims, WantDims: len(q)}
	}
	if err := store.CheckUnit(q); err != nil {
		return fmt.Errorf("the query cannot be searched for: %w", err)
	}
	return nil
}
