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
	// Beside prepares a second transaction, as the first one was when its view
	// began, and returns the keyword arm for another goroutine than that of Vectors:
	// the two share nothing that one of them writes.
	Beside func(ctx context.Context, tx pgx.Tx) (Arm, error)
}

// Search runs the arms that spec asks for: both at once, where a second connection
// can see what the first one sees, else one after the other. A keyword arm that
// fails beside a vector arm is no error of the search: the rows of the other stay.
func (a *Arms) Search(ctx context.Context, tx pgx.Tx, spec *store.Search) (store.Found, error) {
	found := store.Found{Exact: true}
	switch {
	case spec.Vector == nil || spec.VectorRows <= 0 || a.Vectors == nil:
		if spec.Terms == nil {
			return found, nil
		}
		return found, a.Words(ctx, tx, spec, &found)
	case spec.Terms == nil:
		return found, a.Vectors(ctx, tx, spec, &found)
	}
	begin, why, err := a.DB.Beside(ctx, tx)
	switch {
	case err != nil:
		return found, err
	case begin == nil:
		err = a.Vectors(ctx, tx, spec, &found)
	default:
		why, err = a.atOnce(ctx, tx, begin, spec, &found)
	}
	if err != nil || why == "" {
		return found, err
	}
	err = a.wordsAfter(ctx, tx, spec, &found)
	found.KeywordRun = "after the vectors: " + why
	return found, err
}

// atOnce runs the keyword arm in a second transaction, while the vector arm runs in
// the first. Whichever way it ends, neither is running any more. Why says that the
// keyword arm is still to be run, because there was no connection for it.
func (a *Arms) atOnce(ctx context.Context, tx pgx.Tx, begin func(context.Context) (pgx.Tx, error), spec *store.Search, found *store.Found) (why string, err error) {
	both, cancel := context.WithCancel(ctx)
	defer cancel()
	var words store.Found
	ended := make(chan error, 1)
	go func() {
		own := *spec
		ended <- a.wordsIn(both, begin, &own, &words)
	}()
	if err = a.Vectors(ctx, tx, spec, found); err != nil {
		cancel()
	}
	failed := <-ended
	var alone db.AloneError
	switch {
	case err != nil:
		return "", err
	case failed == nil:
		found.TakeKeyword(&words)
		found.KeywordRun = "beside the vectors, on a connection of its own"
		return "", nil
	case ctx.Err() != nil:
		return "", failed
	case errors.As(failed, &alone):
		return alone.Why, nil
	case a.DB.IsLost(failed):
		return "the second connection was lost", nil
	}
	found.KeywordErr = a.DB.Fail(ctx, "search", failed)
	return "", nil
}

// wordsIn runs the keyword arm in a transaction of its own.
func (a *Arms) wordsIn(ctx context.Context, begin func(context.Context) (pgx.Tx, error), spec *store.Search, words *store.Found) error {
	tx, err := begin(ctx)
	if err != nil {
		return err
	}
	// What was only read needs no end, and the connection goes back either way.
	defer func() { _ = tx.Rollback(ctx) }()
	arm, err := a.Beside(ctx, tx)
	if err != nil {
		return err
	}
	return arm(ctx, tx, spec, words)
}

// wordsAfter runs the keyword arm in a savepoint, so that its failure leaves a
// transaction that goes on.
func (a *Arms) wordsAfter(ctx context.Context, tx pgx.Tx, spec *store.Search, found *store.Found) error {
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
