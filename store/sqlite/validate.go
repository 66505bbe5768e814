package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/webrag/webrag-tui/store"
)

// limit bounds the values that a connection takes.
func limit(conn *sql.Conn) error {
	_, err := sqlite.Limit(conn, sqlite3.SQLITE_LIMIT_LENGTH, store.MostRow)
	return err
}

// checkSchema refuses statements that no corpus has, before anything is read that
// would run them: a view can go on for ever, and a trigger changes what was not to be
// changed. The full-text tables are those of schema versions before 4.
func checkSchema(ctx context.Context, conn *sql.Conn) error {
	var kind, name string
	err := conn.QueryRowContext(ctx, `
		SELECT type, name FROM sqlite_schema WHERE type IN ('view', 'trigger')
			OR type = 'table' AND sql LIKE 'CREATE VIRTUAL%' AND name NOT IN ('fts', 'fts_terms')
		UNION ALL SELECT 'computed column', t.name || '.' || c.name FROM sqlite_schema t, pragma_table_xinfo(t.name) c
			WHERE t.type = 'table' AND t.sql NOT LIKE 'CREATE VIRTUAL%' AND c.hidden <> 0
		LIMIT 1`).Scan(&kind, &name)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil
	case err != nil:
		return err
	}
	return fmt.Errorf("%w: it has a %s %q, as no corpus has: %w", store.ErrNotCorpus, kind, name, store.ErrForeign)
}

// isForeign reports whether an error says that a row holds what no writer of this
// program puts there: a text in place of a number, nothing in place of a text.
func isForeign(err error) bool {
	return strings.Contains(err.Error(), "sql: Scan error") || hasCode(err, sqlite3.SQLITE_TOOBIG)
}
