package sqlite

import (
	"context"

	"github.com/webrag/webrag-tui/store"
)

// Links returns the hyperlinks of a document, in the order of Put.
func (v *View) Links(ctx context.Context, documentID string) ([]store.Link, error) {
	rows, err := v.conn.QueryContext(ctx, `
		SELECT l.chunk_id, l.target_url, coalesce(l.anchor, ''), coalesce(l.text, '')
		FROM links l JOIN documents d ON d.id = l.document_id
		WHERE l.document_id = ?1 AND d.deleted_at IS NULL AND d.current_ingestion_id IS NOT NULL AND (?2 = '' OR d.owner = ?2)
		ORDER BY l.rowid`, documentID, v.store.owner)
	if err != nil {
		return nil, fail(ctx, "read links of", v.store.path, err)
	}
	defer rows.Close()
	var links []store.Link
	for rows.Next() {
		var l store.Link
		if err := rows.Scan(&l.ChunkID, &l.TargetURL, &l.Anchor, &l.Text); err != nil {
			return nil, fail(ctx, "read links of", v.store.path, err)
		}
		links = append(links, l)
	}
	return links, fail(ctx, "read links of", v.store.path, rows.Err())
}
