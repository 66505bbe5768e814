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
// the same owner, and reports whether there were some: who asks for an address means
// the page that is there. The page under its own address is known if it is in the
// corpus or was read before. A page that was not read yet is read if it has such an
// address, as it may be another document without.
func (r *run) disown(ctx context.Context, j *job) (claimed bool, err error) {
	doc := &j.out.Bundle.Document
	others := map[string]bool{}
	for _, address := range append([]string{doc.URL}, doc.URLAliases...) {
		if others[address], err = r.isAnothers(ctx, address, doc); err != nil {
			return false, err
		}
		claimed = claimed || others[address]
	}
	if !claimed {
		return false, nil
	}
	if j.noted {
		j.noted = false
		if r.cut(ctx, j); j.err != nil {
			return true, nil //nolint:nilerr // it is the page's, and reported as that
		}
	}
	isAnothers := func(address string) bool {
		if others[address] {
			r.report.Claimed = append(r.report.Claimed, Claim{Path: pageName(&j.doc), Address: address})
		}
		return others[address]
	}
	doc.URLAliases = slices.DeleteFunc(slices.Clone(doc.URLAliases), isAnothers)
	if isAnothers(doc.URL) {
		doc.URL = doc.SourceURL
	}
	// The hash is of what is stored, and knows no mark of a folder.
	all := doc.Metadata
	doc.Metadata = maps.Clone(all)
	delete(doc.Metadata, rootKey)
	b := &j.out.Bundle
	doc.DerivedHash = derivedHash(doc, rowsHash(b.Chunks, b.Links))
	doc.Metadata = all
	return true, nil
}

// isAnothers reports whether an address of a page is another page's own.
func (r *run) isAnothers(ctx context.Context, address string, doc *store.Document) (bool, error) {
	id := DocumentID(address, doc.Owner)
	if address == "" || id == doc.ID {
		return false, nil
	}
	if _, read := r.seen[id]; read {
		return true, nil
	}
	stored, exists, err := r.w.Document(ctx, id)
	// What no view shows is nobody's.
	return exists && stored.DeletedAt.IsZero() && stored.CurrentIngestionID != "", err
}
