package indexing

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/store"
)

// ErrNoText is the error of a page that has no text to index.
var ErrNoText = errors.New("the page has no text")

// Derived is a page cut into chunks, not yet embedded.
type Derived struct {
	Bundle store.Bundle
	// EmbedTexts[i] is what has to be embedded for Bundle.Chunks[i], empty for
	// parents and for children without words.
	EmbedTexts []string
	// Foreign counts the sections of a page whose markdown another converter made
	// of the HTML that came with it, Unmatched those of them for which no part of
	// the HTML was found: they have no HTML, and the flags of their markdown.
	Foreign, Unmatched int
}

// Deriver cuts pages. It may be used from several goroutines.
type Deriver struct {
	o     Options
	print string
	terms store.Analyzer
}

// NewDeriver returns a deriver, or an error when the options do not hold.
func NewDeriver(o Options) (*Deriver, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	return &Deriver{o: o, print: o.fingerprint()}, nil
}

// Derive makes everything of a page that is stored, except its vectors. It is
// deterministic: equal pages give equal bundles.
func (d *Deriver) Derive(ctx context.Context, doc source.NormalizedDocument) (Derived, error) {
	doc.SourceURL, doc.URL = withoutUser(doc.SourceURL), withoutUser(doc.URL)
	if len(doc.URLAliases) > maxAliases {
		return Derived{}, fmt.Errorf("%d: %w", len(doc.URLAliases), ErrManyAliases)
	}
	aliases := slices.Clone(doc.URLAliases)
	for i := range aliases {
		aliases[i] = withoutUser(aliases[i])
	}
	doc.URLAliases = aliases
	p, err := read(ctx, &doc, d.o.Tokenizer)
	if err != nil {
		return Derived{}, err
	}
	switch {
	case strings.TrimSpace(p.text) == "":
		return Derived{}, ErrNoText
	case len(p.blocks) > maxBlocks:
		return Derived{}, fmt.Errorf("more than %d paragraphs: %w", maxBlocks, ErrTooManyParts)
	case len(doc.SourceURL) > maxLinkTarget:
		return Derived{}, ErrLongAddress
	}
	w := derivation{
		Deriver: d, page: p, src: &doc,
		doc:     document(&doc, p),
		anchors: p.anchors(),
		equal:   map[ordinalKey]int{},
	}
	w.doc.PipelineFingerprint = d.print
	if err := w.chunks(ctx); err != nil {
		return Derived{}, err
	}
	w.noteAnchors()
	w.links()
	w.seal()
	b := store.Bundle{Document: w.doc, Chunks: w.out, Links: w.found, Edges: structureEdges(&w.doc, onlyParents(w.out))}
	out := Derived{Bundle: b, EmbedTexts: w.texts}
	if doc.HTML != "" && p.html == nil {
		out.Foreign, out.Unmatched = w.unmatched()
	}
	return out, nil
}

// document makes the row of a page; what the page's head says fills the gaps.
func document(d *source.NormalizedDocument, p *page) store.Document {
	out := store.Document{
		URL: d.URL, SourceURL: d.SourceURL, URLAliases: d.URLAliases,
		Title: d.Title, Description: d.Description, Language: d.Language,
		StatusCode: d.StatusCode, PublishedTime: d.PublishedTime, ModifiedTime: d.ModifiedTime,
		DocType: d.DocType, SourceType: d.SourceType, Filename: d.Filename, DocPath: d.DocPath,
		ContentHash: hashText(p.text), Owner: d.Owner, Metadata: d.Metadata, Tags: d.Tags,
		FetchedAt: d.FetchedAt.UTC(), Depth: d.Depth, TokenCount: len(p.tokens.starts),
	}
	if out.SourceURL == "" {
		out.SourceURL = out.URL
	}
	if out.URL == "" {
		out.URL = out.SourceURL
	}
	fill := func(to *string, from string) {
		if *to == "" {
			*to = from
		}
	}
	if from := p.source(); from != nil {
		fill(&out.Title, from.Title)
		fill(&out.Description, from.Description)
		fill(&out.Language, from.Language)
		fill(&out.PublishedTime, from.PublishedTime)
		fill(&out.ModifiedTime, from.ModifiedTime)
	}
	for _, h := range p.outline.heads {
		if p.blocks[h].level == 1 {
			fill(&out.Title, p.blocks[h].title)
			break
		}
	}
	fill(&out.DocType, "markdown")
	fill(&out.SourceType, "web")
	out.ID = DocumentID(out.SourceURL, out.Owner)
	tidy(&out)
	return out
}

