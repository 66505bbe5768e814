package sqlite

import (
	"context"
	"errors"

	"github.com/webrag/webrag-tui/store"
)

var errLater = errors.New("not yet")

// Place places a chunk.
func (v *View) Place(context.Context, store.Search, string) (store.Placement, error) {
	return store.Placement{}, errLater
}

// Find finds chunks.
func (v *View) Find(context.Context, store.FindQuery) ([]store.Chunk, int, error) {
	return nil, 0, errLater
}
