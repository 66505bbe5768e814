package postgres

import (
	"context"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/record"
)

// placeholders are "$1, $2, …" up to n.
func placeholders(n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString("$" + strconv.Itoa(i+1))
	}
	return b.String()
}

// writeDocuments inserts the rows of the documents or overwrites them. Citus wants
// what is written over to come from the row that was refused.
func (b *batch) writeDocuments(ctx context.Context, tx pgx.Tx) error {
	columns := record.DocumentColumns()
	set := make([]string, len(columns))
	for i, column := range columns {
		set[i] = column + " = excluded." + column
	}
	insert := `INSERT INTO ` + b.table("documents") + ` (` + strings.Join(columns, ", ") + `, id)
		VALUES (` + placeholders(len(columns)+1) + `) ON CONFLICT (id) DO UPDATE SET ` + strings.Join(set, ", ")
	var batch pgx.Batch
	for _, p := range b.puts {
		d := &p.bundle.Document
		batch.Queue(insert, append(record.DocumentValues(d, p.sums, p.changed), d.ID)...)
	}
	return tx.SendBatch(ctx, &batch).Close()
}

// added are the chunks that are new, with their documents.
func (b *batch) added(yield func(p *put, c *store.Chunk) bool) {
	for _, p := range b.puts {
		for _, c := range p.added {
			if !yield(p, c) {
				return
			}
		}
	}
}

// insertChunks copies the chunks that are new, each made a row while the server
// takes those before it.
func (b *batch) insertChunks(ctx context.Context, tx pgx.Tx) error {
	columns := append([]string{"document_id", "id", "ingestion_id", "fetched_at"}, record.ChunkColumns()...)
	if b.column.kind != "" {
		columns = append(columns, "embedding")
	}
	return b.insert(ctx, tx, "chunks", columns, func(yield func(row []any) bool) {
		b.added(func(p *put, c *store.Chunk) bool {
			d := &p.bundle.Document
			row := append([]any{record.IDOrNull(d.ID), record.IDOrNull(c.ID), record.TextOrNull(d.CurrentIngestionID), record.TimeOrNull(d.FetchedAt)}, record.ChunkValues(c)...)
			if b.column.kind != "" {
				row = append(row, record.VectorOrNull(c.Embedding, b.column.kind))
			}
			return yield(row)
		})
	})
}

// copyTerms writes the rows of words of the chunks that are new, and adds them to
// counts.
func (b *batch) copyTerms(ctx context.Context, tx pgx.Tx, counts termCounts) error {
	return b.insert(ctx, tx, "chunk_terms", record.TermColumns(), func(yield func(row []any) bool) {
		b.added(func(p *put, c *store.Chunk) bool {
			row, vector, ok := record.TermRow(c)
			if !ok {
				return true
			}
			if d := &p.bundle.Document; isCounted(d) {
				counts.addVector(vector, d.Owner, 1)
			}
			return yield(row)
		})
	})
}

// insert writes rows that are new. COPY does not ask policies, and is refused where
// there are any; there each row is a statement, all of them sent at once.
func (b *batch) insert(ctx context.Context, tx pgx.Tx, table string, columns []string, rows iter.Seq[[]any]) error {
	if b.secured {
		var batch pgx.Batch
		insert := `INSERT INTO ` + b.table(table) + ` (` + strings.Join(columns, ", ") + `) VALUES (` + placeholders(len(columns)) + `)`
		for row := range rows {
			batch.Queue(insert, row...)
		}
		return tx.SendBatch(ctx, &batch).Close()
	}
	next, stop := iter.Pull(rows)
	defer stop()
	first, ok := next()
	if !ok {
		return nil
	}
	_, err := tx.CopyFrom(ctx, pgx.Identifier{b.schema, table}, columns, pgx.CopyFromFunc(func() ([]any, error) {
		row := first
		if first != nil {
			first = nil
			return row, nil
		}
		row, _ = next()
		return row, nil
	}))
	return err
}

// writeRest does the rest in one round trip: what changed in chunks that stay, the
// ingestion of all of them, what is gone, keyword terms and links.
func (b *batch) writeRest(ctx context.Context, tx pgx.Tx) error {
	var batch pgx.Batch
	for _, p := range b.puts {
		if p.exists {
			b.queueChanges(&batch, p)
		}
	}
	b.queueLinks(&batch)
	if batch.Len() == 0 {
		return nil
	}
	return tx.SendBatch(ctx, &batch).Close()
}

