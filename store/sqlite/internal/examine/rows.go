// Package examine looks through the rows of a corpus for what is missing or cannot be
// read.
package examine

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/store"
)

// Restore is what is left to do about a damaged file.
const Restore = "restore a copy, or index the pages into a new file: webrag-tui index PAGES --corpus NEW"

// MostComplaints is how many findings of a kind are told.
const MostComplaints = 3

// Rows counts what belongs to each document and names those of which
// something is missing or cannot be read, and looks at what refers to what. It reads
// past damage: what can be read of a table is read.
func Rows(ctx context.Context, conn *sql.Conn) (store.Check, error) {
	c := store.Check{Name: "rows", State: store.CheckFine}
	type document struct {
		url            string
		expected, have int
	}
	docs := make(map[string]*document)
	owner := make(map[int64]string) // of a chunk
	lacking := make(map[string]bool)
	var unread []string
	note := func(table string, broken int) {
		if broken > 0 {
			unread = append(unread, table)
		}
	}
	note("documents", readPast(ctx, conn, `SELECT rowid, id, source_url, parent_count + child_count FROM documents`, "rowid", func(rows *sql.Rows, key *int64) error {
		var id string
		var d document
		err := rows.Scan(key, &id, &d.url, &d.expected)
		if err == nil {
			docs[id] = &d
		}
		return err
	}))
	embedded := make(map[int64]bool)
	note("chunks", readPast(ctx, conn, `SELECT seq, document_id, embedded FROM chunks`, "seq", func(rows *sql.Rows, key *int64) error {
		var id string
		var vector bool
		err := rows.Scan(key, &id, &vector)
		if err == nil {
			owner[*key] = id
			embedded[*key] = vector
			if d := docs[id]; d != nil {
				d.have++
			}
		}
		return err
	}))
	for id, d := range docs {
		if d.have != d.expected {
			lacking[id] = true
		}
	}
	for _, table := range []string{"chunk_texts", "vectors"} {
		have := make(map[int64]bool, len(owner))
		query := map[string]string{
			"chunk_texts": `SELECT seq, length(chunk_text) + length(coalesce(html_text, '')) + length(coalesce(terms, '')) FROM chunk_texts`,
			"vectors":     `SELECT seq, length(v) FROM vectors`,
		}[table]
		note(table, readPast(ctx, conn, query, "seq", func(rows *sql.Rows, key *int64) error {
			var length int
			err := rows.Scan(key, &length)
			have[*key] = true
			return err
		}))
		for seq, id := range owner {
			if !have[seq] && (table == "chunk_texts" || embedded[seq]) {
				lacking[id] = true
			}
		}
	}
	for _, table := range []string{"chunk_edges", "links", "term_segments", "staged_vectors"} {
		note(table, readPast(ctx, conn, `SELECT rowid, * FROM `+table, "rowid", func(rows *sql.Rows, key *int64) error {
			columns, err := rows.Columns()
			if err != nil {
				return err
			}
			values, pointers := make([]any, len(columns)), make([]any, len(columns))
			for i := range values {
				pointers[i] = &values[i]
			}
			if err := rows.Scan(pointers...); err != nil {
				return err
			}
			*key, _ = values[0].(int64)
			return nil
		}))
	}
	refers, err := references(ctx, conn)
	if ctx.Err() != nil {
		return c, err
	}
	if err != nil {
		refers = append(refers, "what refers to what cannot be read to the end")
	}
	var said []string
	if len(unread) > 0 {
		said = append(said, "parts cannot be read of "+strings.Join(unread, ", "))
	}
	if len(lacking) > 0 {
		names := make([]string, 0, len(lacking))
		for _, id := range slices.Sorted(maps.Keys(lacking)) {
			if d := docs[id]; d != nil {
				id = d.url
			}
			names = append(names, id)
		}
		said = append(said, fmt.Sprintf("%d documents lack chunks, texts or vectors: %s", len(names), strings.Join(names[:min(len(names), MostComplaints)], ", ")))
	}
	if said = append(said, refers...); len(said) > 0 {
		c.State, c.Found, c.Fix = store.CheckBroken, strings.Join(said, "; "), Restore
		return c, nil
	}
	c.Found = fmt.Sprintf("%d documents have their %d chunks, with texts and vectors", len(docs), len(owner))
	return c, nil
}

// references counts rows that refer to what is not there.
func references(ctx context.Context, conn *sql.Conn) (said []string, err error) {
	for _, look := range []struct{ what, query string }{
		{"passages without a section of their document", `
			SELECT count(*) FROM chunks c WHERE chunk_level = 'child' AND NOT EXISTS
				(SELECT 1 FROM chunks p WHERE p.id = c.parent_id AND p.chunk_level = 'parent' AND p.document_id = c.document_id)`},
		{"sections or passages with a place that ends before it begins", `
			SELECT count(*) FROM chunks WHERE chunk_index < 0 OR char_start < 0 OR char_end < char_start OR token_start < 0 OR token_end < token_start`},
		{"sections with the number of another", `
			SELECT coalesce(sum(n - 1), 0) FROM (SELECT count(*) AS n FROM chunks WHERE chunk_level = 'parent' GROUP BY document_id, chunk_index HAVING n > 1)`},
		{"rows without the one that they belong to", `SELECT count(*) FROM pragma_foreign_key_check`},
		{"edges that leave no chunk of their document", `
			SELECT count(*) FROM chunk_edges e WHERE NOT EXISTS (SELECT 1 FROM chunks c WHERE c.id = e.source_id AND c.document_id = e.document_id)`},
	} {
		var n int
		if e := conn.QueryRowContext(ctx, look.query).Scan(&n); e != nil {
			err = e
		} else if n > 0 {
			said = append(said, fmt.Sprintf("%d %s", n, look.what))
		}
	}
	return said, err
}

// readPast calls scan for each row of a query over a table with a whole number as
// its key, which scan reads, and goes on behind rows that cannot be read. It returns
// how often it had to.
func readPast(ctx context.Context, conn *sql.Conn, query, key string, scan func(rows *sql.Rows, key *int64) error) (broken int) {
	var last int64
	for step := int64(1); ctx.Err() == nil; {
		before := last
		err := func() error {
			rows, err := conn.QueryContext(ctx, query+` WHERE `+key+` > ? ORDER BY `+key, last)
			if err != nil {
				return err
			}
			defer rows.Close()
			for rows.Next() {
				if err := scan(rows, &last); err != nil {
					return err
				}
			}
			return rows.Err()
		}()
		if err == nil {
			return broken
		}
		if last != before || broken == 0 {
			broken++
			step = 1
		}
		// Behind the last row that was read, further each time that this fails too:
		// the numbers end somewhere, and a damaged root hides them all.
		if step > math.MaxInt32 {
			return broken
		}
		last += step
		step *= 2
	}
	return broken
}
