package sqlite

import (
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
	keywordRows  int
	keywordTerms store.FieldCounts
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
