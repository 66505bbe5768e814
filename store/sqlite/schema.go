package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	sqlite3 "modernc.org/sqlite/lib"

	"github.com/webrag/webrag-tui/store/sqlite/internal/links"
	"github.com/webrag/webrag-tui/store/sqlite/internal/notes"
	"github.com/webrag/webrag-tui/store/sqlite/internal/schema"
)

// migration is a step from one version of the schema to the next.
type migration struct {
	schema string
	// fill, if any, writes what the new schema derives from what is there.
	fill func(ctx context.Context, conn *sql.Conn) error
}

// migrations returns the steps that lead from an empty file to the present
// schema; [versionOf] has the versions that they lead to. A released step is never edited.
func migrations() []migration {
	return []migration{
		{schema: schema.First},
		{schema: schema.Anchors},
		{schema: schema.Graph, fill: links.FillAll},
		{schema: schema.Fields, fill: fillFields},
		{schema: notes.Schema + schema.Counts},
		{schema: packedSchema, fill: packAll},
	}
}

// migrate runs the steps after a version, each in its own transaction: a
// crash or an error leaves the last version that was reached whole.
func migrate(ctx context.Context, conn *sql.Conn, version int, steps []migration) error {
	from, summed := stepsOf(version)
	for v := from; v < len(steps); v++ {
		err := inTransaction(ctx, conn, func() error {
			if _, err := conn.ExecContext(ctx, steps[v].schema); err != nil {
				return err
			}
			if fill := steps[v].fill; fill != nil {
				if err := fill(ctx, conn); err != nil {
					return err
				}
			}
			_, err := conn.ExecContext(ctx, `UPDATE corpus_meta SET schema_version = ?`, versionOf(v+1, summed))
			return err
		})
		if err != nil {
			return fmt.Errorf("migrate from schema version %d to %d: %w", versionOf(v, summed), versionOf(v+1, summed), err)
		}
	}
	return nil
}

// lockTries is how often the lock of a transaction is tried for. While SQLite waits for
// it, it does not look at the context.
const lockTries = 10

// inTransaction runs do between BEGIN IMMEDIATE and COMMIT, and rolls back when
// it fails. The write lock is taken at the start: a transaction that began by
// reading could fail at its first write, whatever the timeout.
func inTransaction(ctx context.Context, conn *sql.Conn, do func() error) error {
	// Once begun, the transaction must end, whatever becomes of the context.
	whole := context.WithoutCancel(ctx)
	_, err := conn.ExecContext(ctx, `BEGIN IMMEDIATE`)
	for range lockTries - 1 {
		if !hasCode(err, sqlite3.SQLITE_BUSY) || ctx.Err() != nil {
			break
		}
		_, err = conn.ExecContext(ctx, `BEGIN IMMEDIATE`)
	}
	if err != nil {
		// The context may have ended just after the transaction began.
		_, _ = conn.ExecContext(whole, `ROLLBACK`)
		return err
	}
	if err := do(); err != nil {
		// SQLite has rolled back by itself after some errors, an interrupt among
		// them; then there is nothing left to roll back, which is no error.
		_, _ = conn.ExecContext(whole, `ROLLBACK`)
		return err
	}
	if _, err := conn.ExecContext(whole, `COMMIT`); err != nil {
		_, _ = conn.ExecContext(whole, `ROLLBACK`)
		return err
	}
	return nil
}
