package postgres

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/record"
)

// documentLock names the advisory lock of a document while it is replaced; its
// schema and its id follow. The writer's lock keeps other writers away; this one
// keeps a writer from the transaction of its own former connection.
const documentLock = "webrag-tui doc:"

// Put replaces a document as a whole, in one transaction. Chunks that are equal
// stay as they are, others are updated, inserted or deleted; then all get the
// document's ingestion id. The sums over the chunks are the store's own.
//
// A text that PostgreSQL cannot keep, one with a NUL character or that is not
// UTF-8, is an error that names it.
func (w *Writer) Put(ctx context.Context, b store.Bundle) (changed bool, err error) {
	done, err := (&batch{Writer: w}).put(ctx, []store.Bundle{b})
	if err != nil {
		return false, err
	}
	return done[0], nil
}

// PutAll replaces documents like Put, with many in one transaction: some tens of
// statements for all of them in place of some tens for each, and a word that several
// have is counted once. What one of them cannot be stored for does not keep those
// before it from being stored: such a batch is written one document after the other.
func (w *Writer) PutAll(ctx context.Context, bundles []store.Bundle) (changed []bool, err error) {
	for some := range store.Batches(bundles) {
		done, err := (&batch{Writer: w}).put(ctx, some)
		if len(some) > 1 && err != nil && ctx.Err() == nil && !errors.Is(err, store.ErrUnavailable) {
			for i := range some {
				var one bool
				if one, err = w.Put(ctx, some[i]); err != nil {
					break
				}
				done = append(done, one)
			}
		}
		changed = append(changed, done...)
		if err != nil {
			return changed, err
		}
	}
	return changed, nil
}

// batch is the replacement of documents in one transaction.
type batch struct {
	*Writer
	// puts are those that there may be something to do for.
	puts []*put
	// passages is how many children all of them have.
	passages int
}

// put replaces the documents: all of them or, with an error, none.
func (b *batch) put(ctx context.Context, bundles []store.Bundle) (changed []bool, err error) {
	what := "write document " + bundles[0].Document.SourceURL + " to"
	if n := len(bundles); n > 1 {
		what = fmt.Sprintf("write %d documents, %s to %s, to", n, bundles[0].Document.SourceURL, bundles[n-1].Document.SourceURL)
	}
	if err := b.ready(ctx); err != nil {
		return nil, b.fail(ctx, what, err)
	}
	all := make([]*put, len(bundles))
	for i := range bundles {
		if all[i], err = b.prepare(bundles[i]); err != nil {
			d := &bundles[i].Document
			return nil, fmt.Errorf("write document %s (%s): %w", d.ID, d.SourceURL, err)
		}
	}
	passages := 0
	for _, p := range all {
		passages += p.sums.Children
	}
	defer b.words.beside(ctx, b.Writer)()
	next := b.meta.Changed
	err = b.inTransaction(ctx, func(tx pgx.Tx) (err error) {
		b.puts, b.passages = all, passages
		next, err = b.replace(ctx, tx)
		return err
	})
	if err != nil {
		b.links.forget()
		return nil, b.fail(ctx, what, err)
	}
	b.words.committed(passages)
	b.meta.Changed = next
	changed = make([]bool, len(all))
	for i, p := range all {
		changed[i] = p.changed != 0
	}
	return changed, nil
}

// put is the replacement of one document.
type put struct {
	bundle *store.Bundle
	sums   record.Sums
	// chunks are the bundle's, as they will be stored.
	chunks []store.Chunk

	// old is what is stored, exists whether anything is, same whether the document
	// itself, without its parts, would stay.
	old          storedDocument
	exists, same bool

	// Of chunks: those that are new, those that differ from the stored ones, and
	// the ids of stored ones that are gone.
	added, updated []*store.Chunk
	gone           []string
	sameLinks      bool

	// changed is the value of the change counter, 0 if nothing changes.
	changed int64
}

// prepare checks a bundle and makes of its chunks what will be stored.
func (b *batch) prepare(bundle store.Bundle) (*put, error) {
	if err := store.CheckBundle(&bundle, b.meta, b.store.opts.Owner); err != nil {
		return nil, err
	}
	if err := record.CheckTexts(&bundle); err != nil {
		return nil, err
	}
	p := &put{bundle: &bundle, sums: record.Sum(bundle.Chunks), chunks: make([]store.Chunk, len(bundle.Chunks))}
	for i := range p.chunks {
		var err error
		if p.chunks[i], err = record.NormalChunk(bundle.Chunks[i], &bundle.Document, b.column.kind); err != nil {
			return nil, fmt.Errorf("chunk %d (%s): %w", i, bundle.Chunks[i].ID, err)
		}
	}
	return p, nil
}

