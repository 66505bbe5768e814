package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/webrag/webrag-tui/store"
)

// linker keeps the edges of hyperlinks what store.LinkEdge makes of all links and
// all documents, whichever of the two comes first. A link leads to a document of
// its own document's owner: of those that have its key among their addresses, a
// live one before a deleted one, then the one whose source URL it is, then by id.
//
// Edges are made anew for whole documents, at their outgoing or their incoming
// side, so that the first of several links from one section to another always
// gives the description.
type linker struct {
	conn *sql.Conn
	// statements are prepared when first asked for, by their text: a page that is
	// written runs most of them.
	statements map[string]*sql.Stmt
	// pages caches the sections of documents that links lead to: in a site, each
	// page is linked to by most others.
	pages map[string][]store.Chunk
	limit int
}

// maxPages bounds the cache of a linker, at some 10 kB a page. Those that are in
// use stay, however many they are.
const maxPages = 2048

func newLinker(conn *sql.Conn) *linker {
	return &linker{conn: conn, statements: make(map[string]*sql.Stmt), pages: make(map[string][]store.Chunk), limit: maxPages}
}

func (l *linker) close() {
	for _, s := range l.statements {
		_ = s.Close()
	}
}

func (l *linker) prepared(ctx context.Context, query string) (*sql.Stmt, error) {
	s, ok := l.statements[query]
	if ok {
		return s, nil
	}
	s, err := l.conn.PrepareContext(ctx, query)
	if err == nil {
		l.statements[query] = s
	}
	return s, err
}

func (l *linker) query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	s, err := l.prepared(ctx, query) //nolint:sqlclosecheck // close closes them all
	if err != nil {
		return nil, err
	}
	return s.QueryContext(ctx, args...)
}

func (l *linker) exec(ctx context.Context, query string, args ...any) error {
	s, err := l.prepared(ctx, query) //nolint:sqlclosecheck // close closes them all
	if err == nil {
		_, err = s.ExecContext(ctx, args...)
	}
	return err
}

// forget drops what a failed transaction may have put into the cache.
func (l *linker) forget() { clear(l.pages) }

// face is what other documents' links see of a document.
type face struct {
	keys    []string // in the order of rank
	owner   string
	deleted bool
	parents []store.Chunk
}

func (f *face) equal(o *face) bool {
	return f.owner == o.owner && f.deleted == o.deleted && slices.Equal(f.keys, o.keys) &&
		slices.EqualFunc(f.parents, o.parents, func(a, b store.Chunk) bool {
			return a.ID == b.ID && a.SectionHeading == b.SectionHeading && a.Title == b.Title &&
				a.Anchor == b.Anchor && slices.Equal(a.Anchors, b.Anchors)
		})
}

// parentIDs are the ids of the sections.
func (f *face) parentIDs() []string { return idsOf(f.parents) }

func idsOf(chunks []store.Chunk) []string {
	ids := make([]string, len(chunks))
	for i := range chunks {
		ids[i] = chunks[i].ID
	}
	return ids
}

// newFace is that of a document that is being written.
func newFace(b *store.Bundle) *face {
	d := &b.Document
	f := &face{owner: d.Owner, deleted: !d.DeletedAt.IsZero()}
	for _, address := range append([]string{d.SourceURL, d.URL}, d.URLAliases...) {
		if address == "" {
			continue
		}
		if key := store.PageKey(address); !slices.Contains(f.keys, key) {
			f.keys = append(f.keys, key)
		}
	}
	for i := range b.Chunks {
		if c := &b.Chunks[i]; c.Level == store.Parent {
			f.parents = append(f.parents, store.Chunk{
				ID: c.ID, DocumentID: d.ID, Index: c.Index, SectionHeading: c.SectionHeading, Title: d.Title,
				Anchor: c.Anchor, Anchors: c.Anchors,
			})
		}
	}
	slices.SortStableFunc(f.parents, func(a, b store.Chunk) int { return a.Index - b.Index })
	return f
}

