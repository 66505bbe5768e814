package postgres

import (
	"context"
	"errors"
	"strings"

	"github.com/google/uuid"
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
	id, err := uuid.Parse(chunkID)
	if err != nil || id.String() != chunkID {
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
	from, guard, scoped := v.within(&p, spec.Scope)
	conditions := append([]string{searchable}, guard...)
	conditions = append(conditions, scoped...)
	conditions = append(conditions, "(("+v.layout.distance(query)+") + 0, c.id) < ("+p.add(distance)+"::float8, "+p.add(id)+"::uuid)")
	return statement{sql: "SELECT count(*) FROM " + from + " WHERE " + all(conditions), args: p}
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
	mine := v.ownedBy(&known)
	batch.Queue("SELECT "+v.layout.chunkColumns(0)+" FROM "+v.layout.chunksFrom()+" WHERE c.id = $1::uuid AND "+mine, known...).
		Query(func(rows pgx.Rows) (err error) {
			t.chunk, err = pgx.CollectExactlyOneRow(rows, scanChunk)
			return err
		})
	p := params{id}
	mine = v.ownedBy(&p)
	distance := "CASE WHEN " + v.hasVector() + " THEN 0::float8 END"
	if spec.Vector != nil && v.layout.vector.dims > 0 {
		distance = "CASE WHEN " + v.hasVector() + " THEN " + v.layout.distance(p.add(pgvector.NewVector(spec.Vector))) + " END"
	}
	wrongOwner, deleted, stale := "false", "false", "false"
	if !v.layout.foreign {
		wrongOwner, deleted = "c.owner IS DISTINCT FROM d.owner", "d.deleted_at IS NOT NULL"
		stale = "d.current_ingestion_id IS NULL OR c.ingestion_id IS DISTINCT FROM d.current_ingestion_id"
	}
	tests := []absenceTest{
		{store.AbsentOwner, "", wrongOwner}, {store.AbsentDeleted, "", deleted}, {store.AbsentStale, "", stale},
	}
	tests = append(tests, v.scopeTests(&p, spec.Scope)...)
	columns := []string{distance}
	failed := make([]bool, len(tests))
	into := []any{&t.distance}
	for i, test := range tests {
		columns = append(columns, "coalesce("+test.fails+", true)")
		into = append(into, &failed[i])
	}
	batch.Queue("SELECT "+strings.Join(columns, ", ")+" FROM "+v.layout.chunksFrom()+" WHERE c.id = $1::uuid AND "+mine, p...).
		QueryRow(func(row pgx.Row) error { return row.Scan(into...) })
	if err := tx.SendBatch(ctx, &batch).Close(); err != nil {
		return target{}, err
	}
	for i, test := range tests {
		if failed[i] {
			t.absence, t.condition = test.absence, test.condition
			break
		}
	}
	return t, nil
}

// hasVector is whether a vector search could find a row.
func (v *View) hasVector() string {
	if v.layout.vector.dims == 0 {
		return "false"
	}
	return searchable
}

// ownedBy is whether the owner may know of a chunk at all: chunks of others do
// not exist.
func (v *View) ownedBy(p *params) string {
	owner := v.store.opts.Owner
	if owner == "" || v.layout.foreign {
		return "true"
	}
	mine := p.add(owner)
	return "c.owner = " + mine + " AND d.owner = " + mine
}

// absenceTest is one reason for a chunk's absence, and an expression on c and d
// that is true where it applies.
type absenceTest struct {
	absence   store.Absence
	condition string
	fails     string
}

// scopeTests are the conditions of a scope one by one, in the order in which a
// placement names them.
func (v *View) scopeTests(p *params, s store.Scope) []absenceTest {
	var tests []absenceTest
	add := func(absence store.Absence, condition string, conditions []string) {
		if len(conditions) > 0 {
			tests = append(tests, absenceTest{absence, condition, "NOT (" + all(conditions) + ")"})
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
