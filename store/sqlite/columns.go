package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/internal/keyword"
)

// timeLayout keeps instants as text that sorts, in UTC and to the microsecond,
// which is what PostgreSQL keeps too.
const timeLayout = "2006-01-02T15:04:05.000000Z"

// textOrNull returns NULL for the empty string, which stands for an absent
// value.
func textOrNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func intOrNull(n int) any {
	if n == 0 {
		return nil
	}
	return int64(n)
}

func encodeTime(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC().Format(timeLayout)
}

func decodeTime(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	return time.Parse(timeLayout, s)
}

func encodeBool(b bool) any {
	if b {
		return int64(1)
	}
	return int64(0)
}

// encodeJSON returns NULL for an empty list or map.
func encodeJSON[T any](v T, n int) any {
	if n == 0 {
		return nil
	}
	// Strings, and lists and maps of them, always marshal; map keys come sorted.
	b, _ := json.Marshal(v)
	return string(b)
}

// documentColumns are the columns of a document that its content decides: when
// they and the chunks are equal, a write is a no-op. The id stands before them.
const documentColumns = `url, source_url, url_aliases, title, description, language, doc_type, source_type,
	filename, doc_path, content_hash, derived_hash, pipeline_fingerprint, owner, metadata, tags, deleted_at,
	depth, token_count, parent_count, child_count`

// ownerColumn is the place of owner among documentColumns.
const ownerColumn = 13

// visitColumns are those that change with each visit to an unchanged page; they
// are written along with others, never alone.
const visitColumns = `status_code, published_time, modified_time, fetched_at, indexed_at, current_ingestion_id, changed`

func encodeDocument(d *store.Document, children int) []any {
	return []any{
		textOrNull(d.URL), d.SourceURL, encodeJSON(d.URLAliases, len(d.URLAliases)), textOrNull(d.Title),
		textOrNull(d.Description), textOrNull(d.Language), textOrNull(d.DocType), textOrNull(d.SourceType),
		textOrNull(d.Filename), textOrNull(d.DocPath), textOrNull(d.ContentHash), textOrNull(d.DerivedHash),
		textOrNull(d.PipelineFingerprint), textOrNull(d.Owner), encodeJSON(d.Metadata, len(d.Metadata)),
		encodeJSON(d.Tags, len(d.Tags)), encodeTime(d.DeletedAt),
		int64(d.Depth), int64(d.TokenCount), int64(d.ParentCount), int64(children),
	}
}

func encodeVisit(d *store.Document, changed int64) []any {
	return []any{
		intOrNull(d.StatusCode), textOrNull(d.PublishedTime), textOrNull(d.ModifiedTime), encodeTime(d.FetchedAt),
		encodeTime(d.IndexedAt), textOrNull(d.CurrentIngestionID), changed,
	}
}

