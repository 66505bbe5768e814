package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/db"
)

// discover finds out from the catalog what a database has.
func discover(ctx context.Context, d *db.DB) (*layout, error) {
	return nil, errors.New("not yet")
}

// readInfo reads what Info answers, meta among it, in one round trip.
func (v *View) readInfo(ctx context.Context, tx pgx.Tx) (store.Info, error) {
	return store.Info{}, errors.New("not yet")
}
