package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/webrag/webrag-tui/store"
)

// Writer changes a corpus; a database has one at a time. It implements
// store.Writer and is used by one goroutine.
//
// A request that was cancelled or that lost its connection costs the connection;
// the next one makes another and takes the lock again.
type Writer struct {
	store *Store
	conn  *pgx.Conn
	meta  store.Meta
	links linker

	// layout has the names of the tables, schema that of theirs without quotes.
	layout *layout
	schema string
	// column is chunks.embedding as it is, kind what it is to be when it is made.
	column vectorColumn
	kind   string
	words  wordMerger
	// secured says that policies decide which rows this role sees.
	secured bool
	// request is the context of what opened the writer: while it lasts, Close may
	// take its time.
	request context.Context
	closed  bool
}

var (
	_ store.Writer      = (*Writer)(nil)
	_ store.BatchPutter = (*Writer)(nil)
	_ store.Finisher    = (*Writer)(nil)
)

// begin connects, takes the lock and reads what the corpus remembers.
func (w *Writer) begin(ctx context.Context) error {
	w.request = ctx
	w.layout = w.store.layout.Load()
	w.links = newLinker(w.layout)
	return w.connect(ctx, w.lock)
}

// connect makes a connection that holds the lock and knows the corpus.
func (w *Writer) connect(ctx context.Context, lock func(ctx context.Context) error) (err error) {
	if w.conn, err = w.store.db.Connect(ctx); err != nil {
		return err
	}
	if err = lock(ctx); err == nil {
		err = w.readMeta(ctx)
	}
	if err != nil {
		_ = w.conn.Close(context.WithoutCancel(ctx))
	}
	return err
}

// ready sees to it that there is a connection.
func (w *Writer) ready(ctx context.Context) error {
	switch {
	case w.closed:
		return errors.New("the writer is closed")
	case w.conn != nil && !w.conn.IsClosed():
		return nil
	}
	// The server may not have noticed yet that the former connection is gone, and
	// keep its lock for a moment.
	w.links.forget()
	return w.connect(ctx, w.lockAgain)
}

// readMeta reads what the corpus remembers, and the column of vectors.
func (w *Writer) readMeta(ctx context.Context) error {
	m := store.Meta{}
	var typ *string
	var dims *int
	err := w.conn.QueryRow(ctx, `
		SELECT m.schema_version, coalesce(m.embedder_id, ''), m.dimensions, m.vector_type, coalesce(m.tokenizer, ''),
			coalesce(m.calibration, '{}'), coalesce(m.pipeline_fingerprint, ''), m.changed, t.typname, a.atttypmod,
			row_security_active($1::text),
			$2 AND coalesce((SELECT pg_has_role(i.relowner, 'USAGE') FROM pg_class i WHERE i.oid = to_regclass($3)), false),
			(SELECT n.nspname FROM pg_class k JOIN pg_namespace n ON n.oid = k.relnamespace WHERE k.oid = $1::text::regclass)
		FROM `+w.table("corpus_meta")+` m
		LEFT JOIN pg_attribute a ON a.attrelid = $1::text::regclass AND a.attname = 'embedding' AND NOT a.attisdropped
		LEFT JOIN pg_type t ON t.oid = a.atttypid
		WHERE m.id = 1`, w.table("chunks"), w.layout.server.citus == "", w.table(wordsIndex)).Scan(&m.SchemaVersion, &m.EmbedderID, &m.Dimensions, &w.kind, &m.Tokenizer,
		&m.Calibration, &m.Fingerprint, &m.Changed, &typ, &dims, &w.secured, &w.words.mine, &w.schema)
	if err != nil {
		return err
	}
	w.meta, w.column = m, vectorColumn{}
	switch {
	case typ != nil:
		w.column = vectorColumn{kind: *typ, dims: *dims}
	case m.Dimensions > 0:
		return errors.New(vectorsGone("the table " + w.table("chunks") + " has no column embedding"))
	}
	return nil
}

