package postgres

import (
	"context"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/catalog"
)

// lacksOfWebRAG says what the two tables lack of those of a WebRAG indexer. It asks
// for no more than what no reading can do without: the indexer's earlier versions
// lacked the rest, and later ones may.
func lacksOfWebRAG(documents, chunks *catalog.Table) []string {
	var lacks []string
	need := func(t *catalog.Table, types []string, names ...string) {
		lacks = append(lacks, lacking(t, names, types...)...)
	}
	ids, texts, numbers := []string{"uuid"}, []string{"text", "varchar"}, []string{"int4", "int8", "int2"}
	need(documents, ids, "id")
	need(documents, texts, "source_url")
	need(chunks, ids, "id", "document_id", "parent_id")
	need(chunks, texts, "chunk_level", "chunk_text", "source_url")
	need(chunks, numbers, "chunk_index", "char_start", "char_end", "token_start", "token_end")
	return lacks
}

// lacking names the columns that a table does not have in one of the types.
func lacking(t *catalog.Table, names []string, types ...string) []string {
	var lacks []string
	for _, name := range names {
		column := t.Column(name)
		switch {
		case column == nil:
			lacks = append(lacks, "no "+t.Name+"."+name)
		case !column.Is(types...):
			lacks = append(lacks, fmt.Sprintf("%s.%s is %s and not %s", t.Name, name, catalog.Printable(column.Type), types[0]))
		}
	}
	return lacks
}

// describeWebRAG notes what a database of a WebRAG indexer can do and what not.
func (l *layout) describeWebRAG(ctx context.Context, tx pgx.Tx, found map[string]*catalog.Table) error {
	l.readOnly = "another program (WebRAG) made this database, and only that one changes it; to have a corpus that can be changed, copy it: webrag-tui copy"
	links := found["link_candidates"]
	l.linkCandidates = links != nil && links.MayRead && len(lacking(links, []string{"id", "source_document_id"}, "uuid")) == 0 &&
		links.Has("target_url", "title", "discovered_at")
	if err := l.readWords(ctx, tx, found["chunks"]); err != nil {
		return err
	}
	if l.unindexed = l.words.name == ""; l.unindexed {
		l.missing[store.CapKeyword] = "this database has no index of words"
	}
	l.missing[store.CapOwners] = "a WebRAG database knows no owners: everybody sees every page"
	l.missing[store.CapDeletion] = "a WebRAG database hides no pages: one that was deleted is gone"
	if !l.linkCandidates {
		why := "the WebRAG version that made this database kept no links; a later one adds them (link_candidates) when it indexes"
		if links != nil && !links.MayRead {
			why = "this role may not read the table " + links.Label() + "; its owner can allow it: GRANT SELECT"
		}
		l.missing[store.CapEdges], l.missing[store.CapLinks] = why, why
	}
	if l.vector.index.name == "" {
		l.missing[store.CapApprox] = l.vector.index.why
	}
	if l.vector.kind == "" {
		l.warnings = append(l.warnings, l.vector.index.why+"; nothing can be found by meaning")
		return nil
	}
	return l.sampleVectors(ctx, tx)
}

// sampleVectors warns of passages without a vector, as an indexer leaves them that
// was stopped. It looks at some of them, because nothing counts them.
func (l *layout) sampleVectors(ctx context.Context, tx pgx.Tx) error {
	var children, without int
	err := tx.QueryRow(ctx, "SELECT count(*), count(*) FILTER (WHERE s.bare) FROM (SELECT embedding IS NULL AS bare FROM "+
		l.table("chunks")+" WHERE chunk_level = 'child' LIMIT "+strconv.Itoa(sampledVectors)+") s").Scan(&children, &without)
	if err != nil {
		return err
	}
	of := strconv.Itoa(children) + " passages"
	if children == sampledVectors {
		of = "the first " + of
	}
	switch {
	case children == 0:
		l.warnings = append(l.warnings, "no page was indexed into this database yet; run the WebRAG indexer")
	case without == children:
		l.warnings = append(l.warnings, "none of "+of+" has a vector, so nothing can be found by meaning; let the WebRAG indexer embed them")
	case without > 0:
		l.warnings = append(l.warnings, fmt.Sprintf("%d of %s have no vector, and cannot be found by meaning", without, of))
	}
	return nil
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
	return "count(*) + coalesce(sum((date_part('epoch', d.indexed_at) * 1000)::bigint - 1577836800000) FILTER (WHERE isfinite(d.indexed_at)), 0)::bigint"
}

// dated is a version that was computed, and the server's snapshot of transactions
// in which it was.
type dated struct {
	snapshot string
	version  int64
}

// readWebRAG reads the version of a WebRAG database. As long as no transaction has
// come or gone on the server it is what it was, and no page is looked at: a scan of
// many pages would cost more than a search. A standby's snapshots do not list the
// transactions that are under way, so there they prove nothing.
func (v *View) readWebRAG(ctx context.Context, tx pgx.Tx) (m store.Meta, hasOwners bool, mark string, err error) {
	last := v.store.dated.Load()
	if last == nil || v.layout.server.standby {
		last = &dated{}
	}
	now := &dated{}
	err = tx.QueryRow(ctx, `SELECT txid_current_snapshot()::text,
			CASE WHEN txid_current_snapshot()::text = $2 THEN $3
			ELSE (SELECT `+webragVersion(v.layout.documents)+` FROM `+v.layout.table("documents")+` d) END,
			coalesce(`+markSQL+`, '')`,
		v.layout.marked(), last.snapshot, last.version).Scan(&now.snapshot, &now.version, &mark)
	if err != nil {
		return m, false, "", err
	}
	v.store.dated.Store(now)
	m.Changed = now.version
	return m, false, mark, nil
}
