package main

import (
	"context"
	"fmt"

	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/embedder"
)

// newServerEmbedder makes a client of the configured embedding server.
func newServerEmbedder(c *config.Config) (embedder.Embedder, error) {
	e, err := embedder.NewOpenAI(embedder.OpenAIConfig{
		BaseURL: c.Text("embedding.base_url"), Model: c.Text("embedding.model"), APIKey: c.Text("embedding.api_key"),
		Dimensions: c.Int("embedding.dimensions"), BatchSize: c.Int("embedding.batch_size"), Workers: c.Int("embedding.max_workers"),
	})
	if err != nil {
		return nil, fmt.Errorf("embedding: %w", err)
	}
	return e, nil
}

// probe asks a server once what it does not say in its profile, such as the
// dimensions of a model that this program has never heard of.
func probe(ctx context.Context, e embedder.Embedder) error {
	if e.Info().Dims != 0 {
		return nil
	}
	return mustAnswer(ctx, e)
}

// mustAnswer fails for a server that is not there or cannot embed, before
// anything is made for it.
func mustAnswer(ctx context.Context, e embedder.Embedder) error {
	server, ok := e.(*embedder.OpenAI)
	if !ok {
		return nil
	}
	return server.Probe(ctx)
}
