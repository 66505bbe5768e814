package postgres

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
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

// writeDocument inserts the document's row or overwrites it. Citus wants what is
// written over to come from the row that was refused.
func (p *put) writeDocument(ctx context.Context, tx pgx.Tx, changed int64) error {
	columns := documentColumns()
	set := make([]string, len(columns))
	for i, column := range columns {
		set[i] = column + " = excluded." + column
	}
	values := append(documentValues(&p.bundle.Document, p.sums, changed), p.bundle.Document.ID)
	_, err := tx.Exec(ctx, `INSERT INTO `+p.table("documents")+` (`+strings.Join(columns, ", ")+`, id)
		VALUES (`+placeholders(len(values))+`) ON CONFLICT (id) DO UPDATE SET `+strings.Join(set, ", "), values...)
	return err
}

// insertChunks copies the chunks that are new, parents and children in one
// statement, at whose end the server looks for the parents.
func (p *put) insertChunks(ctx context.Context, tx pgx.Tx) error {
	if len(p.added) == 0 {
		return nil
	}
	d := &p.bundle.Document
	columns := append([]string{"document_id", "id", "ingestion_id", "fetched_at"}, chunkColumns()...)
	if p.column.kind != "" {
		columns = append(columns, "embedding")
	}
	values := func(c *store.Chunk) []any {
		row := append([]any{idOrNull(d.ID), idOrNull(c.ID), textOrNull(d.CurrentIngestionID), timeOrNull(d.FetchedAt)}, chunkValues(c)...)
		if p.column.kind != "" {
			row = append(row, vectorOrNull(c.Embedding, p.column.kind))
		}
		return row
	}
	if !p.secured {
		_, err := tx.CopyFrom(ctx, pgx.Identifier{p.schema, "chunks"}, columns,
			pgx.CopyFromSlice(len(p.added), func(i int) ([]any, error) { return values(p.added[i]), nil }))
		return err
	}
	// COPY does not ask policies, and is refused where there are any. Parents come
	// before their children.
	var b pgx.Batch
	insert := `INSERT INTO ` + p.table("chunks") + ` (` + strings.Join(columns, ", ") + `) VALUES (` + placeholders(len(columns)) + `)`
	for _, c := range p.added {
		b.Queue(insert, values(c)...)
	}
	return tx.SendBatch(ctx, &b).Close()
}

// writeRest does the rest in one round trip: what changed in chunks that stay, the
// ingestion of all of them, what is gone, keyword terms and links.
func (p *put) writeRest(ctx context.Context, tx pgx.Tx, terms *termChanges, sameLinks bool) error {
	d := &p.bundle.Document
	var b pgx.Batch
	var unstaged []string
	for _, c := range p.updated {
		old := p.old.chunks[c.ID]
		p.queueUpdate(&b, c, !slices.Equal(old.Embedding, c.Embedding))
		if old.EmbedHash != c.EmbedHash {
			// A vector staged for the former text is not one for this.
			unstaged = append(unstaged, c.ID)
		}
	}
	if len(unstaged) > 0 {
		b.Queue(`DELETE FROM `+p.table("staged_vectors")+` WHERE document_id = $1 AND id = ANY ($2::uuid[])`, d.ID, unstaged)
	}
	if len(p.gone) > 0 {
		// After children have got their new parents: with a parent its children go.
		b.Queue(`DELETE FROM `+p.table("chunks")+` WHERE document_id = $1 AND id = ANY ($2::uuid[])`, d.ID, p.gone)
	}
	if p.exists {
		b.Queue(`UPDATE `+p.table("chunks")+` SET ingestion_id = $2, fetched_at = $3
			WHERE document_id = $1 AND (ingestion_id IS DISTINCT FROM $2 OR fetched_at IS DISTINCT FROM $3)`,
			d.ID, textOrNull(d.CurrentIngestionID), timeOrNull(d.FetchedAt))
	}
	terms.queue(&b, p.layout, d.ID)
	if !sameLinks {
		p.queueLinks(&b)
	}
	return tx.SendBatch(ctx, &b).Close()
}

