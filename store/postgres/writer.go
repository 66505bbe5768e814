package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
)

// Writer changes a corpus; a database has one at a time. It implements
// store.Writer and is used by one goroutine.
type Writer struct {
	store *Store
	conn  *pgx.Conn
	meta  store.Meta
	links linker // begin makes it with newLinker
}

var _ store.Writer = (*Writer)(nil)

func (w *Writer) begin(ctx context.Context) error { return errNotYet }

// change runs do in a transaction with the next value of the change counter.
func (w *Writer) change(ctx context.Context, do func(tx pgx.Tx, changed int64) error) error {
	return errNotYet
}

// Meta is what the corpus remembers about itself.
func (w *Writer) Meta() store.Meta { return w.meta }

// SetMeta records what the corpus was made with.
func (w *Writer) SetMeta(ctx context.Context, m store.Meta) error { return errNotYet }

// SetCalibration records a measured cosine scale.
func (w *Writer) SetCalibration(ctx context.Context, c store.Calibration) error { return errNotYet }

// Document returns the stored row with this id.
func (w *Writer) Document(ctx context.Context, id string) (store.Document, bool, error) {
	return store.Document{}, false, errNotYet
}

// Known returns the stored vectors whose embed text has one of the hashes.
func (w *Writer) Known(ctx context.Context, hashes []string) (map[string][]float32, error) {
	return nil, errNotYet
}

// Put replaces a document as a whole, in one transaction.
func (w *Writer) Put(ctx context.Context, b store.Bundle) (changed bool, err error) {
	return false, errNotYet
}

// Delete removes documents with everything that belongs to them.
func (w *Writer) Delete(ctx context.Context, documentIDs ...string) (int, error) { return 0, errNotYet }

// SoftDelete marks documents as deleted.
func (w *Writer) SoftDelete(ctx context.Context, documentIDs ...string) (int, error) {
	return 0, errNotYet
}

// Restore brings soft-deleted documents back.
func (w *Writer) Restore(ctx context.Context, documentIDs ...string) (int, error) {
	return 0, errNotYet
}

// View reads what this writer has written so far.
func (w *Writer) View(ctx context.Context) (store.View, error) { return nil, errNotYet }

// StageVectors keeps vectors of a new embedder beside the present ones.
func (w *Writer) StageVectors(ctx context.Context, embedderID string, vectors map[string][]float32) error {
	return errNotYet
}

// Staged returns the chunks for which vectors of this embedder are staged.
func (w *Writer) Staged(ctx context.Context, embedderID string) (ids map[string]bool, err error) {
	return nil, errNotYet
}

// SwitchEmbedder replaces all vectors and the meta in one transaction.
func (w *Writer) SwitchEmbedder(ctx context.Context, m store.Meta) error { return errNotYet }

// Close ends the writing and gives the lock back.
func (w *Writer) Close() error { return errNotYet }
