package sqlite

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/sqlite/internal/links"
)

// PutEdges adds edges, or overwrites those with the same source, target and
// relation, in one transaction.
func (w *Writer) PutEdges(ctx context.Context, edges []store.Edge) (missing []store.Edge, err error) {
	for i := range edges {
		e := edges[i]
		if e.Origin == "" {
			e.Origin = store.OriginImport
		}
		if err := store.CheckEdge(&e); err != nil {
			return nil, fmt.Errorf("put edges into corpus %s: edge %d (%s to %s): %w", w.store.path, i, e.SourceID, e.TargetID, err)
		}
	}
	ends, err := w.sections(ctx, edges)
	if err != nil {
		return nil, fail(ctx, "put edges into", w.store.path, err)
	}
	known, missing := store.ResolveEdges(edges, ends)
	if len(known) == 0 {
		return missing, nil
	}
	err = w.change(ctx, func(int64) error {
		for i := range known {
			_, err := w.conn.ExecContext(ctx, `
				INSERT INTO chunk_edges (`+links.EdgeColumns+`) VALUES (`+links.EdgeMarks+`)
				ON CONFLICT (id) DO UPDATE SET weight = excluded.weight, description = excluded.description, origin = excluded.origin,
					document_id = excluded.document_id, target_document_id = excluded.target_document_id`, links.EncodeEdge(&known[i])...)
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, fail(ctx, "put edges into", w.store.path, err)
	}
	return missing, nil
}

// sections returns the sections of the ends of edges, by the ids given, as far as
// a view of this store would show them.
func (w *Writer) sections(ctx context.Context, edges []store.Edge) (map[string]store.Node, error) {
	ids := make([]string, 0, 2*len(edges))
	for i := range edges {
		ids = append(ids, edges[i].SourceID, edges[i].TargetID)
	}
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	rows, err := w.conn.QueryContext(ctx, `
		SELECT DISTINCT c.id, p.id, d.id
		FROM json_each(?1) j CROSS JOIN chunks c ON c.id = j.value
		CROSS JOIN documents d ON d.id = c.document_id CROSS JOIN chunks p ON p.id = coalesce(c.parent_id, c.id)
		WHERE p.document_id = d.id AND d.deleted_at IS NULL AND (?2 = '' OR d.owner = ?2)
			AND c.owner IS d.owner AND c.ingestion_id = d.current_ingestion_id
			AND p.owner IS d.owner AND p.ingestion_id = d.current_ingestion_id`, string(list), w.store.owner)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	nodes := make(map[string]store.Node, len(ids))
	for rows.Next() {
		var id string
		var n store.Node
		if err := rows.Scan(&id, &n.ID, &n.DocumentID); err != nil {
			return nil, err
		}
		nodes[id] = n
	}
	return nodes, rows.Err()
}
