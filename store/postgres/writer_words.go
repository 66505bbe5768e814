package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// mergedRows is how many passages a batch has whose words are merged beside the next
// one: fewer are not worth a connection.
const mergedRows = 1000

// wordMerger has the server put new words into their index while the next batch is
// written, on a connection of its own. The server keeps new rows of such an index in
// a list at first; when that is full, who adds the next row has to wait until all of
// them are where they belong, which takes as long as the rows themselves.
//
// Who searches meanwhile reads that list as a whole, so that it is not to be long.
type wordMerger struct {
	// mine says that this role may merge, listed that there is something to merge.
	mine, listed bool
	conn         *pgx.Conn
}

// queue lets the list grow in the transaction of a batch of so many passages.
func (m *wordMerger) queue(batch *pgx.Batch, passages int) {
	if m.mine && passages >= mergedRows {
		batch.Queue(`SET LOCAL gin_pending_list_limit = '32MB'`)
	}
}

// committed notes that a batch was written.
func (m *wordMerger) committed(passages int) { m.listed = m.listed || m.mine && passages >= mergedRows }

// beside merges what former batches left, until the function that it returns is
// called. What fails is left to the server, which merges when the list is full.
func (m *wordMerger) beside(ctx context.Context, w *Writer, passages int) (wait func()) {
	if !m.listed || passages < mergedRows {
		return func() {}
	}
	m.listed = false
	done := make(chan error, 1)
	go func() { done <- m.merge(ctx, w) }()
	return func() {
		if err := <-done; err != nil && ctx.Err() == nil {
			m.mine = false
		}
	}
}

func (m *wordMerger) merge(ctx context.Context, w *Writer) (err error) {
	if m.conn == nil || m.conn.IsClosed() {
		if m.conn, err = w.store.db.Connect(ctx); err != nil {
			m.conn = nil
			return err
		}
	}
	_, err = m.conn.Exec(ctx, mergeWords, w.table(wordsIndex))
	return err
}

// finish merges what is left.
func (m *wordMerger) finish(ctx context.Context, conn *pgx.Conn, index string) error {
	if !m.listed {
		return nil
	}
	m.listed = false
	_, err := conn.Exec(ctx, mergeWords, index)
	return err
}

// close ends the connection.
func (m *wordMerger) close(ctx context.Context) {
	if m.conn != nil {
		_ = m.conn.Close(ctx)
	}
}

const (
	wordsIndex = "chunk_terms_ts_idx"
	mergeWords = `SELECT gin_clean_pending_list($1::text::regclass)`
)
