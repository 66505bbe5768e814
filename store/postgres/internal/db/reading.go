package db

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
)

// Reading is a read-only transaction that is taken up again once when it was lost
// and what it shows is still at the same version: otherwise what was read before
// would not fit what is read now. It is used by one goroutine.
type Reading struct {
	db *DB
	// start reads, in a transaction that has just begun, the version of what it
	// shows; keep takes over what else it read, and is left out when that is of a
	// version that the reading is not of.
	start   func(ctx context.Context, tx pgx.Tx) (version int64, keep func(), err error)
	tx      pgx.Tx
	version int64
	// begun says that version is known, moved that it is gone for good.
	begun, moved bool
}

// NewReading makes a reading that has not begun. start begins each of its
// transactions; its first statement fixes what the following ones see.
func NewReading(d *DB, start func(ctx context.Context, tx pgx.Tx) (version int64, keep func(), err error)) *Reading {
	return &Reading{db: d, start: start}
}

// Begin opens the transaction.
func (r *Reading) Begin(ctx context.Context) error {
	if r.moved {
		return movedError{}
	}
	tx, err := r.db.Read(ctx)
	if err != nil {
		return err
	}
	r.tx = tx
	version, keep, err := r.start(ctx, tx)
	switch {
	case err != nil:
	case r.begun && version != r.version:
		r.moved, err = true, movedError{}
	default:
		keep()
		r.begun, r.version = true, version
		return nil
	}
	r.End()
	return err
}

// Do runs what reads, and once more if its transaction was lost. read must begin
// from nothing when it is run again. An error says what doing was.
func (r *Reading) Do(ctx context.Context, doing string, read func(tx pgx.Tx) error) error {
	err := r.try(ctx, read)
	if err != nil && ctx.Err() == nil && r.db.IsLost(err) {
		err = r.try(ctx, read)
	}
	return r.db.Fail(ctx, doing, err)
}

func (r *Reading) try(ctx context.Context, read func(tx pgx.Tx) error) error {
	if r.tx == nil {
		if err := r.Begin(ctx); err != nil {
			return err
		}
	}
	err := read(r.tx)
	if err != nil && r.db.IsBroken(r.tx, err) {
		r.End()
	}
	return err
}

// Tx is the transaction that is open, nil for none.
func (r *Reading) Tx() pgx.Tx { return r.tx }

// End gives the connection back.
func (r *Reading) End() {
	if r.tx != nil {
		// A transaction that only read has nothing to lose.
		_ = r.tx.Rollback(context.Background())
		r.tx = nil
	}
}

// movedError reports that a transaction could not be taken up again. It is a
// store.ErrUnavailable: what a new reading shows fits together.
type movedError struct{}

func (movedError) Error() string {
	return "the connection was lost, and the corpus has changed since; ask again"
}

func (movedError) Unwrap() error { return store.ErrUnavailable }
