package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/sqlite/internal/part"
)

// loader reads documents and chunks from the file into memory. It is the one
// place that decides what the owner may see: whatever it leaves out, nothing
// above can return.
type loader struct {
	conn  *sql.Conn
	store *Store
	dims  int
	// packed says that the file has packs.
	packed bool
}

// documents reads the documents whose rows changed after version since. Those
// that the owner may not see come back by id only.
func (l *loader) documents(ctx context.Context, since int64) (docs []*document, hidden []string, err error) {
	rows, err := l.conn.QueryContext(ctx, `
		SELECT id, coalesce(url, ''), source_url, coalesce(url_aliases, ''), coalesce(title, ''), coalesce(owner, ''),
			coalesce(current_ingestion_id, ''), coalesce(fetched_at, ''), deleted_at IS NOT NULL,
			depth, token_count, parent_count, child_count,
			coalesce(source_type, ''), coalesce(tags, ''), coalesce(metadata, '')
		FROM documents WHERE changed > ?`, since)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var d document
		var id, aliases, fetched, tags, metadata string
		var deleted bool
		if err := rows.Scan(&id, &d.url, &d.sourceURL, &aliases, &d.title, &d.owner,
			&d.ingestion, &fetched, &deleted, &d.depth, &d.tokens, &d.parents, &d.children,
			&d.sourceType, &tags, &metadata); err != nil {
			return nil, nil, err
		}
		if deleted || d.ingestion == "" || !l.store.sees(d.owner) {
			hidden = append(hidden, id)
			continue
		}
		if d.id, err = uuid.Parse(id); err != nil {
			return nil, nil, fmt.Errorf("document id %q: %w", id, err)
		}
		if err := store.CheckAddress(d.sourceURL); err != nil {
			return nil, nil, fmt.Errorf("document %s: %w: %w", id, err, store.ErrForeign)
		}
		if d.fetchedAt, err = decodeTime(fetched); err != nil {
			return nil, nil, fmt.Errorf("document %s: %w", id, err)
		}
		for _, column := range []struct {
			name, text string
			to         any
		}{{"url_aliases", aliases, &d.aliases}, {"tags", tags, &d.tags}, {"metadata", metadata, &d.metadata}} {
			if column.text == "" {
				continue
			}
			if err := json.Unmarshal([]byte(column.text), column.to); err != nil {
				return nil, nil, fmt.Errorf("document %s: %s: %w", id, column.name, err)
			}
		}
		docs = append(docs, &d)
	}
	return docs, hidden, rows.Err()
}

// gathered are the chunks of a document that may be seen, and how many are stale.
type gathered struct {
	chunks []part.Chunk
	stale  int
}

// chunks reads the chunks of docs that may be seen. Without only, the whole table is
// read; else the documents with these ids.
func (l *loader) chunks(ctx context.Context, docs []*document, only []string) ([]gathered, error) {
	query, args := chunkQuery, []any(nil)
	if only != nil {
		query, args = query+` WHERE document_id IN (SELECT value FROM json_each(?))`, []any{idList(only)}
	}
	rows, err := l.conn.QueryContext(ctx, query+` ORDER BY seq`, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	byID := make(map[string]int, len(docs))
	for i, d := range docs {
		byID[d.id.String()] = i
	}
	all := make([]gathered, len(docs))
	var lastID string
	last := -1
	for rows.Next() {
		var c scannedChunk
		if err := rows.Scan(c.targets()...); err != nil {
			return nil, err
		}
		if c.documentID != lastID {
			lastID, last = c.documentID, -1
			if i, ok := byID[c.documentID]; ok {
				last = i
			}
		}
		// The owner is tested on the chunk as on the document, and a chunk of
		// another ingestion than the current one is not there.
		if last < 0 || c.owner != docs[last].owner || c.ingestion != docs[last].ingestion {
			if last >= 0 && c.owner == docs[last].owner {
				all[last].stale++
			}
			continue
		}
		r, err := c.raw()
		if err != nil {
			return nil, fmt.Errorf("chunk %s: %w", c.id, err)
		}
		all[last].chunks = append(all[last].chunks, r)
	}
	return all, rows.Err()
}

const chunkQuery = `
	SELECT seq, id, document_id, coalesce(parent_id, ''), chunk_index,
		coalesce(section_heading, ''), coalesce(heading_path, ''), coalesce(anchor, ''), coalesce(html_omitted_reason, ''),
		has_table + 2*has_code + 4*has_math + 8*has_definition_list + 16*has_admonition + 32*has_steps + 64*has_image,
		cont + 2*embedded,
		char_start, char_end, token_start, token_end, coalesce(html_tokens, 0),
		coalesce(embed_hash, ''), coalesce(owner, ''), coalesce(ingestion_id, '')
	FROM chunks`

// scannedChunk are the columns of chunkQuery.
type scannedChunk struct {
	seq                                      int64
	id, documentID, parentID                 string
	heading, path, anchor, omitted           string
	index, flags, state                      int64
	charStart, charEnd, tokenStart, tokenEnd int64
	htmlTokens                               int64
	hash, owner, ingestion                   string
}

func (c *scannedChunk) targets() []any {
	return []any{
		&c.seq, &c.id, &c.documentID, &c.parentID, &c.index,
		&c.heading, &c.path, &c.anchor, &c.omitted,
		&c.flags, &c.state, &c.charStart, &c.charEnd, &c.tokenStart, &c.tokenEnd, &c.htmlTokens,
		&c.hash, &c.owner, &c.ingestion,
	}
}

func (c *scannedChunk) raw() (part.Chunk, error) {
	if err := store.CheckPlace(c.index, c.charStart, c.charEnd, c.tokenStart, c.tokenEnd, c.htmlTokens); err != nil {
		return part.Chunk{}, fmt.Errorf("%w: %w", err, store.ErrForeign)
	}
	r := part.Chunk{
		Row: part.Row{
			Seq: c.seq, Index: int32(c.index), Parent: -1,
			CharStart: int32(c.charStart), CharEnd: int32(c.charEnd),
			TokenStart: int32(c.tokenStart), TokenEnd: int32(c.tokenEnd),
			HTMLTokens: int32(c.htmlTokens),
			Flags:      store.Flags(c.flags), State: part.State(c.state),
		},
		Under: part.Section{Heading: c.heading, Anchor: c.anchor, Path: c.path, Omitted: c.omitted},
		Hash:  c.hash,
	}
	var err error
	if r.ID, err = uuid.Parse(c.id); err != nil {
		return r, err
	}
	if c.parentID != "" {
		if r.ParentID, err = uuid.Parse(c.parentID); err != nil {
			return r, fmt.Errorf("parent_id: %w", err)
		}
	}
	return r, nil
}
