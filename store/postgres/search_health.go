package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/ann"
)

// VectorIndex describes the index and the rows under it.
func (v *View) VectorIndex(ctx context.Context) (x store.VectorIndex, err error) {
	err = v.do(ctx, "describe the index of", func(tx pgx.Tx) error {
		index := v.layout.index()
		var estimate int64
		var found bool
		x, estimate, found, err = index.Describe(ctx, tx, v.layout.table("chunks"))
		if err != nil || !found {
			return err
		}
		err = tx.QueryRow(ctx, "SELECT count(*) FROM (SELECT 1 FROM "+v.layout.table("chunks")+" c WHERE "+searchable+
			" LIMIT $1) s", ann.CountedRows+1).Scan(&x.Rows)
		if x.Rows > ann.CountedRows {
			x.Rows = max(x.Rows, estimate)
		}
		return err
	})
	if err != nil {
		return store.VectorIndex{}, err
	}
	return x, nil
}

// Probe searches with each of the settings and compares with an exact search.
func (v *View) Probe(ctx context.Context, p store.Probe) (probed store.Probed, err error) {
	const doing = "probe the index of"
	if err := v.checkProbe(&p); err != nil {
		return store.Probed{}, v.store.db.Fail(ctx, doing, err)
	}
	err = v.do(ctx, doing, func(tx pgx.Tx) error {
		probed, err = v.searcher(tx).Probe(ctx, &p)
		return err
	})
	return probed, err
}

func (v *View) checkProbe(p *store.Probe) error {
	if p.Vector == nil {
		return errors.New("a probe needs the vector of a query")
	}
	if err := v.checkQuery(p.Vector); err != nil {
		return err
	}
	x := v.layout.index()
	return x.CheckProbe(p)
}
