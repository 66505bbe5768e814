// Package notes keeps, in the file of a corpus, what became of the bytes of pages; see
// store.SourceNoter.
package notes

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"sync"

	"github.com/webrag/webrag-tui/store"
)

// Schema is the table of notes. Each goes with its document.
const Schema = `
CREATE TABLE source_notes (
	key          BLOB PRIMARY KEY NOT NULL,
	document_id  TEXT NOT NULL UNIQUE REFERENCES documents (id) ON DELETE CASCADE,
	derived_hash TEXT NOT NULL,
	children     INTEGER NOT NULL,
	sections     INTEGER NOT NULL,
	unmatched    INTEGER NOT NULL,
	elsewhere    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`

// Reader looks notes up. It may be used from several goroutines; the zero value is
// ready.
type Reader struct {
	once sync.Once
	find *sql.Stmt
	err  error
}

// Find returns the note with a key, in a database of corpora.
func (r *Reader) Find(ctx context.Context, db *sql.DB, key [sha256.Size]byte) (n store.SourceNote, ok bool, err error) {
	r.once.Do(func() {
		// It is prepared for longer than for this call.
		r.find, r.err = db.PrepareContext(context.WithoutCancel(ctx), `
			SELECT document_id, derived_hash, children, sections, unmatched, elsewhere FROM source_notes WHERE key = ?`)
	})
	if r.err != nil {
		return n, false, r.err
	}
	n.Key = key
	err = r.find.QueryRowContext(ctx, key[:]).Scan(&n.DocumentID, &n.DerivedHash, &n.Children, &n.Foreign, &n.Unmatched, &n.Elsewhere)
	if errors.Is(err, sql.ErrNoRows) {
		return n, false, nil
	}
	return n, err == nil, err
}

// Close ends it, once nobody uses it any more.
func (r *Reader) Close() {
	if r.find != nil {
		_ = r.find.Close()
	}
}

// Keep writes notes, in the transaction of its caller. Those of documents that are not
// there are left out.
func Keep(ctx context.Context, conn *sql.Conn, list []store.SourceNote) (err error) {
	stmt, err := conn.PrepareContext(ctx, `
		INSERT OR REPLACE INTO source_notes (key, document_id, derived_hash, children, sections, unmatched, elsewhere)
		SELECT ?1, id, ?3, ?4, ?5, ?6, ?7 FROM documents WHERE id = ?2`)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stmt.Close()) }()
	for i := range list {
		n := &list[i]
		if _, err := stmt.ExecContext(ctx, n.Key[:], n.DocumentID, n.DerivedHash, n.Children, n.Foreign, n.Unmatched, n.Elsewhere); err != nil {
			return err
		}
	}
	return nil
}