// table returns a table's name, qualified.
func (w *Writer) table(name string) string { return w.layout.table(name) }

// sees reports whether the store's owner may read and write what is owner's.
func (w *Writer) sees(owner string) bool {
	return w.store.opts.Owner == "" || w.store.opts.Owner == owner
}

// reader is a connection or a transaction.
type reader interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// read runs what only reads, in a transaction if the server must be told for whom.
func (w *Writer) read(ctx context.Context, do func(q reader) error) error {
	if err := w.ready(ctx); err != nil {
		return err
	}
	if !w.secured {
		return do(w.conn)
	}
	return w.inTransaction(ctx, func(tx pgx.Tx) error { return do(tx) })
}

// inTransaction runs do in a transaction. What do did is undone when it fails,
// and when ctx ends before the server is asked to commit.
func (w *Writer) inTransaction(ctx context.Context, do func(tx pgx.Tx) error) error {
	if err := w.ready(ctx); err != nil {
		return err
	}
	tx, err := w.store.db.Begin(ctx, w.conn)
	if err != nil {
		return err
	}
	// After a commit this does nothing.
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	if w.secured {
		if err := setOwner(ctx, tx, w.store.opts.Owner); err != nil {
			return err
		}
	}
	if err := do(tx); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// setOwner tells the policies of [RowSecurity] for whom a transaction is.
func setOwner(ctx context.Context, tx pgx.Tx, owner string) error {
	_, err := tx.Exec(ctx, `SELECT set_config('app.owner', $1, true)`, owner)
	return err
}

// change runs do in a transaction with the next value of the change counter.
func (w *Writer) change(ctx context.Context, do func(tx pgx.Tx, changed int64) error) error {
	var next int64
	err := w.inTransaction(ctx, func(tx pgx.Tx) (err error) {
		if next, err = w.count(ctx, tx, 1); err != nil {
			return err
		}
		return do(tx, next)
	})
	if err != nil {
		w.links.forget()
		return err
	}
	w.meta.Changed = next
	return nil
}

// count takes the next n values of the change counter, of which it returns the last,
// and keeps others from doing so until the transaction ends.
func (w *Writer) count(ctx context.Context, tx pgx.Tx, n int) (last int64, err error) {
	err = tx.QueryRow(ctx, `UPDATE `+w.table("corpus_meta")+` SET changed = changed + $1 WHERE id = 1 RETURNING changed`, n).Scan(&last)
	return last, err
}

// fail says what was done to which corpus.
func (w *Writer) fail(ctx context.Context, doing string, err error) error {
	return w.store.db.FailWrite(ctx, doing, err)
}

// View reads what this writer has written so far.
func (w *Writer) View(ctx context.Context) (store.View, error) { return w.store.Read(ctx) }

// closeWait bounds how long a writer takes to say goodbye.
const closeWait = 5 * time.Second

// Close ends the writing and gives the lock back. First it does what
// [Writer.Finish] does, unless the request for which the writer was opened has
// been given up.
func (w *Writer) Close() error {
	if w.closed || w.conn == nil {
		w.closed = true
		return nil
	}
	var errs []error
	if !w.conn.IsClosed() {
		if w.request.Err() == nil {
			err := w.Finish(w.request, nil)
			if w.request.Err() == nil { // else whoever waited does not any more
				errs = append(errs, err)
			}
		}
		ctx, cancel := context.WithTimeout(context.Background(), closeWait)
		defer cancel()
		w.words.close(ctx)
		if !w.conn.IsClosed() {
			// The server ends a connection's locks some time after the connection.
			errs = append(errs, w.unlock(ctx), w.conn.Close(ctx))
		}
	}
	w.closed = true
	if err := errors.Join(errs...); err != nil && !errors.Is(err, pgconn.ErrConnClosed) {
		return fmt.Errorf("close the writer of corpus %s: %w", w.store.db.Location(), err)
	}
	return nil
}
