package retrieval

import (
	"context"
	"fmt"
	"slices"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
)

// Retriever finds the results for a query, best first, at most topK of them.
// Programs that need search results depend on it and not on this engine.
type Retriever interface {
	Retrieve(ctx context.Context, query string, topK int) ([]RetrievalResult, error)
}

// RetrievalResult is a result in the form of the [Retriever] interface.
type RetrievalResult struct {
	// Content is the text of the selected surface.
	Content string `json:"content"`
	// Score is higher for what is more relevant. Its scale is that of the preset,
	// or of the reranker.
	Score      float32 `json:"score"`
	ChunkID    string  `json:"chunk_id"`
	DocumentID string  `json:"document_id"`
	// DocumentTitle is the page's title, DocumentSource its URL.
	DocumentTitle  string `json:"document_title"`
	DocumentSource string `json:"document_source"`
	// GraphContext are the edges that led to the chunk; empty for chunks that the
	// search found.
	GraphContext []EdgeContext `json:"graph_context,omitempty"`
}

// EdgeContext is an edge that led to a chunk.
type EdgeContext struct {
	FromChunkID string `json:"from_chunk_id"`
	Relation    string `json:"relation"`
	// Description is the edge in words.
	Description string `json:"description"`
}

// Reranker gives results new scores. What it returns is sorted by score, best
// first, and trimmed to topK; a topK of 0 is no limit. The results given stay as
// they are.
type Reranker interface {
	Rerank(ctx context.Context, query string, results []RetrievalResult, topK int) ([]RetrievalResult, error)
}

// RetrieverOption changes a retriever beyond its parameters.
type RetrieverOption func(*retriever)

// WithScope restricts every retrieval to a part of the corpus.
func WithScope(s store.Scope) RetrieverOption { return func(r *retriever) { r.scope = s } }

// WithReranker gives the engine's results to a reranker of one's own. As many
// are asked of the engine as overfetching asks of an arm, and the parameters'
// MinScore holds for the reranker's scores.
func WithReranker(rr Reranker) RetrieverOption { return func(r *retriever) { r.reranker = rr } }

// WithNotices has f called with what each retrieval has to report, such as an arm
// that failed.
func WithNotices(f func([]Notice)) RetrieverOption { return func(r *retriever) { r.notify = f } }

// NewRetriever returns a retriever that runs the engine with the given
// parameters, those of any preset:
//
//	p, _ := param.Preset(param.PresetHybrid)
//	r := retrieval.NewRetriever(deps, p)
//
// Its topK replaces that of the parameters, unless it is 0.
func NewRetriever(d Deps, p param.Params, o ...RetrieverOption) Retriever {
	r := &retriever{deps: d, params: p, notify: func([]Notice) {}}
	for _, set := range o {
		set(r)
	}
	return r
}

type retriever struct {
	deps     Deps
	params   param.Params
	scope    store.Scope
	reranker Reranker
	notify   func([]Notice)
}

// Retrieve implements [Retriever].
func (r *retriever) Retrieve(ctx context.Context, query string, topK int) ([]RetrievalResult, error) {
	if topK < 0 {
		return nil, fmt.Errorf("retrieve: top k %d: give at least 1, or 0 for the preset's", topK)
	}
	p := r.params
	if topK > 0 {
		p.TopK = topK
	}
	topK = p.TopK
	if r.reranker != nil {
		p.TopK, p.MinScore = min(topK*max(1, p.Overfetch), param.MostRows), 0
	}
	result, err := Retrieve(ctx, r.deps, Query{Text: query, Scope: r.scope}, p, Options{})
	if err != nil {
		return nil, err
	}
	r.notify(result.Notices)
	results := resultsOf(&result)
	if r.reranker != nil {
		if results, err = r.reranker.Rerank(ctx, query, results, topK); err != nil {
			return nil, fmt.Errorf("rerank: %w", err)
		}
		if least := r.params.MinScore; least > 0 {
			results = slices.DeleteFunc(results, func(one RetrievalResult) bool { return one.Score < float32(least) })
		}
	}
	if topK > 0 && topK < len(results) {
		results = results[:topK]
	}
	return results, nil
}

// resultsOf lists a result's items by rank. The engine may list them by page.
func resultsOf(result *Result) []RetrievalResult {
	return each(result.ByRank(), func(at **Item) RetrievalResult {
		it := *at
		return RetrievalResult{
			Content: it.SelectedText(), Score: float32(it.Score), ChunkID: it.ChunkID,
			DocumentID: it.DocumentID, DocumentTitle: it.Title, DocumentSource: it.SourceURL, GraphContext: it.EdgeContexts(),
		}
	})
}

// EdgeContexts are the edges of GraphContext in the form of the [Retriever] interface,
// empty for what the search found.
func (it *Item) EdgeContexts() []EdgeContext {
	return each(it.GraphContext, func(p *GraphPath) EdgeContext {
		return EdgeContext{FromChunkID: p.FromChunkID, Relation: p.Relation, Description: p.Description}
	})
}
