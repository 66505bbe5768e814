package sqlite

import (
	"context"
	"errors"

	"github.com/webrag/webrag-tui/store"
)

var errLater = errors.New("not yet")

// Edges returns edges.
func (v *View) Edges(context.Context, store.EdgeQuery) ([]store.Edge, error) { return nil, nil }

// Place places a chunk.
func (v *View) Place(context.Context, store.Search, string) (store.Placement, error) {
	return store.Placement{}, errLater
}

// Find finds chunks.
func (v *View) Find(context.Context, store.FindQuery) ([]store.Chunk, int, error) {
	return nil, 0, errLater
}

// SoftDelete deletes.
func (w *Writer) SoftDelete(context.Context, ...string) (int, error) { return 0, errLater }

// Restore restores.
func (w *Writer) Restore(context.Context, ...string) (int, error) { return 0, errLater }

// PutEdges puts edges.
func (w *Writer) PutEdges(context.Context, []store.Edge) ([]store.Edge, error) { return nil, errLater }