// replace returns the value of the change counter after what was to be changed.
func (b *batch) replace(ctx context.Context, tx pgx.Tx) (changed int64, err error) {
	changed = b.meta.Changed
	if err := b.readDocuments(ctx, tx); err != nil {
		return 0, err
	}
	for _, p := range b.puts {
		if p.exists && !b.sees(p.old.Owner) {
			return 0, fmt.Errorf("it belongs to another owner than %q", b.store.opts.Owner)
		}
		p.same = p.exists && p.old.sums.Children == p.sums.Children &&
			reflect.DeepEqual(record.NormalDocument(p.old.Document), record.NormalDocument(p.bundle.Document))
	}
	b.keep(func(p *put) bool { return !p.same || p.bundle.Document.DerivedHash == "" })
	if len(b.puts) == 0 {
		return changed, nil
	}
	if err := b.readParts(ctx, tx); err != nil {
		return 0, err
	}
	b.keep(func(p *put) bool {
		p.compare()
		return !p.same || !p.sameLinks || len(p.added)+len(p.updated)+len(p.gone) > 0 || !p.sameEdges()
	})
	if len(b.puts) == 0 {
		return changed, nil
	}
	return b.write(ctx, tx)
}

// keep goes on with some of the documents.
func (b *batch) keep(some func(p *put) bool) {
	var kept []*put
	for _, p := range b.puts {
		if some(p) {
			kept = append(kept, p)
		}
	}
	b.puts = kept
}

// compare sorts the chunks by what is to be done with them.
func (p *put) compare() {
	p.sameLinks = slices.Equal(p.old.links, p.bundle.Links)
	gone := make(map[string]bool, len(p.old.chunks))
	for id := range p.old.chunks {
		gone[id] = true
	}
	for i := range p.chunks {
		c := &p.chunks[i]
		delete(gone, c.ID)
		switch old, ok := p.old.chunks[c.ID]; {
		case !ok:
			p.added = append(p.added, c)
		case !sameChunk(old, c):
			p.updated = append(p.updated, c)
		}
	}
	for id := range gone {
		p.gone = append(p.gone, id)
	}
	slices.Sort(p.gone)
}

func sameChunk(a, b *store.Chunk) bool {
	return reflect.DeepEqual(withoutVisit(a), withoutVisit(b))
}

// withoutVisit is a chunk without what changes with each write of its document.
func withoutVisit(c *store.Chunk) store.Chunk {
	d := *c
	d.IngestionID = ""
	return d
}

// sameEdges reports whether the edges of a document's structure are stored. One
// that was imported over is not structure's any more.
func (p *put) sameEdges() bool {
	structure := 0
	for _, e := range p.old.edges {
		if e.Origin == store.OriginStructure {
			structure++
		}
	}
	for _, e := range p.bundle.Edges {
		switch o, ok := p.old.edges[e.ID]; {
		case !ok:
			return false
		case o == e:
			structure--
		case o.Origin != store.OriginImport:
			return false
		}
	}
	return structure == 0
}

// write makes the stored documents those of the bundles.
func (b *batch) write(ctx context.Context, tx pgx.Tx) (changed int64, err error) {
	before, err := b.links.stored(ctx, tx, b.ids(func(p *put) bool { return p.exists }))
	if err != nil {
		return 0, err
	}
	if changed, err = b.count(ctx, tx, len(b.puts)); err != nil {
		return 0, err
	}
	counts := make(termCounts)
	for i, p := range b.puts {
		p.changed = changed - int64(len(b.puts)-1-i)
		p.countTerms(counts)
	}
	if err := b.writeDocuments(ctx, tx); err != nil {
		return 0, err
	}
	if err := b.insertChunks(ctx, tx); err != nil {
		return 0, err
	}
	if err := b.copyTerms(ctx, tx, counts); err != nil {
		return 0, err
	}
	if err := b.writeRest(ctx, tx); err != nil {
		return 0, err
	}
	if err := b.links.replaced(ctx, tx, b.puts, before); err != nil {
		return 0, err
	}
	return changed, counts.write(ctx, tx, b.layout)
}

// ids are those of some of the documents.
func (b *batch) ids(some func(p *put) bool) (ids []string) {
	for _, p := range b.puts {
		if some(p) {
			ids = append(ids, p.bundle.Document.ID)
		}
	}
	return ids
}
