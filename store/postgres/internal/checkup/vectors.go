package checkup

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/catalog"
)

// fewRows is up to how many vectors are compared one by one in no time.
const fewRows = 20_000

// Dimensions finds vectors of several models where the column does not keep them
// out.
func (c *Checker) Dimensions() error {
	if c.Kind == "" {
		return nil
	}
	column := catalog.Quote(c.Column)
	var declared bool
	var typeName string
	err := c.Scan(`SELECT atttypmod > 0, format_type(atttypid, atttypmod) FROM pg_attribute
		WHERE attrelid = to_regclass($1) AND attname = $2 AND NOT attisdropped`,
		[]any{c.Name, c.Column}, &declared, &typeName)
	if err != nil {
		return err
	}
	if declared {
		c.Add("dimensions", store.CheckFine, catalog.Printable(typeName), "")
		return nil
	}
	rows, err := c.Tx.Query(c.Ctx, "SELECT vector_dims("+column+"), count(*) FROM "+c.Name+
		" WHERE "+column+" IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1")
	if err != nil {
		return err
	}
	type kind struct{ Dims, Rows int }
	kinds, err := pgx.CollectRows(rows, pgx.RowToStructByPos[kind])
	if err != nil {
		return err
	}
	switch len(kinds) {
	case 0:
		c.Add("dimensions", store.CheckFine, "not declared; there is no vector yet", "")
	case 1:
		c.Add("dimensions", store.CheckWarning, fmt.Sprintf("all vectors have %d, which the column does not declare; no index can be made of it", kinds[0].Dims),
			fmt.Sprintf("ALTER TABLE %s ALTER COLUMN %s TYPE %s(%d)", catalog.Printable(c.Name), catalog.Printable(column), c.Kind, kinds[0].Dims))
	default:
		words := make([]string, len(kinds))
		for i, k := range kinds {
			words[i] = fmt.Sprintf("%d of %d", k.Rows, k.Dims)
		}
		c.Add("dimensions", store.CheckBroken, "the vectors have different ones ("+strings.Join(words, ", ")+" dimensions), so they are of several models",
			fmt.Sprintf("embed all with one model, then: ALTER TABLE %s ALTER COLUMN %s TYPE %s(N)", catalog.Printable(c.Name), catalog.Printable(column), c.Kind))
	}
	return nil
}

// VectorIndex looks at the index of vectors.
func (c *Checker) VectorIndex() error {
	if c.Kind == "" {
		return nil
	}
	x, err := c.Describe(c.Ctx)
	if err != nil {
		return err
	}
	if why := c.Index.Why; c.Index.Name == "" {
		var rows int
		err := c.Scan("SELECT count(*) FROM (SELECT 1 FROM "+c.Vectors+" LIMIT "+strconv.Itoa(fewRows+1)+") s", nil, &rows)
		if err != nil {
			return err
		}
		switch {
		case x.Name != "" && !x.Valid:
			c.Add("vector index", store.CheckBroken, catalog.Printable(x.Name)+" is invalid: its building failed, and no search uses it",
				fmt.Sprintf("REINDEX INDEX CONCURRENTLY %s", catalog.Printable(c.Schema+"."+catalog.Quote(x.Name))))
		case rows > fewRows:
			c.Add("vector index", store.CheckWarning, why, "")
		default:
			c.Add("vector index", store.CheckFine, fmt.Sprintf("none that serves, and %d vectors are few enough to compare all (%s)", rows, why), "")
		}
		return nil
	}
	found := fmt.Sprintf("%s, %s over %s", catalog.Printable(x.Name), x.Method, x.Type)
	for _, o := range x.Options {
		found += ", " + o.Name + " " + catalog.Printable(o.Value)
	}
	c.Add("vector index", store.CheckFine, found, "")
	return nil
}

const (
	// deadShare is the share of dead rows from which they take the places of
	// others in the answers of an index, deadLeast how many are worth a word.
	deadShare = 0.1
	deadLeast = 100
)

// Dead looks for rows that were replaced and still stand in the index.
func (c *Checker) Dead() error {
	var live, dead int64
	var vacuumed *time.Time
	// Until a table is analysed the statistics count some of its rows twice.
	err := c.Scan(`SELECT CASE WHEN k.reltuples > 0 THEN k.reltuples::bigint ELSE pg_stat_get_live_tuples(t) END,
		pg_stat_get_dead_tuples(t), greatest(pg_stat_get_last_vacuum_time(t), pg_stat_get_last_autovacuum_time(t))
		FROM (SELECT to_regclass($1)::oid AS t) s LEFT JOIN pg_class k ON k.oid = t`, []any{c.Name}, &live, &dead, &vacuumed)
	if err != nil {
		return err
	}
	last := "never vacuumed"
	if vacuumed != nil {
		last = "last vacuumed " + vacuumed.UTC().Format("2006-01-02")
	}
	found := fmt.Sprintf("about %d beside about %d, %s", dead, live, last)
	if dead >= deadLeast && float64(dead) > deadShare*float64(live) {
		c.Add("dead rows", store.CheckWarning, found+"; in a vector index they take the places of rows that could be found",
			fmt.Sprintf("VACUUM (INDEX_CLEANUP ON, ANALYZE) %s", catalog.Printable(c.Name)))
		return nil
	}
	c.Add("dead rows", store.CheckFine, found, "")
	return nil
}

// Statistics looks whether the planner knows the tables.
func (c *Checker) Statistics() error {
	var rows float64
	var children bool
	err := c.Scan(`SELECT reltuples, EXISTS (SELECT 1 FROM `+c.Name+`) FROM pg_class WHERE oid = to_regclass($1)`,
		[]any{c.Name}, &rows, &children)
	if err != nil {
		return err
	}
	// 0 was the server's word for "never" before version 14.
	if children && rows <= 0 {
		c.Add("statistics", store.CheckWarning, "the planner knows nothing of "+catalog.Printable(c.Name)+": it was never analysed", "ANALYZE "+catalog.Printable(c.Name))
		return nil
	}
	c.Add("statistics", store.CheckFine, fmt.Sprintf("the planner takes %s to have %.0f rows", catalog.Printable(c.Name), max(0, rows)), "")
	return nil
}
