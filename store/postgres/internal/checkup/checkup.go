// Package checkup examines a table of vectors and the server that it is on: what is
// the same whatever program made the table.
package checkup

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/ann"
	"github.com/webrag/webrag-tui/store/postgres/internal/catalog"
	"github.com/webrag/webrag-tui/store/postgres/internal/db"
)

// Table is what is examined. Names are as they stand in a statement, except for
// Column.
type Table struct {
	DB           *db.DB
	Versions     catalog.Server
	Name, Schema string
	// Column is the name of the column of vectors, and Kind its type, empty without
	// one.
	Column, Kind string
	Index        ann.Index
	// Vectors are the rows that a search finds, as they follow on FROM.
	Vectors string
	// Describe describes the index.
	Describe func(context.Context) (store.VectorIndex, error)
}

// Checker collects what one group finds, in a transaction that an error ends.
type Checker struct {
	Table

	Ctx    context.Context //nolint:containedctx // it lives for one group
	Tx     pgx.Tx
	checks []store.Check
}

// Found returns what was found.
func (c *Checker) Found() []store.Check { return c.checks }

// Add notes what was found, with what to do about it unless that is nothing.
func (c *Checker) Add(name string, state store.CheckState, found, fix string) {
	c.checks = append(c.checks, store.Check{Name: name, State: state, Found: found, Fix: fix})
}

// Scan reads one row.
func (c *Checker) Scan(sql string, args []any, into ...any) error {
	return c.Tx.QueryRow(c.Ctx, sql, args...).Scan(into...)
}

// Group is one thing to look at.
type Group[C any] struct {
	Name string
	Look func(C) error
}

// Run looks at one group after the other, each in a transaction of its own that
// begin opens. What cannot be looked at, for want of a right or of time, is
// [store.CheckUnknown]; only a server that is gone is an error.
func Run[C interface{ Found() []store.Check }](ctx context.Context, d *db.DB, begin func(context.Context) (c C, end func(), err error), groups []Group[C]) ([]store.Check, error) {
	look := func(g Group[C]) ([]store.Check, error) {
		c, end, err := begin(ctx)
		if err != nil {
			return nil, err
		}
		defer end()
		err = g.Look(c)
		return c.Found(), err
	}
	var checks []store.Check
	for _, g := range groups {
		found, err := look(g)
		if err != nil {
			if ctx.Err() != nil || d.IsLost(err) {
				return nil, d.Fail(ctx, "check", err)
			}
			found = append(found, store.Check{Name: g.Name, State: store.CheckUnknown, Found: d.Fail(ctx, "check", err).Error()})
		}
		checks = append(checks, found...)
	}
	return checks, nil
}
