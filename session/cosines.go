package session

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/store"
)

// Cosines are the cosines of a query with the children of a section that matched,
// each taken apart.
type Cosines struct {
	// Exact says that the shares of the words add up to the cosine. Otherwise each
	// is how far the cosine falls without the word.
	Exact bool
	// Children are by chunk id.
	Children map[string]Cosine
}

// Cosine is one cosine taken apart.
type Cosine struct {
	Value float64
	// Query holds the words of the query; their ranges are code points of it.
	Query []embedder.WordShare
	// Title, Headings and Repeated are what the words bring that are embedded with
	// the child but are not its text: the page's title, the headings above, and the
	// first line of a code block or table that it goes on with. Body is what the
	// words of its text bring. Together they are the cosine. Of exact shares alone.
	Title, Headings, Repeated, Body float64
	// Text holds the words of the child's text; their ranges are code points of the
	// page. Of exact shares alone.
	Text []embedder.WordShare
	// Changed says that the child was embedded from another text than its own as it
	// is now, so that nothing is known of its words.
	Changed bool
}

// Cosiner takes cosines apart. It is called from several goroutines.
type Cosiner interface {
	// Cost is how many texts the next call for a query has embedded by a server: 0
	// where none is asked.
	Cost(query string) int
	// Cosines takes the cosines of a section's matches apart; vector is the
	// query's.
	Cosines(ctx context.Context, query string, vector []float32, it *retrieval.Item) (Cosines, error)
}

// newCosiner is exact where the embedder is a sum over words, else it leaves words
// out.
func newCosiner(d retrieval.Deps) Cosiner {
	if x := embedder.ExplainerOf(d.Embedder); x != nil {
		return exactCosines{reader{d.Store}, x}
	}
	return &leftOutCosines{reader: reader{d.Store}, embedder: d.Embedder, known: map[string]*embedder.Without{}}
}

type exactCosines struct {
	reader    reader
	explainer embedder.Explainer
}

func (exactCosines) Cost(string) int { return 0 }

func (x exactCosines) Cosines(ctx context.Context, query string, _ []float32, it *retrieval.Item) (Cosines, error) {
	var texts []indexing.Embedded
	err := x.reader.view(ctx, func(v store.View) (err error) {
		texts, err = indexing.EmbeddedTexts(ctx, v, it.DocumentID, matchIDs(it))
		return err
	})
	if err != nil {
		return Cosines{}, err
	}
	found := Cosines{Exact: true, Children: make(map[string]Cosine, len(texts))}
	for i := range texts {
		found.Children[texts[i].ChunkID] = exactCosine(x.explainer, query, &texts[i])
	}
	return found, nil
}

// exactCosine takes the cosine with one text apart.
func exactCosine(x embedder.Explainer, query string, text *indexing.Embedded) Cosine {
	if !text.Agrees {
		return Cosine{Changed: true}
	}
	shares := x.Shares(query, text.Text)
	c := Cosine{Value: shares.Cosine, Query: shares.Query}
	for _, w := range shares.Text {
		switch text.From(w.Start) {
		case indexing.EmbeddedTitle:
			c.Title += w.Share
		case indexing.EmbeddedHeadings:
			c.Headings += w.Share
		case indexing.EmbeddedRepeated:
			c.Repeated += w.Share
		case indexing.EmbeddedBody:
			c.Body += w.Share
			if from, to, ok := text.Page(w.Start, w.End); ok {
				w.Start, w.End = from, to
				c.Text = append(c.Text, w)
			}
		}
	}
	return c
}

func matchIDs(it *retrieval.Item) map[string]bool {
	ids := make(map[string]bool, len(it.Matches))
	for i := range it.Matches {
		ids[it.Matches[i].ChunkID] = true
	}
	return ids
}

// leftOutCosines leaves each word out of a query. What the server gave is kept for
// the query's other sections.
type leftOutCosines struct {
	reader   reader
	embedder embedder.Embedder

	mu    sync.Mutex
	known map[string]*embedder.Without
}

// mostLeftOut bounds the queries whose vectors are kept: some ten vectors each.
const mostLeftOut = 50

func (x *leftOutCosines) Cost(query string) int {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.known[query] != nil {
		return 0
	}
	return len(embedder.LeaveEachOut(query))
}

func (x *leftOutCosines) without(ctx context.Context, query string, vector []float32) (*embedder.Without, error) {
	x.mu.Lock()
	w := x.known[query]
	x.mu.Unlock()
	if w != nil {
		return w, nil
	}
	w, err := embedder.LeaveOneOut(ctx, x.embedder, query, vector)
	if err != nil {
		return nil, err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(x.known) >= mostLeftOut {
		clear(x.known)
	}
	x.known[query] = w
	return w, nil
}

func (x *leftOutCosines) Cosines(ctx context.Context, query string, vector []float32, it *retrieval.Item) (Cosines, error) {
	if len(vector) == 0 {
		return Cosines{}, errors.New("the query has no vector")
	}
	w, err := x.without(ctx, query, vector)
	if err != nil {
		return Cosines{}, err
	}
	ids := make([]string, 0, len(it.Matches))
	for id := range matchIDs(it) {
		ids = append(ids, id)
	}
	var children []store.Chunk
	err = x.reader.view(ctx, func(v store.View) (err error) {
		children, err = v.Chunks(ctx, ids, store.FieldEmbedding)
		return err
	})
	if err != nil {
		return Cosines{}, fmt.Errorf("read the vectors of the section: %w", err)
	}
	found := Cosines{Children: make(map[string]Cosine, len(children))}
	for i := range children {
		if children[i].Embedding == nil {
			continue
		}
		value, drops := w.Drops(children[i].Embedding)
		found.Children[children[i].ID] = Cosine{Value: value, Query: drops}
	}
	return found, nil
}
