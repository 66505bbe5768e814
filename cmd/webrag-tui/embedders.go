package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"

	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/store"
)

// newEmbedder makes the configured embedder.
func newEmbedder(c *config.Config) (embedder.Embedder, error) {
	switch provider(c) {
	case providerBuiltin:
		return embedder.NewBuiltin(), nil
	case providerModel2Vec:
		return newStaticEmbedder(c)
	}
	return newServerEmbedder(c)
}

// The values of embedding.provider.
const (
	providerBuiltin   = "builtin"
	providerOpenAI    = "openai"
	providerModel2Vec = "model2vec"
)

// provider is the configured one: an address or a key selects a server.
func provider(c *config.Config) string {
	if !c.IsSet("embedding.provider") && (c.IsSet("embedding.base_url") || c.IsSet("embedding.api_key")) {
		return providerOpenAI
	}
	return c.Text("embedding.provider")
}

// newStaticEmbedder loads the configured model from its folder.
func newStaticEmbedder(c *config.Config) (embedder.Embedder, error) {
	dir := c.Text("embedding.model")
	if dir == "" {
		return nil, fmt.Errorf("%s: model2vec needs a model; set EMBEDDING_MODEL to the folder with its model.safetensors and tokenizer.json",
			c.Value("embedding.provider").Origin)
	}
	e, err := embedder.LoadModel2Vec(dir)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Value("embedding.model").Origin, err)
	}
	if dims := c.Int("embedding.dimensions"); dims != 0 && dims != e.Info().Dims {
		return nil, fmt.Errorf("%s: the model in %s has %d dimensions, not %d; leave the setting out",
			c.Value("embedding.dimensions").Origin, dir, e.Info().Dims, dims)
	}
	return e, nil
}

// ownVocabulary are the ids of tokenizers as indexing keeps them: of one from a file
// the hash. A stranger's corpus may hold a path, and does not say which file is opened.
var ownVocabulary = regexp.MustCompile(`^[a-z0-9_]+(:[a-z0-9_]+)?$`)

// newTokenizer makes the configured tokenizer; without one that of the corpus,
// whose sizes and offsets are counted with it, or for a new corpus the one paired
// with the embedder.
func newTokenizer(c *config.Config, e embedder.Embedder, corpus store.Meta) (embedder.Tokenizer, error) {
	id := cmp.Or(c.Text("embedding.tokenizer"), corpus.Tokenizer, e.Info().Tokenizer)
	if model, ok := e.(*embedder.Model2Vec); ok && model.Tokenizer().ID() == id {
		return model.Tokenizer(), nil
	}
	if c.Text("embedding.tokenizer") == "" && !ownVocabulary.MatchString(id) {
		return nil, fmt.Errorf("the corpus counts tokens with %q, as none of this program's does, and it is not looked for there; set EMBEDDING_TOKENIZER", id)
	}
	load := func() (embedder.Tokenizer, error) { return embedder.NewTokenizer(id) }
	if server, ok := e.(*embedder.OpenAI); ok && id == c.Text("embedding.tokenizer") {
		load = server.Tokenizer // once for both: vocabularies are large
	}
	t, err := load()
	if err != nil {
		return nil, fmt.Errorf("embedding.tokenizer: %w", err)
	}
	return t, nil
}

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
