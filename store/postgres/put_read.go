package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
)

// storedDocument is a document with its parts, as the database has it.
type storedDocument struct {
	store.Document
	sums   sums
	chunks map[string]*store.Chunk
	links  []store.Link
	// edges are those of structure and of imports that start in the document.
	edges map[string]store.Edge
}

// selectDocument is what scanStoredDocument reads.
func (w *Writer) selectDocument() string {
	return `SELECT id::text, coalesce(url, ''), source_url, url_aliases, coalesce(title, ''), coalesce(description, ''),
		coalesce(language, ''), coalesce(status_code, 0), coalesce(published_time, ''), coalesce(modified_time, ''),
		coalesce(doc_type, ''), coalesce(source_type, ''), coalesce(filename, ''), coalesce(doc_path, ''), coalesce(content_hash, ''),
		coalesce(derived_hash, ''), coalesce(pipeline_fingerprint, ''), coalesce(owner, ''),
		metadata, tags, fetched_at, indexed_at, deleted_at, coalesce(current_ingestion_id, ''), depth,
		token_count, parent_count, child_count, changed
		FROM ` + w.table("documents")
}

func scanStoredDocument(row pgx.Row) (d storedDocument, err error) {
	var fetched, indexed, deleted *time.Time
	err = row.Scan(&d.ID, &d.URL, &d.SourceURL, &d.URLAliases, &d.Title, &d.Description, &d.Language, &d.StatusCode,
		&d.PublishedTime, &d.ModifiedTime, &d.DocType, &d.SourceType, &d.Filename, &d.DocPath, &d.ContentHash, &d.DerivedHash,
		&d.PipelineFingerprint, &d.Owner, &d.Metadata, &d.Tags, &fetched, &indexed, &deleted, &d.CurrentIngestionID,
		&d.Depth, &d.TokenCount, &d.ParentCount, &d.sums.children, &d.Changed)
	for _, t := range []struct {
		from *time.Time
		to   *time.Time
	}{{fetched, &d.FetchedAt}, {indexed, &d.IndexedAt}, {deleted, &d.DeletedAt}} {
		if t.from != nil {
			*t.to = t.from.UTC()
		}
	}
	return d, err
}

// Document returns the stored row with this id, without its chunks, if the
// store's owner may see it.
func (w *Writer) Document(ctx context.Context, id string) (d store.Document, found bool, err error) {
	if _, ok := store.ParseID(id); !ok {
		return store.Document{}, false, nil
	}
	err = w.read(ctx, func(q reader) error {
		stored, err := scanStoredDocument(q.QueryRow(ctx, w.selectDocument()+` WHERE id = $1`, id))
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			return nil
		case err != nil:
			return err
		}
		if w.sees(stored.Owner) {
			d, found = stored.Document, true
		}
		return nil
	})
	return d, found, w.fail(ctx, "read", err)
}

// readDocument takes the document's lock and reads its row.
func (p *put) readDocument(ctx context.Context, tx pgx.Tx) error {
	id := p.bundle.Document.ID
	var b pgx.Batch
	var free bool
	b.Queue(`SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0))`, documentLock+p.layout.schema+" "+id).QueryRow(func(row pgx.Row) error {
		return row.Scan(&free)
	})
	b.Queue(p.selectDocument()+` WHERE id = $1`, id).QueryRow(func(row pgx.Row) (err error) {
		p.old, err = scanStoredDocument(row)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		p.exists = err == nil
		return err
	})
	if err := tx.SendBatch(ctx, &b).Close(); err != nil {
		return err
	}
	if !free {
		return fmt.Errorf("%w: the document is busy, another connection is writing it; try again when it is done", store.ErrUnavailable)
	}
	return nil
}

// readParts reads what belongs to the document, and refuses chunks whose ids
// those of another document have.
func (p *put) readParts(ctx context.Context, tx pgx.Tx) error {
	id := p.bundle.Document.ID
	ids := make([]string, len(p.chunks))
	for i := range p.chunks {
		ids[i] = p.chunks[i].ID
	}
	var b pgx.Batch
	b.Queue(`SELECT id::text, document_id::text FROM `+p.table("chunks")+` WHERE id = ANY ($1::uuid[]) AND document_id <> $2 LIMIT 1`, ids, id).
		Query(func(rows pgx.Rows) error {
			var chunk, document string
			_, err := pgx.ForEachRow(rows, []any{&chunk, &document}, func() error {
				return fmt.Errorf("chunk %s: document %s has one with this id", chunk, document)
			})
			return err
		})
	if p.exists {
		p.queueParts(&b, id)
	}
	return tx.SendBatch(ctx, &b).Close()
}

