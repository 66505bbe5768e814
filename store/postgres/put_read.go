package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/record"
)

// storedDocument is a document with its parts, as the database has it.
type storedDocument struct {
	store.Document
	sums   record.Sums
	chunks map[string]*store.Chunk
	links  []store.Link
	// edges are those of structure and of imports that start in the document.
	edges map[string]store.Edge
}

// selectStored is what scanStoredDocument reads.
func (l *layout) selectStored() string {
	return `SELECT id::text, coalesce(url, ''), source_url, url_aliases, coalesce(title, ''), coalesce(description, ''),
		coalesce(language, ''), coalesce(status_code, 0), coalesce(published_time, ''), coalesce(modified_time, ''),
		coalesce(doc_type, ''), coalesce(source_type, ''), coalesce(filename, ''), coalesce(doc_path, ''), coalesce(content_hash, ''),
		coalesce(derived_hash, ''), coalesce(pipeline_fingerprint, ''), coalesce(owner, ''),
		metadata, tags, fetched_at, indexed_at, deleted_at, coalesce(current_ingestion_id, ''), depth,
		token_count, parent_count, child_count, changed
		FROM ` + l.table("documents")
}

func scanStoredDocument(row pgx.Row) (d storedDocument, err error) {
	var fetched, indexed, deleted *time.Time
	err = row.Scan(&d.ID, &d.URL, &d.SourceURL, &d.URLAliases, &d.Title, &d.Description, &d.Language, &d.StatusCode,
		&d.PublishedTime, &d.ModifiedTime, &d.DocType, &d.SourceType, &d.Filename, &d.DocPath, &d.ContentHash, &d.DerivedHash,
		&d.PipelineFingerprint, &d.Owner, &d.Metadata, &d.Tags, &fetched, &indexed, &deleted, &d.CurrentIngestionID,
		&d.Depth, &d.TokenCount, &d.ParentCount, &d.sums.Children, &d.Changed)
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
		stored, err := scanStoredDocument(q.QueryRow(ctx, w.layout.selectStored()+` WHERE id = $1`, id))
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

// readDocuments takes the locks of the documents and reads their rows.
//
// Afterwards the planner keeps to the indexes: of tables that are just being filled
// it knows nothing, and would read them whole to find a few ids.
func (b *batch) readDocuments(ctx context.Context, tx pgx.Tx) error {
	ids := make([]string, len(b.puts))
	byID := make(map[string]*put, len(b.puts))
	for i, p := range b.puts {
		ids[i] = p.bundle.Document.ID
		byID[ids[i]] = p
	}
	var batch pgx.Batch
	var busy []string
	batch.Queue(`SET LOCAL enable_seqscan = off`)
	b.words.queue(&batch, b.passages)
	batch.Queue(`SELECT id FROM unnest($2::text[]) id WHERE NOT pg_try_advisory_xact_lock(hashtextextended($1 || id, 0))`,
		documentLock+b.layout.schema+" ", ids).Query(func(rows pgx.Rows) (err error) {
		busy, err = pgx.CollectRows(rows, pgx.RowTo[string])
		return err
	})
	batch.Queue(b.layout.selectStored()+` WHERE id = ANY ($1::uuid[])`, ids).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			d, err := scanStoredDocument(rows)
			if err != nil {
				return err
			}
			p := byID[d.ID]
			p.old, p.exists = d, true
		}
		return rows.Err()
	})
	if err := tx.SendBatch(ctx, &batch).Close(); err != nil {
		return err
	}
	if len(busy) > 0 {
		return fmt.Errorf("%w: the document %s is busy, another connection is writing it; try again when it is done",
			store.ErrUnavailable, byID[busy[0]].bundle.Document.SourceURL)
	}
	return nil
}