// stored reads the face of a document, nil if there is none.
func (l *linker) stored(ctx context.Context, id string) (*face, error) {
	var f face
	document, err := l.prepared(ctx, `SELECT coalesce(owner, ''), deleted_at IS NOT NULL FROM documents WHERE id = ?`) //nolint:sqlclosecheck // close closes them all
	if err != nil {
		return nil, err
	}
	err = document.QueryRowContext(ctx, id).Scan(&f.owner, &f.deleted)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil //nolint:nilnil // no document is no error here
	}
	if err != nil {
		return nil, err
	}
	if f.keys, err = l.strings(ctx, `SELECT key FROM addresses WHERE document_id = ? ORDER BY rank`, id); err != nil {
		return nil, err
	}
	if err := l.loadPages(ctx, []string{id}); err != nil {
		return nil, err
	}
	f.parents = l.pages[id]
	return &f, nil
}

// strings returns the one column of a query.
func (l *linker) strings(ctx context.Context, query string, args ...any) ([]string, error) {
	rows, err := l.query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, rows.Err()
}

// replaced brings edges and addresses in step with a document whose rows have
// just been written; old is what it was before, nil for a new one.
func (l *linker) replaced(ctx context.Context, b *store.Bundle, old *face) error {
	next := newFace(b)
	id := b.Document.ID
	l.pages[id] = next.parents
	if old != nil {
		err := l.exec(ctx, `DELETE FROM chunk_edges WHERE document_id = ? AND origin IN (?, ?)`,
			id, string(store.OriginStructure), string(store.OriginLink))
		if err != nil {
			return err
		}
	}
	var stale []string // documents whose incoming edges are to be made anew
	if old == nil || !old.equal(next) {
		var err error
		if stale, err = l.readdress(ctx, id, old, next); err != nil {
			return err
		}
	}
	if err := l.put(ctx, b.Edges); err != nil {
		return err
	}
	if err := l.outgoing(ctx, b); err != nil {
		return err
	}
	return l.incoming(ctx, stale)
}

// readdress writes the addresses of a document, removes the edges of the links
// that lead to it or to one that shares an address, and returns these documents.
func (l *linker) readdress(ctx context.Context, id string, old, next *face) ([]string, error) {
	keys, owners := next.keys, []string{next.owner}
	if old != nil {
		keys, owners = append(slices.Clone(keys), old.keys...), append(owners, old.owner)
	}
	if old != nil && !slices.Equal(old.keys, next.keys) {
		if err := l.exec(ctx, `DELETE FROM addresses WHERE document_id = ?`, id); err != nil {
			return nil, err
		}
	}
	if old == nil || !slices.Equal(old.keys, next.keys) {
		if err := l.writeAddresses(ctx, id, next.keys); err != nil {
			return nil, err
		}
	}
	stale, err := l.sharing(ctx, keys, owners)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(stale, id) {
		stale = append(stale, id)
	}
	if old != nil {
		return stale, l.drop(ctx, stale, old.parentIDs())
	}
	// No edge leads to a document that is new.
	known := slices.DeleteFunc(slices.Clone(stale), func(s string) bool { return s == id })
	return stale, l.drop(ctx, known, nil)
}

func (l *linker) writeAddresses(ctx context.Context, id string, keys []string) error {
	for rank, key := range keys {
		if err := l.exec(ctx, `INSERT INTO addresses (key, document_id, rank) VALUES (?, ?, ?)`, key, id, rank); err != nil {
			return err
		}
	}
	return nil
}

// sharing returns the documents of owners that have one of the keys.
func (l *linker) sharing(ctx context.Context, keys, owners []string) ([]string, error) {
	return l.strings(ctx, `
		SELECT DISTINCT a.document_id FROM json_each(?) k CROSS JOIN addresses a ON a.key = k.value
		JOIN documents d ON d.id = a.document_id
		WHERE coalesce(d.owner, '') IN (SELECT value FROM json_each(?)) ORDER BY 1`, jsonStrings(keys), jsonStrings(owners))
}

