package session

import (
	"context"
	"sync/atomic"

	"github.com/webrag/webrag-tui/indexing"
)

// IndexFunc fills the corpus with pages, and says in a sentence what it did. progress may be
// called from any goroutine.
type IndexFunc func(ctx context.Context, progress func(indexing.Progress)) (said string, err error)

// index is the indexing of pages from within the session.
type index struct {
	works *works
	// source is the folder or file that is being indexed, empty when none is; progress
	// is how far that is, or was.
	source   string
	progress *atomic.Pointer[indexing.Progress]
}

// Index fills the corpus with the pages of a folder or file.
func (x *index) Index(source string, run IndexFunc) []Work {
	p := new(atomic.Pointer[indexing.Progress])
	x.source, x.progress = source, p
	return []Work{x.works.begin(KindIndex, 0, func(ctx context.Context) Done {
		said, err := run(ctx, func(now indexing.Progress) { p.Store(&now) })
		return Done{ID: source, Said: said, Err: err}
	})}
}

// StopIndexing cancels the indexing; what was written stays.
func (x *index) StopIndexing() {
	x.works.end(KindIndex)
	x.source = ""
}

// Indexing is the folder or file that is being indexed, empty when none is.
func (x *index) Indexing() string { return x.source }

// IndexProgress is how far the indexing is, or was when it ended; nil before it has begun.
func (x *index) IndexProgress() *indexing.Progress {
	if x.progress == nil {
		return nil
	}
	return x.progress.Load()
}
