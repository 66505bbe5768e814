package sqlite

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/google/uuid"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/sqlite/internal/chunkindex"
)

// errStale says that the file has a newer version than the view's transaction:
// the snapshot in memory was made while the transaction began.
var errStale = errors.New("a newer version was read meanwhile")

// refresh gives the view the snapshot of its version: the present one, or one
// made from it by reading what has changed.
func (v *View) refresh(ctx context.Context) error {
	if cur := v.store.current.Load(); cur != nil && cur.version == v.meta.Changed {
		v.snapshot = cur
		return nil
	}
	if err := v.store.acquire(ctx); err != nil {
		return err
	}
	defer v.store.release()
	cur := v.store.current.Load()
	switch {
	case cur == nil:
		cur = &snapshot{}
	case cur.version == v.meta.Changed:
		v.snapshot = cur
		return nil
	case cur.version > v.meta.Changed:
		return errStale
	}
	next, err := v.loader().refreshed(ctx, cur, v.meta.Changed)
	if err != nil {
		return err
	}
	v.publish(next)
	return nil
}

// loaded returns the view's snapshot with chunks and vectors, reading them if
// need be.
func (v *View) loaded(ctx context.Context, progress func(done, total int)) (*snapshot, error) {
	if v.snapshot.isLoaded {
		return v.snapshot, nil
	}
	if err := v.store.acquire(ctx); err != nil {
		return nil, fail(ctx, "load", v.store.path, err)
	}
	defer v.store.release()
	cur := v.store.current.Load()
	if cur != nil && cur.isLoaded && cur.version == v.snapshot.version {
		v.snapshot = cur
		return cur, nil
	}
	if progress == nil {
		progress = func(int, int) {}
	}
	next, err := v.loader().load(ctx, v.snapshot, progress)
	if err != nil {
		return nil, fail(ctx, "load", v.store.path, err)
	}
	v.publish(next)
	return next, nil
}

// publish gives a snapshot to the view and, unless that has a newer one, to the
// store.
func (v *View) publish(next *snapshot) {
	v.snapshot = next
	if cur := v.store.current.Load(); cur == nil || cur.version <= next.version {
		v.store.current.Store(next)
	}
}

