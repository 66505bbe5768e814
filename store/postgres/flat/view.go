package flat

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/catalog"
)

// View is one version of a table: a read-only transaction at repeatable read.
type View struct {
	store *Store
	table *table
	tx    pgx.Tx
	meta  store.Meta
}

var (
	_ store.View        = (*View)(nil)
	_ store.IndexHealth = (*View)(nil)
)

// begin opens the transaction and reads what Info answers.
func (v *View) begin(ctx context.Context) error {
	tx, err := v.store.db.Read(ctx)
	if err != nil {
		return err
	}
	v.tx = tx
	info, err := v.readInfo(ctx, tx)
	if err != nil {
		v.end()
		return err
	}
	v.meta = info.Meta
	v.store.info.Store(&info)
	return nil
}

// markSQL makes the text of table.mark of the table with the id $1: it changes when
// a column or an index comes, goes or becomes valid.
const markSQL = `(SELECT concat_ws('/', c.relnatts, c.relkind,
		(SELECT string_agg(concat(a.attnum, ':', a.attname, ':', a.atttypid, ':', a.atttypmod), ',' ORDER BY a.attnum) FROM pg_attribute a
			WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped),
		(SELECT string_agg(i.indexrelid::text, ',' ORDER BY i.indexrelid) FROM pg_index i
			WHERE i.indrelid = c.oid AND i.indisvalid AND i.indisready))
	FROM pg_class c WHERE c.oid = $1)`

func readMark(ctx context.Context, q catalog.Querier, oid uint32) (mark string, err error) {
	err = q.QueryRow(ctx, "SELECT coalesce("+markSQL+", '')", oid).Scan(&mark)
	return mark, err
}

// changesSQL makes a number of what the server counts of the table with the id $1,
// or of its partitions: what was written, and the files, which a rewrite exchanges.
// The server counts within a second or so, and not while a transaction is open.
const changesSQL = `(SELECT coalesce(sum(pg_stat_get_tuples_inserted(t.id) + pg_stat_get_tuples_updated(t.id) + pg_stat_get_tuples_deleted(t.id)
		+ coalesce(pg_relation_filenode(t.id), 0)::bigint * 4294967296), 0)::bigint & 9223372036854775807
	FROM (SELECT $1::oid AS id UNION SELECT relid FROM pg_partition_tree($1::oid)) t)`

// readInfo reads what Info answers. If the table turns out to have changed, the
// view gets what it is now, and so do the views after it.
func (v *View) readInfo(ctx context.Context, tx pgx.Tx) (store.Info, error) {
	t := v.table
	var mark string
	var m store.Meta
	if err := tx.QueryRow(ctx, "SELECT coalesce("+markSQL+", ''), "+changesSQL, t.OID).Scan(&mark, &m.Changed); err != nil {
		return store.Info{}, err
	}
	if mark != t.mark {
		var err error
		if t, err = inspect(ctx, tx, v.store.opts.Table, v.store.opts.Map); err != nil {
			return store.Info{}, err
		}
		v.table = t
		v.store.table.Store(t)
	}
	if !t.counted {
		var p params
		if err := tx.QueryRow(ctx, "SELECT count(*) FROM "+t.from(&p, ""), p...).Scan(&m.Changed); err != nil {
			return store.Info{}, err
		}
	}
	m.Dimensions = t.dims
	hasOwners := false
	if !t.mapping.Owner.IsZero() {
		var p params
		err := tx.QueryRow(ctx, "SELECT EXISTS (SELECT FROM "+t.Quoted()+" t WHERE "+t.text(&p, t.mapping.Owner)+" <> '')", p...).Scan(&hasOwners)
		if err != nil {
			return store.Info{}, err
		}
	}
	return store.Info{
		Name: t.title(), Location: v.store.location(), Meta: v.store.remembered(m, t.dims),
		ReadOnly: true, Foreign: true, Unindexed: true,
		Owner: v.store.opts.Owner, HasOwners: hasOwners,
		Missing: maps.Clone(t.missing), Warnings: t.warnings, Advice: t.server.Flaws(t.nearest.Method != ""),
	}, nil
}

// do runs what reads, and once more in a new transaction if the first was lost and
// the table is still at the same version. read must begin from nothing when it is
// run again.
func (v *View) do(ctx context.Context, doing string, read func(tx pgx.Tx) error) error {
	err := v.try(ctx, read)
	if err != nil && ctx.Err() == nil && v.store.db.IsLost(err) {
		err = v.try(ctx, read)
	}
	return v.store.db.Fail(ctx, doing, err)
}

// errMoved reports that a transaction could not be taken up again.
var errMoved = errors.New("the connection was lost, and the table has changed since")

func (v *View) try(ctx context.Context, read func(tx pgx.Tx) error) error {
	if v.tx == nil {
		before := v.meta.Changed
		if err := v.begin(ctx); err != nil {
			return err
		}
		if v.meta.Changed != before {
			return fmt.Errorf("%w; ask again (%w)", errMoved, store.ErrUnavailable)
		}
	}
	err := read(v.tx)
	if err != nil && v.store.db.IsBroken(v.tx, err) {
		v.end()
	}
	return err
}

// end gives the connection back.
func (v *View) end() {
	if v.tx != nil {
		// A transaction that only read has nothing to lose.
		_ = v.tx.Rollback(context.Background())
		v.tx = nil
	}
}

// from is the table, of the rows that the store's owner may see.
func (v *View) from(p *params) string { return v.table.from(p, v.store.opts.Owner) }

// Version is a number that changes with what the view shows.
func (v *View) Version() int64 { return v.meta.Changed }

// Meta is what is known about the table.
func (v *View) Meta() store.Meta { return v.meta }

// Close ends the view. Nothing of what it returned depends on it.
func (v *View) Close() error {
	v.end()
	return nil
}

// Deleted returns nothing: a row that was deleted is gone.
func (v *View) Deleted(context.Context) ([]store.Document, error) { return nil, nil }

// Edges returns nothing: a table has none.
func (v *View) Edges(context.Context, store.EdgeQuery) ([]store.Edge, error) { return nil, nil }

// Links returns nothing: a table keeps none.
func (v *View) Links(context.Context, string) ([]store.Link, error) { return nil, nil }

// Hidden counts nothing: every row is shown.
func (v *View) Hidden(context.Context) (store.Hidden, error) { return store.Hidden{}, nil }

// Children returns nothing: rows have none.
func (v *View) Children(context.Context, []string, store.Fields) ([]store.Chunk, error) {
	return nil, nil
}
