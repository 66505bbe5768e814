package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/store"
)

// newServerEmbedder makes a client of the configured embedding server.
func newServerEmbedder(c *config.Config) (embedder.Embedder, error) {
	e, err := embedder.NewOpenAI(embedder.OpenAIConfig{
		BaseURL: c.Text("embedding.base_url"), Model: c.Text("embedding.model"), APIKey: toEmbed.keyFor(c),
		Dimensions: c.Int("embedding.dimensions"), BatchSize: c.Int("embedding.batch_size"), Workers: c.Int("embedding.max_workers"),
		Tokenizer: c.Text("embedding.tokenizer"),
	})
	if err != nil {
		return nil, fmt.Errorf("embedding: %w", err)
	}
	return e, nil
}

// queryVectors is how many vectors of queries are remembered: some megabytes.
const queryVectors = 1000

// forQueries makes an embedder ready for the corpus that it is going to ask: a
// server is probed, cuts its vectors as the corpus did, and is asked once for equal
// queries. The notices are on the corpus and on how the two go together.
func forQueries(ctx context.Context, e embedder.Embedder, corpus store.Store) (embedder.Embedder, []retrieval.Notice, error) {
	info := corpus.Info()
	notices := corpusNotices(info)
	adopt(e, info.Meta)
	if e.Info().Dims == 0 { // of a model that this program has never heard of
		if err := mustAnswer(ctx, e); err != nil {
			return nil, nil, err
		}
	}
	if info.Foreign {
		adopted, more, err := adoptForeign(ctx, e, corpus)
		if err != nil {
			return nil, nil, err
		}
		// That similarities mean nothing comes before anything else.
		e, notices = adopted, append(more, notices...)
	}
	if e.Info().InProcess {
		return e, notices, nil
	}
	return embedder.NewCached(e, queryVectors), notices, nil
}

// adopt takes the dimensions of a corpus that exists, if none are configured.
func adopt(e embedder.Embedder, corpus store.Meta) {
	if server, ok := e.(*embedder.OpenAI); ok {
		server.Adopt(corpus.EmbedderID, corpus.Dimensions)
	}
}

// mustAnswer fails for a server that is not there or cannot embed, before
// anything is made for it.
func mustAnswer(ctx context.Context, e embedder.Embedder) error {
	server, ok := e.(*embedder.OpenAI)
	if !ok {
		return nil
	}
	err := server.Probe(ctx)
	if errors.Is(err, embedder.ErrUnavailable) {
		return fmt.Errorf("%w; EMBEDDING_PROVIDER=builtin needs no server", err)
	}
	return err
}
