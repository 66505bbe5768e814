package postgres

import (
	"cmp"
	"slices"
	"strconv"

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

// reach is which rows a search may find: tables and conditions.
type reach struct {
	from string
	// mine are conditions on the document, scoped those of the scope: of both the
	// planner knows how many rows they leave.
	mine, scoped []string
	// version and parent are the rest of the guard. They hold for nearly all rows,
	// but the planner takes them for rare, the more of them it sees: it would expect
	// an index to return little, and sort all rows instead.
	version, parent string
}

// reach returns which rows are in scope. Documents are only joined where something
// is asked of them.
func (v *View) reach(p *params, scope store.Scope) reach {
	r := reach{
		from: v.layout.table("chunks") + " c",
		mine: v.visibleDocument(p), scoped: v.scopedChunk(p, scope),
		version: "true", parent: "true",
	}
	if !v.layout.foreign {
		r.version, r.parent = visibleVersion("c"), v.visibleParent()
	}
	if len(r.mine)+len(r.scoped) > 0 {
		r.from = v.layout.chunksFrom()
	}
	return r
}

// hidden keeps conditions from the planner's estimates.
func hidden(conditions ...string) string {
	return "CASE WHEN " + all(conditions) + " THEN true ELSE false END"
}

// nearest asks an index for rows: nothing but the distance orders them, and no
// bound on it stands beside, which would make the index go on to its end. Who
// owns the rows and what is in scope is left to the planner, who may know a better
// way to few rows, unless the index is to be forced.
func (v *View) nearest(q []float32, scope store.Scope, limit int, forced bool) statement {
	var p params
	query := p.add(pgvector.NewVector(q))
	r := v.reach(&p, scope)
	conditions := []string{searchable}
	if predicate := v.layout.vector.index.predicate; predicate != "" {
		conditions = append(conditions, predicate)
	}
	if forced {
		conditions = append(conditions, hidden(slices.Concat(r.mine, r.scoped, []string{r.version, r.parent})...))
	} else {
		conditions = append(slices.Concat(conditions, r.mine, r.scoped), hidden(r.version, r.parent))
	}
	return statement{
		sql: "SELECT c.id::text, coalesce(c.parent_id::text, ''), c.document_id::text, " + v.layout.distance(query) + ", true" +
			" FROM " + r.from + " WHERE " + all(conditions) +
			" ORDER BY " + v.layout.indexed(query) + " LIMIT " + p.add(limit),
		args: p,
	}
}

// exactly asks for the nearest of all rows. "+ 0" makes the distance one that no
// index knows.
//
// In a corpus of ours whether its parent may be seen is only asked of the rows that
// are returned, since it takes longer than the distance. Several servers together
// would have to send around what is asked of them in two steps.
func (v *View) exactly(q []float32, scope store.Scope, limit int) statement {
	if v.layout.foreign || v.layout.server.citus != "" {
		return v.exactlyWhole(q, scope, limit)
	}
	var p params
	query := p.add(pgvector.NewVector(q))
	r := v.reach(&p, scope)
	nearest := "SELECT c.id, c.parent_id, c.document_id, (" + v.layout.distance(query) + ") + 0 AS distance FROM " + r.from +
		" WHERE " + all(r.itself()) + " ORDER BY distance, c.id LIMIT " + p.add(limit)
	return statement{
		sql: "SELECT c.id::text, coalesce(c.parent_id::text, ''), c.document_id::text, c.distance, " + r.parent +
			" FROM (" + nearest + ") c JOIN " + v.layout.table("documents") + " d ON d.id = c.document_id",
		args: p,
	}
}

// exactlyWhole is exactly in one step, with all conditions.
func (v *View) exactlyWhole(q []float32, scope store.Scope, limit int) statement {
	var p params
	query := p.add(pgvector.NewVector(q))
	r := v.reach(&p, scope)
	return statement{
		sql: "SELECT c.id::text, coalesce(c.parent_id::text, ''), c.document_id::text, (" + v.layout.distance(query) + ") + 0 AS distance, true" +
			" FROM " + r.from + " WHERE " + all(r.whole()) + " ORDER BY distance, c.id LIMIT " + p.add(limit),
		args: p,
	}
}

// itself are the conditions on a row and its document.
func (r *reach) itself() []string {
	return append(slices.Concat([]string{searchable}, r.mine, r.scoped), hidden(r.version))
}

// whole are all conditions.
func (r *reach) whole() []string {
	return append(slices.Concat([]string{searchable}, r.mine, r.scoped), hidden(r.version, r.parent))
}

// count counts the rows that exactly compares.
func (v *View) count(scope store.Scope) statement {
	var p params
	r := v.reach(&p, scope)
	return statement{sql: "SELECT count(*) FROM " + r.from + " WHERE " + all(r.itself()), args: p}
}
