package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// A batch of at least listedRows passages leaves its words in the list, and at least
// mergedRows of them are merged beside a batch: fewer at once cost more each.
const (
	listedRows = 500
	mergedRows = 4000
)

// wordMerger has the server put new words into their index while a batch is written,
// on a connection of its own. The server keeps new rows of such an index in a list at
// first; when that is full, who adds the next row has to wait until all of them are
// where they belong, which takes as long as the rows themselves.
//
// Who searches meanwhile reads that list as a whole, so that it is not to be long.
type wordMerger struct {
	// mine says that this role may merge.
	mine bool
	// listed is of about how many passages words are in the list.
	listed int
	conn   *pgx.Conn
}

// queue lets the list grow in the transaction of a batch of so many passages.
func (m *wordMerger) queue(batch *pgx.Batch, passages int) {
	if m.mine && passages >= listedRows {
		batch.Queue(`SET LOCAL gin_pending_list_limit = '32MB'`)
	}
}

// committed notes that a batch was written.
func (m *wordMerger) committed(passages int) {
	if m.mine && passages >= listedRows {
		m.listed += passages
	}
}

// beside merges what former batches left, if it is enough, until the function that it
// returns is called. What fails is left to the server, which merges when the list is
// full.
func (m *wordMerger) beside(ctx context.Context, w *Writer) (wait func()) {
	if m.listed < mergedRows {
		return func() {}
	}
	m.listed = 0
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
	if m.listed == 0 {
		return nil
	}
	m.listed = 0
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