// readParts reads what belongs to the documents, and refuses chunks whose ids
// those of another document have.
func (b *batch) readParts(ctx context.Context, tx pgx.Tx) error {
	all := b.ids(func(*put) bool { return true })
	stored := b.ids(func(p *put) bool { return p.exists })
	byID := make(map[string]*put, len(b.puts))
	owner := make(map[string]string) // the document of each chunk
	var chunks []string
	for _, p := range b.puts {
		byID[p.bundle.Document.ID] = p
		for i := range p.chunks {
			c := &p.chunks[i]
			if other, twice := owner[c.ID]; twice {
				return errTaken(c.ID, other)
			}
			owner[c.ID] = c.DocumentID
			chunks = append(chunks, c.ID)
		}
	}
	var batch pgx.Batch
	batch.Queue(`SELECT id::text, document_id::text FROM `+b.table("chunks")+`
		WHERE id = ANY ($1::uuid[]) AND document_id <> ALL ($2::uuid[]) LIMIT 1`, chunks, all).
		Query(func(rows pgx.Rows) error {
			var chunk, document string
			_, err := pgx.ForEachRow(rows, []any{&chunk, &document}, func() error { return errTaken(chunk, document) })
			return err
		})
	if len(stored) > 0 {
		b.queueParts(&batch, byID, stored)
	}
	if err := tx.SendBatch(ctx, &batch).Close(); err != nil {
		return err
	}
	for _, p := range b.puts {
		for id := range p.old.chunks {
			if of, given := owner[id]; given && of != p.old.ID {
				return errTaken(id, p.old.ID)
			}
		}
	}
	return nil
}

func errTaken(chunk, document string) error {
	return fmt.Errorf("chunk %s: document %s has one with this id", chunk, document)
}

// queueParts asks for the parts of the documents that are stored.
func (b *batch) queueParts(batch *pgx.Batch, byID map[string]*put, ids []string) {
	for _, id := range ids {
		old := &byID[id].old
		old.chunks, old.edges = make(map[string]*store.Chunk), make(map[string]store.Edge)
	}
	batch.Queue(b.selectChunks()+` WHERE document_id = ANY ($1::uuid[])`, ids).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			c, err := scanStoredChunk(rows)
			if err != nil {
				return err
			}
			byID[c.DocumentID].old.chunks[c.ID] = c
		}
		return rows.Err()
	})
	batch.Queue(`SELECT document_id::text, chunk_id::text, target_url, coalesce(anchor, ''), coalesce(text, '')
		FROM `+b.table("links")+` WHERE document_id = ANY ($1::uuid[]) ORDER BY document_id, position`, ids).Query(func(rows pgx.Rows) error {
		var document string
		var l store.Link
		_, err := pgx.ForEachRow(rows, []any{&document, &l.ChunkID, &l.TargetURL, &l.Anchor, &l.Text}, func() error {
			old := &byID[document].old
			old.links = append(old.links, l)
			return nil
		})
		return err
	})
	batch.Queue(`SELECT id::text, document_id::text, source_id::text, target_document_id::text, target_id::text,
			relation, weight, coalesce(description, ''), origin
		FROM `+b.table("chunk_edges")+` WHERE document_id = ANY ($1::uuid[]) AND origin IN ($2, $3)`,
		ids, string(store.OriginStructure), string(store.OriginImport)).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			var e store.Edge
			err := rows.Scan(&e.ID, &e.DocumentID, &e.SourceID, &e.TargetDocumentID, &e.TargetID,
				&e.Relation, &e.Weight, &e.Description, &e.Origin)
			if err != nil {
				return err
			}
			byID[e.DocumentID].old.edges[e.ID] = e
		}
		return rows.Err()
	})
}

// selectChunks is what scanStoredChunk reads.
func (b *batch) selectChunks() string {
	vector := "NULL::real[]"
	if b.column.kind != "" {
		vector = "embedding::real[]"
	}
	return `SELECT id::text, document_id::text, coalesce(parent_id::text, ''), chunk_level, chunk_index, coalesce(section_heading, ''),
		heading_path, coalesce(anchor, ''), anchors, chunk_text, coalesce(html_text, ''),
		has_table, has_code, has_math, has_definition_list, has_admonition, has_steps, has_image, cont,
		char_start, char_end, token_start, token_end, coalesce(html_tokens, 0), coalesce(html_omitted_reason, ''),
		image_refs, coalesce(terms, ''), coalesce(embed_hash, ''), depth, coalesce(title, ''), coalesce(owner, ''), source_url,
		coalesce(ingestion_id, ''), coalesce(heading_terms, ''), coalesce(title_terms, ''), ` + vector + ` FROM ` + b.table("chunks") + `
		LEFT JOIN (SELECT document_id, id, heading_terms, title_terms FROM ` + b.table("chunk_terms") + `) t USING (document_id, id)`
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
