package store

import (
	"context"
	"iter"
)

// BatchPutter is implemented by writers that replace many documents faster than one
// after the other.
type BatchPutter interface {
	// PutAll replaces documents as Put does each of them, in their order, several in
	// one transaction: those of [Batches]. A crash leaves each document as it was or
	// as it is to be, and loses at most those of one batch, of which it then has
	// stored none. With an error, changed has a value for each document that is
	// stored, which are the first ones; without, for all of them.
	PutAll(ctx context.Context, bundles []Bundle) (changed []bool, err error)
}

// PutAll replaces documents, many in one transaction if w is a [BatchPutter].
func PutAll(ctx context.Context, w Writer, bundles []Bundle) (changed []bool, err error) {
	if b, ok := w.(BatchPutter); ok {
		return b.PutAll(ctx, bundles)
	}
	return PutEach(ctx, w, bundles)
}

// PutEach replaces documents one after the other. With an error, changed has a value for
// each document that is stored.
func PutEach(ctx context.Context, w Writer, bundles []Bundle) (changed []bool, err error) {
	for i := range bundles {
		one, err := w.Put(ctx, bundles[i])
		if err != nil {
			return changed, err
		}
		changed = append(changed, one)
	}
	return changed, nil
}

// The bounds of a batch: what a crash loses, and what has to be in memory at once.
const (
	batchDocuments = 64
	batchBytes     = 32 << 20
)

// Batches cuts documents into batches of up to 64, and about 32 MB of texts and
// vectors unless one document alone has more. No batch has a document twice.
func Batches(bundles []Bundle) iter.Seq[[]Bundle] {
	return func(yield func([]Bundle) bool) {
		var size int
		seen := make(map[string]bool)
		start := 0
		for i := range bundles {
			n, id := bundles[i].bytes(), bundles[i].Document.ID
			if i > start && (i-start == batchDocuments || size+n > batchBytes || seen[id]) {
				if !yield(bundles[start:i]) {
					return
				}
				start, size = i, 0
				clear(seen)
			}
			seen[id] = true
			size += n
		}
		if start < len(bundles) {
			yield(bundles[start:])
		}
	}
}

// bytes is about what a bundle takes.
func (b *Bundle) bytes() (n int) {
	for i := range b.Chunks {
		c := &b.Chunks[i]
		n += len(c.ChunkText) + len(c.HTMLText) + len(c.Terms) + 4*len(c.Embedding)
	}
	return n
}
