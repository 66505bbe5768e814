package postgres

import (
	"context"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/pgvector/pgvector-go"

	"github.com/webrag/webrag-tui/store"
)

// Place answers where one chunk stands in each arm of spec, exactly.
func (v *View) Place(ctx context.Context, spec store.Search, chunkID string) (store.Placement, error) {
	const doing = "place a chunk of"
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
		return v.placeKeyword(ctx, tx, &spec, &p)
	})
	if err != nil {
		return store.Placement{}, err
	}
	return p, nil
}

// placeVector finds the chunk, why it is absent and its place among the vectors.
func (v *View) placeVector(ctx context.Context, tx pgx.Tx, spec *store.Search, chunkID string, p *store.Placement) error {
	if _, ok := parseID(chunkID); !ok {
		return nil // nothing has such an id
	}
	t, err := v.target(ctx, tx, spec, chunkID)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	p.Chunk, p.Absence, p.Condition, p.HasVector = t.chunk, t.absence, t.condition, t.distance != nil
	if !p.HasVector || spec.Vector == nil {
		return nil
	}
	p.Similarity = 1 - *t.distance
	if p.Absence != store.AbsentNone {
		return nil
	}
	q := v.before(spec, *t.distance, chunkID)
	if err := tx.QueryRow(ctx, q.sql, q.args...).Scan(&p.VectorRank); err != nil {
		return err
	}
	p.VectorRank++
	return nil
}

// before counts the rows in scope that are nearer than a distance, or as near and
// before an id.
func (v *View) before(spec *store.Search, distance float64, id string) statement {
	var p params
	query := p.add(pgvector.NewVector(spec.Vector))
	r := v.reach(&p, spec.Scope)
	conditions := append(r.whole(),
		"(("+v.layout.distance(query)+") + 0, c.id) < ("+p.add(distance)+"::float8, "+p.add(id)+"::uuid)")
	return statement{sql: "SELECT count(*) FROM " + r.from + " WHERE " + all(conditions), args: p}
}

// target is a chunk that is asked after, whether it can be found or not.
type target struct {
	chunk     store.Chunk
	absence   store.Absence
	condition string
	// distance is nil without a vector, and 0 without a query.
	distance *float64
}

// target reads a chunk, of those that the owner may know of.
func (v *View) target(ctx context.Context, tx pgx.Tx, spec *store.Search, id string) (target, error) {
	var t target
	var batch pgx.Batch
	known := params{id}
	mine := " WHERE c.id = $1::uuid AND " + all(v.ownChunk(&known))
	batch.Queue("SELECT "+v.layout.chunkColumns(0)+" FROM "+v.layout.chunksFrom()+mine, known...).
		Query(func(rows pgx.Rows) (err error) {
			if t.chunk, err = pgx.CollectExactlyOneRow(rows, scanChunk); err != nil {
				return err
			}
			return new(store.Reading).Check(&t.chunk)
		})
	p := params{id}
	mine = " WHERE c.id = $1::uuid AND " + all(v.ownChunk(&p))
	distance := "0::float8"
	if spec.Vector != nil && v.layout.vector.dims > 0 {
		distance = v.layout.distance(p.add(pgvector.NewVector(spec.Vector)))
	}
	if v.layout.vector.kind == "" {
		distance = "NULL::float8"
	} else {
		distance = "CASE WHEN " + searchable + " THEN " + distance + " END"
	}
	tests := append(v.guardTests(), v.scopeTests(&p, spec.Scope)...)
	columns := []string{distance}
	applies := make([]bool, len(tests))
	into := []any{&t.distance}
	for i, test := range tests {
		columns = append(columns, test.applies)
		into = append(into, &applies[i])
	}
	batch.Queue("SELECT "+strings.Join(columns, ", ")+" FROM "+v.layout.chunksFrom()+mine, p...).
		QueryRow(func(row pgx.Row) error { return row.Scan(into...) })
	if err := tx.SendBatch(ctx, &batch).Close(); err != nil {
		return target{}, err
	}
	for i, test := range tests {
		if applies[i] {
			t.absence, t.condition = test.absence, test.condition
			break
		}
	}
	return t, nil
}

// ownChunk are the conditions that the owner may know of a chunk at all: those of
// others do not exist.
func (v *View) ownChunk(p *params) []string {
	conditions := v.ownDocument(p)
	if len(conditions) == 0 {
		return nil
	}
	return append(conditions, "c.owner = d.owner")
}

// absenceTest is one reason for a chunk's absence, and an expression on c and d
// that is true where it applies.
type absenceTest struct {
	absence   store.Absence
	condition string
	applies   string
}

// guardTests are the conditions of the guard one by one. A chunk that is all right
// itself is absent with its parent.
func (v *View) guardTests() []absenceTest {
	if v.layout.foreign {
		return nil
	}
	parent := "EXISTS (SELECT FROM " + v.layout.table("chunks") + " g WHERE g.document_id = c.document_id AND g.id = c.parent_id AND "
	return []absenceTest{
		{store.AbsentOwner, "", "c.owner IS DISTINCT FROM d.owner"},
		{store.AbsentDeleted, "", "d.deleted_at IS NOT NULL"},
		{store.AbsentStale, "", "d.current_ingestion_id IS NULL OR c.ingestion_id IS DISTINCT FROM d.current_ingestion_id"},
		{store.AbsentOwner, "", parent + "g.owner IS DISTINCT FROM d.owner)"},
		{store.AbsentStale, "", "c.parent_id IS NOT NULL AND NOT " + parent + visibleVersion("g") + ")"},
	}
}

// scopeTests are the conditions of a scope one by one, in the order in which a
// placement names them.
func (v *View) scopeTests(p *params, s store.Scope) []absenceTest {
	var tests []absenceTest
	add := func(absence store.Absence, condition string, conditions []string) {
		if len(conditions) > 0 {
			tests = append(tests, absenceTest{absence, condition, "(" + all(conditions) + ") IS NOT TRUE"})
		}
	}
	document := func(absence store.Absence, condition string, one store.Scope) {
		add(absence, condition, v.scopedDocument(p, one))
	}
	document(store.AbsentScope, store.ConditionSourceURL, store.Scope{SourceURLs: s.SourceURLs})
	document(store.AbsentScope, store.ConditionDocument, store.Scope{DocumentIDs: s.DocumentIDs})
	document(store.AbsentScope, store.ConditionExcluded, store.Scope{ExcludeDocumentIDs: s.ExcludeDocumentIDs})
	document(store.AbsentFilter, store.ConditionTag, store.Scope{Tags: s.Tags})
	for _, m := range s.Meta {
		document(store.AbsentFilter, store.ConditionMeta+" "+m.Key, store.Scope{Meta: []store.MetaFilter{m}})
	}
	document(store.AbsentFilter, store.ConditionSourceType, store.Scope{SourceTypes: s.SourceTypes})
	document(store.AbsentFilter, store.ConditionCreated, store.Scope{CreatedAfter: s.CreatedAfter, CreatedBefore: s.CreatedBefore})
	document(store.AbsentFilter, store.ConditionMaxDepth, store.Scope{MaxDepth: s.MaxDepth})
	add(store.AbsentFilter, store.ConditionHeading, v.scopedChunk(p, store.Scope{Headings: s.Headings}))
	return tests
}
