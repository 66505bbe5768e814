package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
)

// writerLock names the advisory lock of the one writer, of the schema whose name
// follows. It belongs to the connection, which must therefore be the server's and
// not one that a pooler hands out by transaction: it would stay with whoever got
// the connection next. Through such a pooler there is no lock, and only each
// change as such is safe.
const writerLock = "webrag-tui writer "

// lockAgainWait bounds how long a writer that lost its connection waits for the
// server to notice.
const lockAgainWait = "10s"

// lock takes the right to write, or fails with a store.ErrLocked.
func (w *Writer) lock(ctx context.Context) error {
	if w.store.db.Pooled() {
		return nil
	}
	var got bool
	err := w.conn.QueryRow(ctx, `SELECT pg_try_advisory_lock(hashtextextended($1, 0))`, w.lockName()).Scan(&got)
	if err != nil || got {
		return err
	}
	holder, err := w.holder(ctx)
	if err != nil {
		return err
	}
	return fmt.Errorf("%w%s; wait until it is done, or stop it", store.ErrLocked, holder)
}

// lockAgain takes back what this writer had.
func (w *Writer) lockAgain(ctx context.Context) error {
	if w.store.db.Pooled() {
		return nil
	}
	err := pgx.BeginFunc(ctx, w.conn, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SET LOCAL lock_timeout = '`+lockAgainWait+`'`); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `SELECT pg_advisory_lock(hashtextextended($1, 0))`, w.lockName())
		return err
	})
	if hasCode(err, codeLockTimeout) {
		return fmt.Errorf("the connection was lost, and then %w", store.ErrLocked)
	}
	return err
}

func (w *Writer) unlock(ctx context.Context) error {
	if w.store.db.Pooled() {
		return nil
	}
	_, err := w.conn.Exec(ctx, `SELECT pg_advisory_unlock(hashtextextended($1, 0))`, w.lockName())
	return err
}

func (w *Writer) lockName() string { return writerLock + w.layout.schema }

// holder says who holds the lock, as far as the server tells: " (pid 4711,
// application, from 10.0.0.1)".
func (w *Writer) holder(ctx context.Context) (string, error) {
	var pid int
	var application, address *string
	// A lock of 64 bits stands in the catalog as its two halves, and 1 after them.
	err := w.conn.QueryRow(ctx, `
		SELECT l.pid, nullif(a.application_name, ''), host(a.client_addr)
		FROM pg_locks l LEFT JOIN pg_stat_activity a ON a.pid = l.pid
		WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
			AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
			AND (l.classid::bigint << 32 | l.objid::bigint) = hashtextextended($1, 0)
		LIMIT 1`, w.lockName()).Scan(&pid, &application, &address)
	switch {
	case errors.Is(err, pgx.ErrNoRows): // it has ended since
		return "", nil
	case err != nil:
		return "", err
	}
	about := []string{fmt.Sprintf("server process %d", pid)}
	if application != nil {
		about = append(about, fmt.Sprintf("%q", *application))
	}
	if address != nil {
		about = append(about, "from "+*address)
	}
	return " (" + strings.Join(about, ", ") + ")", nil
}
