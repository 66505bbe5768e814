package postgres

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/pgvector/pgvector-go"

	"github.com/webrag/webrag-tui/store"
)

// statement is SQL with its parameters.
type statement struct {
	sql  string
	args params
}

// searchable are the conditions of a row that a vector search can find, written
// as the partial index has them: with a parameter, or with a word less, the
// planner does not recognise the index.
const searchable = "c.chunk_level = 'child' AND c.embedding IS NOT NULL"

// rowColumns are what scanVectorRows reads, before the distance.
const rowColumns = "c.id::text, coalesce(c.parent_id::text, ''), c.document_id::text"

// distance is the cosine distance of a chunk's own vector from a placeholder's.
func (l *layout) distance(query string) string {
	return "c.embedding <=> " + query + "::vector" + l.vector.narrowed()
}

// narrowed casts a vector to the type of the column where that is another.
func (c *vectorColumn) narrowed() string {
	if c.kind != "halfvec" {
		return ""
	}
	return "::halfvec(" + strconv.Itoa(c.dims) + ")"
}

// indexed is the distance as the index knows it.
func (l *layout) indexed(query string) string {
	x := &l.vector.index
	cast := "::vector"
	if x.queryType != "" && x.queryType != "vector" {
		cast += "::" + x.queryType
	}
	expression := cmp.Or(x.expression, "embedding")
	if expression == "embedding" {
		expression = "c.embedding"
	}
	return expression + " <=> " + query + cast
}

// within returns tables and conditions of the rows in scope. Documents are only
// joined where something is asked of them.
func (v *View) within(p *params, scope store.Scope) (from string, guard, scoped []string) {
	guard, scoped = v.visibleChunk(p), v.scopedChunk(p, scope)
	if len(guard)+len(scoped) == 0 {
		return v.layout.table("chunks") + " c", nil, nil
	}
	return v.layout.chunksFrom(), guard, scoped
}

// hide keeps conditions from the planner's estimates. It takes those of the guard,
// which hold for nearly all rows, for very rare, would expect the index to
// return next to nothing, and would sort all rows instead.
func hide(conditions []string) []string {
	if len(conditions) == 0 {
		return nil
	}
	return []string{"CASE WHEN " + all(conditions) + " THEN true ELSE false END"}
}

// nearest asks an index for rows: nothing but the distance orders them, and no
// bound on it stands beside, which would make the index go on to its end. A scope
// is left to the planner, who may know a better way to few rows, unless it is
// hidden from it.
func (v *View) nearest(q []float32, scope store.Scope, limit int, hidden bool) statement {
	var p params
	query := p.add(pgvector.NewVector(q))
	from, guard, scoped := v.within(&p, scope)
	conditions := []string{searchable}
	if predicate := v.layout.vector.index.predicate; predicate != "" {
		conditions = append(conditions, predicate)
	}
	if hidden {
		conditions = append(conditions, hide(slices.Concat(guard, scoped))...)
	} else {
		conditions = append(append(conditions, hide(guard)...), scoped...)
	}
	return statement{
		sql: "SELECT " + rowColumns + ", " + v.layout.distance(query) + " FROM " + from +
			" WHERE " + all(conditions) +
			" ORDER BY " + v.layout.indexed(query) + " LIMIT " + p.add(limit),
		args: p,
	}
}

// exactly asks for the nearest of all rows. "+ 0" makes the distance one that no
// index knows.
func (v *View) exactly(q []float32, scope store.Scope, limit int) statement {
	var p params
	query := p.add(pgvector.NewVector(q))
	from, guard, scoped := v.within(&p, scope)
	return statement{
		sql: "SELECT " + rowColumns + ", (" + v.layout.distance(query) + ") + 0 AS distance FROM " + from +
			" WHERE " + all(slices.Concat([]string{searchable}, guard, scoped)) +
			" ORDER BY distance, c.id LIMIT " + p.add(limit),
		args: p,
	}
}

// count counts the rows in scope.
func (v *View) count(scope store.Scope) statement {
	var p params
	from, guard, scoped := v.within(&p, scope)
	return statement{
		sql:  "SELECT count(*) FROM " + from + " WHERE " + all(slices.Concat([]string{searchable}, guard, scoped)),
		args: p,
	}
}

// readVectorRows reads the rows of nearest or exactly, in the order of a search:
// what an iterative scan returns is not quite in the order of its distances. A
// vector without a direction is near to nothing.
func readVectorRows(rows pgx.Rows) ([]store.VectorRow, error) {
	defer rows.Close()
	var out []store.VectorRow
	for rows.Next() {
		var r store.VectorRow
		var distance float64
		if err := rows.Scan(&r.ID, &r.ParentID, &r.DocumentID, &distance); err != nil {
			return nil, err
		}
		if r.Similarity = 1 - distance; !math.IsNaN(distance) {
			out = append(out, r)
		}
	}
	slices.SortFunc(out, compareVectorRows)
	return out, rows.Err()
}

// compareVectorRows orders by similarity, falling, and id.
func compareVectorRows(a, b store.VectorRow) int {
	return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), strings.Compare(a.ID, b.ID))
}