func (p *put) queueUpdate(b *pgx.Batch, c *store.Chunk, vector bool) {
	d := &p.bundle.Document
	columns := append([]string{"ingestion_id", "fetched_at"}, chunkColumns()...)
	values := append([]any{d.ID, c.ID, textOrNull(d.CurrentIngestionID), timeOrNull(d.FetchedAt)}, chunkValues(c)...)
	if vector {
		// Written only if it differs: it lies out of line, and would be written again.
		columns = append(columns, "embedding")
		values = append(values, vectorOrNull(c.Embedding, p.column.kind))
	}
	set := make([]string, len(columns))
	for i, column := range columns {
		set[i] = column + " = $" + strconv.Itoa(i+3)
	}
	b.Queue(`UPDATE `+p.table("chunks")+` SET `+strings.Join(set, ", ")+` WHERE document_id = $1 AND id = $2`, values...)
}

func (p *put) queueLinks(b *pgx.Batch) {
	id := p.bundle.Document.ID
	if len(p.old.links) > 0 {
		b.Queue(`DELETE FROM `+p.table("links")+` WHERE document_id = $1`, id)
	}
	n := len(p.bundle.Links)
	if n == 0 {
		return
	}
	chunks, urls, keys := make([]string, n), make([]string, n), make([]string, n)
	anchors, texts, positions := make([]string, n), make([]string, n), make([]int, n)
	for i, l := range p.bundle.Links {
		chunks[i], urls[i], keys[i] = l.ChunkID, l.TargetURL, store.PageKey(l.TargetURL)
		anchors[i], texts[i], positions[i] = l.Anchor, l.Text, i
	}
	b.Queue(`INSERT INTO `+p.table("links")+` (document_id, position, chunk_id, target_url, target_key, anchor, text)
		SELECT $1::uuid, l.position, l.chunk_id, l.target_url, l.target_key, nullif(l.anchor, ''), nullif(l.text, '')
		FROM unnest($2::int[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[])
			AS l (position, chunk_id, target_url, target_key, anchor, text)`,
		id, positions, chunks, urls, keys, anchors, texts)
}

// termChanges are what a replacement does to chunk_terms.
type termChanges struct {
	added, updated [][]any
	drop           []string
}

// changedTerms finds the rows of chunk_terms that change. Those of chunks that are
// gone go with them.
func (p *put) changedTerms() (t termChanges) {
	for _, c := range p.added {
		if row, ok := termRow(c); ok {
			t.added = append(t.added, row)
		}
	}
	for _, c := range p.updated {
		old := p.old.chunks[c.ID]
		row, ok := termRow(c)
		switch {
		case !ok && hasTerms(old):
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

// copyTerms writes the rows of chunks that are new.
func (p *put) copyTerms(ctx context.Context, tx pgx.Tx, t *termChanges) error {
	if p.secured {
		t.updated = append(t.updated, t.added...)
		return nil
	}
	if len(t.added) == 0 {
		return nil
	}
	_, err := tx.CopyFrom(ctx, pgx.Identifier{p.schema, "chunk_terms"}, termColumns(), pgx.CopyFromRows(t.added))
	return err
}

func (t *termChanges) queue(b *pgx.Batch, l *layout, documentID string) {
	if len(t.drop) > 0 {
		b.Queue(`DELETE FROM `+l.table("chunk_terms")+` WHERE document_id = $1 AND id = ANY ($2::uuid[])`, documentID, t.drop)
	}
	columns := termColumns()
	set := make([]string, len(columns))
	for i, column := range columns {
		set[i] = column + " = excluded." + column
	}
	for _, row := range t.updated {
		b.Queue(`INSERT INTO `+l.table("chunk_terms")+` (`+strings.Join(columns, ", ")+`) VALUES (`+placeholders(len(columns))+`)
			ON CONFLICT (document_id, id) DO UPDATE SET `+strings.Join(set, ", "), row...)
	}
}
