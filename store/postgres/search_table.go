package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/ann"
)

// searcher searches the chunks of a view.
func (v *View) searcher(tx pgx.Tx) *ann.Searcher {
	return &ann.Searcher{Tx: tx, Index: v.layout.index(), Table: searched{v}}
}

// index is the index as a search wants it.
func (l *layout) index() ann.Index {
	x := &l.vector.index
	return ann.Index{Name: x.name, Why: x.why, Method: x.method, Distributed: l.server.citus != ""}
}

// searched makes the statements of searches of a view's chunks.
type searched struct{ view *View }

var _ ann.Table = searched{}

func (s searched) Nearest(q []float32, scope store.Scope, limit int, forced bool) ann.Statement {
	return asked(s.view.nearest(q, scope, limit, forced))
}

func (s searched) Exactly(q []float32, scope store.Scope, limit int) ann.Statement {
	return asked(s.view.exactly(q, scope, limit))
}

func (s searched) Whole(q []float32, scope store.Scope, limit int) ann.Statement {
	return asked(s.view.exactlyWhole(q, scope, limit))
}

func (s searched) Count(scope store.Scope) ann.Statement { return asked(s.view.count(scope)) }

func (s searched) QueueCount(b *pgx.Batch, scope store.Scope, into *int) error {
	s.view.queueScanned(b, scope, into)
	return nil
}

func (s searched) AtMost(ctx context.Context, tx pgx.Tx, scope store.Scope, most int) (int, error) {
	return s.view.scopeCount(ctx, tx, scope, most)
}

func asked(q statement) ann.Statement { return ann.Statement{SQL: q.sql, Args: q.args} }