func (s *Store) acquire(ctx context.Context) error {
	select {
	case s.refreshing <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (s *Store) release() { <-s.refreshing }

func (v *View) loader() *loader {
	return &loader{conn: v.conn, store: v.store, dims: v.meta.Dimensions, packed: hasPacks(v.meta.SchemaVersion)}
}

// load returns old with all chunks and vectors.
func (l *loader) load(ctx context.Context, old *snapshot, progress func(done, total int)) (*snapshot, error) {
	if err := l.fits(ctx, old.docs); err != nil {
		return nil, err
	}
	// Documents are shared between snapshots, and those that are published
	// must not change.
	docs := make([]*document, len(old.docs))
	for i, d := range old.docs {
		c := *d
		docs[i] = &c
	}
	next := &snapshot{version: old.version, docs: docs, isLoaded: true, vectors: newBlocks(l.dims)}
	return next, l.add(ctx, next, docs, nil, progress)
}

// add reads the chunks of docs, which are not yet in next, and puts them there.
// only restricts what is read to the documents with these ids; nil reads all.
func (l *loader) add(ctx context.Context, next *snapshot, docs []*document, only []string, progress func(done, total int)) error {
	total := 0
	for _, d := range docs {
		total += max(0, d.children)
	}
	progress(0, total)
	blocks, err := l.packs(ctx, docs, only, next.vectors, func(done int) { progress(min(done, total), total) })
	if err != nil {
		return err
	}
	if blocks, err = l.unpacked(ctx, docs, blocks); err != nil {
		return err
	}
	vectors := blocks.size - next.vectors.size
	progress(vectors, vectors)
	next.vectors = blocks
	// A scan goes through memory in the order of numbers.
	next.insert(slices.SortedFunc(slices.Values(docs), func(a, b *document) int { return cmp.Compare(a.part.Slot, b.part.Slot) }))
	return nil
}

// insert makes documents with their parts findable.
func (s *snapshot) insert(docs []*document) {
	chunks := 0
	for _, d := range docs {
		chunks += len(d.part.Rows)
	}
	ids := make([]chunkindex.Entry, 0, chunks)
	s.numbered = slices.Grow(slices.Clip(s.numbered), len(docs))
	for _, d := range docs {
		d.number = int32(len(s.numbered))
		s.numbered = append(s.numbered, d)
		for r := range d.part.Rows {
			ids = append(ids, chunkindex.Entry{Key: idKey(d.part.Rows[r].ID), Place: chunkindex.Place{Number: d.number, Row: int32(r)}})
		}
		s.live += d.part.Vectors
	}
	s.ids = s.ids.With(ids, s.isLive)
}

func (s *snapshot) isLive(number int32) bool { return s.numbered[number] != nil }

// refreshed returns the snapshot of version, made from an older one by reading
// the documents that changed since.
func (l *loader) refreshed(ctx context.Context, old *snapshot, version int64) (*snapshot, error) {
	changed, hidden, err := l.documents(ctx, old.version)
	if err != nil {
		return nil, err
	}
	removed, err := l.removed(ctx, old.version)
	if err != nil {
		return nil, err
	}
	gone := make(map[uuid.UUID]bool, len(changed)+len(hidden)+len(removed))
	for _, d := range changed {
		gone[d.id] = true
	}
	for _, s := range slices.Concat(hidden, removed) {
		if id, ok := store.ParseID(s); ok {
			gone[id] = true
		}
	}
	next := &snapshot{version: version, docs: make([]*document, 0, len(old.docs)+len(changed))}
	for _, d := range old.docs {
		if !gone[d.id] {
			next.docs = append(next.docs, d)
		}
	}
	next.docs = append(next.docs, changed...)
	slices.SortFunc(next.docs, compareDocuments)
	if !old.isLoaded {
		return next, nil
	}
	// Vectors of another embedder have changed all, and reading most documents
	// one by one costs more than reading the table.
	if l.dims != old.vectors.dims || 2*len(changed) > len(next.docs) {
		return l.load(ctx, next, func(int, int) {})
	}
	next.inherit(old, gone)
	if len(changed) > 0 {
		only := make([]string, len(changed))
		for i, d := range changed {
			only[i] = d.id.String()
		}
		if err := l.add(ctx, next, changed, only, func(int, int) {}); err != nil {
			return nil, err
		}
	}
	next.compact()
	return next, nil
}

// inherit takes over what memory holds of old, without the documents that are
// gone.
func (s *snapshot) inherit(old *snapshot, gone map[uuid.UUID]bool) {
	s.isLoaded = true
	s.vectors, s.ids, s.live = old.vectors, old.ids, old.live
	s.numbered = slices.Clone(old.numbered)
	for _, d := range old.docs {
		if gone[d.id] {
			s.numbered[d.number] = nil
			s.live -= d.part.Vectors
		}
	}
}

// compact copies the vectors and rows that are in use once a tenth of the slots
// is not, so that replaced documents do not pile up.
func (s *snapshot) compact() {
	dead := s.vectors.size - s.live
	if dead < blockRows || dead < s.vectors.size/10 {
		return
	}
	blocks := newBlocks(s.vectors.dims).grown(s.live)
	moved := make(map[uuid.UUID]*document, len(s.docs))
	live := make([]*document, 0, len(s.docs))
	slot := 0
	for _, d := range s.numbered {
		if d == nil {
			continue
		}
		c, p := *d, *d.part
		c.part = &p
		p.Slot = slot
		blocks.copy(slot, s.vectors, d.part.Slot, p.Vectors)
		slot += p.Vectors
		moved[c.id] = &c
		live = append(live, &c)
	}
	docs := make([]*document, len(s.docs))
	for i, d := range s.docs {
		docs[i] = moved[d.id]
	}
	s.docs, s.vectors = docs, blocks
	s.numbered, s.ids, s.live = nil, chunkindex.Index{}, 0
	s.insert(live)
}

// removed reads the ids of the documents removed after version since.
func (l *loader) removed(ctx context.Context, since int64) ([]string, error) {
	rows, err := l.conn.QueryContext(ctx, `SELECT document_id FROM removed WHERE changed > ?`, since)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var ids []string
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}
