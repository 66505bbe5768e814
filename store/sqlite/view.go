package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/google/uuid"

	"github.com/webrag/webrag-tui/store"
)

// View is one version of a corpus: a read transaction for the texts, and the
// snapshot of the same version for everything else.
type View struct {
	store    *Store
	conn     *sql.Conn
	meta     store.Meta
	snapshot *snapshot
}

var _ store.View = (*View)(nil)

// newView begins a transaction. Its first statement, which reads the meta row,
// fixes what the following ones see.
func (s *Store) newView(ctx context.Context) (*View, error) {
	conn, err := s.readers.Conn(ctx)
	if err != nil {
		return nil, err
	}
	v := &View{store: s, conn: conn}
	var hasOwners bool
	if err = limit(conn); err == nil {
		_, err = conn.ExecContext(ctx, `BEGIN`)
	}
	if err == nil {
		v.meta, hasOwners, err = readMeta(ctx, conn)
	}
	if err != nil {
		_ = v.Close()
		return nil, err
	}
	s.meta.Store(&v.meta)
	s.hasOwners.Store(hasOwners)
	return v, nil
}

// Version is the change counter of what the view shows.
func (v *View) Version() int64 { return v.meta.Changed }

// Meta is what the corpus remembers about itself.
func (v *View) Meta() store.Meta { return v.meta }

// Close ends the view. Nothing of what it returned depends on it.
func (v *View) Close() error {
	if v.conn == nil {
		return nil
	}
	// Without a transaction there is nothing to roll back; and a connection that
	// cannot even do this is thrown away by the pool.
	_, _ = v.conn.ExecContext(context.Background(), `ROLLBACK`)
	err := v.conn.Close()
	v.conn = nil
	if err != nil {
		return fmt.Errorf("close a view of corpus %s: %w", v.store.path, err)
	}
	return nil
}

// Stats sums over the documents in scope, or over the sections in scope if that
// names headings.
func (v *View) Stats(ctx context.Context, scope store.Scope) (store.Stats, error) {
	sel, err := v.selected(ctx, scope)
	if err != nil {
		return store.Stats{}, err
	}
	return sel.stats(), nil
}

// selected returns what is in scope. Documents alone need no chunks in memory.
func (v *View) selected(ctx context.Context, scope store.Scope) (selection, error) {
	sn := v.snapshot
	if len(scope.Headings) > 0 {
		var err error
		if sn, err = v.loaded(ctx, nil); err != nil {
			return selection{}, err
		}
	}
	return sn.in(scope), nil
}

// Chunks returns the chunks of ids that exist, in the order of ids.
func (v *View) Chunks(ctx context.Context, ids []string, fields store.Fields) ([]store.Chunk, error) {
	sn, err := v.loaded(ctx, nil)
	if err != nil {
		return nil, err
	}
	seen := make(map[uuid.UUID]bool, len(ids))
	refs := make([]ref, 0, len(ids))
	for _, s := range ids {
		id, ok := store.ParseID(s)
		if !ok || seen[id] {
			continue
		}
		seen[id] = true
		if d, r, ok := sn.chunkByID(id); ok {
			refs = append(refs, ref{d, r})
		}
	}
	return v.chunks(ctx, sn, refs, fields)
}

// Parents returns the parents in scope by (depth, source URL, index).
func (v *View) Parents(ctx context.Context, scope store.Scope, fields store.Fields, page store.Page) ([]store.Chunk, error) {
	sn, err := v.loaded(ctx, nil)
	if err != nil {
		return nil, err
	}
	var refs []ref
	sn.in(scope).eachParent(func(d *document, r int32) { refs = append(refs, ref{d, r}) })
	from, to := bounds(page, len(refs))
	return v.chunks(ctx, sn, refs[from:to], fields)
}

// Children returns the children of parents, in the order of parentIDs and by
// index.
func (v *View) Children(ctx context.Context, parentIDs []string, fields store.Fields) ([]store.Chunk, error) {
	sn, err := v.loaded(ctx, nil)
	if err != nil {
		return nil, err
	}
	seen := make(map[uuid.UUID]bool, len(parentIDs))
	var refs []ref
	for _, s := range parentIDs {
		id, ok := store.ParseID(s)
		if !ok || seen[id] {
			continue
		}
		seen[id] = true
		d, parent, ok := sn.chunkByID(id)
		if !ok {
			continue
		}
		from, to := d.part.ChildrenOf(parent)
		for r := from; r < to; r++ {
			refs = append(refs, ref{d, int32(r)})
		}
	}
	return v.chunks(ctx, sn, refs, fields)
}

