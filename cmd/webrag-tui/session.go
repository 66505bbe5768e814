package main

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"

	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/retrieval/param"
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

// retrievalBasis resolves the settings, what the parameters start from, and the
// parameters that both make.
func (a *app) retrievalBasis() (*config.Config, basis, param.Params, error) {
	return a.basisWith(a.loadConfig)
}

func (a *app) basisWith(load func() (*config.Config, error)) (*config.Config, basis, param.Params, error) {
	c, err := load()
	if err != nil {
		return nil, basis{}, param.Params{}, err
	}
	b, err := basisOf(c)
	if err != nil {
		return nil, basis{}, param.Params{}, err
	}
	p, err := retrievalParams(c, b.profile.Params)
	return c, b, p, err
}

// retrievalParams are the parameters started from, with what the settings change.
func retrievalParams(c *config.Config, p param.Params) (param.Params, error) {
	for _, spec := range param.Specs() {
		if !c.IsSet(spec.Key) {
			continue
		}
		if err := p.Set(spec.Field, c.Text(spec.Key)); err != nil {
			from := c.Value(spec.Key).Origin
			// A key that stands in the wrong line of a .env file stays there.
			var wrong *param.Error
			if errors.As(err, &wrong) && from.IsDotEnv() {
				return p, fmt.Errorf("%s: %s: the value %s", from, wrong.Field, wrong.Why)
			}
			return p, fmt.Errorf("%s: %w", from, err)
		}
	}
	if err := enableReranker(c, &p); err != nil {
		return p, err
	}
	return p, nil
}
