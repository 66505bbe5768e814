package postgres

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

// vectors counts the passages that cannot be found by meaning.
func (c *checker) vectors() error {
	if c.layout.vector.kind == "" {
		if !c.layout.foreign && c.view.meta.EmbedderID == "" {
			// The column is made with the first embedder.
			c.add("vectors", store.CheckFine, "nothing was embedded yet", "")
			return nil
		}
		c.add("vectors", store.CheckBroken, c.layout.vector.index.why, "")
		return nil
	}
	// A passage of ours without an embed hash has no words to embed: a figure, a
	// list of links.
	words := "true"
	if !c.layout.foreign {
		words = "embed_hash IS NOT NULL"
	}
	var children, without int
	err := c.scan("SELECT count(*), count(*) FILTER (WHERE embedding IS NULL) FROM "+c.layout.table("chunks")+
		" WHERE chunk_level = 'child' AND "+words, nil, &children, &without)
	if err != nil {
		return err
	}
	switch {
	case children == 0:
		c.add("vectors", store.CheckWarning, "there is no passage", c.fill("index pages into it: webrag-tui index PATH --corpus DSN", "run the WebRAG indexer"))
	case without == children:
		c.add("vectors", store.CheckBroken, fmt.Sprintf("none of %d passages has a vector", children),
			c.fill("webrag-tui index --reembed --corpus DSN", "let the WebRAG indexer embed them"))
	case without > 0:
		c.add("vectors", store.CheckWarning, fmt.Sprintf("%d of %d passages have no vector and cannot be found by meaning", without, children),
			c.fill("webrag-tui index --reembed --corpus DSN embeds them, as far as the embedder knows their words", "let the WebRAG indexer embed them"))
	default:
		c.add("vectors", store.CheckFine, fmt.Sprintf("%d passages, each with a vector", children), "")
	}
	return nil
}

// fill is what to do about a corpus of ours, or of another program.
func (c *checker) fill(ours, foreign string) string {
	if c.layout.foreign {
		return foreign
	}
	return ours
}

// dimensions finds vectors of several models where the column does not keep them
// out.
func (c *checker) dimensions() error {
	if c.layout.vector.kind == "" {
		return nil
	}
	var declared bool
	var typeName string
	err := c.scan(`SELECT atttypmod > 0, format_type(atttypid, atttypmod) FROM pg_attribute
		WHERE attrelid = to_regclass($1) AND attname = 'embedding' AND NOT attisdropped`,
		[]any{c.layout.table("chunks")}, &declared, &typeName)
	if err != nil {
		return err
	}
	if declared {
		c.add("dimensions", store.CheckFine, catalog.Printable(typeName), "")
		return nil
	}
	rows, err := c.tx.Query(c.ctx, "SELECT vector_dims(embedding), count(*) FROM "+c.layout.table("chunks")+
		" WHERE embedding IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1")
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
		c.add("dimensions", store.CheckFine, "not declared; there is no vector yet", "")
	case 1:
		c.add("dimensions", store.CheckWarning, fmt.Sprintf("all vectors have %d, which the column does not declare; no index can be made of it", kinds[0].Dims),
			fmt.Sprintf("ALTER TABLE %s ALTER COLUMN embedding TYPE %s(%d)", c.chunks(), c.layout.vector.kind, kinds[0].Dims))
	default:
		words := make([]string, len(kinds))
		for i, k := range kinds {
			words[i] = fmt.Sprintf("%d of %d", k.Rows, k.Dims)
		}
		c.add("dimensions", store.CheckBroken, "the vectors have different ones ("+strings.Join(words, ", ")+" dimensions), so they are of several models",
			fmt.Sprintf("embed all with one model, then: ALTER TABLE %s ALTER COLUMN embedding TYPE %s(N)", c.chunks(), c.layout.vector.kind))
	}
	return nil
}

