package postgres

import (
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/internal/linking"
)

// linker keeps the edges of hyperlinks in step with what a writer writes. Each
// method works in the transaction that it is given.
type linker struct {
	tables *linkTables
	linker *linking.Linker
}

func newLinker(l *layout) linker {
	tables := &linkTables{layout: l}
	return linker{tables, linking.New(tables, linking.DefaultPages)}
}

func (l *linker) in(tx pgx.Tx) *linking.Linker {
	l.tables.tx = tx
	return l.linker
}

// stored are the faces of documents as they are stored.
func (l *linker) stored(ctx context.Context, tx pgx.Tx, documentIDs []string) (map[string]*linking.Face, error) {
	return l.in(tx).StoredAll(ctx, documentIDs)
}

// replaced makes the edges of documents anew that were written in tx, and of the
// links of others to them; before is what stored returned. Addresses, structure's
// edges and those of links are its own to write; links are written already.
func (l *linker) replaced(ctx context.Context, tx pgx.Tx, puts []*put, before map[string]*linking.Face) error {
	replaced := make([]linking.Replacement, len(puts))
	for i, p := range puts {
		replaced[i] = linking.Replacement{Bundle: p.bundle, Old: before[p.bundle.Document.ID]}
	}
	return l.in(tx).ReplacedAll(ctx, replaced)
}

// hidden follows a soft deletion or its undoing that was written in tx.
func (l *linker) hidden(ctx context.Context, tx pgx.Tx, documentID string) error {
	return l.in(tx).Hidden(ctx, documentID)
}

// removing prepares the removal of a document. It returns the documents that are
// to be given to relink when it is gone.
func (l *linker) removing(ctx context.Context, tx pgx.Tx, documentID string) (stale []string, err error) {
	return l.in(tx).Removing(ctx, documentID)
}

// relink makes the edges of the links to documents anew.
func (l *linker) relink(ctx context.Context, tx pgx.Tx, documentIDs []string) error {
	return l.in(tx).Relink(ctx, documentIDs)
}

// forget drops what a failed transaction may have put into the cache.
func (l *linker) forget() { l.linker.Forget() }

// linkTables are the tables of links, addresses and edges.
type linkTables struct {
	layout *layout
	tx     pgx.Tx
}

var _ linking.Batch = (*linkTables)(nil)

// strings returns the one column of a query.
func (t *linkTables) strings(ctx context.Context, query string, args ...any) ([]string, error) {
	rows, err := t.tx.Query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

func (t *linkTables) exec(ctx context.Context, query string, args ...any) error {
	_, err := t.tx.Exec(ctx, query, args...)
	return err
}

// Document says whose a document is and whether it was soft-deleted.
func (t *linkTables) Document(ctx context.Context, id string) (owner string, deleted, found bool, err error) {
	states, err := t.Documents(ctx, []string{id})
	state, found := states[id]
	return state.Owner, state.Deleted, found, err
}

// Documents says so of those that there are.
func (t *linkTables) Documents(ctx context.Context, ids []string) (map[string]linking.State, error) {
	rows, err := t.tx.Query(ctx, `SELECT id::text, coalesce(owner, ''), deleted_at IS NOT NULL FROM `+t.layout.table("documents")+` WHERE id = ANY ($1::uuid[])`, ids)
	if err != nil {
		return nil, err
	}
	states := make(map[string]linking.State, len(ids))
	var id string
	var state linking.State
	_, err = pgx.ForEachRow(rows, []any{&id, &state.Owner, &state.Deleted}, func() error {
		states[id] = state
		return nil
	})
	return states, err
}

// Keys returns the keys of a document's addresses by rank.
func (t *linkTables) Keys(ctx context.Context, id string) ([]string, error) {
	keys, err := t.KeysOf(ctx, []string{id})
	return keys[id], err
}

// KeysOf returns those of several documents.
func (t *linkTables) KeysOf(ctx context.Context, ids []string) (map[string][]string, error) {
	rows, err := t.tx.Query(ctx, `SELECT document_id::text, key FROM `+t.layout.table("addresses")+` WHERE document_id = ANY ($1::uuid[]) ORDER BY document_id, rank`, ids)
	if err != nil {
		return nil, err
	}
	keys := make(map[string][]string, len(ids))
	var id, key string
	_, err = pgx.ForEachRow(rows, []any{&id, &key}, func() error {
		keys[id] = append(keys[id], key)
		return nil
	})
	return keys, err
}

// SetKeys replaces the keys of a document's addresses.
func (t *linkTables) SetKeys(ctx context.Context, id string, keys []string) error {
	return t.SetKeysOf(ctx, map[string][]string{id: keys})
}

// SetKeysOf replaces those of several documents.
func (t *linkTables) SetKeysOf(ctx context.Context, all map[string][]string) error {
	var batch pgx.Batch
	table := t.layout.table("addresses")
	documents := slices.Sorted(maps.Keys(all))
	batch.Queue(`DELETE FROM `+table+` WHERE document_id = ANY ($1::uuid[])`, documents)
	var ids, keys []string
	var ranks []int
	for _, id := range documents {
		for rank, key := range all[id] {
			ids, keys, ranks = append(ids, id), append(keys, key), append(ranks, rank)
		}
	}
	batch.Queue(`INSERT INTO `+table+` (document_id, key, rank) SELECT * FROM unnest($1::uuid[], $2::text[], $3::int[])`, ids, keys, ranks)
	return t.tx.SendBatch(ctx, &batch).Close()
}

// Sharing returns the documents of owners that have one of the keys, by id.
func (t *linkTables) Sharing(ctx context.Context, keys, owners []string) ([]string, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	return t.strings(ctx, `
		SELECT DISTINCT a.document_id::text FROM `+t.layout.table("addresses")+` a JOIN `+t.layout.table("documents")+` d ON d.id = a.document_id
		WHERE a.key = ANY($1::text[]) AND coalesce(d.owner, '') = ANY($2::text[]) ORDER BY 1`, keys, owners)
}

// Targets returns the documents of owners that have one of the keys.
func (t *linkTables) Targets(ctx context.Context, keys, owners []string) ([]linking.Target, error) {
	rows, err := t.tx.Query(ctx, `
		SELECT a.key, coalesce(d.owner, ''), a.document_id::text
		FROM `+t.layout.table("addresses")+` a JOIN `+t.layout.table("documents")+` d ON d.id = a.document_id
		WHERE a.key = ANY($1::text[]) AND coalesce(d.owner, '') = ANY($2::text[])
		ORDER BY a.key, coalesce(d.owner, ''), d.deleted_at IS NOT NULL, a.rank, a.document_id`, keys, owners)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[linking.Target])
}

