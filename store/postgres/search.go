package postgres

import (
	"context"
	"errors"
	"maps"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/ann"
)

// Search runs the arms of spec. A keyword arm that fails beside a vector arm is no
// error of the search.
func (v *View) Search(ctx context.Context, spec store.Search) (store.Found, error) {
	const doing = "search"
	if err := v.checkQuery(spec.Vector); err != nil {
		return store.Found{}, v.store.db.Fail(ctx, doing, err)
	}
	arms := ann.Arms{DB: v.store.db, Words: v.searchKeywords}
	if v.layout.vector.dims > 0 {
		arms.Vectors = v.searchVectors
	}
	var found store.Found
	err := v.do(ctx, doing, func(tx pgx.Tx) (err error) {
		if lost := v.layout.lostVectors(v.meta); lost != "" && spec.Vector != nil && spec.VectorRows > 0 {
			return errors.New(lost)
		}
		arms.Beside = v.beside()
		found, err = arms.Search(ctx, tx, &spec)
		return err
	})
	if err != nil {
		return store.Found{}, err
	}
	return found, nil
}

// beside gives another transaction that sees the same a view of its own, for the
// keyword arm. It is copied before the arms run, since the vector arm goes on to
// settle addresses in v.
func (v *View) beside() func(context.Context, pgx.Tx) (ann.Arm, error) {
	second := *v
	second.settled = maps.Clone(v.settled)
	return func(ctx context.Context, tx pgx.Tx) (ann.Arm, error) {
		if second.layout.secured {
			if err := setOwner(ctx, tx, second.store.opts.Owner); err != nil {
				return nil, err
			}
		}
		return second.searchKeywords, nil
	}
}

func (v *View) searchVectors(ctx context.Context, tx pgx.Tx, spec *store.Search, found *store.Found) error {
	return v.searcher(tx).Search(ctx, spec, found)
}

// checkQuery refuses vectors that this corpus cannot be asked with. nil is no
// query.
func (v *View) checkQuery(q []float32) error {
	dims := v.meta.Dimensions
	if dims == 0 {
		dims = v.layout.vector.dims
	}
	return ann.CheckQuery(q, v.meta.EmbedderID, dims)
}
