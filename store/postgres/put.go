package postgres

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
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
	d := &b.Document
	if err := w.ready(ctx); err != nil {
		return false, w.fail(ctx, "write document "+d.SourceURL+" to", err)
	}
	err = store.CheckBundle(&b, w.meta, w.store.opts.Owner)
	if err == nil {
		err = checkTexts(&b)
	}
	p := &put{Writer: w, bundle: &b, sums: sum(b.Chunks)}
	if err == nil {
		err = p.normalise()
	}
	if err != nil {
		return false, fmt.Errorf("write document %s (%s): %w", d.ID, d.SourceURL, err)
	}
	var next int64
	err = w.inTransaction(ctx, func(tx pgx.Tx) error {
		next, err = p.replace(ctx, tx)
		return err
	})
	if err != nil {
		w.links.forget()
		return false, w.fail(ctx, "write document "+d.SourceURL+" to", err)
	}
	if next == 0 {
		return false, nil
	}
	w.meta.Changed = next
	return true, nil
}

// put is the replacement of one document.
type put struct {
	*Writer
	bundle *store.Bundle
	sums   sums
	// chunks are the bundle's, as they will be stored.
	chunks []store.Chunk

	// old is what is stored, exists whether anything is.
	old    storedDocument
	exists bool

	// Of chunks: those that are new, those that differ from the stored ones, and
	// the ids of stored ones that are gone.
	added, updated []*store.Chunk
	gone           []string
}

func (p *put) normalise() (err error) {
	p.chunks = make([]store.Chunk, len(p.bundle.Chunks))
	for i := range p.chunks {
		if p.chunks[i], err = normalChunk(p.bundle.Chunks[i], &p.bundle.Document, p.column.kind); err != nil {
			return fmt.Errorf("chunk %d (%s): %w", i, p.chunks[i].ID, err)
		}
	}
	return nil
}

// replace returns the value of the change counter, or 0 if there was nothing to
// change.
func (p *put) replace(ctx context.Context, tx pgx.Tx) (changed int64, err error) {
	d := &p.bundle.Document
	if err := p.readDocument(ctx, tx); err != nil {
		return 0, err
	}
	if p.exists && !p.sees(p.old.Owner) {
		return 0, fmt.Errorf("it belongs to another owner than %q", p.store.opts.Owner)
	}
	same := p.exists && p.old.sums.children == p.sums.children &&
		reflect.DeepEqual(normalDocument(p.old.Document), normalDocument(*d))
	if same && d.DerivedHash != "" {
		return 0, nil
	}
	if err := p.readParts(ctx, tx); err != nil {
		return 0, err
	}
	p.compare()
	sameLinks := slices.Equal(p.old.links, p.bundle.Links)
	if same && sameLinks && len(p.added)+len(p.updated)+len(p.gone) == 0 && p.sameEdges() {
		return 0, nil
	}
	return p.write(ctx, tx, sameLinks)
}

// compare sorts the chunks by what is to be done with them.
func (p *put) compare() {
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

// write makes the stored document that of the bundle.
func (p *put) write(ctx context.Context, tx pgx.Tx, sameLinks bool) (changed int64, err error) {
	id := p.bundle.Document.ID
	before, err := p.links.stored(ctx, tx, id)
	if err != nil {
		return 0, err
	}
	terms := p.changedTerms()
	if changed, err = p.count(ctx, tx); err != nil {
		return 0, err
	}
	if err := p.writeDocument(ctx, tx, changed); err != nil {
		return 0, err
	}
	if err := p.insertChunks(ctx, tx); err != nil {
		return 0, err
	}
	if err := p.copyTerms(ctx, tx, &terms); err != nil {
		return 0, err
	}
	if err := p.writeRest(ctx, tx, &terms, sameLinks); err != nil {
		return 0, err
	}
	if err := p.links.replaced(ctx, tx, p.bundle, before); err != nil {
		return 0, err
	}
	return changed, p.termDifference().write(ctx, tx, p.layout)
}
