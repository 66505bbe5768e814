package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store/internal/keyword"
)

// cutBatch is how many texts of terms are asked for at once.
const cutBatch = 1000

// termFields are the select list of a chunk's terms by field, for alias c.
func (l *layout) termFields() string {
	return "coalesce(c.terms, ''), " + l.indexTerms("heading_terms") + ", " + l.indexTerms("title_terms")
}

// countCut counts the children whose vectors lack places by their terms, and calls
// do with those that match.
func (v *View) countCut(ctx context.Context, tx pgx.Tx, cut []match, q *keyword.Query, score scorer, do func(*match)) (total int, err error) {
	counter := keyword.NewCounter(q)
	for len(cut) > 0 {
		n := min(cutBatch, len(cut))
		at := make(map[uuid.UUID]*match, n)
		ids, documents := make([]uuid.UUID, n), make([]uuid.UUID, n)
		for i := range cut[:n] {
			m := &cut[i]
			at[m.id], ids[i], documents[i] = m, m.id, m.document
		}
		cut = cut[n:]
		rows, err := tx.Query(ctx, "SELECT "+v.layout.termFields()+", c.id FROM "+v.layout.table("chunks")+
			" c WHERE c.document_id = ANY($1::uuid[]) AND c.id = ANY($2::uuid[])", documents, ids)
		if err != nil {
			return 0, err
		}
		var id uuid.UUID
		var f keyword.Fields
		_, err = pgx.ForEachRow(rows, []any{&f.Body, &f.Heading, &f.Title, &id}, func() error {
			if m := at[id]; counter.Count(&f) {
				m.counts = counter.Counts
				m.score = score.of(m)
				total++
				do(m)
			}
			return nil
		})
		if err != nil {
			return 0, err
		}
	}
	return total, nil
}
