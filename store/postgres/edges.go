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

// linker keeps the edges of hyperlinks what store.LinkEdge makes of all links and
// all documents, whichever of the two comes first.
type linker struct{}

// face is what other documents' links see of a document.
type face struct{}

// stored is the face of a document as it is stored, nil for none.
func (l *linker) stored(ctx context.Context, tx pgx.Tx, documentID string) (*face, error) {
	return nil, errNotYet
}

// replaced makes the edges of a document anew that was written in tx, and of the
// links of others to it. Addresses, structure's edges and those of links are its
// own to write; links are written already.
func (l *linker) replaced(ctx context.Context, tx pgx.Tx, b *store.Bundle, before *face) error {
	return errNotYet
}

// hidden and shown follow a soft deletion and its undoing, removed a deletion that
// is about to happen.
func (l *linker) hidden(ctx context.Context, tx pgx.Tx, documentIDs []string) error { return errNotYet }
func (l *linker) shown(ctx context.Context, tx pgx.Tx, documentIDs []string) error  { return errNotYet }
func (l *linker) removed(ctx context.Context, tx pgx.Tx, documentIDs []string) error {
	return errNotYet
}

// forget drops what a failed transaction may have put into a cache.
func (l *linker) forget() {}

// PutEdges adds edges, or overwrites those with the same source, target and
// relation, in one transaction.
func (w *Writer) PutEdges(ctx context.Context, edges []store.Edge) (missing []store.Edge, err error) {
	return nil, errNotYet
}