// querier is a connection, or any of a pool.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// readDocuments returns the documents with these ids, whoever owns them.
func readDocuments(ctx context.Context, conn querier, ids []string) (map[string]store.Document, error) {
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	rows, err := conn.QueryContext(ctx, `
		SELECT id, coalesce(url, ''), source_url, coalesce(url_aliases, ''), coalesce(title, ''), coalesce(description, ''),
			coalesce(language, ''), coalesce(doc_type, ''), coalesce(source_type, ''), coalesce(filename, ''),
			coalesce(doc_path, ''), coalesce(content_hash, ''), coalesce(derived_hash, ''),
			coalesce(pipeline_fingerprint, ''), coalesce(owner, ''), coalesce(metadata, ''), coalesce(tags, ''),
			coalesce(deleted_at, ''), depth, token_count, parent_count, coalesce(status_code, 0),
			coalesce(published_time, ''), coalesce(modified_time, ''), coalesce(fetched_at, ''),
			coalesce(indexed_at, ''), coalesce(current_ingestion_id, ''), changed
		FROM documents WHERE id IN (SELECT value FROM json_each(?))`, string(list))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	docs := make(map[string]store.Document, len(ids))
	for rows.Next() {
		var d store.Document
		var aliases, metadata, tags, deleted, fetched, indexed string
		if err := rows.Scan(&d.ID, &d.URL, &d.SourceURL, &aliases, &d.Title, &d.Description,
			&d.Language, &d.DocType, &d.SourceType, &d.Filename,
			&d.DocPath, &d.ContentHash, &d.DerivedHash,
			&d.PipelineFingerprint, &d.Owner, &metadata, &tags,
			&deleted, &d.Depth, &d.TokenCount, &d.ParentCount, &d.StatusCode,
			&d.PublishedTime, &d.ModifiedTime, &fetched,
			&indexed, &d.CurrentIngestionID, &d.Changed); err != nil {
			return nil, err
		}
		for _, t := range []struct {
			text string
			to   *time.Time
		}{{deleted, &d.DeletedAt}, {fetched, &d.FetchedAt}, {indexed, &d.IndexedAt}} {
			if *t.to, err = decodeTime(t.text); err != nil {
				return nil, fmt.Errorf("document %s: %w", d.ID, err)
			}
		}
		for _, j := range []struct {
			text string
			to   any
		}{{aliases, &d.URLAliases}, {metadata, &d.Metadata}, {tags, &d.Tags}} {
			if j.text == "" {
				continue
			}
			if err := json.Unmarshal([]byte(j.text), j.to); err != nil {
				return nil, fmt.Errorf("document %s: %w", d.ID, err)
			}
		}
		docs[d.ID] = d
	}
	return docs, rows.Err()
}

// chunkColumns are the columns of a chunk that its document's content decides,
// beside id and document_id. fetched_at and ingestion_id are written for all
// chunks of a document at once.
const chunkColumns = `parent_id, chunk_level, chunk_index, section_heading, heading_path, anchor,
	has_table, has_code, has_math, has_definition_list, has_admonition, has_steps, has_image, cont,
	char_start, char_end, token_start, token_end, html_tokens, html_omitted_reason,
	embed_hash, embedded, term_count, depth, title, owner, source_url`

func encodeChunk(c *store.Chunk, d *store.Document) []any {
	fields := keyword.Of(c)
	lengths := fields.Lengths()
	return []any{
		textOrNull(c.ParentID), string(c.Level), int64(c.Index), textOrNull(c.SectionHeading),
		encodeJSON(c.HeadingPath, len(c.HeadingPath)), textOrNull(c.Anchor),
		encodeBool(c.Flags.Has(store.HasTable)), encodeBool(c.Flags.Has(store.HasCode)),
		encodeBool(c.Flags.Has(store.HasMath)), encodeBool(c.Flags.Has(store.HasDefinitionList)),
		encodeBool(c.Flags.Has(store.HasAdmonition)), encodeBool(c.Flags.Has(store.HasSteps)),
		encodeBool(c.Flags.Has(store.HasImage)), encodeBool(c.Cont),
		int64(c.CharStart), int64(c.CharEnd), int64(c.TokenStart), int64(c.TokenEnd),
		intOrNull(c.HTMLTokens), textOrNull(c.HTMLOmittedReason),
		textOrNull(c.EmbedHash), encodeBool(c.Embedding != nil), int64(lengths.Sum()),
		int64(d.Depth), textOrNull(d.Title), textOrNull(d.Owner), d.SourceURL,
	}
}

// textColumns are the columns of chunk_texts beside seq.
const textColumns = `terms, chunk_text, html_text, image_refs, anchors, heading_terms, title_terms`

func encodeTexts(c *store.Chunk) []any {
	return []any{
		textOrNull(c.Terms), c.ChunkText, textOrNull(c.HTMLText), encodeJSON(c.ImageRefs, len(c.ImageRefs)),
		encodeJSON(c.Anchors, len(c.Anchors)), textOrNull(c.HeadingTerms), textOrNull(c.TitleTerms),
	}
}
