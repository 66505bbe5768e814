package sqlite

import (
	"context"
	"crypto/sha256"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/sqlite/internal/notes"
)

var _ store.SourceNoter = (*Writer)(nil)

// NotedSource returns the note with a key and the document that it is of.
func (w *Writer) NotedSource(ctx context.Context, key [sha256.Size]byte) (store.SourceNote, store.Document, bool, error) {
	n, ok, err := w.notes.Find(ctx, w.store.readers, key)
	if err != nil || !ok {
		return n, store.Document{}, false, fail(ctx, "read", w.store.path, err)
	}
	docs, err := readDocuments(ctx, w.store.readers, []string{n.DocumentID})
	d, ok := docs[n.DocumentID]
	return n, d, ok && w.store.sees(d.Owner), fail(ctx, "read", w.store.path, err)
}

// NoteSources keeps notes, in one transaction.
func (w *Writer) NoteSources(ctx context.Context, list []store.SourceNote) error {
	err := w.transact(ctx, func() error { return notes.Keep(ctx, w.conn, list) })
	return fail(ctx, "note sources in", w.store.path, err)
}
