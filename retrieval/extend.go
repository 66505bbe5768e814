package retrieval

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
)

// Needs lists what Rank could not find in the evidence.
type Needs struct {
	// Edges are ids of the nodes whose edges are to be followed.
	Edges []string
	// Words are ids of the chunks to be compared with one another.
	Words []string
	// Rerank is the list to be scored; nil when none is.
	Rerank *RerankNeed
	// Texts are ids of chunks whose text is to be shown.
	Texts []string
}

// RerankNeed is a list of chunks that a reranker is to score.
type RerankNeed struct {
	By param.RerankerKind
	// Chunks are ids, best first.
	Chunks []string
}

// IsZero reports whether nothing is missing.
func (n Needs) IsZero() bool {
	return len(n.Edges) == 0 && len(n.Words) == 0 && n.Rerank == nil && len(n.Texts) == 0
}

// IsProvisional reports whether the order may be another one once what is missing is
// fetched, as that of texts is not.
func (n Needs) IsProvisional() bool {
	n.Texts = nil
	return !n.IsZero()
}

// Extend fetches what Rank needs beyond the evidence: the edges of a frontier,
// words to compare, a reranker's scores, texts to show. The evidence given stays
// as it is. A reranker that fails is no error: the result says so.
func Extend(ctx context.Context, d Deps, ev Evidence, n Needs) (_ Evidence, err error) {
	if n.IsZero() {
		return ev, nil
	}
	view, err := d.Store.Read(ctx)
	if err != nil {
		return Evidence{}, fmt.Errorf("read corpus %s: %w", d.Store.Info().Name, err)
	}
	open := true
	closeView := func() error {
		if !open {
			return nil
		}
		open = false
		return view.Close()
	}
	defer func() { err = errors.Join(err, closeView()) }()
	ev.changed = ev.changed || view.Version() != ev.version

	if len(n.Edges) > 0 {
		start := d.now()
		if err := ev.readEdges(ctx, &d, view, n.Edges); err != nil {
			return Evidence{}, fmt.Errorf("read edges of corpus %s: %w", d.Store.Info().Name, err)
		}
		ev.timing.edges += d.now().Sub(start)
	}
	var docs []string
	if n.Rerank != nil {
		if docs, err = textsToScore(ctx, view, n.Rerank.Chunks); err != nil {
			return Evidence{}, fmt.Errorf("read texts of corpus %s: %w", d.Store.Info().Name, err)
		}
	}
	if len(n.Words) > 0 || len(n.Texts) > 0 {
		start := d.now()
		if err := ev.readTexts(ctx, view, n); err != nil {
			return Evidence{}, fmt.Errorf("read texts of corpus %s: %w", d.Store.Info().Name, err)
		}
		ev.timing.texts += d.now().Sub(start)
	}
	// A reranker takes seconds: no view is held open for it.
	if err := closeView(); err != nil {
		return Evidence{}, err
	}
	if n.Rerank != nil {
		start := d.now()
		if err := ev.score(ctx, &d, n.Rerank, docs); err != nil {
			return Evidence{}, err
		}
		ev.timing.rerank += d.now().Sub(start)
	}
	return ev, nil
}

// readTexts reads the texts of what is to be shown, with the metadata of the
// pages, and the words of those and of what is to be compared.
func (ev *Evidence) readTexts(ctx context.Context, view store.View, n Needs) error {
	shown := make(map[string]bool, len(n.Texts))
	for _, id := range n.Texts {
		shown[id] = true
	}
	ids := slices.Clone(n.Texts)
	for _, id := range n.Words {
		if !shown[id] {
			ids = append(ids, id)
		}
	}
	fields := store.FieldText
	if len(n.Texts) > 0 {
		fields |= store.FieldHTML
	}
	chunks, err := view.Chunks(ctx, ids, fields)
	if err != nil {
		return err
	}
	known := make(map[string]texts, len(ev.texts)+len(n.Texts))
	maps.Copy(known, ev.texts)
	for _, id := range n.Texts {
		known[id] = texts{gone: true}
	}
	read := make(map[string]string, len(ids))
	for _, id := range ids {
		read[id] = "" // as is what is gone
	}
	documents := map[string]bool{}
	for i := range chunks {
		c := &chunks[i]
		read[c.ID] = c.ChunkText
		if shown[c.ID] {
			known[c.ID] = texts{markdown: c.ChunkText, html: c.HTMLText}
			documents[c.DocumentID] = true
		}
	}
	ev.texts = known
	ev.words = ev.words.With(read)
	return ev.readMetadata(ctx, view, documents)
}

// readMetadata reads what is known of pages beyond their address.
func (ev *Evidence) readMetadata(ctx context.Context, view store.View, wanted map[string]bool) error {
	var ids []string
	for i := range ev.documents {
		if d := &ev.documents[i]; wanted[d.id] && d.meta == nil {
			ids = append(ids, d.id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	found, err := view.Documents(ctx, store.Scope{DocumentIDs: ids}, store.Page{})
	if err != nil {
		return err
	}
	ev.documents = slices.Clone(ev.documents)
	for i := range found {
		f := &found[i]
		at := slices.IndexFunc(ev.documents, func(d documentRow) bool { return d.id == f.ID })
		if at < 0 {
			continue
		}
		ev.documents[at].meta = &DocumentMeta{
			SourceType: f.SourceType, Filename: f.Filename, DocPath: f.DocPath, Owner: f.Owner,
			Tags: f.Tags, Metadata: f.Metadata, IndexedAt: f.IndexedAt,
		}
	}
	return nil
}
