package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
)

// searchKeywords fills in the keyword arm. Beside a vector arm the caller runs it
// in a savepoint, so that its failure costs nothing else.
func (v *View) searchKeywords(ctx context.Context, tx pgx.Tx, spec *store.Search, found *store.Found) error {
	return errNotYet
}

// placeKeyword fills in the keyword arm's part of a placement whose Chunk and
// Absence are known.
func (v *View) placeKeyword(ctx context.Context, tx pgx.Tx, spec *store.Search, p *store.Placement) error {
	return errNotYet
}
