package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/catalog"
)

// describeWebRAG notes what a database of a WebRAG indexer can do and what not.
func (l *layout) describeWebRAG(found map[string]*catalog.Table) {
	l.readOnly = "another program (WebRAG) made this database, and only that one changes it; to have a corpus that can be changed, copy it: webrag-tui copy"
	l.linkCandidates = found["link_candidates"] != nil &&
		found["link_candidates"].Has("source_document_id", "target_url")
	l.unindexed = true
	l.missing[store.CapKeyword] = "this database has no index of words; a search of its words reads all texts, up to a bound, and is made when it is asked for"
	l.missing[store.CapOwners] = "a WebRAG database knows no owners: everybody sees every page"
	l.missing[store.CapDeletion] = "a WebRAG database does not hide pages: one that was deleted is gone"
	if !l.linkCandidates {
		const why = "this database is of a WebRAG version that kept no links; index with a later one to have link_candidates"
		l.missing[store.CapEdges], l.missing[store.CapLinks] = why, why
	}
	if l.vector.index.name == "" {
		l.missing[store.CapApprox] = l.vector.index.why
	}
}

// webragVersion is a number that changes with every page that is written. An
// indexer replaces the row of a page that it indexes again, with a new time, so the
// sum of all times in milliseconds grows when a page is added or renewed, whichever
// transaction ends first, and falls when one goes. It is far from overflow at ten
// million pages.
func webragVersion(has map[string]bool) string {
	if !has["indexed_at"] {
		return "count(*)"
	}
	return "count(*) + coalesce(sum((extract(epoch FROM d.indexed_at) * 1000)::bigint - 1577836800000), 0)::bigint"
}

// readWebRAG reads the version of a WebRAG database.
func (v *View) readWebRAG(ctx context.Context, tx pgx.Tx) (m store.Meta, hasOwners bool, mark string, err error) {
	err = tx.QueryRow(ctx, "SELECT "+webragVersion(v.layout.documents)+", coalesce("+markSQL+", '') FROM "+v.layout.table("documents")+" d",
		v.layout.marked()).Scan(&m.Changed, &mark)
	return m, false, mark, err
}

// remembered adds to the meta of a database what is kept beside it.
func (s *Store) remembered(m store.Meta, dims int) store.Meta {
	m.Dimensions = dims
	return m
}
