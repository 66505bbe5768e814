// Package transfer copies a corpus from one store to another and verifies the
// copy.
//
//	report, err := transfer.Copy(ctx, from, to, transfer.Options{})
//	if err == nil {
//		err = transfer.Verify(ctx, from, to, transfer.Options{})
//	}
//
// Of a corpus that somebody may be writing to, both are given what [Hold] returns.
//
// Ids, texts, offsets, vectors, links and edges are kept as they are. What the
// source does not have and a corpus needs is made on the way: keyword terms, an
// ingestion id, ids where they are no UUIDs, for passages without sections a
// section each, and vectors of length 1.
package transfer

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/webrag/webrag-tui/store"
)

// Options of a copy or its verification. The zero value has the defaults.
type Options struct {
	// Progress, if set, is called with the documents done and those in all.
	Progress func(done, total int)
}

func (o *Options) progress(done, total int) {
	if o.Progress != nil {
		o.Progress(done, total)
	}
}

// Report is what a copy did.
type Report struct {
	// Documents were read, Written changed the target: a copy that was broken off
	// goes on where it stopped.
	Documents, Written int
	Chunks             int
	// Edges that were imported into the source were taken by the target. That they
	// are there is for [Verify] to find.
	Edges int
	// Orphans are children without a section that were given one.
	Orphans int
	// Deleted documents are hidden in the source and were not copied. MissingEdges
	// lead to what was not copied.
	Deleted, MissingEdges int
}

// pageSize is how many documents are listed at once, edgePage how many edges.
const (
	pageSize = 500
	edgePage = 2000
)

const everything = store.FieldText | store.FieldHTML | store.FieldTerms | store.FieldEmbedding

// Copy writes all documents that from shows into to, with their chunks, vectors,
// links and edges. What to has beside them stays. It fails with a
// store.MismatchError when to has vectors of another embedder.
func Copy(ctx context.Context, from, to store.Store, o Options) (r Report, err error) {
	source, err := from.Read(ctx)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	total, err := source.Stats(ctx, store.Scope{})
	if err != nil {
		return r, err
	}
	hidden, err := source.Deleted(ctx)
	if err != nil {
		return r, err
	}
	r.Deleted = len(hidden)
	w, err := to.Write(ctx)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	if err := w.SetMeta(ctx, source.Meta()); err != nil {
		return r, fmt.Errorf("copy to %s: %w", to.Info().Location, err)
	}
	c := copier{from: from, source: source, report: &r}
	p := putting{w: w, report: &r, progress: func() { o.progress(r.Documents, total.Documents) }}
	err = eachDocument(ctx, source, func(d store.Document) error {
		b, err := c.bundle(ctx, d)
		if err != nil {
			return err
		}
		return p.add(ctx, b)
	})
	if err == nil {
		err = p.flush(ctx)
	}
	if err != nil {
		return r, err
	}
	if err := c.edges(ctx, w); err != nil {
		return r, err
	}
	if m := source.Meta().Calibration; m != (store.Calibration{}) {
		err = w.SetCalibration(ctx, m)
	}
	return r, err
}

// putting writes documents, several at once where that is faster.
type putting struct {
	w        store.Writer
	report   *Report
	progress func()
	waiting  []store.Bundle
	chunks   int
}

// heldChunks is how many chunks wait for each other to be written at once.
const heldChunks = 2048

func (p *putting) add(ctx context.Context, b store.Bundle) error {
	p.waiting = append(p.waiting, b)
	p.chunks += len(b.Chunks)
	if _, together := p.w.(store.BatchPutter); together && p.chunks < heldChunks {
		return nil
	}
	return p.flush(ctx)
}

func (p *putting) flush(ctx context.Context) error {
	stored, err := store.PutAll(ctx, p.w, p.waiting)
	for i, changed := range stored {
		if changed {
			p.report.Written++
		}
		p.report.Documents++
		p.report.Chunks += len(p.waiting[i].Chunks)
		p.progress()
	}
	p.waiting, p.chunks = nil, 0
	return err
}

// Hold returns a corpus as it is now: [Copy] and [Verify] read one view of it, whatever
// is written meanwhile, until it is released.
func Hold(ctx context.Context, from store.Store) (now store.Store, release func() error, err error) {
	v, err := from.Read(ctx)
	if err != nil {
		return nil, nil, err
	}
	return held{from, v}, v.Close, nil
}

type held struct {
	store.Store
	view store.View
}

func (h held) Read(context.Context) (store.View, error) { return kept{h.view}, nil }

// kept is a view that its reader does not end.
type kept struct{ store.View }

func (kept) Close() error { return nil }

// eachDocument calls do with every document, in the order of listings.
func eachDocument(ctx context.Context, v store.View, do func(d store.Document) error) error {
	for offset := 0; ; offset += pageSize {
		docs, err := v.Documents(ctx, store.Scope{}, store.Page{Offset: offset, Limit: pageSize})
		if err != nil {
			return err
		}
		for i := range docs {
			if err := do(docs[i]); err != nil {
				return err
			}
		}
		if len(docs) < pageSize {
			return nil
		}
	}
}

// copier reads documents as they are to be written.
type copier struct {
	terms  store.Analyzer
	from   store.Store
	source store.View
	report *Report
}

func (c *copier) lacks(what store.Capability) bool {
	_, missing := c.from.Info().Missing[what]
	return missing
}

