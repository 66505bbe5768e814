package indexing

import (
	"context"
	"fmt"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/store"
)

const (
	// batchPages bounds the pages that are embedded in one go, so that progress
	// is seen and little is lost when a run is stopped.
	batchPages = 64
	// maxInFlight is how many batches are embedded or wait for it, so that the
	// embedder is never idle while the writer is busy.
	maxInFlight = 2
)

// item is a page that waits for its vectors.
type item struct {
	out    Derived
	exists bool // a form of it is stored
	note   *store.SourceNote
}

// batch is some pages and what has to be embedded for them.
type batch struct {
	items []item
	pages int
	// children counts the texts of the pages, equal ones each.
	children int
	// texts are to be embedded, hashes are theirs; vectors holds, by hash, what
	// was known before and, after embedding, everything.
	texts, hashes []string
	vectors       map[string][]float32
	err           error
}

func (b *batch) add(d Derived, exists bool, note *store.SourceNote) {
	b.items = append(b.items, item{out: d, exists: exists, note: note})
	b.pages++
	for _, text := range d.EmbedTexts {
		if text != "" {
			b.children++
		}
	}
}

// full says that the batch should be embedded before it takes another page.
func (b *batch) full(texts int) bool { return b.children >= texts || b.pages >= batchPages }

// embedding is the stage between cutting and writing.
type embedding struct {
	embedder embedder.Embedder
	in, out  chan *batch
	busy     int // batches handed in and not yet taken out
}

func newEmbedding(e embedder.Embedder) *embedding {
	return &embedding{embedder: e, in: make(chan *batch, maxInFlight), out: make(chan *batch, maxInFlight)}
}

// serve embeds batches in order until stop. Both channels hold all batches in
// flight, so that nothing here ever waits for the writer.
func (e *embedding) serve(ctx context.Context) {
	for b := range e.in {
		if len(b.texts) > 0 {
			b.err = embedInto(ctx, e.embedder, b)
		}
		e.out <- b
	}
}

func (e *embedding) stop() { close(e.in) }

func embedInto(ctx context.Context, e embedder.Embedder, b *batch) error {
	vectors, err := e.EmbedMany(ctx, b.texts, embedder.RoleDocument)
	if err != nil {
		return err
	}
	if len(vectors) != len(b.texts) {
		return fmt.Errorf("%d vectors for %d texts", len(vectors), len(b.texts))
	}
	for i, v := range vectors {
		b.vectors[b.hashes[i]] = v
	}
	return nil
}

// dispatch finds out which vectors the corpus has and sends the rest of the
// batch to be embedded.
func (r *run) dispatch(ctx context.Context, b *batch, e *embedding) error {
	texts := map[string]string{}
	var hashes []string
	for i := range b.items {
		out := &b.items[i].out
		for j, text := range out.EmbedTexts {
			hash := out.Bundle.Chunks[j].EmbedHash
			if text == "" {
				continue
			}
			if _, twice := texts[hash]; !twice {
				texts[hash] = text
				hashes = append(hashes, hash)
			}
		}
	}
	b.vectors = map[string][]float32{}
	if len(hashes) > 0 {
		known, err := r.w.Known(ctx, hashes)
		if err != nil {
			return err
		}
		for hash, v := range known {
			b.vectors[hash] = v
		}
	}
	for _, hash := range hashes {
		if b.vectors[hash] == nil {
			b.texts = append(b.texts, texts[hash])
			b.hashes = append(b.hashes, hash)
		}
	}
	e.busy++
	e.in <- b
	return nil
}

// attach gives the children of a page their vectors. A child whose text the
// embedder knows no word of has none: a cosine with it would be no number. It
// keeps the hash of its text, because another embedder may know more.
func (r *run) attach(it *item, vectors map[string][]float32) {
	chunks := it.out.Bundle.Chunks
	for i := range chunks {
		c := &chunks[i]
		if c.ParentID == "" {
			continue
		}
		if v := vectors[c.EmbedHash]; c.EmbedHash != "" && !isZero(v) {
			c.Embedding = v
			continue
		}
		r.report.Blank++
	}
}

func isZero(v []float32) bool {
	for _, x := range v {
		if x != 0 {
			return false
		}
	}
	return true
}
