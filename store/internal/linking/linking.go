// Package linking keeps the edges of hyperlinks in step with documents and
// links, whichever of the two comes first. It is the part of a store that is the
// same for every database.
package linking

import (
	"context"
	"maps"
	"slices"

	"github.com/webrag/webrag-tui/store"
)

// Tables are what a [Linker] reads and writes, in the transaction that is open.
// Lists of ids and keys may be empty; then nothing is to be done.
type Tables interface {
	// Document says whose a document is and whether it was soft-deleted; found is
	// false if there is none.
	Document(ctx context.Context, id string) (owner string, deleted, found bool, err error)
	// Keys returns the keys of a document's addresses by rank; SetKeys replaces
	// them, numbering them from 0.
	Keys(ctx context.Context, id string) ([]string, error)
	SetKeys(ctx context.Context, id string, keys []string) error
	// Sharing returns the documents of owners that have one of the keys, by id.
	Sharing(ctx context.Context, keys, owners []string) ([]string, error)
	// Targets returns the documents of owners that have one of the keys by (key,
	// owner, live before soft-deleted, rank, id).
	Targets(ctx context.Context, keys, owners []string) ([]Target, error)
	// LinksTo returns, once each and in the order in which documents were linked,
	// the links whose key is an address of one of the documents, from documents of
	// the same owner.
	LinksTo(ctx context.Context, documents []string) ([]Link, error)
	// Sections returns the parents of documents by (document, index), as far as
	// store.LinkEdge reads them.
	Sections(ctx context.Context, documents []string) ([]store.Chunk, error)
	// Put adds edges, leaving those alone that are there already.
	Put(ctx context.Context, edges []store.Edge) error
	// DropOwn removes the edges of structure and of links of a document.
	DropOwn(ctx context.Context, document string) error
	// DropLinksTo removes the edges of links that lead to sections, DropTo those of
	// every origin.
	DropLinksTo(ctx context.Context, sections []string) error
	DropTo(ctx context.Context, sections []string) error
}

// Target is a document that an address leads to.
type Target struct{ Key, Owner, Document string }

// Link is a link with the key of its target, the document that holds it, and
// whose that is.
type Link struct {
	store.Link
	Key, Document, Owner string
}

// Linker keeps the edges of hyperlinks what store.LinkEdge makes of all links and
// all documents. A link leads to a document of its own document's owner: of those
// that have its key among their addresses, a live one before a deleted one, then
// the one whose source URL it is, then by id.
//
// Edges are made anew for whole documents, at their outgoing or their incoming
// side, so that the first of several links from one section to another always
// gives the description.
type Linker struct {
	tables Tables
	// pages caches the sections of documents that links lead to: in a site, each
	// page is linked to by most others.
	pages map[string]*store.LinkPage
	limit int
}

// DefaultPages bounds the cache of a linker, at some 10 kB a page. Those that are
// in use stay, however many they are.
const DefaultPages = 2048

// New makes a linker that keeps the sections of some pages.
func New(tables Tables, pages int) *Linker {
	return &Linker{tables: tables, pages: make(map[string]*store.LinkPage), limit: pages}
}

// Cached is how many pages are kept.
func (l *Linker) Cached() int { return len(l.pages) }

// Forget drops what a failed transaction may have put into the cache.
func (l *Linker) Forget() { clear(l.pages) }

// Face is what other documents' links see of a document.
type Face struct {
	keys    []string // in the order of rank
	owner   string
	deleted bool
	parents []store.Chunk
}

// Deleted reports whether the document was soft-deleted.
func (f *Face) Deleted() bool { return f.deleted }

func (f *Face) equal(o *Face) bool {
	return f.owner == o.owner && f.deleted == o.deleted && slices.Equal(f.keys, o.keys) &&
		slices.EqualFunc(f.parents, o.parents, func(a, b store.Chunk) bool {
			return a.ID == b.ID && a.SectionHeading == b.SectionHeading && a.Title == b.Title &&
				a.Anchor == b.Anchor && slices.Equal(a.Anchors, b.Anchors)
		})
}

// parentIDs are the ids of the sections.
func (f *Face) parentIDs() []string { return idsOf(f.parents) }

func idsOf(chunks []store.Chunk) []string {
	ids := make([]string, len(chunks))
	for i := range chunks {
		ids[i] = chunks[i].ID
	}
	return ids
}

// Keys are the keys of all addresses of a document, by rank: of its source URL,
// its URL and the aliases, once each.
func Keys(d *store.Document) (keys []string) {
	seen := map[string]bool{} // a corpus may hold any number of aliases
	for _, address := range append([]string{d.SourceURL, d.URL}, d.URLAliases...) {
		if address == "" {
			continue
		}
		if key := store.PageKey(address); !seen[key] {
			seen[key] = true
			keys = append(keys, key)
		}
	}
	return keys
}

