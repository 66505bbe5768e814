package postgres

import (
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/catalog"
	"github.com/webrag/webrag-tui/store/postgres/internal/record"
)

// fillBatch is how many documents one transaction of a migration fills in.
const fillBatch = 50

// filling is how far a migration has filled in a corpus.
type filling struct {
	report      func(done, total int)
	done, total int
	// after is the last document that was filled in, empty at first.
	after string
	terms store.Analyzer
}

// fill returns what fills in what the step from a version needs, nil for nothing. It
// does a part of it each time, in a transaction of its own, until there is no more.
func fill(version int) func(ctx context.Context, tx pgx.Tx, found database, f *filling) (more bool, err error) {
	if version == 2 {
		return fillFields
	}
	return nil
}

// fillFields makes the terms of headings and titles of the next documents, as
// indexing makes them, so that no page has to be indexed again.
func fillFields(ctx context.Context, tx pgx.Tx, found database, f *filling) (more bool, err error) {
	l := &layout{schema: catalog.Quote(found.schema)}
	if found.secured {
		unforce, force := forced(l)
		if _, err := tx.Exec(ctx, unforce); err != nil {
			return false, err
		}
		defer func() {
			if err == nil {
				_, err = tx.Exec(ctx, force)
			}
		}()
	}
	documents, err := f.next(ctx, tx, l)
	if err != nil || len(documents) == 0 {
		return false, err
	}
	if err := f.fields(ctx, tx, l, documents); err != nil {
		return false, err
	}
	f.done += len(documents)
	f.after = documents[len(documents)-1]
	if f.report != nil {
		f.report(f.done, f.total)
	}
	return true, nil
}

// forced are the statements that let the owner of the tables see all rows, and hold
// it to the policies again.
func forced(l *layout) (unforce, force string) {
	for _, table := range []string{"documents", "chunks", "chunk_terms", "term_stats"} {
		unforce += `ALTER TABLE ` + l.table(table) + ` NO FORCE ROW LEVEL SECURITY; `
		force += `ALTER TABLE ` + l.table(table) + ` FORCE ROW LEVEL SECURITY; `
	}
	return unforce, force
}

// next returns the documents to fill in next. At first it counts all of them.
func (f *filling) next(ctx context.Context, tx pgx.Tx, l *layout) ([]string, error) {
	if f.after == "" {
		f.after = "00000000-0000-0000-0000-000000000000"
		err := tx.QueryRow(ctx, `SELECT count(*) FROM `+l.table("documents")+` WHERE heading_length IS NULL`).Scan(&f.total)
		if err != nil {
			return nil, err
		}
	}
	rows, err := tx.Query(ctx, `SELECT id::text FROM `+l.table("documents")+` WHERE heading_length IS NULL AND id > $1 ORDER BY id LIMIT $2`, f.after, fillBatch)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// fields fills in the terms of documents, their sums and the counts of the terms.
func (f *filling) fields(ctx context.Context, tx pgx.Tx, l *layout, documents []string) error {
	rows, err := tx.Query(ctx, `SELECT c.document_id::text, c.id::text, coalesce(c.parent_id::text, ''), c.heading_path, coalesce(c.title, ''),
			coalesce(c.terms, ''), coalesce(d.owner, ''), d.deleted_at IS NULL AND d.current_ingestion_id IS NOT NULL
		FROM `+l.table("chunks")+` c JOIN `+l.table("documents")+` d ON d.id = c.document_id
		WHERE c.document_id = ANY ($1::uuid[]) AND c.chunk_level = 'child'`, documents)
	if err != nil {
		return err
	}
	sum := make(map[string]*record.Sums, len(documents))
	for _, id := range documents {
		sum[id] = new(record.Sums)
	}
	changes := make(map[string]*termChanges)
	n := make(termCounts)
	var c store.Chunk
	var owner string
	var visible bool
	_, err = pgx.ForEachRow(rows, []any{&c.DocumentID, &c.ID, &c.ParentID, &c.HeadingPath, &c.Title, &c.Terms, &owner, &visible}, func() error {
		named := c
		f.terms.Name(&named)
		sum[c.DocumentID].AddTerms(&named)
		if sameTerms(&named, &c) {
			return nil
		}
		if visible {
			n.add(&c, owner, -1)
			n.add(&named, owner, 1)
		}
		if changes[c.DocumentID] == nil {
			changes[c.DocumentID] = new(termChanges)
		}
		row, _, _ := record.TermRow(&named)
		changes[c.DocumentID].updated = append(changes[c.DocumentID].updated, row)
		return nil
	})
	if err != nil {
		return err
	}
	var b pgx.Batch
	for _, id := range slices.Sorted(maps.Keys(sum)) {
		if t := changes[id]; t != nil {
			t.queue(&b, l, id)
		}
		s := sum[id]
		b.Queue(`UPDATE `+l.table("documents")+` SET term_rows = $2, heading_length = $3, title_length = $4 WHERE id = $1`,
			id, s.TermRows, s.Length.Heading, s.Length.Title)
	}
	if err := tx.SendBatch(ctx, &b).Close(); err != nil {
		return err
	}
	return n.write(ctx, tx, l)
}
