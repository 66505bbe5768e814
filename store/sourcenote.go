package store

import (
	"context"
	"crypto/sha256"
)

// SourceNote says what became of the bytes of a page when it was indexed.
type SourceNote struct {
	// Key is a SHA-256 of the bytes and of all besides that decided.
	Key [sha256.Size]byte
	// DocumentID is the document that they became, DerivedHash its hash then.
	DocumentID, DerivedHash string
	// Children counts its children.
	Children int
	// Foreign and Unmatched count its sections, and Elsewhere says of its address, what
	// an indexing run reports of a page whether it changed or not.
	Foreign, Unmatched int
	Elsewhere          bool
}

// SourceNoter is implemented by writers that keep notes of the sources of documents. A
// document has one at most, the last, and it goes with the document; no other change of
// one touches it, so that it says nothing of what the document is by now. To keep one is
// no change of the corpus.
type SourceNoter interface {
	// NotedSource returns the note with this key, and of the document as it is now ID,
	// SourceURL, URL, URLAliases, Owner, DerivedHash, PipelineFingerprint, ParentCount and
	// DeletedAt at least; false if there is no such note of a document that the store's
	// owner may see. Unlike the writer's other methods it may be called from several
	// goroutines, also beside one of those, whose transaction it does not see before its
	// end.
	NotedSource(ctx context.Context, key [sha256.Size]byte) (SourceNote, Document, bool, error)
	// NoteSources keeps notes, in one transaction. One of a document that is not there is
	// left out.
	NoteSources(ctx context.Context, notes []SourceNote) error
}