// newFace is that of a document that is being written.
func newFace(b *store.Bundle) *Face {
	d := &b.Document
	f := &Face{keys: Keys(d), owner: d.Owner, deleted: !d.DeletedAt.IsZero()}
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

// Stored reads the face of a document, nil if there is none.
func (l *Linker) Stored(ctx context.Context, id string) (*Face, error) {
	faces, err := l.StoredAll(ctx, []string{id})
	return faces[id], err
}

// Replaced brings edges and addresses in step with a document whose rows have
// just been written; old is what it was before, nil for a new one.
func (l *Linker) Replaced(ctx context.Context, b *store.Bundle, old *Face) error {
	return l.ReplacedAll(ctx, []Replacement{{b, old}})
}

// drop removes the edges of links to documents, and to sections that are gone.
func (l *Linker) drop(ctx context.Context, documents, gone []string) error {
	if len(documents)+len(gone) == 0 {
		return nil
	}
	if err := l.load(ctx, documents); err != nil {
		return err
	}
	targets := slices.Clone(gone)
	for _, id := range documents {
		targets = append(targets, idsOf(l.pages[id].Parents)...)
	}
	return l.tables.DropLinksTo(ctx, targets)
}

// outgoing are a document's own links.
func outgoing(b *store.Bundle) []Link {
	found := make([]Link, len(b.Links))
	for i, link := range b.Links {
		found[i] = Link{link, store.PageKey(link.TargetURL), b.Document.ID, b.Document.Owner}
	}
	return found
}

// Incoming makes the edges of all links that lead to one of the documents.
func (l *Linker) Incoming(ctx context.Context, documents []string) error {
	if len(documents) == 0 {
		return nil
	}
	found, err := l.tables.LinksTo(ctx, documents)
	if err != nil {
		return err
	}
	return l.connect(ctx, found, documents)
}

// address is what a link leads to: a key, among the documents of an owner.
type address struct{ key, owner string }

// connect makes the edges of links, in their order. Unless only is nil, edges to
// other documents than these are left out.
func (l *Linker) connect(ctx context.Context, found []Link, only []string) error {
	if len(found) == 0 {
		return nil
	}
	targets, err := l.targets(ctx, found)
	if err != nil {
		return err
	}
	if only != nil {
		wanted := setOf(only)
		maps.DeleteFunc(targets, func(_ address, id string) bool { return !wanted[id] })
	}
	if err := l.load(ctx, slices.Sorted(maps.Values(targets))); err != nil {
		return err
	}
	edges := make([]store.Edge, 0, len(found))
	seen := make(map[[2]string]bool, len(found))
	for _, f := range found {
		id, ok := targets[address{f.Key, f.Owner}]
		if !ok {
			continue
		}
		source := store.Chunk{ID: f.ChunkID, DocumentID: f.Document}
		e, ok := l.pages[id].Edge(f.Link, source)
		ends := [2]string{e.SourceID, e.TargetID}
		if ok && !seen[ends] {
			seen[ends] = true
			edges = append(edges, e)
		}
	}
	return l.tables.Put(ctx, edges)
}

// targets returns the documents that links lead to, as far as they are indexed.
func (l *Linker) targets(ctx context.Context, found []Link) (map[address]string, error) {
	keys := make(map[string]bool, len(found))
	owners := make(map[string]bool)
	for _, f := range found {
		keys[f.Key], owners[f.Owner] = true, true
	}
	rows, err := l.tables.Targets(ctx, slices.Sorted(maps.Keys(keys)), slices.Sorted(maps.Keys(owners)))
	if err != nil {
		return nil, err
	}
	targets := make(map[address]string, len(rows))
	for _, t := range rows {
		if a := (address{t.Key, t.Owner}); targets[a] == "" {
			targets[a] = t.Document
		}
	}
	return targets, nil
}

// load brings the sections of documents into the cache.
func (l *Linker) load(ctx context.Context, ids []string) error {
	var missing []string
	for _, id := range ids {
		if _, ok := l.pages[id]; !ok {
			missing = append(missing, id)
		}
	}
	if len(l.pages)+len(missing) > l.limit {
		wanted := setOf(ids)
		maps.DeleteFunc(l.pages, func(id string, _ *store.LinkPage) bool { return !wanted[id] })
	}
	if len(missing) == 0 {
		return nil
	}
	sections, err := l.tables.Sections(ctx, missing)
	if err != nil {
		return err
	}
	for _, id := range missing {
		l.pages[id] = &store.LinkPage{}
	}
	for i := range sections {
		page := l.pages[sections[i].DocumentID]
		page.Parents = append(page.Parents, sections[i])
	}
	return nil
}

// Removing prepares the removal of a document: the edges that lead to it go. It
// returns the documents that its links lead to from now on, for Relink.
func (l *Linker) Removing(ctx context.Context, id string) (stale []string, err error) {
	f, err := l.Stored(ctx, id)
	if err != nil || f == nil {
		return nil, err
	}
	if stale, err = l.tables.Sharing(ctx, f.keys, []string{f.owner}); err != nil {
		return nil, err
	}
	stale = slices.DeleteFunc(stale, func(s string) bool { return s == id })
	err = l.tables.DropTo(ctx, f.parentIDs())
	delete(l.pages, id)
	return stale, err
}

// Hidden makes the edges anew that a soft deletion or its end may have turned to
// another document with the same address.
func (l *Linker) Hidden(ctx context.Context, id string) error {
	f, err := l.Stored(ctx, id)
	if err != nil || f == nil {
		return err
	}
	stale, err := l.tables.Sharing(ctx, f.keys, []string{f.owner})
	if err != nil || len(stale) < 2 {
		return err
	}
	return l.Relink(ctx, stale)
}

// Relink makes the edges of the links to documents anew.
func (l *Linker) Relink(ctx context.Context, documents []string) error {
	if err := l.drop(ctx, documents, nil); err != nil {
		return err
	}
	return l.Incoming(ctx, documents)
}

func setOf(list []string) map[string]bool {
	set := make(map[string]bool, len(list))
	for _, s := range list {
		set[s] = true
	}
	return set
}
