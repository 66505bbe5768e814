package flat

import (
	"context"
	"maps"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/catalog"
	"github.com/webrag/webrag-tui/store/postgres/internal/db"
)

// View is one version of a table: a read-only transaction at repeatable read.
type View struct {
	store *Store
	table *table
	// reading is the transaction.
	reading *db.Reading
	meta    store.Meta
}

var (
	_ store.View        = (*View)(nil)
	_ store.IndexHealth = (*View)(nil)
)

// begin opens the transaction.
func (v *View) begin(ctx context.Context) error {
	v.reading = db.NewReading(v.store.db, v.start)
	return v.reading.Begin(ctx)
}

// start reads what Info answers, the version among it.
func (v *View) start(ctx context.Context, tx pgx.Tx) (version int64, keep func(), err error) {
	info, err := v.readInfo(ctx, tx)
	return info.Meta.Changed, func() {
		v.meta = info.Meta
		v.store.info.Store(&info)
	}, err
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

// do runs what reads.
func (v *View) do(ctx context.Context, doing string, read func(tx pgx.Tx) error) error {
	return v.reading.Do(ctx, doing, read)
}

// from is the table, of the rows that the store's owner may see.
func (v *View) from(p *params) string { return v.table.from(p, v.store.opts.Owner) }

// Version is a number that changes with what the view shows.
func (v *View) Version() int64 { return v.meta.Changed }

// Meta is what is known about the table.
func (v *View) Meta() store.Meta { return v.meta }

// Close ends the view. Nothing of what it returned depends on it.
func (v *View) Close() error {
	v.reading.End()
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
