package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/internal/keyword"
)

// placeKeyword fills in the keyword arm's part of a placement whose Chunk and
// Absence are known.
func (v *View) placeKeyword(ctx context.Context, tx pgx.Tx, spec *store.Search, p *store.Placement) error {
	if v.layout.foreign {
		return v.placeText(ctx, tx, spec, p)
	}
	var found store.Found
	q, err := v.keywordQuery(ctx, tx, spec, &found)
	if err != nil {
		return err
	}
	p.Terms = found.Terms
	if p.Chunk.ID == "" {
		return nil
	}
	var fields keyword.Fields
	err = tx.QueryRow(ctx, "SELECT "+v.layout.termFields()+" FROM "+v.layout.table("chunks")+" c WHERE c.document_id = $1 AND c.id = $2",
		p.Chunk.DocumentID, p.Chunk.ID).Scan(&fields.Body, &fields.Heading, &fields.Title)
	if err != nil {
		return err
	}
	own, err := place(q, &found, &fields, p)
	if err != nil || !p.HasKeyword || p.Absence != store.AbsentNone {
		return err
	}
	p.KeywordRank = 1
	_, p.KeywordAtLeast, err = v.eachMatch(ctx, tx, spec, q, &found, func(m *match) {
		if compareMatches(*m, own) < 0 {
			p.KeywordRank++
		}
	})
	return err
}

// place fills in what the terms of the chunk itself tell.
func place(q *keyword.Query, found *store.Found, fields *keyword.Fields, p *store.Placement) (own match, err error) {
	counter := keyword.NewCounter(q)
	p.HasKeyword = counter.Count(fields) && q.Bound > 0
	p.Keyword = store.KeywordRow{
		ID: p.Chunk.ID, ParentID: p.Chunk.ParentID, DocumentID: p.Chunk.DocumentID,
		TF: q.Frequencies(counter.Counts), Length: fields.Lengths(),
	}
	keyword.Score(&p.Keyword, found)
	own.score = p.Keyword.Score
	own.id, err = uuid.Parse(p.Chunk.ID)
	return own, err
}
