package postgres

import (
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
)

// counted is how many vectors one scope has at one version of a corpus.
type counted struct {
	version int64
	scope   string
	rows    int
}

// queueScanned adds the number of vectors in scope to a batch. The last one is
// remembered, since most queries are asked of the scope of the one before; not
// that of a database of another program, which does not count its changes.
func (v *View) queueScanned(b *pgx.Batch, scope store.Scope, into *int) {
	key := scopeKey(scope)
	last := v.store.counted.Load()
	if last != nil && last.version == v.meta.Changed && last.scope == key {
		*into = last.rows
		return
	}
	q := v.count(scope)
	b.Queue(q.sql, q.args...).QueryRow(func(row pgx.Row) error {
		if err := row.Scan(into); err != nil {
			return err
		}
		if !v.layout.foreign {
			v.store.counted.Store(&counted{version: v.meta.Changed, scope: key, rows: *into})
		}
		return nil
	})
}

// scopeKey tells scopes apart by what they name, in any letters and at any time.
func scopeKey(scope store.Scope) string {
	depth := ""
	if scope.MaxDepth != nil {
		depth, scope.MaxDepth = strconv.Itoa(*scope.MaxDepth), nil
	}
	return fmt.Sprintf("%s %#v", depth, scope)
}
