package linking

import (
	"context"
	"slices"

	"github.com/webrag/webrag-tui/store"
)

// Batch may be implemented by [Tables] that answer for several documents as fast as
// for one, because each question is a round trip. The others are asked for one after
// the other.
type Batch interface {
	Tables
	// Documents says whose those of the documents are that there are, and whether
	// they were soft-deleted.
	Documents(ctx context.Context, ids []string) (map[string]State, error)
	// KeysOf, SetKeysOf and DropOwnOf are Keys, SetKeys and DropOwn of several.
	KeysOf(ctx context.Context, ids []string) (map[string][]string, error)
	SetKeysOf(ctx context.Context, keys map[string][]string) error
	DropOwnOf(ctx context.Context, documents []string) error
}

// State is what a document is to links beside its addresses.
type State struct {
	Owner   string
	Deleted bool
}

// one asks tables that are no Batch for one document after the other.
type one struct{ Tables }

func (t one) Documents(ctx context.Context, ids []string) (map[string]State, error) {
	states := make(map[string]State, len(ids))
	for _, id := range ids {
		owner, deleted, found, err := t.Document(ctx, id)
		if err != nil {
			return nil, err
		}
		if found {
			states[id] = State{owner, deleted}
		}
	}
	return states, nil
}

func (t one) KeysOf(ctx context.Context, ids []string) (map[string][]string, error) {
	all := make(map[string][]string, len(ids))
	for _, id := range ids {
		keys, err := t.Keys(ctx, id)
		if err != nil {
			return nil, err
		}
		all[id] = keys
	}
	return all, nil
}

func (t one) SetKeysOf(ctx context.Context, all map[string][]string) error {
	for id, keys := range all {
		if err := t.SetKeys(ctx, id, keys); err != nil {
			return err
		}
	}
	return nil
}

func (t one) DropOwnOf(ctx context.Context, documents []string) error {
	for _, id := range documents {
		if err := t.DropOwn(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

func (l *Linker) batch() Batch {
	if b, ok := l.tables.(Batch); ok {
		return b
	}
	return one{l.tables}
}

// StoredAll reads the faces of those of the documents that there are.
func (l *Linker) StoredAll(ctx context.Context, ids []string) (map[string]*Face, error) {
	faces := make(map[string]*Face, len(ids))
	if len(ids) == 0 {
		return faces, nil
	}
	states, err := l.batch().Documents(ctx, ids)
	if err != nil {
		return nil, err
	}
	found := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { _, ok := states[id]; return !ok })
	if len(found) == 0 {
		return faces, nil
	}
	keys, err := l.batch().KeysOf(ctx, found)
	if err != nil {
		return nil, err
	}
	if err := l.load(ctx, found); err != nil {
		return nil, err
	}
	for _, id := range found {
		faces[id] = &Face{keys: keys[id], owner: states[id].Owner, deleted: states[id].Deleted, parents: l.pages[id].Parents}
	}
	return faces, nil
}

// Replacement is a document whose rows have just been written; Old is what it was
// before, nil for a new one.
type Replacement struct {
	Bundle *store.Bundle
	Old    *Face
}

// ReplacedAll brings edges and addresses in step with documents, each of them once.
func (l *Linker) ReplacedAll(ctx context.Context, all []Replacement) error {
	written := make(map[string]bool, len(all))
	var old []string // those that were there before
	var edges []store.Edge
	var found []Link
	for i, r := range all {
		next := newFace(r.Bundle)
		id := r.Bundle.Document.ID
		written[id] = true
		l.pages[id] = &store.LinkPage{Parents: next.parents}
		if r.Old != nil {
			old = append(old, id)
		}
		edges = append(edges, all[i].Bundle.Edges...)
		found = append(found, outgoing(r.Bundle)...)
	}
	if len(old) > 0 {
		if err := l.batch().DropOwnOf(ctx, old); err != nil {
			return err
		}
	}
	stale, err := l.readdress(ctx, all)
	if err != nil {
		return err
	}
	if err := l.tables.Put(ctx, edges); err != nil {
		return err
	}
	if err := l.connect(ctx, found, nil); err != nil {
		return err
	}
	if len(stale) == 0 {
		return nil
	}
	incoming, err := l.tables.LinksTo(ctx, stale)
	if err != nil {
		return err
	}
	// The links of what was written are connected.
	incoming = slices.DeleteFunc(incoming, func(f Link) bool { return written[f.Document] })
	return l.connect(ctx, incoming, stale)
}

// readdress writes the addresses of the documents that links see otherwise than
// before, removes the edges of the links that lead to them or to one that shares an
// address, and returns these documents, whose incoming edges are to be made anew.
func (l *Linker) readdress(ctx context.Context, all []Replacement) (stale []string, err error) {
	set := make(map[string][]string)
	fresh := make(map[string]bool)
	var changed, keys, owners, gone []string
	for _, r := range all {
		id, next := r.Bundle.Document.ID, newFace(r.Bundle)
		if r.Old != nil && r.Old.equal(next) {
			continue
		}
		changed, keys, owners = append(changed, id), append(keys, next.keys...), append(owners, next.owner)
		if r.Old == nil || !slices.Equal(r.Old.keys, next.keys) {
			set[id] = next.keys
		}
		if r.Old == nil {
			fresh[id] = true
			continue
		}
		keys, owners, gone = append(keys, r.Old.keys...), append(owners, r.Old.owner), append(gone, r.Old.parentIDs()...)
	}
	if len(changed) == 0 {
		return nil, nil
	}
	if len(set) > 0 {
		if err := l.batch().SetKeysOf(ctx, set); err != nil {
			return nil, err
		}
	}
	stale, err = l.tables.Sharing(ctx, keys, slices.Compact(slices.Sorted(slices.Values(owners))))
	if err != nil {
		return nil, err
	}
	stale = slices.Compact(slices.Sorted(slices.Values(append(stale, changed...))))
	// No edge leads to a document that is new.
	known := slices.DeleteFunc(slices.Clone(stale), func(id string) bool { return fresh[id] })
	return stale, l.drop(ctx, known, gone)
}