// bundle reads a document with everything that belongs to it, and completes it.
func (c *copier) bundle(ctx context.Context, d store.Document) (store.Bundle, error) {
	b, err := read(ctx, c.source, d)
	if err != nil {
		return b, err
	}
	if b.Document.CurrentIngestionID == "" {
		b.Document.CurrentIngestionID = made(d.ID, "ingestion")
	}
	identify(&b)
	b.Chunks = c.withSections(b.Chunks)
	b.Links = c.placed(b.Links, b.Chunks)
	for i := range b.Chunks {
		chunk := &b.Chunks[i]
		chunk.Embedding = toUnit(chunk.Embedding)
		chunk.DocumentID, chunk.Owner, chunk.IngestionID = b.Document.ID, d.Owner, b.Document.CurrentIngestionID
		if chunk.Level == store.Child && chunk.Terms == "" && c.from.Info().Foreign {
			chunk.Terms = strings.Join(c.terms.Terms(chunk.ChunkText), " ")
			named := *chunk
			if c.lacks(store.CapSections) {
				// Its path may be the first words of the text, which are no heading.
				named.HeadingPath = []string{chunk.SectionHeading}
			}
			c.terms.Name(&named)
			chunk.HeadingTerms, chunk.TitleTerms = named.HeadingTerms, named.TitleTerms
		}
	}
	return b, nil
}

// identify gives what another program named in its own way ids as a corpus has
// them.
func identify(b *store.Bundle) {
	of := b.Document.ID
	if _, ok := store.ParseID(of); !ok {
		b.Document.ID = made(of, "document")
	}
	for i := range b.Chunks {
		id := &b.Chunks[i].ID
		if _, ok := store.ParseID(*id); !ok {
			*id = made(of+"\x00"+*id, "chunk")
		}
	}
}

// toUnit returns a vector in its length of 1, which alone tells nothing in a search
// by cosine, and nil for one without a direction.
func toUnit(v []float32) []float32 {
	if len(v) == 0 || store.CheckUnit(v) == nil {
		return v
	}
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	norm := math.Sqrt(sum)
	if norm == 0 || math.IsInf(norm, 0) || math.IsNaN(norm) {
		return nil
	}
	unit := make([]float32, len(v))
	for i, x := range v {
		unit[i] = float32(float64(x) / norm)
	}
	return unit
}

// read reads a document with everything that belongs to it.
func read(ctx context.Context, v store.View, d store.Document) (store.Bundle, error) {
	b := store.Bundle{Document: d}
	parents, err := v.Parents(ctx, store.Scope{DocumentIDs: []string{d.ID}}, everything, store.Page{})
	if err != nil {
		return b, err
	}
	ids := make([]string, len(parents))
	for i := range parents {
		ids[i] = parents[i].ID
	}
	children, err := v.Children(ctx, ids, everything)
	if err != nil {
		return b, err
	}
	b.Chunks = slices.Concat(parents, children)
	if b.Links, err = v.Links(ctx, d.ID); err != nil {
		return b, err
	}
	if len(ids) == 0 {
		return b, nil
	}
	edges, err := v.Edges(ctx, store.EdgeQuery{Nodes: ids, Direction: store.Outgoing})
	for _, e := range edges {
		if e.Origin == store.OriginStructure && e.TargetDocumentID == d.ID {
			b.Edges = append(b.Edges, e)
		}
	}
	return b, err
}

// placed gives links of which only the page is known to its first section. Those
// without a target, or of a page without sections, are left out.
func (c *copier) placed(links []store.Link, chunks []store.Chunk) []store.Link {
	kept := make([]store.Link, 0, len(links))
	for _, l := range links {
		if l.ChunkID == "" && len(chunks) > 0 {
			l.ChunkID = chunks[0].ID // parents come first
		}
		if l.ChunkID != "" && l.TargetURL != "" {
			kept = append(kept, l)
		}
	}
	return kept
}

// withSections gives each passage that is its own section a section that holds
// the same text. Parents come before their children.
func (c *copier) withSections(chunks []store.Chunk) []store.Chunk {
	if !c.lacks(store.CapSections) {
		return chunks
	}
	out := make([]store.Chunk, 0, 2*len(chunks))
	for _, child := range chunks {
		section := child
		section.ID, section.Level, section.ParentID = made(child.ID, "section"), store.Parent, ""
		section.Embedding, section.EmbedHash = nil, ""
		section.Terms, section.HeadingTerms, section.TitleTerms = "", "", ""
		child.Level, child.ParentID, child.Index = store.Child, section.ID, 0
		child.Anchors = nil
		out = append(out, section, child)
		c.report.Orphans++
	}
	return out
}

// edges copies the edges that belong to no document's own structure and follow
// from no link: those that were imported.
func (c *copier) edges(ctx context.Context, w store.Writer) error {
	if c.lacks(store.CapEdges) {
		return nil
	}
	imported := edgeList{view: c.source, query: store.EdgeQuery{Origins: []store.Origin{store.OriginImport}}}
	for {
		edges, err := imported.page(ctx)
		if err != nil || len(edges) == 0 {
			return err
		}
		missing, err := w.PutEdges(ctx, edges)
		if err != nil {
			return err
		}
		c.report.Edges += len(edges) - len(missing)
		c.report.MissingEdges += len(missing)
	}
}

var space = uuid.MustParse("6f2f6a52-2f0a-5a3e-8f0d-1d6e0b7c9a42")

// made is the id of something that the source does not have: a UUIDv5 of what it
// belongs to and its kind.
func made(of, kind string) string {
	return uuid.NewSHA1(space, []byte(of+"\x00"+kind)).String()
}
