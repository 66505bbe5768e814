package postgres

import (
	"context"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/webrag/webrag-tui/store"
)

// Stats sums over the documents in scope, or over the sections in scope if that
// names headings.
func (v *View) Stats(ctx context.Context, scope store.Scope) (stats store.Stats, err error) {
	err = v.do(ctx, "count what is in", func(tx pgx.Tx) error {
		switch {
		case len(scope.Headings) > 0:
			stats, err = v.sectionStats(ctx, tx, scope)
		case v.layout.foreign:
			stats, err = v.foreignStats(ctx, tx, scope)
		default:
			stats, err = v.ownStats(ctx, tx, scope)
		}
		return err
	})
	return stats, err
}

// statsCache keeps the sums of one scope at one version of a corpus of ours. A
// query asks for them twice and more, most are asked of the scope of the one
// before, and of a large corpus they take a scan of all documents.
type statsCache struct {
	version int64
	scope   string
	stats   store.Stats
}

// ownStats sums over documents that say how much they hold.
func (v *View) ownStats(ctx context.Context, tx pgx.Tx, scope store.Scope) (stats store.Stats, err error) {
	key := scopeKey(scope)
	last := v.store.stats.Load()
	if last != nil && last.version == v.meta.Changed && last.scope == key {
		return last.stats, nil
	}
	var p params
	err = tx.QueryRow(ctx, "SELECT count(*), coalesce(sum(d.parent_count), 0), coalesce(sum(d.child_count), 0), coalesce(sum(d.token_count), 0) FROM "+
		v.layout.table("documents")+" d WHERE "+v.inScope(&p, scope), p...).
		Scan(&stats.Documents, &stats.Parents, &stats.Children, &stats.Tokens)
	if err == nil {
		v.store.stats.Store(&statsCache{version: v.meta.Changed, scope: key, stats: stats})
	}
	return stats, err
}

// sectionStats sums over sections.
func (v *View) sectionStats(ctx context.Context, tx pgx.Tx, scope store.Scope) (stats store.Stats, err error) {
	var p params
	conditions := append(append(v.visibleDocument(&p), v.visibleSection()...), v.scopedParent(&p, scope)...)
	conditions = append(conditions, "c.chunk_level = 'parent'")
	passage := ""
	if !v.layout.foreign {
		passage = " AND " + visibleVersion("k")
	}
	err = tx.QueryRow(ctx, "SELECT count(DISTINCT c.document_id), count(*), coalesce(sum(c.token_end - c.token_start), 0), "+
		"coalesce(sum((SELECT count(*) FROM "+v.layout.table("chunks")+" k WHERE k.document_id = c.document_id AND k.parent_id = c.id"+passage+")), 0)::bigint FROM "+
		v.layout.chunksFrom()+" WHERE "+all(conditions), p...).
		Scan(&stats.Documents, &stats.Parents, &stats.Tokens, &stats.Children)
	return stats, err
}

// foreignStats sums over documents that do not say how much they hold.
func (v *View) foreignStats(ctx context.Context, tx pgx.Tx, scope store.Scope) (store.Stats, error) {
	sums, err := v.documentSums(ctx, tx)
	if err != nil {
		return store.Stats{}, err
	}
	ids, err := v.documentIDs(ctx, tx, scope)
	if err != nil {
		return store.Stats{}, err
	}
	stats := store.Stats{Documents: len(ids)}
	for _, id := range ids {
		sum := sums[id]
		stats.Parents += sum.Parents
		stats.Children += sum.Children
		stats.Tokens += sum.Tokens
	}
	return stats, nil
}

// documentIDs returns the documents in scope, in no order.
func (v *View) documentIDs(ctx context.Context, tx pgx.Tx, scope store.Scope) ([]string, error) {
	var p params
	rows, err := tx.Query(ctx, "SELECT d.id FROM "+v.layout.table("documents")+" d WHERE "+v.inScope(&p, scope), p...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scanID)
}

func scanID(row pgx.CollectableRow) (string, error) {
	var id pgtype.UUID
	err := row.Scan(&id)
	return idText(id), err
}

// scopeCount returns how many children a scope has, as far as most. It counts
// those without a vector, too, where that is cheaper: an exact search of a scope
// has no more to compare. It settles the scope.
func (v *View) scopeCount(ctx context.Context, tx pgx.Tx, scope store.Scope, most int) (int, error) {
	if err := v.settle(ctx, tx, scope); err != nil {
		return 0, err
	}
	var count int
	var p params
	switch {
	case len(scope.Headings) > 0:
		conditions := append(v.visibleChunks(&p), v.scopedChunk(&p, scope)...)
		conditions = append(conditions, "c.chunk_level = 'child'")
		err := tx.QueryRow(ctx, "SELECT count(*) FROM (SELECT FROM "+v.layout.chunksFrom()+" WHERE "+all(conditions)+
			" LIMIT "+p.add(most)+"::int) s", p...).Scan(&count)
		return count, err
	case v.layout.foreign:
		stats, err := v.foreignStats(ctx, tx, scope)
		return min(stats.Children, most), err
	}
	stats, err := v.ownStats(ctx, tx, scope)
	return min(stats.Children, most), err
}

// sumCache keeps what the documents of one version of a foreign database hold,
// which takes a scan of its chunks to find out.
type sumCache struct {
	mu      sync.Mutex
	version int64
	sums    map[string]store.Stats
}

// documentSums returns the parents, children and tokens of each document.
func (v *View) documentSums(ctx context.Context, tx pgx.Tx) (map[string]store.Stats, error) {
	cache := &v.store.sums
	cache.mu.Lock()
	defer cache.mu.Unlock()
	if cache.sums != nil && cache.version == v.meta.Changed {
		return cache.sums, nil
	}
	number := func(name string) string { return column(v.layout.chunks, "c", name, "0") }
	rows, err := tx.Query(ctx, "SELECT c.document_id, count(*) FILTER (WHERE c.chunk_level = 'parent'), "+
		"count(*) FILTER (WHERE c.chunk_level = 'child'), "+
		"coalesce(sum("+number("token_end")+" - "+number("token_start")+") FILTER (WHERE c.chunk_level = 'parent'), 0) FROM "+
		v.layout.table("chunks")+" c GROUP BY c.document_id")
	if err != nil {
		return nil, err
	}
	sums := make(map[string]store.Stats)
	var id pgtype.UUID
	var sum store.Stats
	_, err = pgx.ForEachRow(rows, []any{&id, &sum.Parents, &sum.Children, &sum.Tokens}, func() error {
		sums[idText(id)] = sum
		return nil
	})
	if err != nil {
		return nil, err
	}
	cache.version, cache.sums = v.meta.Changed, sums
	return sums, nil
}