// Documents returns the documents in scope by (depth, source URL).
func (v *View) Documents(ctx context.Context, scope store.Scope, page store.Page) ([]store.Document, error) {
	sel, err := v.selected(ctx, scope)
	if err != nil {
		return nil, err
	}
	from, to := bounds(page, len(sel.docs))
	docs := sel.docs[from:to]
	out := make([]store.Document, 0, len(docs))
	for some := range slices.Chunk(docs, 500) {
		ids := make([]string, len(some))
		for i, d := range some {
			ids[i] = d.id.String()
		}
		byID, err := readDocuments(ctx, v.conn, ids)
		if err != nil {
			return nil, fail(ctx, "list documents of", v.store.path, err)
		}
		for _, id := range ids {
			if d, ok := byID[id]; ok {
				out = append(out, d)
			}
		}
	}
	return out, nil
}

// bounds cuts a page out of n rows.
func bounds(p store.Page, n int) (from, to int) {
	from = min(max(p.Offset, 0), n)
	to = n
	if p.Limit > 0 {
		to = min(n, from+p.Limit)
	}
	return from, to
}

// ref is a chunk in memory.
type ref struct {
	doc *document
	row int32
}

// chunks returns the chunks of refs, in their order, with the texts of fields.
func (v *View) chunks(ctx context.Context, sn *snapshot, refs []ref, fields store.Fields) ([]store.Chunk, error) {
	out := make([]store.Chunk, len(refs))
	var embedded []ref
	var places []int
	for i, r := range refs {
		out[i] = r.doc.chunk(r.row)
		if fields&store.FieldEmbedding != 0 && r.doc.part.VectorOf(r.row) >= 0 {
			embedded, places = append(embedded, r), append(places, i)
		}
	}
	err := sn.floats(v.conn)(ctx, embedded, func(i int, vector []float32) { out[places[i]].Embedding = slices.Clone(vector) })
	if err != nil {
		return nil, fail(ctx, "read vectors of", v.store.path, err)
	}
	if fields&(store.FieldText|store.FieldHTML|store.FieldTerms) == 0 {
		return out, nil
	}
	var read store.Reading
	for from := 0; from < len(refs); from += 500 {
		to := min(from+500, len(refs))
		if err := v.texts(ctx, refs[from:to], out[from:to], fields, &read); err != nil {
			return nil, fail(ctx, "read texts of", v.store.path, err)
		}
	}
	return out, nil
}

// texts fills the texts of chunks, which stand at the places of refs, and counts their
// bytes.
func (v *View) texts(ctx context.Context, refs []ref, chunks []store.Chunk, fields store.Fields, read *store.Reading) error {
	at := make(map[int64]int, len(refs))
	in := make([]byte, 0, 8*len(refs))
	for i, r := range refs {
		seq := r.doc.part.Rows[r.row].Seq
		at[seq] = i
		if i > 0 {
			in = append(in, ',')
		}
		in = strconv.AppendInt(in, seq, 10)
	}
	column := func(field store.Fields, name string) string {
		if fields&field != 0 {
			return `coalesce(` + name + `, '')`
		}
		return `''`
	}
	rows, err := v.conn.QueryContext(ctx, `SELECT seq, `+
		column(store.FieldText, "chunk_text")+`, `+column(store.FieldText, "image_refs")+`, `+
		column(store.FieldHTML, "html_text")+`, `+column(store.FieldTerms, "terms")+`, `+
		column(store.FieldText, "anchors")+`, `+
		column(store.FieldTerms, "heading_terms")+`, `+column(store.FieldTerms, "title_terms")+
		` FROM chunk_texts WHERE seq IN (`+string(in)+`)`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var seq int64
		var text, images, html, terms, anchors, headings, title string
		if err := rows.Scan(&seq, &text, &images, &html, &terms, &anchors, &headings, &title); err != nil {
			return err
		}
		c := &chunks[at[seq]]
		c.ChunkText, c.HTMLText, c.Terms = text, html, terms
		c.HeadingTerms, c.TitleTerms = headings, title
		if err := read.Check(c); err != nil {
			return err
		}
		if images != "" {
			if err := json.Unmarshal([]byte(images), &c.ImageRefs); err != nil {
				return fmt.Errorf("chunk %s: image_refs: %w", c.ID, err)
			}
		}
		if anchors != "" {
			if err := json.Unmarshal([]byte(anchors), &c.Anchors); err != nil {
				return fmt.Errorf("chunk %s: anchors: %w", c.ID, err)
			}
		}
	}
	return rows.Err()
}