// withRoot adds the mark of a folder, unless it is empty, to a copy of metadata.
func withRoot(metadata map[string]string, mark string) map[string]string {
	if mark == "" {
		return metadata
	}
	out := maps.Clone(metadata)
	if out == nil {
		out = map[string]string{}
	}
	out[rootKey] = mark
	return out
}

type ordinalKey struct {
	level store.Level
	text  string
}

// derivation is one page on its way.
type derivation struct {
	*Deriver
	page    *page
	src     *source.NormalizedDocument
	doc     store.Document
	anchors map[int]string
	equal   map[ordinalKey]int
	out     []store.Chunk
	texts   []string
	found   []store.Link
	// ends are the parents' byte ends, ids their ids.
	ends []int
	ids  []string
	// addresses is the length of the addresses that are kept.
	addresses int
}

func (w *derivation) chunks(ctx context.Context) error {
	ends, children, err := w.parts(ctx)
	if err != nil {
		return err
	}
	w.ends = ends
	parentAt := places{o: &w.page.outline, run: w.page.outline.split}
	childAt := places{o: &w.page.outline, run: 6}
	start := 0
	for i, end := range w.ends {
		if err := ctx.Err(); err != nil {
			return err
		}
		parent := w.chunk(store.Parent, i, start, end, parentAt.at(start, end))
		w.ids = append(w.ids, parent.ID)
		at := len(w.out)
		w.out = append(w.out, parent)
		w.texts = append(w.texts, "")
		from := start
		for j, to := range children[i] {
			place := childAt.at(from, to)
			child := w.chunk(store.Child, j, from, to, place)
			child.ParentID = parent.ID
			cont, header := w.page.cont(from, to)
			child.Cont = cont
			child.Terms = strings.Join(w.terms.Terms(w.page.body(from, to)), " ")
			w.terms.Name(&child)
			text := embedText(w.doc.Title, w.page.embedPath(place.path, child.Flags, from, to), header, w.page.embedBody(from, to))
			if text != "" {
				child.EmbedHash = hashText(text)
			}
			w.out[at].Flags |= child.Flags
			w.out = append(w.out, child)
			w.texts = append(w.texts, text)
			from = to
		}
		w.out[at].Cont, _ = w.page.cont(start, end)
		w.addHTML(&w.out[at], start, end)
		if w.o.HTMLChildren {
			from = start
			for j := at + 1; j < len(w.out); j++ {
				to := w.page.index.Byte(w.out[j].CharEnd)
				w.addHTML(&w.out[j], from, to)
				from = to
			}
		}
		start = end
	}
	w.doc.ParentCount = len(w.ends)
	return nil
}

// chunk fills in what both levels have.
func (w *derivation) chunk(level store.Level, index, from, to int, at place) store.Chunk {
	text := w.page.text[from:to]
	key := ordinalKey{level, text}
	c := store.Chunk{
		ID:         chunkID(w.doc.ID, level, text, w.equal[key]),
		DocumentID: w.doc.ID, Level: level, Index: index,
		SectionHeading: at.heading, HeadingPath: at.path, Anchor: w.anchors[at.at],
		CharStart: w.page.index.Point(from), CharEnd: w.page.index.Point(to),
		TokenStart: w.page.tokens.at(from), TokenEnd: w.page.tokens.at(to),
		Flags: w.page.flagsIn(from, to),
		Depth: w.doc.Depth, Title: w.doc.Title, Owner: w.doc.Owner,
		SourceURL: w.doc.SourceURL, FetchedAt: w.doc.FetchedAt,
		ChunkText: text,
	}
	w.equal[key]++
	for _, m := range w.marksIn(from, to) {
		if !m.image || m.start < from || m.start >= to {
			continue
		}
		c.Flags |= store.HasImage
		if url, _ := w.resolve(m.target); url != "" && w.keeps(url) {
			c.ImageRefs = append(c.ImageRefs, store.ImageRef{
				URL: url, Alt: unescape(w.page.text[m.labelStart:m.labelEnd]),
			})
		}
	}
	return c
}

