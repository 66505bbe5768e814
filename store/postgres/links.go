package postgres

import (
	"context"

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

// face is what other documents' links see of a document.
type face = linking.Face

func newLinker(l *layout) linker {
	tables := &linkTables{layout: l}
	return linker{tables, linking.New(tables, linking.DefaultPages)}
}

func (l *linker) in(tx pgx.Tx) *linking.Linker {
	l.tables.tx = tx
	return l.linker
}

// stored is the face of a document as it is stored, nil for none.
func (l *linker) stored(ctx context.Context, tx pgx.Tx, documentID string) (*face, error) {
	return l.in(tx).Stored(ctx, documentID)
}

// replaced makes the edges of a document anew that was written in tx, and of the
// links of others to it; before is what stored returned. Addresses, structure's
// edges and those of links are its own to write; links are written already.
func (l *linker) replaced(ctx context.Context, tx pgx.Tx, b *store.Bundle, before *face) error {
	return l.in(tx).Replaced(ctx, b, before)
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

var _ linking.Tables = (*linkTables)(nil)

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
	rows, err := t.tx.Query(ctx, `SELECT coalesce(owner, ''), deleted_at IS NOT NULL FROM `+t.layout.table("documents")+` WHERE id = $1::uuid`, id)
	if err != nil {
		return "", false, false, err
	}
	_, err = pgx.ForEachRow(rows, []any{&owner, &deleted}, func() error {
		found = true
		return nil
	})
	return owner, deleted, found, err
}

// Keys returns the keys of a document's addresses by rank.
func (t *linkTables) Keys(ctx context.Context, id string) ([]string, error) {
	return t.strings(ctx, `SELECT key FROM `+t.layout.table("addresses")+` WHERE document_id = $1::uuid ORDER BY rank`, id)
}

// SetKeys replaces the keys of a document's addresses.
func (t *linkTables) SetKeys(ctx context.Context, id string, keys []string) error {
	var batch pgx.Batch
	table := t.layout.table("addresses")
	batch.Queue(`DELETE FROM `+table+` WHERE document_id = $1::uuid`, id)
	ranks := make([]int32, len(keys))
	for i := range ranks {
		ranks[i] = int32(i) //nolint:gosec // a document has few addresses
	}
	batch.Queue(`INSERT INTO `+table+` (document_id, key, rank) SELECT $1::uuid, k, r FROM unnest($2::text[], $3::int[]) AS u (k, r)`, id, keys, ranks)
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
	return t.exec(ctx, `DELETE FROM `+t.layout.table("chunk_edges")+` WHERE document_id = $1::uuid AND origin = ANY($2::text[])`,
		document, []string{string(store.OriginStructure), string(store.OriginLink)})
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
