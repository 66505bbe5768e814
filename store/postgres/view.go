package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/db"
)

// View is one version of a corpus: a read-only transaction at repeatable read.
type View struct {
	store  *Store
	layout *layout
	// reading is the transaction.
	reading *db.Reading
	meta    store.Meta
	// settled are the documents at addresses, as far as settle was asked.
	settled map[string][]uuid.UUID
}

var (
	_ store.View        = (*View)(nil)
	_ store.IndexHealth = (*View)(nil)
)

// begin opens the transaction.
func (v *View) begin(ctx context.Context) error {
	v.reading = db.NewReading(v.store.db, v.start)
	return v.reading.Begin(ctx)
}

// start reads the meta row, whose change counter is the version.
func (v *View) start(ctx context.Context, tx pgx.Tx) (version int64, keep func(), err error) {
	if v.layout.secured {
		if err := setOwner(ctx, tx, v.store.opts.Owner); err != nil {
			return 0, nil, err
		}
	}
	info, err := v.readInfo(ctx, tx)
	return info.Meta.Changed, func() {
		v.meta = info.Meta
		v.store.info.Store(&info)
	}, err
}

// do runs what reads.
func (v *View) do(ctx context.Context, doing string, read func(tx pgx.Tx) error) error {
	return v.reading.Do(ctx, doing, read)
}

// Version is the change counter of what the view shows.
func (v *View) Version() int64 { return v.meta.Changed }

// Meta is what the corpus remembers about itself.
func (v *View) Meta() store.Meta { return v.meta }

// Close ends the view. Nothing of what it returned depends on it.
func (v *View) Close() error {
	v.reading.End()
	return nil
}