// LinksTo returns the links that lead to one of the documents: those of one
// document in their order, which is what decides among links between the same
// two sections. The addresses are materialised first, since on a cluster a link
// lies elsewhere than the document that it leads to.
func (t *linkTables) LinksTo(ctx context.Context, documents []string) ([]linking.Link, error) {
	rows, err := t.tx.Query(ctx, `
		WITH t AS MATERIALIZED (
			SELECT a.key, t.owner FROM `+t.layout.table("documents")+` t JOIN `+t.layout.table("addresses")+` a ON a.document_id = t.id
			WHERE t.id = ANY($1::uuid[]))
		SELECT DISTINCT l.document_id, l.position, l.document_id::text, l.chunk_id::text, l.target_key, coalesce(l.anchor, ''), coalesce(l.text, ''), coalesce(t.owner, '')
		FROM t JOIN `+t.layout.table("links")+` l ON l.target_key = t.key JOIN `+t.layout.table("documents")+` s ON s.id = l.document_id
		WHERE s.owner IS NOT DISTINCT FROM t.owner
		ORDER BY l.document_id, l.position`, documents)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (f linking.Link, err error) {
		err = row.Scan(nil, nil, &f.Document, &f.ChunkID, &f.Key, &f.Anchor, &f.Text, &f.Owner)
		return f, err
	})
}

// Sections returns the parents of documents.
func (t *linkTables) Sections(ctx context.Context, documents []string) ([]store.Chunk, error) {
	rows, err := t.tx.Query(ctx, `
		SELECT document_id::text, id::text, coalesce(section_heading, ''), coalesce(title, ''), coalesce(anchor, ''), anchors
		FROM `+t.layout.table("chunks")+` WHERE document_id = ANY($1::uuid[]) AND chunk_level = 'parent'
		ORDER BY document_id, chunk_index, id`, documents)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (c store.Chunk, err error) {
		err = row.Scan(&c.DocumentID, &c.ID, &c.SectionHeading, &c.Title, &c.Anchor, &c.Anchors)
		return c, err
	})
}

// Put adds edges, leaving those alone that are there already.
func (t *linkTables) Put(ctx context.Context, edges []store.Edge) error {
	return putEdges(ctx, t.tx, t.layout, edges, "ON CONFLICT (document_id, id) DO NOTHING")
}

// DropOwn removes the edges of structure and of links of a document.
func (t *linkTables) DropOwn(ctx context.Context, document string) error {
	return t.DropOwnOf(ctx, []string{document})
}

// DropOwnOf removes those of several documents.
func (t *linkTables) DropOwnOf(ctx context.Context, documents []string) error {
	return t.exec(ctx, `DELETE FROM `+t.layout.table("chunk_edges")+` WHERE document_id = ANY ($1::uuid[]) AND origin = ANY($2::text[])`,
		documents, []string{string(store.OriginStructure), string(store.OriginLink)})
}

// DropLinksTo removes the edges of links that lead to sections.
func (t *linkTables) DropLinksTo(ctx context.Context, sections []string) error {
	return t.dropTo(ctx, sections, []string{string(store.OriginLink)})
}

// DropTo removes the edges that lead to sections.
func (t *linkTables) DropTo(ctx context.Context, sections []string) error {
	return t.dropTo(ctx, sections, nil)
}

func (t *linkTables) dropTo(ctx context.Context, sections, origins []string) error {
	if len(sections) == 0 {
		return nil
	}
	return t.exec(ctx, `DELETE FROM `+t.layout.table("chunk_edges")+` WHERE target_id = ANY($1::uuid[]) AND ($2::text[] IS NULL OR origin = ANY($2::text[]))`,
		sections, origins)
}
