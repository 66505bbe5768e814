package flat

import (
	"context"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/pgvector/pgvector-go"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/internal/keyword"
)

// Place answers where one row stands in each arm of spec, exactly.
func (v *View) Place(ctx context.Context, spec store.Search, chunkID string) (store.Placement, error) {
	const doing = "place a passage of"
	if err := v.checkQuery(spec.Vector); err != nil {
		return store.Placement{}, v.store.db.Fail(ctx, doing, err)
	}
	var p store.Placement
	err := v.do(ctx, doing, func(tx pgx.Tx) error {
		p = store.Placement{Absence: store.AbsentUnknown}
		if err := v.placeVector(ctx, tx, &spec, chunkID, &p); err != nil {
			return err
		}
		if spec.Terms == nil {
			return nil
		}
		return v.placeWords(ctx, tx, &spec, &p)
	})
	if err != nil {
		return store.Placement{}, err
	}
	return p, nil
}

// placeVector finds the row, why it is absent and its place among the vectors.
func (v *View) placeVector(ctx context.Context, tx pgx.Tx, spec *store.Search, id string, p *store.Placement) error {
	chunks, err := v.chunks(ctx, tx, []string{id}, 0)
	if err != nil || len(chunks) == 0 {
		return err
	}
	p.Chunk, p.Absence = chunks[0], store.AbsentNone
	distance, err := v.target(ctx, tx, spec, id, p)
	if err != nil || distance == nil {
		return err
	}
	p.HasVector = true
	if spec.Vector == nil {
		return nil
	}
	p.Similarity = 1 - *distance
	if p.Absence != store.AbsentNone {
		return nil
	}
	t := v.table
	var args params
	query := args.add(pgvector.NewVector(spec.Vector))
	from := v.from(&args)
	conditions := append(t.searchable(), t.scoped(&args, spec.Scope)...)
	conditions = append(conditions, "(("+t.distance(query)+") + 0, "+t.id.tie+") < ("+args.add(*distance)+"::float8, "+args.add(id)+"::text)")
	err = tx.QueryRow(ctx, "SELECT count(*) FROM "+from+" WHERE "+all(conditions), args...).Scan(&p.VectorRank)
	p.VectorRank++
	return err
}

// target tells why a row is absent, and how far it is from the query: nil without
// a vector, 0 without a query.
func (v *View) target(ctx context.Context, tx pgx.Tx, spec *store.Search, id string, p *store.Placement) (distance *float64, err error) {
	t := v.table
	var args params
	measured := "0::float8"
	if spec.Vector != nil && t.dims > 0 {
		measured = t.distance(args.add(pgvector.NewVector(spec.Vector)))
	}
	from := v.from(&args)
	columns := []string{"CASE WHEN " + all(t.searchable()) + " THEN " + measured + " END"}
	into := []any{&distance}
	tests := t.absences(&args, spec.Scope)
	applies := make([]bool, len(tests))
	for i := range tests {
		columns = append(columns, tests[i].applies)
		into = append(into, &applies[i])
	}
	err = tx.QueryRow(ctx, "SELECT "+strings.Join(columns, ", ")+" FROM "+from+" WHERE "+t.id.among(&args, []string{id}), args...).Scan(into...)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	for i := range tests {
		if applies[i] {
			p.Absence, p.Condition = tests[i].absence, tests[i].condition
			break
		}
	}
	return distance, err
}

// absence is one condition of a scope, and an expression on c that is true where it
// leaves a row out.
type absence struct {
	absence   store.Absence
	condition string
	applies   string
}

// absences are the conditions of a scope one by one, in the order in which a
// placement names them.
func (t *table) absences(p *params, s store.Scope) []absence {
	var list []absence
	add := func(why store.Absence, condition string, one store.Scope) {
		if conditions := t.scoped(p, one); len(conditions) > 0 {
			list = append(list, absence{why, condition, "(" + all(conditions) + ") IS NOT TRUE"})
		}
	}
	add(store.AbsentScope, store.ConditionSourceURL, store.Scope{SourceURLs: s.SourceURLs})
	add(store.AbsentScope, store.ConditionDocument, store.Scope{DocumentIDs: s.DocumentIDs})
	add(store.AbsentScope, store.ConditionExcluded, store.Scope{ExcludeDocumentIDs: s.ExcludeDocumentIDs})
	add(store.AbsentFilter, store.ConditionTag, store.Scope{Tags: s.Tags})
	for _, m := range s.Meta {
		add(store.AbsentFilter, store.ConditionMeta+" "+m.Key, store.Scope{Meta: []store.MetaFilter{m}})
	}
	add(store.AbsentFilter, store.ConditionSourceType, store.Scope{SourceTypes: s.SourceTypes})
	add(store.AbsentFilter, store.ConditionCreated, store.Scope{CreatedAfter: s.CreatedAfter, CreatedBefore: s.CreatedBefore})
	add(store.AbsentFilter, store.ConditionMaxDepth, store.Scope{MaxDepth: s.MaxDepth})
	add(store.AbsentFilter, store.ConditionHeading, store.Scope{Headings: s.Headings})
	return list
}

// placeWords fills in the keyword arm's part of a placement whose Chunk and Absence
// are known.
func (v *View) placeWords(ctx context.Context, tx pgx.Tx, spec *store.Search, p *store.Placement) error {
	var found store.Found
	read, err := v.readTexts(ctx, tx, spec, &found)
	if err != nil {
		return err
	}
	p.Terms = found.Terms
	if p.Chunk.ID == "" {
		return nil
	}
	var args params
	from := v.from(&args)
	var text, heading, title string
	err = tx.QueryRow(ctx, "SELECT "+wordColumns+" FROM "+from+" WHERE "+v.table.id.among(&args, []string{p.Chunk.ID}), args...).Scan(&text, &heading, &title)
	if err != nil {
		return err
	}
	terms := keyword.Texts{Analyzer: &v.store.analyzer}
	fields := terms.Of(text, heading, title)
	counter := keyword.NewCounter(read.query)
	p.HasKeyword = counter.Count(&fields) && read.query.Bound > 0
	p.Keyword = store.KeywordRow{
		ID: p.Chunk.ID, DocumentID: p.Chunk.DocumentID,
		TF: read.query.Frequencies(counter.Counts), Length: fields.Lengths(),
	}
	keyword.Score(&p.Keyword, &found)
	if !p.HasKeyword || p.Absence != store.AbsentNone {
		return nil
	}
	p.KeywordRank, p.KeywordAtLeast = 1, found.KeywordSampled
	rows := read.matches()
	for i := range rows {
		keyword.Score(&rows[i], &found)
		if keyword.Compare(rows[i], p.Keyword) < 0 {
			p.KeywordRank++
		}
	}
	return nil
}
