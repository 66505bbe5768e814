package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
)

// Search runs the arms of spec. A keyword arm that fails beside a vector arm is no
// error of the search.
func (v *View) Search(ctx context.Context, spec store.Search) (store.Found, error) {
	return store.Found{}, errNotYet
}

// Place answers where one chunk stands in each arm of spec, exactly.
func (v *View) Place(ctx context.Context, spec store.Search, chunkID string) (store.Placement, error) {
	return store.Placement{}, errNotYet
}

// VectorIndex describes the index and the rows under it.
func (v *View) VectorIndex(ctx context.Context) (store.VectorIndex, error) {
	return store.VectorIndex{}, errNotYet
}

// Probe searches with each of the settings and compares with an exact search.
func (v *View) Probe(ctx context.Context, p store.Probe) (store.Probed, error) {
	return store.Probed{}, errNotYet
}

// searchVectors fills in the vector arm.
func (v *View) searchVectors(ctx context.Context, tx pgx.Tx, spec *store.Search, found *store.Found) error {
	return errNotYet
}
