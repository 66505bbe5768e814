package sqlite

import (
	"context"

	"github.com/webrag/webrag-tui/store"
)

// Within reports which of the chunks are in scope.
func (v *View) Within(ctx context.Context, scope store.Scope, ids []string) (map[string]bool, error) {
	sn, err := v.loaded(ctx, nil)
	if err != nil {
		return nil, err
	}
	m := newMatcher(scope)
	within := make(map[string]bool, len(ids))
	for _, s := range ids {
		if id, ok := store.ParseID(s); ok {
			if d, r, ok := sn.chunkByID(id); ok && m.admits(d, r) {
				within[s] = true
			}
		}
	}
	return within, nil
}
