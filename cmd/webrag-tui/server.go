package main

import (
	"context"
	"fmt"

	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/embedder"
)

// newServerEmbedder makes a client of the configured embedding server.
func newServerEmbedder(ctx context.Context, c *config.Config) (embedder.Embedder, error) {
	e, err := embedder.NewOpenAI(embedder.OpenAIConfig{
		BaseURL: c.Text("embedding.base_url"), Model: c.Text("embedding.model"), APIKey: c.Text("embedding.api_key"),
		Dimensions: c.Int("embedding.dimensions"), BatchSize: c.Int("embedding.batch_size"), Workers: c.Int("embedding.max_workers"),
	})
	if err != nil {
		return nil, fmt.Errorf("embedding: %w", err)
	}
	return e, nil
}
