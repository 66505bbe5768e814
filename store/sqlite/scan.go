package sqlite

import (
	"context"
	"fmt"

	"github.com/webrag/webrag-tui/store"
)

// Search runs the arms of spec. It waits for the vectors if they are not loaded
// yet, and is always exact.
func (v *View) Search(ctx context.Context, spec store.Search) (store.Found, error) {
	found := store.Found{Exact: true}
	if spec.Vector != nil {
		if err := v.checkQuery(spec.Vector); err != nil {
			return store.Found{}, fmt.Errorf("search corpus %s: %w", v.store.path, err)
		}
	}
	sn, err := v.loaded(ctx, nil)
	if err != nil {
		return store.Found{}, err
	}
	sel := sn.in(spec.Scope)
	if spec.Vector != nil && spec.VectorRows > 0 && sn.vectors.dims > 0 {
		found.Vector, found.VectorScanned, err = sn.nearest(ctx, spec.Vector, spec.VectorRows, sn.scanned(sel), sn.floats(v.conn))
		if err != nil {
			return store.Found{}, fail(ctx, "search", v.store.path, err)
		}
		found.VectorReturned = len(found.Vector)
	}
	if spec.Terms != nil {
		err := fail(ctx, "search", v.store.path, v.keyword(ctx, sn, sel, &spec, &found))
		switch {
		case err == nil:
		case spec.Vector == nil || ctx.Err() != nil:
			return store.Found{}, err
		default:
			found.KeywordErr = err
		}
	}
	return found, nil
}

// checkQuery refuses vectors that this corpus cannot be asked with.
func (v *View) checkQuery(q []float32) error {
	if v.meta.Dimensions != 0 && len(q) != v.meta.Dimensions {
		return mismatch(v.meta, "", len(q))
	}
	if err := store.CheckUnit(q); err != nil {
		return fmt.Errorf("the query cannot be searched for: %w", err)
	}
	return nil
}
