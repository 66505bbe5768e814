package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
)

// View is one version of a corpus: a read-only transaction at repeatable read.
type View struct {
	store  *Store
	layout *layout
	tx     pgx.Tx
	meta   store.Meta
	// settled are the documents at addresses, as far as settle was asked.
	settled map[string][]uuid.UUID
}

var (
	_ store.View        = (*View)(nil)
	_ store.IndexHealth = (*View)(nil)
)

// begin opens the transaction. Its first statement, which reads the meta row,
// fixes what the following ones see.
func (v *View) begin(ctx context.Context) error {
	tx, err := v.store.db.Read(ctx)
	if err != nil {
		return err
	}
	v.tx = tx
	if v.layout.secured {
		if err := setOwner(ctx, tx, v.store.opts.Owner); err != nil {
			v.end()
			return err
		}
	}
	info, err := v.readInfo(ctx, tx)
	if err != nil {
		v.end()
		return err
	}
	v.meta = info.Meta
	v.store.info.Store(&info)
	return nil
}

// do runs what reads, and once more in a new transaction if the first was lost
// and the corpus is still at the same version: otherwise what was read before
// would not fit what is read now. read must begin from nothing when it is run
// again.
func (v *View) do(ctx context.Context, doing string, read func(tx pgx.Tx) error) error {
	err := v.try(ctx, read)
	if err != nil && ctx.Err() == nil && v.store.db.IsLost(err) {
		err = v.try(ctx, read)
	}
	return v.store.db.Fail(ctx, doing, err)
}

// movedError reports that a transaction could not be taken up again. It is a
// store.ErrUnavailable: what a new view shows fits together.
type movedError struct{}

func (movedError) Error() string {
	return "the connection was lost, and the corpus has changed since; ask again"
}

func (movedError) Unwrap() error { return store.ErrUnavailable }

func (v *View) try(ctx context.Context, read func(tx pgx.Tx) error) error {
	if v.tx == nil {
		before := v.meta
		if err := v.begin(ctx); err != nil {
			return err
		}
		if v.meta.Changed != before.Changed {
			// It stays so: the view is of what is gone.
			v.end()
			v.meta = before
			return movedError{}
		}
	}
	err := read(v.tx)
	if err != nil && v.store.db.IsBroken(v.tx, err) {
		v.end()
	}
	return err
}

// end gives the connection back.
func (v *View) end() {
	if v.tx != nil {
		// A transaction that only read has nothing to lose.
		_ = v.tx.Rollback(context.Background())
		v.tx = nil
	}
}

// Version is the change counter of what the view shows.
func (v *View) Version() int64 { return v.meta.Changed }

// Meta is what the corpus remembers about itself.
func (v *View) Meta() store.Meta { return v.meta }

// Close ends the view. Nothing of what it returned depends on it.
func (v *View) Close() error {
	v.end()
	return nil
}
