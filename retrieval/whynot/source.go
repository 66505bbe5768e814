package whynot

import (
	"context"
	"errors"
	"fmt"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
)

// source is what a prober asks: a corpus, or evidence that was kept of one.
type source interface {
	// name is that of the corpus, scope the query's; hasEdges says whether there are any
	// edges at all.
	name() string
	scope() store.Scope
	hasEdges() bool
	// gather collects the evidence for p. Where rows is not 0 it is wide enough to
	// find a text with other parameters, too: so many rows of both arms.
	gather(ctx context.Context, p param.Params, rows int) (retrieval.Evidence, error)
	extend(ctx context.Context, ev retrieval.Evidence, needs retrieval.Needs) (retrieval.Evidence, error)
	// read opens the chunks.
	read(ctx context.Context) (view, error)
}

// view are the chunks of a source, as in [store.View].
type view interface {
	Find(ctx context.Context, q store.FindQuery) (chunks []store.Chunk, total int, err error)
	Children(ctx context.Context, parentIDs []string, fields store.Fields) ([]store.Chunk, error)
	Chunks(ctx context.Context, ids []string, fields store.Fields) ([]store.Chunk, error)
	Search(ctx context.Context, spec store.Search) (store.Found, error)
	Place(ctx context.Context, spec store.Search, chunkID string) (store.Placement, error)
	Edges(ctx context.Context, q store.EdgeQuery) ([]store.Edge, error)
	Deleted(ctx context.Context) ([]store.Document, error)
	Close() error
	// exact is what places of texts are asked by, see [retrieval.ExactSearch]: where
	// similar says so, by the vector of the query that was gathered, too.
	exact(ctx context.Context, p param.Params, similar bool) (spec store.Search, own int, err error)
}

// ErrUnkept is the answer of kept evidence that does not reach far enough: only a new
// search could tell.
var ErrUnkept = errors.New("only a new search could tell")

// corpus is a source that searches.
type corpus struct {
	d retrieval.Deps
	q retrieval.Query
	// embedded is the embedder of d, with the query's vector.
	embedded *remembering
}

func newCorpus(d retrieval.Deps, q retrieval.Query) *corpus {
	embedded := &remembering{Embedder: d.Embedder}
	d.Embedder = embedded
	return &corpus{d, q, embedded}
}

// remembering embeds a query once, however often it is searched.
type remembering struct {
	embedder.Embedder
	vector []float32
}

func (r *remembering) EmbedOne(ctx context.Context, text string, role embedder.Role) ([]float32, error) {
	if r.vector != nil {
		return r.vector, nil
	}
	vector, err := r.Embedder.EmbedOne(ctx, text, role)
	if err == nil {
		r.vector = vector
	}
	return vector, err
}

func (c *corpus) gather(ctx context.Context, p param.Params, rows int) (retrieval.Evidence, error) {
	if rows > 0 {
		p.Reach, p.MaxHops, p.TopKChildrenLimit = param.ReachWide, 0, rows
		p.KeywordWeight = max(p.KeywordWeight, 0.5)
	}
	return retrieval.Gather(ctx, c.d, c.q, p)
}

func (c *corpus) extend(ctx context.Context, ev retrieval.Evidence, needs retrieval.Needs) (retrieval.Evidence, error) {
	return retrieval.Extend(ctx, c.d, ev, needs)
}

func (c *corpus) read(ctx context.Context) (view, error) {
	v, err := c.d.Store.Read(ctx)
	if err != nil {
		return nil, fmt.Errorf("read corpus %s: %w", c.name(), err)
	}
	return corpusView{v, c}, nil
}

// corpusView is a view of a corpus.
type corpusView struct {
	store.View
	of *corpus
}

func (v corpusView) exact(ctx context.Context, p param.Params, similar bool) (store.Search, int, error) {
	var vector []float32
	if similar {
		vector = v.of.embedded.vector
	}
	return retrieval.ExactSearch(ctx, v.View, &v.of.d, v.of.q, p, vector)
}

func (c *corpus) name() string { return c.d.Store.Info().Name }

func (c *corpus) scope() store.Scope { return c.q.Scope }

func (c *corpus) hasEdges() bool {
	_, missing := c.d.Store.Info().Missing[store.CapEdges]
	return !missing
}