func (p *put) queueParts(b *pgx.Batch, id string) {
	b.Queue(p.selectChunks()+` WHERE document_id = $1`, id).Query(func(rows pgx.Rows) error {
		p.old.chunks = make(map[string]*store.Chunk)
		for rows.Next() {
			c, err := scanStoredChunk(rows)
			if err != nil {
				return err
			}
			p.old.chunks[c.ID] = c
		}
		return rows.Err()
	})
	b.Queue(`SELECT chunk_id::text, target_url, coalesce(anchor, ''), coalesce(text, '')
		FROM `+p.table("links")+` WHERE document_id = $1 ORDER BY position`, id).Query(func(rows pgx.Rows) (err error) {
		p.old.links, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (l store.Link, err error) {
			err = row.Scan(&l.ChunkID, &l.TargetURL, &l.Anchor, &l.Text)
			return l, err
		})
		return err
	})
	b.Queue(`SELECT id::text, document_id::text, source_id::text, target_document_id::text, target_id::text,
			relation, weight, coalesce(description, ''), origin
		FROM `+p.table("chunk_edges")+` WHERE document_id = $1 AND origin IN ($2, $3)`,
		id, string(store.OriginStructure), string(store.OriginImport)).Query(func(rows pgx.Rows) error {
		p.old.edges = make(map[string]store.Edge)
		for rows.Next() {
			var e store.Edge
			err := rows.Scan(&e.ID, &e.DocumentID, &e.SourceID, &e.TargetDocumentID, &e.TargetID,
				&e.Relation, &e.Weight, &e.Description, &e.Origin)
			if err != nil {
				return err
			}
			p.old.edges[e.ID] = e
		}
		return rows.Err()
	})
}

// selectChunks is what scanStoredChunk reads.
func (p *put) selectChunks() string {
	vector := "NULL::real[]"
	if p.column.kind != "" {
		vector = "embedding::real[]"
	}
	return `SELECT id::text, document_id::text, coalesce(parent_id::text, ''), chunk_level, chunk_index, coalesce(section_heading, ''),
		heading_path, coalesce(anchor, ''), anchors, chunk_text, coalesce(html_text, ''),
		has_table, has_code, has_math, has_definition_list, has_admonition, has_steps, has_image, cont,
		char_start, char_end, token_start, token_end, coalesce(html_tokens, 0), coalesce(html_omitted_reason, ''),
		image_refs, coalesce(terms, ''), coalesce(embed_hash, ''), depth, coalesce(title, ''), coalesce(owner, ''), source_url,
		coalesce(ingestion_id, ''), coalesce(heading_terms, ''), coalesce(title_terms, ''), ` + vector + ` FROM ` + p.table("chunks") + `
		LEFT JOIN (SELECT document_id, id, heading_terms, title_terms FROM ` + p.table("chunk_terms") + `) t USING (document_id, id)`
}

func scanStoredChunk(row pgx.Row) (*store.Chunk, error) {
	var c store.Chunk
	flags := [7]bool{} // in the order of store.Flags
	err := row.Scan(&c.ID, &c.DocumentID, &c.ParentID, &c.Level, &c.Index, &c.SectionHeading,
		&c.HeadingPath, &c.Anchor, &c.Anchors, &c.ChunkText, &c.HTMLText,
		&flags[0], &flags[1], &flags[2], &flags[3], &flags[4], &flags[5], &flags[6], &c.Cont,
		&c.CharStart, &c.CharEnd, &c.TokenStart, &c.TokenEnd, &c.HTMLTokens, &c.HTMLOmittedReason,
		&c.ImageRefs, &c.Terms, &c.EmbedHash, &c.Depth, &c.Title, &c.Owner, &c.SourceURL, &c.IngestionID,
		&c.HeadingTerms, &c.TitleTerms, &c.Embedding)
	for i, set := range flags {
		if set {
			c.Flags |= store.Flags(1) << i
		}
	}
	return &c, err
}
