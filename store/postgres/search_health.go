package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
)

// countedRows is the most rows under an index that are counted; of more the
// server's own estimate is told.
const countedRows = 1_000_000

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

// VectorIndex describes the index and the rows under it.
func (v *View) VectorIndex(ctx context.Context) (store.VectorIndex, error) {
	var x store.VectorIndex
	err := v.do(ctx, "describe the index of", func(tx pgx.Tx) error {
		x = store.VectorIndex{Why: v.layout.vector.index.why}
		var options []string
		var estimate int64
		var vacuumed *time.Time
		err := tx.QueryRow(ctx, indexQuery, v.layout.table("chunks"), v.layout.vector.index.name).
			Scan(&x.Name, &x.Method, &x.Type, &x.Valid, &options, &x.Bytes, &x.TableBytes, &x.ToastBytes, &estimate, &x.Dead, &vacuumed)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		x.Options = buildOptions(x.Method, options)
		if vacuumed != nil {
			x.LastVacuum = vacuumed.UTC()
		}
		err = tx.QueryRow(ctx, "SELECT count(*) FROM (SELECT 1 FROM "+v.layout.table("chunks")+" c WHERE "+searchable+
			" LIMIT $1) s", countedRows+1).Scan(&x.Rows)
		if x.Rows > countedRows {
			x.Rows = max(x.Rows, estimate)
		}
		return err
	})
	if err != nil {
		return store.VectorIndex{}, err
	}
	return x, nil
}

// buildOptions are the options of an index in the order of the server's manual:
// those that were given, else the defaults.
func buildOptions(method string, given []string) []store.Setting {
	options := []store.Setting{{Name: "m", Value: "16"}, {Name: "ef_construction", Value: "64"}}
	if method == methodIVFFlat {
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

// mostProbed is the most rows that a probe compares.
const mostProbed = 1000

// Probe searches with each of the settings and compares with an exact search.
// Each search runs twice, and the second run is timed: what the first one brought
// into memory is there for all.
func (v *View) Probe(ctx context.Context, p store.Probe) (store.Probed, error) {
	const doing = "probe the index of"
	if err := v.checkProbe(&p); err != nil {
		return store.Probed{}, v.store.db.Fail(ctx, doing, err)
	}
	var probed store.Probed
	err := v.do(ctx, doing, func(tx pgx.Tx) error {
		probed = store.Probed{}
		q := v.count(p.Scope)
		if err := tx.QueryRow(ctx, q.sql, q.args...).Scan(&probed.Rows); err != nil {
			return err
		}
		exact, took, err := timedRows(ctx, tx, v.exactly(p.Vector, p.Scope, p.K))
		if err != nil {
			return err
		}
		probed.Exact = took
		for _, ef := range p.EfSearch {
			point, err := v.probe(ctx, tx, &p, ef, exact)
			if err != nil {
				return err
			}
			probed.Points = append(probed.Points, point)
		}
		return nil
	})
	if err != nil {
		return store.Probed{}, err
	}
	return probed, nil
}

func (v *View) checkProbe(p *store.Probe) error {
	if p.Vector == nil {
		return errors.New("a probe needs the vector of a query")
	}
	if err := v.checkQuery(p.Vector); err != nil {
		return err
	}
	if x := &v.layout.vector.index; x.method != methodHNSW || x.name == "" {
		why := x.why
		if x.name != "" {
			why = "its method is " + x.method
		}
		return fmt.Errorf("there is no HNSW index whose ef_search could be tried: %s", why)
	}
	if p.K < 1 || p.K > mostProbed {
		return fmt.Errorf("the number of rows to compare is %d, not between 1 and %d", p.K, mostProbed)
	}
	for _, ef := range p.EfSearch {
		if ef < leastEf || ef > mostEf {
			return fmt.Errorf("ef_search %d is not between %d and %d", ef, leastEf, mostEf)
		}
	}
	return nil
}

// probe tries one setting.
func (v *View) probe(ctx context.Context, tx pgx.Tx, p *store.Probe, ef int, exact []store.VectorRow) (store.ProbePoint, error) {
	settings, err := indexSettings{ef: ef, iterative: p.Iterative}.list(v.layout)
	if err != nil {
		return store.ProbePoint{}, err
	}
	if _, err := tx.Exec(ctx, statements(settings)); err != nil {
		return store.ProbePoint{}, err
	}
	q := v.nearest(p.Vector, p.Scope, p.K, false)
	rows, took, err := timedRows(ctx, tx, q)
	if err != nil {
		return store.ProbePoint{}, err
	}
	var asked store.Asked
	var batch pgx.Batch
	v.queuePlan(&batch, q, &asked)
	if err := tx.SendBatch(ctx, &batch).Close(); err != nil {
		return store.ProbePoint{}, err
	}
	return store.ProbePoint{
		EfSearch: ef, Returned: len(rows), Recall: recall(rows, exact), Took: took, Used: asked.Used,
	}, nil
}

// timedRows runs a search twice and times the second run.
func timedRows(ctx context.Context, tx pgx.Tx, q statement) (found []store.VectorRow, took time.Duration, err error) {
	for range 2 {
		start := time.Now()
		rows, err := tx.Query(ctx, q.sql, q.args...)
		if err != nil {
			return nil, 0, err
		}
		read, err := readVectorRows(rows)
		if err != nil {
			return nil, 0, err
		}
		found, took = read.rows, time.Since(start)
	}
	return found, took, nil
}

// recall is the share of the exact rows that were found: one as near as the last
// of them counts, since of equals any will do. Of nothing, all was found.
func recall(found, exact []store.VectorRow) float64 {
	if len(exact) == 0 {
		return 1
	}
	last := exact[len(exact)-1].Similarity
	hits := 0
	for i := range found {
		if found[i].Similarity >= last {
			hits++
		}
	}
	return float64(min(hits, len(exact))) / float64(len(exact))
}
