package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
)

// Edges returns the edges at the given nodes, capped per node, each once, by
// (weight descending, id).
func (v *View) Edges(ctx context.Context, q store.EdgeQuery) ([]store.Edge, error) {
	return nil, errNotYet
}

// PutEdges adds edges, or overwrites those with the same source, target and
// relation, in one transaction.
func (w *Writer) PutEdges(ctx context.Context, edges []store.Edge) (missing []store.Edge, err error) {
	return nil, errNotYet
}
