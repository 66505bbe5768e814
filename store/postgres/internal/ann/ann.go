// Package ann searches a table of vectors: through an approximate index, by one of
// the policies of store.Policy, or by comparing all rows. What is in the table and
// in scope is the caller's, who makes the statements; how they are asked, with
// which settings, and what is made of too few rows is the same for all tables.
package ann

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
)

// Statement is SQL with its parameters.
type Statement struct {
	SQL  string
	Args []any
}

// Index is the index that a cosine search can use.
type Index struct {
	// Name is empty when there is none, and Why says why.
	Name, Why string
	Method    string // MethodHNSW or MethodIVFFlat
	// Distributed says that the rows are on other servers (Citus), which must be
	// told of settings.
	Distributed bool
}

// The access methods of vector indexes.
const (
	MethodHNSW    = "hnsw"
	MethodIVFFlat = "ivfflat"
)

// Table makes the statements that search one table. Those that search return rows
// of chunk id, parent id, document id, cosine distance, and whether the row may be
// seen as a whole: if not, it is left out.
type Table interface {
	// Nearest asks the index and nothing else for the order. If forced, the planner
	// must not find another way to the rows in scope.
	Nearest(q []float32, scope store.Scope, limit int, forced bool) Statement
	// Exactly compares all rows in scope. It may return rows that are not whole;
	// Whole, which is asked only then, must not.
	Exactly(q []float32, scope store.Scope, limit int) Statement
	Whole(q []float32, scope store.Scope, limit int) Statement
	// Count counts the rows that Exactly compares.
	Count(scope store.Scope) Statement
	// QueueCount adds Count to a batch, unless the number is known.
	QueueCount(b *pgx.Batch, scope store.Scope, into *int) error
	// AtMost returns how many rows a scope has, as far as most; it may be too many.
	AtMost(ctx context.Context, tx pgx.Tx, scope store.Scope, most int) (int, error)
}

// Searcher searches a table in one transaction.
type Searcher struct {
	Tx    pgx.Tx
	Index Index
	Table Table
}