// index looks at the index of vectors.
func (c *checker) index() error {
	if c.layout.vector.kind == "" {
		return nil
	}
	x, err := c.view.VectorIndex(c.ctx)
	if err != nil {
		return err
	}
	if why := c.layout.vector.index.why; c.layout.vector.index.name == "" {
		var rows int
		err := c.scan("SELECT count(*) FROM (SELECT 1 FROM "+c.layout.table("chunks")+" c WHERE "+searchable+" LIMIT "+strconv.Itoa(fewRows+1)+") s", nil, &rows)
		if err != nil {
			return err
		}
		switch {
		case x.Name != "" && !x.Valid:
			c.add("vector index", store.CheckBroken, catalog.Printable(x.Name)+" is invalid: its building failed, and no search uses it",
				fmt.Sprintf("REINDEX INDEX CONCURRENTLY %s", catalog.Printable(catalog.Quote(x.Name))))
		case rows > fewRows:
			c.add("vector index", store.CheckWarning, why, "")
		default:
			c.add("vector index", store.CheckFine, fmt.Sprintf("none that serves, and %d vectors are few enough to compare all (%s)", rows, why), "")
		}
		return nil
	}
	found := fmt.Sprintf("%s, %s over %s", catalog.Printable(x.Name), x.Method, x.Type)
	for _, o := range x.Options {
		found += ", " + o.Name + " " + catalog.Printable(o.Value)
	}
	c.add("vector index", store.CheckFine, found, "")
	return nil
}

// keywords holds the index of words against the passages.
func (c *checker) keywords() error {
	if why := c.layout.missing[store.CapKeyword]; why != "" {
		c.add("keyword index", store.CheckFine, why, "")
		return nil
	}
	if c.layout.foreign {
		return nil
	}
	var without int
	err := c.scan("SELECT count(*) FROM "+c.layout.table("chunks")+" c WHERE c.chunk_level = 'child' AND c.terms IS NOT NULL AND NOT EXISTS (SELECT 1 FROM "+
		c.layout.table("chunk_terms")+" t WHERE t.document_id = c.document_id AND t.id = c.id)", nil, &without)
	if err != nil {
		return err
	}
	if without > 0 {
		c.add("keyword index", store.CheckBroken, fmt.Sprintf("%d passages are not in it and cannot be found by words", without),
			"copy the corpus, which makes it anew: webrag-tui copy --from DSN --to OTHER")
		return nil
	}
	c.add("keyword index", store.CheckFine, "it has every passage", "")
	return nil
}

const (
	// deadShare is the share of dead rows from which they take the places of
	// others in the answers of an index, deadLeast how many are worth a word.
	deadShare = 0.1
	deadLeast = 100
)

// dead looks for rows that were replaced and still stand in the index.
func (c *checker) dead() error {
	var live, dead int64
	var vacuumed *time.Time
	// Until a table is analysed the statistics count some of its rows twice.
	err := c.scan(`SELECT CASE WHEN k.reltuples > 0 THEN k.reltuples::bigint ELSE pg_stat_get_live_tuples(t) END,
		pg_stat_get_dead_tuples(t), greatest(pg_stat_get_last_vacuum_time(t), pg_stat_get_last_autovacuum_time(t))
		FROM (SELECT to_regclass($1)::oid AS t) s LEFT JOIN pg_class k ON k.oid = t`, []any{c.layout.table("chunks")}, &live, &dead, &vacuumed)
	if err != nil {
		return err
	}
	last := "never vacuumed"
	if vacuumed != nil {
		last = "last vacuumed " + vacuumed.UTC().Format("2006-01-02")
	}
	found := fmt.Sprintf("about %d beside about %d, %s", dead, live, last)
	if dead >= deadLeast && float64(dead) > deadShare*float64(live) {
		c.add("dead rows", store.CheckWarning, found+"; in a vector index they take the places of rows that could be found",
			fmt.Sprintf("VACUUM (INDEX_CLEANUP ON, ANALYZE) %s", c.chunks()))
		return nil
	}
	c.add("dead rows", store.CheckFine, found, "")
	return nil
}

// statistics looks whether the planner knows the tables.
func (c *checker) statistics() error {
	var rows float64
	var children bool
	err := c.scan(`SELECT reltuples, EXISTS (SELECT 1 FROM `+c.layout.table("chunks")+`) FROM pg_class WHERE oid = to_regclass($1)`,
		[]any{c.layout.table("chunks")}, &rows, &children)
	if err != nil {
		return err
	}
	// 0 was the server's word for "never" before version 14.
	if children && rows <= 0 {
		c.add("statistics", store.CheckWarning, "the planner knows nothing of "+c.chunks()+": it was never analysed", "ANALYZE "+c.chunks())
		return nil
	}
	c.add("statistics", store.CheckFine, fmt.Sprintf("the planner takes %s to have %.0f rows", c.chunks(), max(0, rows)), "")
	return nil
}
