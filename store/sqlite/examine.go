package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/webrag/webrag-tui/store"
)

var _ store.Checker = (*Store)(nil)

// mostComplaints is how many findings of SQLite's own check are told.
const mostComplaints = 3

// Check examines the file: whether it is whole, whether the index of words has
// every passage and nothing else, and how much memory a search takes.
func (s *Store) Check(ctx context.Context) ([]store.Check, error) {
	v, err := s.read(ctx)
	if err != nil {
		return nil, err
	}
	defer v.Close()
	var checks []store.Check
	for _, look := range []func(context.Context, *sql.Conn, int) (store.Check, error){examineFile, examineWords, examineVectors} {
		c, err := look(ctx, v.conn, s.Info().Meta.Dimensions)
		if err != nil {
			return nil, fail(ctx, "check", s.path, err)
		}
		checks = append(checks, c)
	}
	edges, err := examineEdges(ctx, v.conn)
	return append(checks, edges...), fail(ctx, "check", s.path, err)
}

// examineFile lets SQLite look through the pages of the file.
func examineFile(ctx context.Context, conn *sql.Conn, _ int) (store.Check, error) {
	c := store.Check{Name: "file", State: store.CheckFine, Found: "it is whole"}
	rows, err := conn.QueryContext(ctx, fmt.Sprintf(`PRAGMA quick_check(%d)`, mostComplaints))
	if err != nil {
		return c, err
	}
	defer rows.Close()
	var said []string
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			return c, err
		}
		if line != "ok" {
			said = append(said, line)
		}
	}
	if len(said) > 0 {
		c.State, c.Found = store.CheckBroken, "it is damaged: "+strings.Join(said, "; ")
		c.Fix = "restore it, or index the pages into a new file"
	}
	return c, rows.Err()
}

// examineWords holds the index of words against the passages.
func examineWords(ctx context.Context, conn *sql.Conn, _ int) (store.Check, error) {
	c := store.Check{Name: "keyword index", State: store.CheckFine}
	var passages int
	err := conn.QueryRowContext(ctx, `SELECT count(*) FROM chunks WHERE chunk_level = 'child'`).Scan(&passages)
	if err != nil {
		return c, err
	}
	wrong, err := examineSegments(ctx, conn)
	c.Found = fmt.Sprintf("in step with all passages (%d)", passages)
	if wrong != "" {
		c.State, c.Found = store.CheckBroken, fmt.Sprintf("out of step with the passages (%d): %s", passages, wrong)
		c.Fix = "index any page again, which makes it anew, or copy the corpus: webrag-tui copy --from FILE --to OTHER"
	}
	return c, err
}

// examineVectors says what a search has to hold in memory.
func examineVectors(ctx context.Context, conn *sql.Conn, dims int) (store.Check, error) {
	c := store.Check{Name: "vectors", State: store.CheckFine}
	var passages, have, bytes int64
	err := conn.QueryRowContext(ctx, `
		SELECT (SELECT count(*) FROM chunks WHERE chunk_level = 'child'), count(*), coalesce(sum(length(v)), 0) FROM vectors`).
		Scan(&passages, &have, &bytes)
	const mega = 1 << 20
	c.Found = fmt.Sprintf("%d of %d passages have one, of %d dimensions; a search holds %.1f MB of them in memory and compares all",
		have, passages, dims, float64(bytes)/mega)
	return c, err
}
