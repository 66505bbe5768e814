package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
)

var errNotYet = errors.New("not yet")

// chunkColumns are the select list that scanChunk reads, for alias c and the
// fields asked for.
func (l *layout) chunkColumns(fields store.Fields) string { return "" }

// scanChunk reads a row of chunkColumns.
func scanChunk(row pgx.CollectableRow) (store.Chunk, error) { return store.Chunk{}, errNotYet }

// Stats sums over the documents in scope, or over the sections in scope if that
// names headings.
func (v *View) Stats(ctx context.Context, scope store.Scope) (store.Stats, error) {
	return store.Stats{}, errNotYet
}

// Chunks returns the chunks of ids that exist.
func (v *View) Chunks(ctx context.Context, ids []string, fields store.Fields) ([]store.Chunk, error) {
	return nil, errNotYet
}

// Parents returns the parents in scope by (depth, source URL, index).
func (v *View) Parents(ctx context.Context, scope store.Scope, fields store.Fields, page store.Page) ([]store.Chunk, error) {
	return nil, errNotYet
}

// Children returns the children of parents by index.
func (v *View) Children(ctx context.Context, parentIDs []string, fields store.Fields) ([]store.Chunk, error) {
	return nil, errNotYet
}

// Documents returns the documents in scope by (depth, source URL).
func (v *View) Documents(ctx context.Context, scope store.Scope, page store.Page) ([]store.Document, error) {
	return nil, errNotYet
}

// Deleted returns the soft-deleted documents by (depth, source URL).
func (v *View) Deleted(ctx context.Context) ([]store.Document, error) { return nil, errNotYet }

// Hidden counts what no read returns.
func (v *View) Hidden(ctx context.Context) (store.Hidden, error) { return store.Hidden{}, errNotYet }

// Links returns the hyperlinks of a document, in the order of Put.
func (v *View) Links(ctx context.Context, documentID string) ([]store.Link, error) {
	return nil, errNotYet
}

// Within reports which of the chunks are in scope.
func (v *View) Within(ctx context.Context, scope store.Scope, ids []string) (map[string]bool, error) {
	return nil, errNotYet
}

// Find returns the chunks that q means.
func (v *View) Find(ctx context.Context, q store.FindQuery) (chunks []store.Chunk, total int, err error) {
	return nil, 0, errNotYet
}
