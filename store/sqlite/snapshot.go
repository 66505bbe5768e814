package sqlite

import (
	"sync/atomic"

	"github.com/google/uuid"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/sqlite/internal/chunkindex"
)

// snapshot is one version of what memory holds: the documents that the owner
// may see and, once loaded, their chunks and vectors. It is immutable, but for what
// is derived from it when it is first asked for.
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
	// ids finds chunks by id.
	ids chunkindex.Index
	// words is the keyword index, once a search has asked for it.
	words atomic.Pointer[wordIndex]
	// hidden is what View.Hidden has counted, once it was asked: it goes through all
	// documents for that.
	hidden atomic.Pointer[store.Hidden]
}

// chunkByID returns where a chunk is.
func (s *snapshot) chunkByID(id uuid.UUID) (d *document, r int32, ok bool) {
	s.ids.Find(idKey(id), func(p chunkindex.Place) bool {
		if d = s.numbered[p.Number]; d != nil && d.part.Rows[p.Row].ID == id {
			r, ok = p.Row, true
		}
		return ok
	})
	return d, r, ok
}
