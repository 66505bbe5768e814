package indexing

import (
	"context"
	"maps"
	"slices"

	"github.com/webrag/webrag-tui/store"
)

// Claim is a further address that a page gave itself and that is another page's own
// one. Path is what messages call the page that claims it.
type Claim struct{ Path, Address string }

// disown leaves out of a page the further addresses that are other pages' own, of
// the same owner: who asks for an address means the page that is there. The page
// under its own address is known if it is in the corpus or was read before.
func (r *run) disown(ctx context.Context, j *job) error {
	b := &j.out.Bundle
	doc := &b.Document
	if len(doc.URLAliases) == 0 && (doc.URL == "" || doc.URL == doc.SourceURL) {
		return nil
	}
	if r.stored == nil {
		var err error
		if r.stored, err = r.storedIDs(ctx); err != nil {
			return err
		}
	}
	claimed := false
	isAnothers := func(address string) bool {
		id := DocumentID(address, doc.Owner)
		_, read := r.seen[id]
		if id == doc.ID || !read && !r.stored[id] {
			return false
		}
		claimed = true
		r.report.Claimed = append(r.report.Claimed, Claim{Path: pageName(&j.doc), Address: address})
		return true
	}
	doc.URLAliases = slices.DeleteFunc(slices.Clone(doc.URLAliases), isAnothers)
	if doc.URL != "" && isAnothers(doc.URL) {
		doc.URL = doc.SourceURL
	}
	if !claimed {
		return nil
	}
	// The hash is of what is stored, and knows no mark of a folder.
	all := doc.Metadata
	doc.Metadata = maps.Clone(all)
	delete(doc.Metadata, rootKey)
	doc.DerivedHash = derivedHash(doc, rowsHash(b.Chunks, b.Links))
	doc.Metadata = all
	return nil
}

// storedIDs are the ids of the documents that the corpus has.
func (r *run) storedIDs(ctx context.Context) (ids map[string]bool, err error) {
	v, err := r.w.View(ctx)
	if err != nil {
		return nil, err
	}
	docs, err := v.Documents(ctx, store.Scope{}, store.Page{})
	if closeErr := v.Close(); err == nil {
		err = closeErr
	}
	ids = make(map[string]bool, len(docs))
	for i := range docs {
		ids[docs[i].ID] = true
	}
	return ids, err
}
