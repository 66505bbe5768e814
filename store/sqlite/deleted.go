package sqlite

import (
	"context"
	"slices"

	"github.com/webrag/webrag-tui/store"
)

// Deleted returns the soft-deleted documents by (depth, source URL).
func (v *View) Deleted(ctx context.Context) ([]store.Document, error) {
	ids, err := v.deletedIDs(ctx)
	if err != nil {
		return nil, fail(ctx, "list deleted documents of", v.store.path, err)
	}
	var out []store.Document
	for some := range slices.Chunk(ids, 500) {
		byID, err := readDocuments(ctx, v.conn, some)
		if err != nil {
			return nil, fail(ctx, "list deleted documents of", v.store.path, err)
		}
		for _, id := range some {
			out = append(out, byID[id])
		}
	}
	return out, nil
}

func (v *View) deletedIDs(ctx context.Context) ([]string, error) {
	rows, err := v.conn.QueryContext(ctx, `
		SELECT id FROM documents WHERE deleted_at IS NOT NULL AND coalesce(owner, '') IN ('', ?)
		ORDER BY depth, source_url, id`, v.store.owner)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var ids []string
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}
