package ann

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
)

// CountedRows is the most rows under an index that a description counts; of more
// the server's own estimate is told.
const CountedRows = 1_000_000

// indexQuery finds the index to describe among those of the vectors: the one that
// searches use, else one that could have been.
const indexQuery = `
SELECT i.relname, am.amname, split_part(format_type(a.atttypid, a.atttypmod), '(', 1), x.indisvalid AND x.indisready,
	coalesce(i.reloptions, '{}'), pg_relation_size(i.oid), pg_table_size(t.oid),
	CASE WHEN t.reltoastrelid = 0 THEN 0 ELSE pg_total_relation_size(t.reltoastrelid) END,
	greatest(i.reltuples, 0)::int8, coalesce(pg_stat_get_dead_tuples(t.oid), 0),
	greatest(pg_stat_get_last_vacuum_time(t.oid), pg_stat_get_last_autovacuum_time(t.oid))
FROM pg_index x
JOIN pg_class i ON i.oid = x.indexrelid
JOIN pg_class t ON t.oid = x.indrelid
JOIN pg_am am ON am.oid = i.relam
JOIN pg_attribute a ON a.attrelid = i.oid AND a.attnum = 1
WHERE x.indrelid = to_regclass($1) AND am.amname IN ('hnsw', 'ivfflat')
ORDER BY i.relname = $2 DESC, x.indisvalid DESC, i.relname
LIMIT 1`

// Describe describes the index of a table, whose name is as it stands in a
// statement, without counting its rows; estimate is the server's of those. Without
// any index found is false and only Why is set.
func (x *Index) Describe(ctx context.Context, tx pgx.Tx, table string) (d store.VectorIndex, estimate int64, found bool, err error) {
	d.Why = x.Why
	var options []string
	var vacuumed *time.Time
	err = tx.QueryRow(ctx, indexQuery, table, x.Name).
		Scan(&d.Name, &d.Method, &d.Type, &d.Valid, &options, &d.Bytes, &d.TableBytes, &d.ToastBytes, &estimate, &d.Dead, &vacuumed)
	if errors.Is(err, pgx.ErrNoRows) {
		return d, 0, false, nil
	}
	if err != nil {
		return store.VectorIndex{}, 0, false, err
	}
	d.Options = buildOptions(d.Method, options)
	if vacuumed != nil {
		d.LastVacuum = vacuumed.UTC()
	}
	return d, estimate, true, nil
}

// buildOptions are the options of an index in the order of the server's manual:
// those that were given, else the defaults.
func buildOptions(method string, given []string) []store.Setting {
	options := []store.Setting{{Name: "m", Value: "16"}, {Name: "ef_construction", Value: "64"}}
	if method == MethodIVFFlat {
		options = []store.Setting{{Name: "lists", Value: "100"}}
	}
	for _, s := range given {
		name, value, _ := strings.Cut(s, "=")
		for i := range options {
			if options[i].Name == name {
				options[i].Value = value
			}
		}
	}
	return options
}
