package sqlite

import (
	"slices"

	"github.com/google/uuid"

	"github.com/webrag/webrag-tui/store"
)

// snapshot is one version of what memory holds: the documents that the owner
// may see and, once loaded, their chunks and vectors. It is immutable.
type snapshot struct {
	version int64
	// docs are in the order of listings.
	docs []*document

	// The rest is empty until isLoaded.
	isLoaded bool
	// numbered are the documents in the order of their vectors; nil stands for
	// one that was replaced or removed.
	numbered []*document
	vectors  vectorBlocks
	// live counts the vectors in use; the others await compaction.
	live int
	// ids and seqs find chunks by id and children by seq.
	ids, seqs index
	// hidden are the rows of the keyword index that the owner may not see, by
	// document id. A search has to leave them out by itself.
	hidden map[string][]int64
	// keywordRows and keywordTerms count the visible children with terms, and
	// their terms.
	keywordRows, keywordTerms int
}

// chunkByID returns where a chunk is.
func (s *snapshot) chunkByID(id uuid.UUID) (d *document, r int32, ok bool) {
	s.ids.find(idKey(id), func(p place) bool {
		if d = s.numbered[p.number]; d != nil && d.part.rows[p.row].id == id {
			r, ok = p.row, true
		}
		return ok
	})
	return d, r, ok
}

// chunkBySeq returns where the child with a row number of the file is.
func (s *snapshot) chunkBySeq(seq int64) (d *document, r int32, ok bool) {
	s.seqs.find(uint64(seq), func(p place) bool {
		if d = s.numbered[p.number]; d != nil {
			r, ok = p.row, true
		}
		return ok
	})
	return d, r, ok
}

// matcher decides whether a document is in a scope.
type matcher struct {
	urls         map[string]bool
	ids, without map[uuid.UUID]bool
}

func newMatcher(scope store.Scope) matcher {
	var m matcher
	if len(scope.SourceURLs) > 0 {
		m.urls = make(map[string]bool, len(scope.SourceURLs))
		for _, u := range scope.SourceURLs {
			m.urls[u] = true
		}
	}
	m.ids = idSet(scope.DocumentIDs)
	m.without = idSet(scope.ExcludeDocumentIDs)
	return m
}

// idSet returns nil for no ids, which is no condition, and leaves out what is
// not an id of this store, which matches nothing.
func idSet(ids []string) map[uuid.UUID]bool {
	if len(ids) == 0 {
		return nil
	}
	set := make(map[uuid.UUID]bool, len(ids))
	for _, s := range ids {
		if id, ok := parseID(s); ok {
			set[id] = true
		}
	}
	return set
}

func (m matcher) matches(d *document) bool {
	if m.ids != nil && !m.ids[d.id] || m.without[d.id] {
		return false
	}
	if m.urls == nil || m.urls[d.sourceURL] || m.urls[d.url] {
		return true
	}
	return slices.ContainsFunc(d.aliases, func(u string) bool { return m.urls[u] })
}

// in returns the documents in scope, in the order of listings.
func (s *snapshot) in(scope store.Scope) []*document {
	if scope.IsZero() {
		return s.docs
	}
	m := newMatcher(scope)
	var docs []*document
	for _, d := range s.docs {
		if m.matches(d) {
			docs = append(docs, d)
		}
	}
	return docs
}

// parseID returns a canonical UUID, which is how the store writes ids.
func parseID(s string) (uuid.UUID, bool) {
	if len(s) != 36 {
		return uuid.UUID{}, false
	}
	id, err := uuid.Parse(s)
	if err != nil {
		return uuid.UUID{}, false
	}
	for _, c := range s {
		if 'A' <= c && c <= 'F' {
			return uuid.UUID{}, false
		}
	}
	return id, true
}
