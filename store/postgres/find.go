package postgres

import (
	"context"

	"github.com/webrag/webrag-tui/store"
)

// Find returns the chunks that q means.
func (v *View) Find(ctx context.Context, q store.FindQuery) (chunks []store.Chunk, total int, err error) {
	return nil, 0, errNotYet
}
