package retrieval_test

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/rerank"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/sqlite"
)

// cookbook is the corpus of the examples.
var cookbook = []source.NormalizedDocument{
	{
		SourceURL: "https://example.org/bread", Title: "Bread", DocType: "markdown",
		Markdown: "# Bread\n\n## Dough\n\nKnead flour, water, salt and yeast for ten minutes.\n\n## Baking\n\nBake the loaf in a hot oven until the crust is dark.\n",
	},
	{
		SourceURL: "https://example.org/soup", Title: "Soup", DocType: "markdown",
		Markdown: "# Soup\n\n## Stock\n\nSimmer bones and vegetables for hours, and never let the stock boil.\n",
	},
}

// openCookbook indexes the pages into a file in folder.
func openCookbook(ctx context.Context, folder string) (store.Store, embedder.Embedder, error) {
	model := embedder.NewBuiltin()
	tokens, err := embedder.NewTokenizer(model.Info().Tokenizer)
	if err != nil {
		return nil, nil, err
	}
	st, err := sqlite.Open(ctx, filepath.Join(folder, "cookbook.db"), sqlite.Options{Create: true})
	if err != nil {
		return nil, nil, err
	}
	pages := func(yield func(source.NormalizedDocument, error) bool) {
		for _, page := range cookbook {
			if !yield(page, nil) {
				return
			}
		}
	}
	_, err = indexing.Run(ctx, st, pages, indexing.Options{Embedder: model, Tokenizer: tokens})
	return st, model, err
}

// look depends on a Retriever, whatever stands behind it.
func look(ctx context.Context, r retrieval.Retriever, query string) error {
	results, err := r.Retrieve(ctx, query, 2)
	if err != nil {
		return err
	}
	for _, one := range results {
		heading, _, _ := strings.Cut(one.Content, "\n")
		fmt.Printf("%s, %s: %s\n", one.DocumentTitle, one.DocumentSource, heading)
	}
	return nil
}

func ExampleRetriever() {
	ctx := context.Background()
	folder, err := os.MkdirTemp("", "cookbook")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	st, model, err := openCookbook(ctx, folder)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer st.Close()

	params, _ := param.Preset(param.PresetWebRAG)
	params.Mode = param.ModeChunk
	r := retrieval.NewRetriever(retrieval.Deps{Store: st, Embedder: model}, params)
	if err := look(ctx, r, "how dark should the crust of a loaf be"); err != nil {
		fmt.Println(err)
	}
	// Output:
	// Bread, https://example.org/bread: ## Baking
}

// brevity prefers what is quickly read.
type brevity struct{}

func (brevity) Rerank(_ context.Context, _ string, results []retrieval.RetrievalResult, topK int) ([]retrieval.RetrievalResult, error) {
	results = slices.Clone(results)
	for i := range results {
		results[i].Score = 1 / float32(1+len(results[i].Content))
	}
	slices.SortStableFunc(results, func(a, b retrieval.RetrievalResult) int { return cmp.Compare(b.Score, a.Score) })
	if topK > 0 && topK < len(results) {
		results = results[:topK]
	}
	return results, nil
}

func ExampleReranker() {
	results := []retrieval.RetrievalResult{
		{ChunkID: "long", Content: "Bread is made of flour, water, salt and yeast.", Score: .9},
		{ChunkID: "short", Content: "Bread is flour and water.", Score: .7},
		{ChunkID: "off", Content: "Soup.", Score: .1},
	}
	for _, r := range []retrieval.Reranker{rerank.NewScore(.5), brevity{}} {
		reranked, err := r.Rerank(context.Background(), "what is bread", results, 2)
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, one := range reranked {
			fmt.Printf("%s %.2f\n", one.ChunkID, one.Score)
		}
		fmt.Println()
	}
	// Output:
	// long 0.90
	// short 0.70
	//
	// off 0.17
	// short 0.04
}
