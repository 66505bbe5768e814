package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/catalog"
)

var _ store.Checker = (*Store)(nil)

// Check examines the server, the tables, the vectors with their index, and the
// settings of the server that a search depends on. It only reads. What cannot be
// looked at, for want of a right or of time, is [store.CheckUnknown]; only a
// server that is gone is an error.
func (s *Store) Check(ctx context.Context) ([]store.Check, error) {
	var checks []store.Check
	for _, group := range []struct {
		name string
		look func(*checker) error
	}{
		{"server", (*checker).server},
		{"extension", (*checker).extension},
		{"rights", (*checker).rights},
		{"vectors", (*checker).vectors},
		{"dimensions", (*checker).dimensions},
		{"vector index", (*checker).index},
		{"keyword index", (*checker).keywords},
		{"dead rows", (*checker).dead},
		{"statistics", (*checker).statistics},
		{"planner", (*checker).planner},
		{"memory", (*checker).memory},
		{"connections", (*checker).connections},
	} {
		found, err := s.checkGroup(ctx, group.look)
		if err != nil {
			if ctx.Err() != nil || s.db.IsLost(err) {
				return nil, s.db.Fail(ctx, "check", err)
			}
			found = append(found, store.Check{Name: group.name, State: store.CheckUnknown, Found: s.db.Fail(ctx, "check", err).Error()})
		}
		checks = append(checks, found...)
	}
	return checks, nil
}

// checkGroup looks at one thing in a transaction of its own, which an error ends.
func (s *Store) checkGroup(ctx context.Context, look func(*checker) error) ([]store.Check, error) {
	read, err := s.Read(ctx)
	if err != nil {
		return nil, err
	}
	v, ok := read.(*View)
	if !ok {
		return nil, fmt.Errorf("a view of type %T", read)
	}
	defer v.end()
	c := checker{ctx: ctx, view: v, layout: v.layout, tx: v.tx}
	err = look(&c)
	return c.checks, err
}

// checker collects what one group finds.
type checker struct {
	ctx    context.Context //nolint:containedctx // it lives for one call of checkGroup
	view   *View
	layout *layout
	tx     pgx.Tx
	checks []store.Check
}

// add notes what was found, with what to do about it unless that is nothing.
func (c *checker) add(name string, state store.CheckState, found, fix string) {
	c.checks = append(c.checks, store.Check{Name: name, State: state, Found: found, Fix: fix})
}

func (c *checker) scan(sql string, args []any, into ...any) error {
	return c.tx.QueryRow(c.ctx, sql, args...).Scan(into...)
}

// chunks is the table of chunks as a person writes it.
func (c *checker) chunks() string { return catalog.Printable(c.layout.table("chunks")) }

func (c *checker) server() error {
	var version string
	if err := c.scan("SELECT current_setting('server_version')", nil, &version); err != nil {
		return err
	}
	found := "PostgreSQL " + catalog.Printable(version)
	if c.layout.server.citus != "" {
		found += " with Citus " + catalog.Printable(c.layout.server.citus)
	}
	c.add("server", store.CheckFine, found, "")
	if c.layout.server.standby {
		c.add("standby", store.CheckFine, "searches go to a standby, which repeats another server and may be behind it", "")
	}
	if c.view.store.db.Pooled() {
		c.add("pooler", store.CheckFine, "a pooler that pools transactions is in between: settings are sent with each search", "")
	}
	return nil
}

func (c *checker) extension() error {
	have := c.layout.server.vector
	if have == "" {
		c.add("extension", store.CheckBroken, "the database does not have pgvector", "have an administrator run: CREATE EXTENSION vector")
		return nil
	}
	found := "pgvector " + catalog.Printable(have)
	if warnings := (&catalog.Server{Vector: have}).Flaws(true); len(warnings) > 0 {
		c.add("extension", store.CheckWarning, warnings[0], "")
		return nil
	}
	var offered string
	err := c.scan("SELECT coalesce(max(default_version), '') FROM pg_available_extensions WHERE name = 'vector'", nil, &offered)
	if err != nil {
		return err
	}
	if offered != "" && catalog.OlderThan(have, offered) {
		c.add("extension", store.CheckWarning, found+", and the server has "+catalog.Printable(offered)+" installed", "ALTER EXTENSION vector UPDATE")
		return nil
	}
	c.add("extension", store.CheckFine, found, "")
	return nil
}

func (c *checker) rights() error {
	if why := c.layout.readOnly; why != "" {
		c.add("rights", store.CheckFine, "read-only: "+why, "")
		return nil
	}
	var role string
	if err := c.scan("SELECT current_user", nil, &role); err != nil {
		return err
	}
	c.add("rights", store.CheckFine, "role "+catalog.Printable(role)+" may read and write", "")
	return nil
}
