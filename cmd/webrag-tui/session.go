package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/sqlite"
)

// corpusPath is the file of the configured corpus.
func corpusPath(c *config.Config) (string, error) {
	v := c.Value("corpus.path")
	switch {
	case v.Text == "":
		return defaultCorpus(), nil
	case strings.HasPrefix(v.Text, "postgres://"), strings.HasPrefix(v.Text, "postgresql://"):
		return "", fmt.Errorf("%s: this version opens corpus files, not PostgreSQL databases; give a file with --corpus", v.Origin)
	default:
		return v.Text, nil
	}
}

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

// newTokenizer makes the configured tokenizer; without one that of the corpus,
// whose sizes and offsets are counted with it, or for a new corpus the one paired
// with the embedder.
func newTokenizer(c *config.Config, e embedder.Embedder, corpus store.Meta) (embedder.Tokenizer, error) {
	id := cmp.Or(c.Text("embedding.tokenizer"), corpus.Tokenizer, e.Info().Tokenizer)
	if model, ok := e.(*embedder.Model2Vec); ok && model.Tokenizer().ID() == id {
		return model.Tokenizer(), nil
	}
	t, err := embedder.NewTokenizer(id)
	if err != nil {
		return nil, fmt.Errorf("embedding.tokenizer: %w", err)
	}
	return t, nil
}

// retrievalBasis resolves the settings, what the parameters start from, and the
// parameters that both make.
func (a *app) retrievalBasis() (*config.Config, basis, retrieval.Params, error) {
	c, err := a.loadConfig()
	if err != nil {
		return nil, basis{}, retrieval.Params{}, err
	}
	b, err := basisOf(c)
	if err != nil {
		return nil, basis{}, retrieval.Params{}, err
	}
	p, err := retrievalParams(c, b.profile.Params)
	return c, b, p, err
}

// retrievalParams are the parameters started from, with what the settings change.
func retrievalParams(c *config.Config, p retrieval.Params) (retrieval.Params, error) {
	for _, spec := range retrieval.Specs() {
		if !c.IsSet(spec.Key) {
			continue
		}
		if err := p.Set(spec.Field, c.Text(spec.Key)); err != nil {
			from := c.Value(spec.Key).Origin
			// A key that stands in the wrong line of a .env file stays there.
			var wrong *retrieval.ParamError
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

// openCorpus opens a corpus that must exist, for the configured owner.
func openCorpus(ctx context.Context, c *config.Config) (store.Store, error) {
	return openCorpusOf(ctx, c, c.Text("corpus.owner"))
}

// openCorpusOf opens a corpus for one owner, or with none for all.
func openCorpusOf(ctx context.Context, c *config.Config, owner string) (store.Store, error) {
	path, err := corpusPath(c)
	if err != nil {
		return nil, err
	}
	st, err := sqlite.Open(ctx, path, sqlite.Options{Owner: owner})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, noCorpus(path)
	}
	if err != nil {
		return nil, err
	}
	return st, nil
}

// openView opens a corpus that must exist, to look at it once. Both must be
// closed.
func openView(ctx context.Context, c *config.Config) (store.Store, store.View, error) {
	st, err := openCorpus(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	v, err := st.Read(ctx)
	if err != nil {
		_ = st.Close()
		return nil, nil, err
	}
	return st, v, nil
}

// noCorpusError reports a corpus that was never made: there is no file, or an
// empty one. It is an fs.ErrNotExist.
type noCorpusError struct {
	path    string
	isEmpty bool
}

func noCorpus(path string) error {
	_, err := os.Stat(path)
	return &noCorpusError{path: path, isEmpty: err == nil}
}

func (e *noCorpusError) Error() string {
	missing := "there is no corpus at " + e.path
	if e.isEmpty {
		missing = e.path + " is an empty file, not a corpus"
	}
	corpus := ""
	if e.path != defaultCorpus() {
		corpus = " --corpus " + shellWord(e.path)
	}
	return missing + "; make one with 'webrag-tui index FOLDER" + corpus + "', or try 'webrag-tui demo'"
}

func (e *noCorpusError) Unwrap() error { return fs.ErrNotExist }

// corpusExists says that there is a file to open. An empty one is as good as
// none: SQLite leaves it behind when it is stopped early.
func corpusExists(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Size() > 0
}

// createCorpus opens a corpus for writing and makes it if need be.
func createCorpus(ctx context.Context, path, owner string) (store.Store, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, fmt.Errorf("make the corpus's folder: %w", err)
	}
	st, err := sqlite.Open(ctx, path, sqlite.Options{Owner: owner, Create: true})
	if err != nil {
		return nil, err
	}
	return st, nil
}

// commandLine is the command that opens the same corpus with the same settings.
func (a *app) commandLine(c *config.Config, words ...string) []string {
	if v := c.Value("corpus.path"); v.Origin.Source == config.Flag {
		words = append(words, "--corpus", v.Text)
	}
	if v := c.Value(presetKey); v.Origin.Source == config.Flag {
		words = append(words, v.Origin.Name, v.Text)
	}
	for _, spec := range retrieval.Specs() {
		if v := c.Value(spec.Key); v.Origin.Source == config.Flag {
			words = append(words, "--set", spec.Field+"="+v.Text)
		}
	}
	return words
}
