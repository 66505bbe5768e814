// Package links keeps the links, addresses and edges of a corpus in its file.
package links

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/internal/linking"
	"github.com/webrag/webrag-tui/store/sqlite/internal/prepared"
)

// Tables are the tables of links, addresses and edges, on the writer's connection.
type Tables struct {
	// statements are compiled when first asked for: a page that is written runs most of
	// them.
	statements *prepared.Statements
}

var _ linking.Tables = (*Tables)(nil)

// New returns the tables that statements read and write.
func New(statements *prepared.Statements) *Tables { return &Tables{statements} }

func (l *Tables) query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return l.statements.QueryContext(ctx, query, args...)
}

func (l *Tables) exec(ctx context.Context, query string, args ...any) error {
	_, err := l.statements.ExecContext(ctx, query, args...)
	return err
}

// strings returns the one column of a query.
func (l *Tables) strings(ctx context.Context, query string, args ...any) ([]string, error) {
	rows, err := l.query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, rows.Err()
}

// Document says whose a document is and whether it was soft-deleted.
func (l *Tables) Document(ctx context.Context, id string) (owner string, deleted, found bool, err error) {
	err = l.statements.Scan(ctx, `SELECT coalesce(owner, ''), deleted_at IS NOT NULL FROM documents WHERE id = ?`, []any{&owner, &deleted}, id)
	if errors.Is(err, sql.ErrNoRows) {
		return "", false, false, nil
	}
	return owner, deleted, err == nil, err
}

// Keys returns the keys of a document's addresses by rank.
func (l *Tables) Keys(ctx context.Context, id string) ([]string, error) {
	return l.strings(ctx, `SELECT key FROM addresses WHERE document_id = ? ORDER BY rank`, id)
}

// SetKeys replaces the keys of a document's addresses.
func (l *Tables) SetKeys(ctx context.Context, id string, keys []string) error {
	if err := l.exec(ctx, `DELETE FROM addresses WHERE document_id = ?`, id); err != nil {
		return err
	}
	for rank, key := range keys {
		if err := l.exec(ctx, `INSERT INTO addresses (key, document_id, rank) VALUES (?, ?, ?)`, key, id, rank); err != nil {
			return err
		}
	}
	return nil
}

// Sharing returns the documents of owners that have one of the keys.
func (l *Tables) Sharing(ctx context.Context, keys, owners []string) ([]string, error) {
	return l.strings(ctx, `
		SELECT DISTINCT a.document_id FROM json_each(?) k CROSS JOIN addresses a ON a.key = k.value
		JOIN documents d ON d.id = a.document_id
		WHERE coalesce(d.owner, '') IN (SELECT value FROM json_each(?)) ORDER BY 1`, JSON(keys), JSON(owners))
}

// Targets returns the documents of owners that have one of the keys.
func (l *Tables) Targets(ctx context.Context, keys, owners []string) ([]linking.Target, error) {
	rows, err := l.query(ctx, `
		SELECT a.key, coalesce(d.owner, '') AS owner, a.document_id
		FROM json_each(?) k CROSS JOIN addresses a ON a.key = k.value JOIN documents d ON d.id = a.document_id
		WHERE coalesce(d.owner, '') IN (SELECT value FROM json_each(?))
		ORDER BY a.key, owner, d.deleted_at IS NOT NULL, a.rank, a.document_id`, JSON(keys), JSON(owners))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var targets []linking.Target
	for rows.Next() {
		var t linking.Target
		if err := rows.Scan(&t.Key, &t.Owner, &t.Document); err != nil {
			return nil, err
		}
		targets = append(targets, t)
	}
	return targets, rows.Err()
}

// LinksTo returns the links that lead to one of the documents, in their order.
func (l *Tables) LinksTo(ctx context.Context, documents []string) ([]linking.Link, error) {
	rows, err := l.query(ctx, `
		SELECT DISTINCT l.rowid, l.document_id, l.chunk_id, l.target_key, coalesce(l.anchor, ''), coalesce(l.text, ''), coalesce(t.owner, '')
		FROM json_each(?) j CROSS JOIN documents t ON t.id = j.value CROSS JOIN addresses a ON a.document_id = t.id
		CROSS JOIN links l ON l.target_key = a.key JOIN documents s ON s.id = l.document_id
		WHERE s.owner IS t.owner ORDER BY l.rowid`, JSON(documents))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []linking.Link
	for rows.Next() {
		var f linking.Link
		var rowid int64
		if err := rows.Scan(&rowid, &f.Document, &f.ChunkID, &f.Key, &f.Anchor, &f.Text, &f.Owner); err != nil {
			return nil, err
		}
		found = append(found, f)
	}
	return found, rows.Err()
}

// Sections returns the parents of documents.
func (l *Tables) Sections(ctx context.Context, documents []string) ([]store.Chunk, error) {
	rows, err := l.query(ctx, `
		SELECT c.document_id, c.id, coalesce(c.section_heading, ''), coalesce(c.title, ''), coalesce(c.anchor, ''), coalesce(t.anchors, '')
		FROM json_each(?) j CROSS JOIN chunks c ON c.document_id = j.value JOIN chunk_texts t ON t.seq = c.seq
		WHERE c.chunk_level = 'parent' ORDER BY c.document_id, c.chunk_index, c.seq`, JSON(documents))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var sections []store.Chunk
	for rows.Next() {
		var c store.Chunk
		var anchors string
		if err := rows.Scan(&c.DocumentID, &c.ID, &c.SectionHeading, &c.Title, &c.Anchor, &anchors); err != nil {
			return nil, err
		}
		if anchors != "" {
			if err := json.Unmarshal([]byte(anchors), &c.Anchors); err != nil {
				return nil, fmt.Errorf("chunk %s: anchors: %w", c.ID, err)
			}
		}
		sections = append(sections, c)
	}
	return sections, rows.Err()
}

// Put adds edges, leaving those alone that are there already.
func (l *Tables) Put(ctx context.Context, edges []store.Edge) error {
	for i := range edges {
		err := l.exec(ctx, `INSERT INTO chunk_edges (`+EdgeColumns+`) VALUES (`+EdgeMarks+`) ON CONFLICT (id) DO NOTHING`, EncodeEdge(&edges[i])...)
		if err != nil {
			return fmt.Errorf("edge %s: %w", edges[i].ID, err)
		}
	}
	return nil
}

// DropOwn removes the edges of structure and of links of a document.
func (l *Tables) DropOwn(ctx context.Context, document string) error {
	return l.exec(ctx, `DELETE FROM chunk_edges WHERE document_id = ? AND origin IN (?, ?)`,
		document, string(store.OriginStructure), string(store.OriginLink))
}

// DropLinksTo removes the edges of links that lead to sections.
func (l *Tables) DropLinksTo(ctx context.Context, sections []string) error {
	return l.exec(ctx, `
		DELETE FROM chunk_edges WHERE origin = ? AND target_id IN (SELECT value FROM json_each(?))`,
		string(store.OriginLink), JSON(sections))
}

// DropTo removes the edges that lead to sections.
func (l *Tables) DropTo(ctx context.Context, sections []string) error {
	return l.exec(ctx, `DELETE FROM chunk_edges WHERE target_id IN (SELECT value FROM json_each(?))`, JSON(sections))
}

// JSON is a list for json_each.
func JSON(list []string) string {
	if len(list) == 0 {
		return "[]"
	}
	b, _ := json.Marshal(list) // strings always marshal
	return string(b)
}
