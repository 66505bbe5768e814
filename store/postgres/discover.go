package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/catalog"
	"github.com/webrag/webrag-tui/store/postgres/internal/db"
)

// ownTables are the tables of the schema; a corpus of ours has them all.
func ownTables() []string {
	return []string{
		"corpus_meta", "documents", "chunks", "chunk_terms", "term_stats", "staged_vectors",
		"addresses", "links", "chunk_edges",
	}
}

// discover finds out from the catalog what a database has.
func discover(ctx context.Context, d *db.DB) (*layout, error) {
	tx, err := d.Read(ctx)
	if err != nil {
		return nil, d.Fail(ctx, "open", err)
	}
	// A transaction that only read has nothing to lose.
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	l, err := readLayout(ctx, tx, d.Argument())
	if err != nil {
		return nil, d.Fail(ctx, "open", err)
	}
	if l.server.standby && l.readOnly == "" && !hasPrimary(ctx, d) {
		l.readOnly = standbyOnly
	}
	return l, nil
}

// standbyOnly is why a corpus on a standby is not written.
const standbyOnly = "the server is a standby, which only repeats another one; give the address of the primary, too, to write"

// hasPrimary reports whether the address leads to a server that takes writes,
// though searches were sent to one that does not.
func hasPrimary(ctx context.Context, d *db.DB) bool {
	conn, err := d.Connect(ctx)
	if err != nil {
		return false
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	server, err := catalog.ReadServer(ctx, conn)
	return err == nil && !server.Standby
}

// readLayout reads the catalog in the transaction of a reader. The address is for
// commands that an error advises.
func readLayout(ctx context.Context, tx pgx.Tx, address string) (*layout, error) {
	s, err := catalog.ReadServer(ctx, tx)
	if err != nil {
		return nil, err
	}
	tables, err := catalog.OnPath(ctx, tx, append(ownTables(), "link_candidates")...)
	if err != nil {
		return nil, err
	}
	found, ours := corpusTables(tables)
	if found == nil {
		return nil, notCorpus(ctx, tx, s, tables, address)
	}
	l := &layout{
		schema:    catalog.Quote(found["chunks"].Schema),
		foreign:   !ours,
		documents: found["documents"].Names(),
		chunks:    found["chunks"].Names(),
		missing:   map[store.Capability]string{},
		server:    server{version: s.Version, vector: s.Vector, citus: s.Citus, standby: s.Standby, role: s.Role},
	}
	if err := l.mayRead(found); err != nil {
		return nil, err
	}
	if err := l.readVectors(ctx, tx, s, found["chunks"]); err != nil {
		return nil, err
	}
	if ours {
		l.describeOwn(found)
		if err := tx.QueryRow(ctx, `SELECT row_security_active($1::text)`, l.table("documents")).Scan(&l.secured); err != nil {
			return nil, err
		}
	} else if err := l.describeWebRAG(ctx, tx, found); err != nil {
		return nil, err
	}
	l.advice = s.Flaws(l.vector.index.method != "" || ours)
	l.mark, err = readMark(ctx, tx, l)
	return l, err
}

// corpusTables returns the tables of the first schema of the search path that has
// a corpus, and whether it is one of ours; nil if there is none.
func corpusTables(tables []catalog.Table) (found map[string]*catalog.Table, ours bool) {
	for len(tables) > 0 {
		n := slices.IndexFunc(tables, func(t catalog.Table) bool { return t.Schema != tables[0].Schema })
		if n < 0 {
			n = len(tables)
		}
		found = make(map[string]*catalog.Table, n)
		for i := range tables[:n] {
			found[tables[i].Name] = &tables[i]
		}
		if isOurs(found) {
			return found, true
		}
		if isWebRAG(found) {
			return found, false
		}
		tables = tables[n:]
	}
	return nil, false
}

func isOurs(found map[string]*catalog.Table) bool {
	return !slices.ContainsFunc(ownTables(), func(name string) bool { return found[name] == nil })
}

func isWebRAG(found map[string]*catalog.Table) bool {
	documents, chunks := found["documents"], found["chunks"]
	return found["corpus_meta"] == nil && documents != nil && chunks != nil && len(lacksOfWebRAG(documents, chunks)) == 0
}

// optional are the tables without which everything else can be read.
func optional() []string { return []string{"chunk_edges", "links", "staged_vectors"} }

// mayRead refuses a role that was not given the tables.
func (l *layout) mayRead(found map[string]*catalog.Table) error {
	for _, name := range ownTables() {
		if t := found[name]; t != nil && !t.MayRead && !slices.Contains(optional(), name) {
			return errors.New(l.unread(t))
		}
	}
	return nil
}

// roleName is the role as it stands in a statement to run.
func (s *server) roleName() string { return catalog.Printable(catalog.Quote(s.role)) }

// unread says that a table may not be read.
func (l *layout) unread(t *catalog.Table) string {
	return fmt.Sprintf("this role may not read the table %s; its owner can allow it: GRANT SELECT ON ALL TABLES IN SCHEMA %s TO %s",
		t.Label(), catalog.Printable(l.schema), l.server.roleName())
}

// describeOwn notes what a corpus of ours can do.
func (l *layout) describeOwn(found map[string]*catalog.Table) {
	l.edges, l.links = found["chunk_edges"].MayRead, found["links"].MayRead
	if !l.edges {
		l.missing[store.CapEdges] = l.unread(found["chunk_edges"])
	}
	if !l.links {
		l.missing[store.CapLinks] = l.unread(found["links"])
	}
	for _, name := range ownTables() {
		if t := found[name]; !t.MayWrite {
			l.readOnly = fmt.Sprintf("this role may not change the table %s; its owner can allow it: GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA %s TO %s",
				t.Label(), catalog.Printable(l.schema), l.server.roleName())
			break
		}
	}
	// A corpus without vectors is one that nothing was indexed into yet.
	if v := l.vector; v.kind != "" && v.index.name == "" {
		l.missing[store.CapApprox] = v.index.why
	}
}