// drop removes the edges of links to documents, and to sections that are gone.
func (l *linker) drop(ctx context.Context, documents, gone []string) error {
	if len(documents)+len(gone) == 0 {
		return nil
	}
	if err := l.loadPages(ctx, documents); err != nil {
		return err
	}
	targets := slices.Clone(gone)
	for _, id := range documents {
		targets = append(targets, idsOf(l.pages[id])...)
	}
	err := l.exec(ctx, `
		DELETE FROM chunk_edges WHERE origin = ? AND target_id IN (SELECT value FROM json_each(?))`,
		string(store.OriginLink), jsonStrings(targets))
	return err
}

// outgoing makes the edges of a document's own links.
func (l *linker) outgoing(ctx context.Context, b *store.Bundle) error {
	found := make([]foundLink, len(b.Links))
	for i, link := range b.Links {
		found[i] = foundLink{link, store.PageKey(link.TargetURL), b.Document.ID, b.Document.Owner}
	}
	return l.connect(ctx, found, nil)
}

// incoming makes the edges of all links that lead to one of the documents.
func (l *linker) incoming(ctx context.Context, documents []string) error {
	if len(documents) == 0 {
		return nil
	}
	rows, err := l.query(ctx, `
		SELECT DISTINCT l.rowid, l.document_id, l.chunk_id, l.target_key, coalesce(l.anchor, ''), coalesce(l.text, ''), coalesce(t.owner, '')
		FROM json_each(?) j CROSS JOIN documents t ON t.id = j.value CROSS JOIN addresses a ON a.document_id = t.id
		CROSS JOIN links l ON l.target_key = a.key JOIN documents s ON s.id = l.document_id
		WHERE s.owner IS t.owner ORDER BY l.rowid`, jsonStrings(documents))
	if err != nil {
		return err
	}
	defer rows.Close()
	var found []foundLink
	for rows.Next() {
		var f foundLink
		var rowid int64
		if err := rows.Scan(&rowid, &f.document, &f.link.ChunkID, &f.key, &f.link.Anchor, &f.link.Text, &f.owner); err != nil {
			return err
		}
		found = append(found, f)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return l.connect(ctx, found, documents)
}

// foundLink is a link with the document that holds it.
type foundLink struct {
	link            store.Link
	key             string
	document, owner string
}

// connect makes the edges of links, in their order. Unless only is nil, edges to
// other documents than these are left out.
func (l *linker) connect(ctx context.Context, found []foundLink, only []string) error {
	if len(found) == 0 {
		return nil
	}
	targets, err := l.targets(ctx, found)
	if err != nil {
		return err
	}
	if only != nil {
		wanted := stringSet(only)
		maps.DeleteFunc(targets, func(_ address, id string) bool { return !wanted[id] })
	}
	if err := l.loadPages(ctx, slices.Collect(maps.Values(targets))); err != nil {
		return err
	}
	edges := make([]store.Edge, 0, len(found))
	seen := make(map[[2]string]bool, len(found))
	for _, f := range found {
		id, ok := targets[address{f.key, f.owner}]
		if !ok {
			continue
		}
		source := store.Chunk{ID: f.link.ChunkID, DocumentID: f.document}
		e, ok := store.LinkEdge(f.link, source, l.pages[id])
		ends := [2]string{e.SourceID, e.TargetID}
		if ok && !seen[ends] {
			seen[ends] = true
			edges = append(edges, e)
		}
	}
	return l.put(ctx, edges)
}

// address is what a link leads to: a key, among the documents of an owner.
type address struct{ key, owner string }

// targets returns the documents that links lead to, as far as they are indexed.
func (l *linker) targets(ctx context.Context, found []foundLink) (map[address]string, error) {
	keys := make(map[string]bool, len(found))
	owners := make(map[string]bool)
	for _, f := range found {
		keys[f.key], owners[f.owner] = true, true
	}
	rows, err := l.query(ctx, `
		SELECT a.key, coalesce(d.owner, '') AS owner, a.document_id
		FROM json_each(?) k CROSS JOIN addresses a ON a.key = k.value JOIN documents d ON d.id = a.document_id
		WHERE coalesce(d.owner, '') IN (SELECT value FROM json_each(?))
		ORDER BY a.key, owner, d.deleted_at IS NOT NULL, a.rank, a.document_id`,
		jsonStrings(slices.Collect(maps.Keys(keys))), jsonStrings(slices.Collect(maps.Keys(owners))))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	targets := make(map[address]string)
	for rows.Next() {
		var a address
		var id string
		if err := rows.Scan(&a.key, &a.owner, &id); err != nil {
			return nil, err
		}
		if _, ok := targets[a]; !ok {
			targets[a] = id
		}
	}
	return targets, rows.Err()
}

// loadPages brings the sections of documents into the cache.
func (l *linker) loadPages(ctx context.Context, ids []string) error {
	var missing []string
	for _, id := range ids {
		if _, ok := l.pages[id]; !ok {
			missing = append(missing, id)
		}
	}
	if len(l.pages)+len(missing) > l.limit {
		wanted := stringSet(ids)
		maps.DeleteFunc(l.pages, func(id string, _ []store.Chunk) bool { return !wanted[id] })
	}
	if len(missing) == 0 {
		return nil
	}
	for _, id := range missing {
		l.pages[id] = nil
	}
	rows, err := l.query(ctx, `
		SELECT c.document_id, c.id, coalesce(c.section_heading, ''), coalesce(c.title, ''), coalesce(c.anchor, ''), coalesce(t.anchors, '')
		FROM json_each(?) j CROSS JOIN chunks c ON c.document_id = j.value JOIN chunk_texts t ON t.seq = c.seq
		WHERE c.chunk_level = 'parent' ORDER BY c.document_id, c.chunk_index, c.seq`, jsonStrings(missing))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var c store.Chunk
		var anchors string
		if err := rows.Scan(&c.DocumentID, &c.ID, &c.SectionHeading, &c.Title, &c.Anchor, &anchors); err != nil {
			return err
		}
		if anchors != "" {
			if err := json.Unmarshal([]byte(anchors), &c.Anchors); err != nil {
				return fmt.Errorf("chunk %s: anchors: %w", c.ID, err)
			}
		}
		l.pages[c.DocumentID] = append(l.pages[c.DocumentID], c)
	}
	return rows.Err()
}

