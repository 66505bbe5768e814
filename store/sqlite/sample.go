package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/sqlite/internal/vector"
)

var _ store.Sampler = (*View)(nil)

// ChildIDs reads the ids of all children, and no more than which document, parent, owner and
// ingestion they are of: by these it leaves out what a snapshot would.
func (v *View) ChildIDs(ctx context.Context) ([]string, error) {
	docs := make(map[string]*document, len(v.snapshot.docs))
	for _, d := range v.snapshot.docs {
		docs[d.id.String()] = d
	}
	type child struct {
		id, parent uuid.UUID
		of         *document
	}
	var all []child
	parents := make(map[uuid.UUID]*document)
	rows, err := v.conn.QueryContext(ctx, `SELECT id, document_id, coalesce(parent_id, ''), coalesce(owner, ''), coalesce(ingestion_id, '') FROM chunks ORDER BY seq`)
	if err != nil {
		return nil, fail(ctx, "list the chunks of", v.store.path, err)
	}
	defer rows.Close()
	for rows.Next() {
		var id, documentID, parentID, owner, ingestion sql.RawBytes
		if err := rows.Scan(&id, &documentID, &parentID, &owner, &ingestion); err != nil {
			return nil, fail(ctx, "list the chunks of", v.store.path, err)
		}
		d := docs[string(documentID)]
		if d == nil || string(owner) != d.owner || string(ingestion) != d.ingestion {
			continue
		}
		c := child{of: d}
		if c.id, err = uuid.ParseBytes(id); err == nil && len(parentID) > 0 {
			c.parent, err = uuid.ParseBytes(parentID)
		}
		switch {
		case err != nil:
			return nil, fail(ctx, "list the chunks of", v.store.path, fmt.Errorf("chunk %s: %w", id, err))
		case c.parent == uuid.Nil:
			parents[c.id] = d
		default:
			all = append(all, c)
		}
	}
	if err := rows.Err(); err != nil {
		return nil, fail(ctx, "list the chunks of", v.store.path, err)
	}
	ids := make([]string, 0, len(all))
	for _, c := range all {
		if parents[c.parent] == c.of {
			ids = append(ids, c.id.String())
		}
	}
	return ids, nil
}

// Sample reads texts or vectors of some children.
func (v *View) Sample(ctx context.Context, ids []string, fields store.Fields) ([]store.Chunk, error) {
	chunks, err := sample(ctx, v.conn, v.meta.Dimensions, ids, fields)
	if err != nil {
		return nil, fail(ctx, "read chunks of", v.store.path, err)
	}
	return chunks, nil
}

func sample(ctx context.Context, conn *sql.Conn, dims int, ids []string, fields store.Fields) ([]store.Chunk, error) {
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	text, floats := `''`, `NULL`
	join := ""
	if fields&store.FieldText != 0 {
		text, join = `coalesce(t.chunk_text, '')`, ` LEFT JOIN chunk_texts t ON t.seq = c.seq`
	}
	if fields&store.FieldEmbedding != 0 {
		floats, join = `v.v`, join+` LEFT JOIN vectors v ON v.seq = c.seq`
	}
	rows, err := conn.QueryContext(ctx, `SELECT c.id, c.embedded, `+text+`, `+floats+
		` FROM json_each(?) j JOIN chunks c ON c.id = j.value`+join, string(list))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	chunks := make([]store.Chunk, 0, len(ids))
	for rows.Next() {
		var c store.Chunk
		var embedded bool
		var blob sql.RawBytes
		if err := rows.Scan(&c.ID, &embedded, &c.ChunkText, &blob); err != nil {
			return nil, err
		}
		if embedded && fields&store.FieldEmbedding != 0 {
			if c.Embedding, err = checked(c.ID, blob, dims); err != nil {
				return nil, err
			}
		}
		chunks = append(chunks, c)
	}
	return chunks, rows.Err()
}

// checked is the vector of a chunk, which must be there and of length 1.
func checked(id string, blob []byte, dims int) ([]float32, error) {
	chunk, _ := store.ParseID(id) // it was one when it was listed
	if blob == nil {
		return nil, missingVector(chunk)
	}
	floats := make([]float32, dims)
	err := vector.Decode(floats, blob)
	if err == nil {
		err = store.CheckUnit(floats)
	}
	if err != nil {
		return nil, damagedVector(chunk, err)
	}
	return floats, nil
}