// queueChanges makes the chunks of a stored document what they are to be.
func (b *batch) queueChanges(batch *pgx.Batch, p *put) {
	d := &p.bundle.Document
	var unstaged []string
	for _, c := range p.updated {
		old := p.old.chunks[c.ID]
		b.queueUpdate(batch, p, c, !slices.Equal(old.Embedding, c.Embedding))
		if old.EmbedHash != c.EmbedHash {
			// A vector staged for the former text is not one for this.
			unstaged = append(unstaged, c.ID)
		}
	}
	if len(unstaged) > 0 {
		batch.Queue(`DELETE FROM `+b.table("staged_vectors")+` WHERE document_id = $1 AND id = ANY ($2::uuid[])`, d.ID, unstaged)
	}
	terms := p.changedTerms()
	terms.drop = append(terms.drop, p.gone...)
	terms.queue(batch, b.layout, d.ID)
	if len(p.gone) > 0 {
		// After children have got their new parents.
		batch.Queue(`DELETE FROM `+b.table("chunks")+` WHERE document_id = $1 AND id = ANY ($2::uuid[])`, d.ID, p.gone)
	}
	batch.Queue(`UPDATE `+b.table("chunks")+` SET ingestion_id = $2, fetched_at = $3
		WHERE document_id = $1 AND (ingestion_id IS DISTINCT FROM $2 OR fetched_at IS DISTINCT FROM $3)`,
		d.ID, record.TextOrNull(d.CurrentIngestionID), record.TimeOrNull(d.FetchedAt))
}

func (b *batch) queueUpdate(batch *pgx.Batch, p *put, c *store.Chunk, vector bool) {
	d := &p.bundle.Document
	columns := append([]string{"ingestion_id", "fetched_at"}, record.ChunkColumns()...)
	values := append([]any{d.ID, c.ID, record.TextOrNull(d.CurrentIngestionID), record.TimeOrNull(d.FetchedAt)}, record.ChunkValues(c)...)
	if vector {
		// Written only if it differs: it lies out of line, and would be written again.
		columns = append(columns, "embedding")
		values = append(values, record.VectorOrNull(c.Embedding, b.column.kind))
	}
	set := make([]string, len(columns))
	for i, column := range columns {
		set[i] = column + " = $" + strconv.Itoa(i+3)
	}
	batch.Queue(`UPDATE `+b.table("chunks")+` SET `+strings.Join(set, ", ")+` WHERE document_id = $1 AND id = $2`, values...)
}

// queueLinks replaces the links of the documents whose links are others.
func (b *batch) queueLinks(batch *pgx.Batch) {
	if former := b.ids(func(p *put) bool { return !p.sameLinks && len(p.old.links) > 0 }); len(former) > 0 {
		batch.Queue(`DELETE FROM `+b.table("links")+` WHERE document_id = ANY ($1::uuid[])`, former)
	}
	var documents, chunks, urls, keys, anchors, texts []string
	var positions []int
	for _, p := range b.puts {
		if p.sameLinks {
			continue
		}
		for i, l := range p.bundle.Links {
			documents, positions = append(documents, p.bundle.Document.ID), append(positions, i)
			chunks, urls, keys = append(chunks, l.ChunkID), append(urls, l.TargetURL), append(keys, store.PageKey(l.TargetURL))
			anchors, texts = append(anchors, l.Anchor), append(texts, l.Text)
		}
	}
	if len(documents) == 0 {
		return
	}
	batch.Queue(`INSERT INTO `+b.table("links")+` (document_id, position, chunk_id, target_url, target_key, anchor, text)
		SELECT l.document_id, l.position, l.chunk_id, l.target_url, l.target_key, nullif(l.anchor, ''), nullif(l.text, '')
		FROM unnest($1::uuid[], $2::int[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[])
			AS l (document_id, position, chunk_id, target_url, target_key, anchor, text)`,
		documents, positions, chunks, urls, keys, anchors, texts)
}

// termChanges are what a replacement does to the rows of chunk_terms that are there.
type termChanges struct {
	updated [][]any
	drop    []string
}

// changedTerms finds the rows of chunk_terms that change, of chunks that stay.
func (p *put) changedTerms() (t termChanges) {
	for _, c := range p.updated {
		old := p.old.chunks[c.ID]
		row, _, ok := record.TermRow(c)
		switch {
		case !ok && record.HasTerms(old):
			t.drop = append(t.drop, c.ID)
		case ok && (!sameTerms(c, old) || c.ParentID != old.ParentID):
			t.updated = append(t.updated, row)
		}
	}
	return t
}

func sameTerms(a, b *store.Chunk) bool {
	return a.Terms == b.Terms && a.HeadingTerms == b.HeadingTerms && a.TitleTerms == b.TitleTerms
}

func (t *termChanges) queue(b *pgx.Batch, l *layout, documentID string) {
	if len(t.drop) > 0 {
		b.Queue(`DELETE FROM `+l.table("chunk_terms")+` WHERE document_id = $1 AND id = ANY ($2::uuid[])`, documentID, t.drop)
	}
	columns := record.TermColumns()
	set := make([]string, len(columns))
	for i, column := range columns {
		set[i] = column + " = excluded." + column
	}
	for _, row := range t.updated {
		b.Queue(`INSERT INTO `+l.table("chunk_terms")+` (`+strings.Join(columns, ", ")+`) VALUES (`+placeholders(len(columns))+`)
			ON CONFLICT (document_id, id) DO UPDATE SET `+strings.Join(set, ", "), row...)
	}
}