// addHTML stores the HTML surface of a chunk that prefers it.
func (w *derivation) addHTML(c *store.Chunk, from, to int) {
	if !c.Flags.Has(store.HTMLPreferred) {
		return
	}
	start, end, ok := w.page.place(from, to)
	if !ok {
		c.HTMLOmittedReason = w.page.noHTML
		return
	}
	html, omitted := w.page.source().HTML(start, end)
	if html == "" {
		c.HTMLOmittedReason = omitted
		if omitted == "" {
			c.HTMLOmittedReason = "unparsable"
		}
		return
	}
	c.HTMLText = html
	c.HTMLTokens = w.o.Tokenizer.Count(html)
}

// unmatched counts the parents with words, and those without a place in the HTML.
func (w *derivation) unmatched() (all, unmatched int) {
	from := 0
	for _, to := range w.ends {
		if hasWords(w.page.text[from:to]) {
			all++
			if _, _, ok := w.page.place(from, to); !ok {
				unmatched++
			}
		}
		from = to
	}
	return all, unmatched
}

// parentAt returns the id of the parent that holds a byte offset.
func (w *derivation) parentAt(at int) string {
	i, found := slices.BinarySearch(w.ends, at)
	if found {
		i++
	}
	return w.ids[min(i, len(w.ids)-1)]
}

// seal computes what depends on everything else.
func (w *derivation) seal() {
	rows := rowsHash(w.out, w.found)
	w.doc.DerivedHash = derivedHash(&w.doc, rows)
	// Other metadata alone are no other ingestion: the chunks stay as they are.
	w.doc.CurrentIngestionID = newID("ingestion", w.doc.ID, rows, w.doc.PipelineFingerprint)
	for i := range w.out {
		w.out[i].IngestionID = w.doc.CurrentIngestionID
	}
	w.doc.Metadata = withRoot(w.doc.Metadata, w.src.Root)
}

// derivedHash covers what a reader of the corpus can see of a page. Times of
// fetching and modification are left out: they change with each crawl.
func derivedHash(d *store.Document, rows string) string {
	h := newHasher()
	metadata, _ := json.Marshal(d.Metadata) // sorted by key; strings always encode
	h.text(d.ID, d.URL, d.SourceURL, strings.Join(d.URLAliases, "\n"), d.Title, d.Description, d.Language,
		d.PublishedTime, d.DocType, d.SourceType, d.Filename, d.DocPath, d.ContentHash, d.Owner,
		string(metadata), strings.Join(d.Tags, "\n"), rows)
	h.number(d.StatusCode, d.Depth, d.TokenCount)
	return h.hex()
}

// rowsHash covers the chunks and the links of a page, with what chunks repeat of
// their document.
func rowsHash(chunks []store.Chunk, links []store.Link) string {
	h := newHasher()
	h.number(len(chunks))
	for i := range chunks {
		c := &chunks[i]
		h.text(c.ID, c.ParentID, string(c.Level), c.SectionHeading, strings.Join(c.HeadingPath, "\n"), c.Anchor, strings.Join(c.Anchors, "\n"),
			c.HTMLText, c.HTMLOmittedReason, c.EmbedHash, c.Terms, c.Title, c.Owner, c.SourceURL)
		cont := 0
		if c.Cont {
			cont = 1
		}
		h.number(c.Index, c.CharStart, c.CharEnd, c.TokenStart, c.TokenEnd, int(c.Flags), c.HTMLTokens, cont, c.Depth)
		for _, r := range c.ImageRefs {
			h.text(r.URL, r.Alt)
		}
	}
	for _, l := range links {
		h.text(l.ChunkID, l.TargetURL, l.Anchor, l.Text)
	}
	return h.hex()
}
