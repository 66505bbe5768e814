package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/internal/keyword"
)

// fillFields makes the terms of the headings and titles of a corpus that has none of
// them yet, as indexing makes them, so that no page has to be indexed again.
func fillFields(ctx context.Context, conn *sql.Conn) error {
	texts, err := conn.PrepareContext(ctx, `UPDATE chunk_texts SET heading_terms = ?, title_terms = ? WHERE seq = ?`)
	if err != nil {
		return err
	}
	defer texts.Close()
	counts, err := conn.PrepareContext(ctx, `UPDATE chunks SET term_count = term_count + ? WHERE seq = ?`)
	if err != nil {
		return err
	}
	defer counts.Close()
	var terms store.Analyzer
	for after, more := int64(0), true; more; {
		var some []namedChild
		if some, err = readNames(ctx, conn, after); err != nil {
			return err
		}
		for i := range some {
			c := &some[i]
			after = c.seq
			terms.Name(&c.Chunk)
			if _, err := texts.ExecContext(ctx, textOrNull(c.HeadingTerms), textOrNull(c.TitleTerms), c.seq); err != nil {
				return err
			}
			fields := keyword.Of(&c.Chunk)
			lengths := fields.Lengths()
			if _, err := counts.ExecContext(ctx, lengths.Sum(), c.seq); err != nil {
				return err
			}
		}
		more = len(some) > 0
	}
	return segmentWriter{conn}.rebuild(ctx)
}

// namedChild is a child with its headings and its title.
type namedChild struct {
	seq int64
	store.Chunk
}

// readNames reads the next children after one, in the order of their numbers.
func readNames(ctx context.Context, conn *sql.Conn, after int64) ([]namedChild, error) {
	rows, err := conn.QueryContext(ctx, `SELECT seq, coalesce(heading_path, '[]'), coalesce(title, '') FROM chunks
		WHERE chunk_level = 'child' AND seq > ? ORDER BY seq LIMIT 1000`, after)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []namedChild
	for rows.Next() {
		var c namedChild
		var path string
		if err := rows.Scan(&c.seq, &path, &c.Title); err != nil {
			return nil, err
		}
		if err := json.Unmarshal([]byte(path), &c.HeadingPath); err != nil {
			return nil, fmt.Errorf("chunk %d: heading_path: %w", c.seq, err)
		}
		out = append(out, c)
	}
	return out, rows.Err()
}
