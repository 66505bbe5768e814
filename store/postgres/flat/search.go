package flat

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/pgvector/pgvector-go"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/ann"
)

// Search runs the arms of spec. A keyword arm that fails beside a vector arm is no
// error of the search.
func (v *View) Search(ctx context.Context, spec store.Search) (store.Found, error) {
	const doing = "search"
	if err := v.checkQuery(spec.Vector); err != nil {
		return store.Found{}, v.store.db.Fail(ctx, doing, err)
	}
	arms := ann.Arms{DB: v.store.db, Words: v.searchWords, Beside: v.beside}
	if v.table.dims > 0 {
		arms.Vectors = v.searchVectors
	}
	var found store.Found
	err := v.do(ctx, doing, func(tx pgx.Tx) (err error) {
		found, err = arms.Search(ctx, tx, &spec)
		return err
	})
	if err != nil {
		return store.Found{}, err
	}
	return found, nil
}

// beside gives the keyword arm a view of its own.
func (v *View) beside(context.Context, pgx.Tx) (ann.Arm, error) {
	second := *v
	return second.searchWords, nil
}

func (v *View) searchVectors(ctx context.Context, tx pgx.Tx, spec *store.Search, found *store.Found) error {
	return v.searcher(tx).Search(ctx, spec, found)
}

// checkQuery refuses vectors that this table cannot be asked with. nil is no query.
func (v *View) checkQuery(q []float32) error {
	return ann.CheckQuery(q, v.meta.EmbedderID, v.table.dims)
}

func (v *View) searcher(tx pgx.Tx) *ann.Searcher {
	return &ann.Searcher{Tx: tx, Index: v.table.index(), Table: searched{v}}
}

// searched makes the statements of searches of a view's table.
type searched struct{ view *View }

var _ ann.Table = searched{}

// searchable are the conditions of a row that a vector search can find.
func (t *table) searchable() []string {
	if fits := t.fits(); fits != "" {
		return []string{present, fits}
	}
	return []string{present}
}

const present = "c.embedding IS NOT NULL"

// fits is the condition that a vector has as many dimensions as the others, where
// the column does not say so; empty where it does.
func (t *table) fits() string {
	if t.declared || t.dims == 0 {
		return ""
	}
	return "vector_dims(c.embedding) = " + strconv.Itoa(t.dims)
}

// distance is the cosine distance of a row's own vector from a placeholder's.
func (t *table) distance(query string) string {
	cast := "::vector"
	if t.kind == "halfvec" {
		cast += "::halfvec"
	}
	return "c.embedding <=> " + query + cast
}

// indexed is the distance as the index knows it.
func (t *table) indexed(query string) string {
	cast := "::vector"
	if kind := t.nearest.QueryType; kind != "" && kind != "vector" {
		cast += "::" + kind
	}
	return "c.indexed <=> " + query + cast
}

// Nearest asks the index: nothing but the distance orders the rows. What is in
// scope is left to the planner, who may know a better way to few rows, unless the
// index is to be forced: then it is kept from its estimates.
func (s searched) Nearest(q []float32, scope store.Scope, limit int, forced bool) ann.Statement {
	t := s.view.table
	var p params
	query := p.add(pgvector.NewVector(q))
	from := s.view.from(&p)
	// What a partial index holds must be stated as it is. The planner takes anything
	// else that it knows nothing about for rare, and would rather sort all rows.
	conditions, hidden := []string{present}, []string(nil)
	switch fits := t.fits(); {
	case fits == "":
	case strings.Contains(t.nearest.Predicate, "vector_dims"):
		conditions = append(conditions, fits)
	default:
		hidden = append(hidden, fits)
	}
	if scoped := t.scoped(&p, scope); forced {
		hidden = append(hidden, scoped...)
	} else {
		conditions = append(conditions, scoped...)
	}
	if len(hidden) > 0 {
		conditions = append(conditions, "CASE WHEN "+all(hidden)+" THEN true ELSE false END")
	}
	return ann.Statement{
		SQL: "SELECT c.id::text, '', c.source, " + t.distance(query) + ", true FROM " + from + " WHERE " + all(conditions) +
			" ORDER BY " + t.indexed(query) + " LIMIT " + p.add(limit),
		Args: p,
	}
}

// Exactly asks for the nearest of all rows. "+ 0" makes the distance one that no
// index knows.
func (s searched) Exactly(q []float32, scope store.Scope, limit int) ann.Statement {
	t := s.view.table
	var p params
	query := p.add(pgvector.NewVector(q))
	from := s.view.from(&p)
	conditions := append(t.searchable(), t.scoped(&p, scope)...)
	return ann.Statement{
		SQL: "SELECT c.id::text, '', c.source, (" + t.distance(query) + ") + 0 AS distance, true FROM " + from + " WHERE " + all(conditions) +
			" ORDER BY distance, " + t.id.tie + " LIMIT " + p.add(limit),
		Args: p,
	}
}

// Whole is Exactly: every row is whole.
func (s searched) Whole(q []float32, scope store.Scope, limit int) ann.Statement {
	return s.Exactly(q, scope, limit)
}

// VectorIndex describes the index and the rows under it.
func (v *View) VectorIndex(ctx context.Context) (x store.VectorIndex, err error) {
	err = v.do(ctx, "describe the index of", func(tx pgx.Tx) error {
		index := v.table.index()
		var estimate int64
		var found bool
		x, estimate, found, err = index.Describe(ctx, tx, v.table.Quoted())
		if err != nil || !found {
			return err
		}
		rows, err := searched{v}.AtMost(ctx, tx, store.Scope{}, ann.CountedRows+1)
		x.Rows = int64(rows)
		if x.Rows > ann.CountedRows {
			x.Rows = max(x.Rows, estimate)
		}
		return err
	})
	return x, err
}

// Probe searches with each of the settings and compares with an exact search.
func (v *View) Probe(ctx context.Context, p store.Probe) (probed store.Probed, err error) {
	const doing = "probe the index of"
	if err := v.checkProbe(&p); err != nil {
		return store.Probed{}, v.store.db.Fail(ctx, doing, err)
	}
	err = v.do(ctx, doing, func(tx pgx.Tx) error {
		probed, err = v.searcher(tx).Probe(ctx, &p)
		return err
	})
	return probed, err
}

func (v *View) checkProbe(p *store.Probe) error {
	if p.Vector == nil {
		return errors.New("a probe needs the vector of a query")
	}
	if err := v.checkQuery(p.Vector); err != nil {
		return err
	}
	x := v.table.index()
	return x.CheckProbe(p)
}