// put writes edges, leaving those alone that are there already.
func (l *linker) put(ctx context.Context, edges []store.Edge) error {
	for i := range edges {
		err := l.exec(ctx, `INSERT INTO chunk_edges (`+edgeColumns+`) VALUES (`+edgeMarks+`) ON CONFLICT (id) DO NOTHING`, encodeEdge(&edges[i])...)
		if err != nil {
			return fmt.Errorf("edge %s: %w", edges[i].ID, err)
		}
	}
	return nil
}

// removing prepares the removal of a document: the edges that lead to it go. It
// returns the documents that its links lead to from now on, for relink.
func (l *linker) removing(ctx context.Context, id string) (stale []string, err error) {
	f, err := l.stored(ctx, id)
	if err != nil || f == nil {
		return nil, err
	}
	if stale, err = l.sharing(ctx, f.keys, []string{f.owner}); err != nil {
		return nil, err
	}
	stale = slices.DeleteFunc(stale, func(s string) bool { return s == id })
	err = l.exec(ctx, `
		DELETE FROM chunk_edges WHERE target_id IN (SELECT value FROM json_each(?))`, jsonStrings(f.parentIDs()))
	delete(l.pages, id)
	return stale, err
}

// hidden makes the edges anew that a soft deletion or its end may have turned to
// another document with the same address.
func (l *linker) hidden(ctx context.Context, id string) error {
	f, err := l.stored(ctx, id)
	if err != nil || f == nil {
		return err
	}
	stale, err := l.sharing(ctx, f.keys, []string{f.owner})
	if err != nil || len(stale) < 2 {
		return err
	}
	return l.relink(ctx, stale)
}

// relink makes the edges of the links to documents anew.
func (l *linker) relink(ctx context.Context, documents []string) error {
	if err := l.drop(ctx, documents, nil); err != nil {
		return err
	}
	return l.incoming(ctx, documents)
}

func jsonStrings(list []string) string {
	if len(list) == 0 {
		return "[]"
	}
	b, _ := json.Marshal(list) // strings always marshal
	return string(b)
}
