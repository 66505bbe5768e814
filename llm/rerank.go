package llm

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/webrag/webrag-tui/remote"
)

// Shape is the form of a /rerank request. Answers are understood in either form,
// whatever was asked.
type Shape string

// The shapes.
const (
	// ShapeAuto tries ShapeCohere and takes ShapeTEI when the server asks for it.
	ShapeAuto Shape = ""
	// ShapeCohere is {model, query, documents, top_n}, as Cohere, Jina, vLLM and
	// llama-server take it.
	ShapeCohere Shape = "cohere"
	// ShapeTEI is {query, texts}, as Text Embeddings Inference takes it.
	ShapeTEI Shape = "tei"
)

// RerankConfig sets up a Reranker.
type RerankConfig struct {
	// BaseURL is the server's address: up to and with the version for hosted
	// services, and the bare address for local ones. Without a version /rerank,
	// /v1/rerank and /v2/rerank are tried in turn; an address that ends in /rerank
	// is used as it is.
	BaseURL string

	// Model is the name that the server knows. Servers that run one model need
	// none.
	Model string

	// APIKey is sent as bearer token, if there is one.
	APIKey string

	// Shape is the form of requests.
	Shape Shape

	// MaxDocuments is how many documents are sent at once. A server that takes
	// fewer is asked again with fewer.
	//
	// Defaults to 1000, and to 32 for ShapeTEI.
	MaxDocuments int

	// MaxCharacters is the length in code points at which the query and each
	// document are cut. A server that finds them too long is asked again with
	// half, down to 500.
	//
	// Defaults to 8000.
	MaxCharacters int

	// Remote sets up the HTTP layer; its Key is ignored.
	//
	// Its Timeout defaults to 30 s here, its Attempts to 3 and its MaxWait to
	// 10 s: someone is waiting, and reranking can be done without.
	Remote remote.Config
}

// String describes the configuration without the key.
func (c RerankConfig) String() string {
	return fmt.Sprintf("llm.RerankConfig{model %s, key set: %t}", c.Model, c.APIKey != "")
}

// GoString is String, so that no format verb shows the key.
func (c RerankConfig) GoString() string { return c.String() }

func (c RerankConfig) withDefaults() RerankConfig {
	if c.MaxCharacters == 0 {
		c.MaxCharacters = 8000
	}
	c.Remote = patience(c.Remote, 30*time.Second)
	return c
}

// patience is how long a server is waited for when someone waits for the answer.
func patience(c remote.Config, timeout time.Duration) remote.Config {
	if c.Timeout == 0 {
		c.Timeout = timeout
	}
	if c.Attempts == 0 {
		c.Attempts = 3
	}
	if c.MaxWait == 0 {
		c.MaxWait = 10 * time.Second
	}
	return c
}

// fewestCharacters is the length below which documents are not cut further: what
// is left would not be judged fairly.
const fewestCharacters = 500

func (c RerankConfig) validate() error {
	switch {
	case c.Shape != ShapeAuto && c.Shape != ShapeCohere && c.Shape != ShapeTEI:
		return fmt.Errorf("there is no rerank shape %q: it is cohere or tei", c.Shape)
	case c.MaxDocuments < 0:
		return fmt.Errorf("%d documents at once: give at least 1, or 0 for the server's own limit", c.MaxDocuments)
	case c.MaxCharacters < fewestCharacters:
		return fmt.Errorf("documents of %d characters are too short to be judged; give at least %d", c.MaxCharacters, fewestCharacters)
	}
	return nil
}

// Reranker scores documents with a server that has a /rerank endpoint. It may be
// used from several goroutines.
type Reranker struct {
	model   string
	server  *server
	routes  []route
	initial manner
	learned atomic.Pointer[manner]
}

// NewReranker returns a client. It sends nothing yet.
func NewReranker(cfg RerankConfig) (*Reranker, error) {
	cfg = cfg.withDefaults()
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	s, err := newServer(cfg.BaseURL, cfg.APIKey, cfg.Remote)
	if err != nil {
		return nil, err
	}
	r := &Reranker{model: cfg.Model, server: s, routes: routes(s.base, cfg.Shape)}
	r.initial = manner{documents: cfg.MaxDocuments, characters: cfg.MaxCharacters}
	r.learned.Store(&r.initial)
	return r, nil
}

// Close closes idle connections.
func (r *Reranker) Close() { r.server.http.Close() }

// Model is the configured model, empty for that of the server.
func (r *Reranker) Model() string { return r.model }

// Host is the server's host, for names and messages.
func (r *Reranker) Host() string { return r.server.base.Host }

// Score is what a server says of one document.
type Score struct {
	// Index is the document's place in the request, from 0.
	Index int
	// Value is on the model's own scale, higher is better: some say 0 to 1,
	// others have logits of either sign. It compares only with other documents of
	// the same query and model.
	Value float64
}

// Ranking is what a server says of all documents.
type Ranking struct {
	// Scores are in the order of the documents. Documents that are blank or of
	// which the server said nothing are missing.
	Scores []Score
	// Cut is how many documents were cut, CutAt the length in code points.
	Cut, CutAt int
	// QueryCut says that the query was cut, too.
	QueryCut bool
}

var errBlankQuery = errors.New("the query is blank: there is nothing to rank by")

// Rerank scores documents by their relevance to the query. All numbers of the
// result are finite and all indices those of documents, each once; anything else
// in an answer is a *BadResponseError. The other kinds of errors are in this
// package's variables.
func (r *Reranker) Rerank(ctx context.Context, query string, documents []string) (Ranking, error) {
	if strings.TrimSpace(query) == "" {
		return Ranking{}, errBlankQuery
	}
	var asked []int
	for i, d := range documents {
		if strings.TrimSpace(d) != "" {
			asked = append(asked, i)
		}
	}
	if len(asked) == 0 {
		return Ranking{}, ctx.Err()
	}
	how := *r.learned.Load()
	scores, err := r.score(ctx, &how, query, pick(documents, asked))
	if err != nil {
		return Ranking{}, r.describe(ctx, err)
	}
	r.learned.Store(&how)
	out := Ranking{CutAt: how.characters, QueryCut: cut(query, how.characters) != query}
	for _, s := range scores {
		out.Scores = append(out.Scores, Score{Index: asked[s.Index], Value: s.Value})
	}
	for _, i := range asked {
		if cut(documents[i], how.characters) != documents[i] {
			out.Cut++
		}
	}
	return out, nil
}

// score sends the documents, in as many requests as the server wants, and
// changes how it asks whenever the server refuses for a reason that can be met.
func (r *Reranker) score(ctx context.Context, how *manner, query string, documents []string) ([]Score, error) {
	var scores []Score
	for done := 0; done < len(documents); {
		to := r.routes[how.route]
		part := documents[done:min(done+how.most(to.shape), len(documents))]
		body, err := r.server.post(ctx, to.url, r.request(to.shape, cut(query, how.characters), part, how.characters))
		if err != nil {
			next, ok := r.adapt(*how, err, len(part))
			if !ok {
				return nil, err
			}
			// Scores of a part that was asked before stay: a document's score does
			// not depend on the others.
			*how = next
			continue
		}
		found, err := readScores(body, len(part))
		if err != nil {
			return nil, err
		}
		for _, s := range found {
			scores = append(scores, Score{Index: done + s.Index, Value: s.Value})
		}
		done += len(part)
	}
	return scores, nil
}

// describe names the server where the error does not: those of the HTTP layer
// do.
func (r *Reranker) describe(ctx context.Context, err error) error {
	var unusable *BadResponseError
	if errors.As(err, &unusable) {
		return fmt.Errorf("rerank at %s: %w", r.Host(), err)
	}
	return fmt.Errorf("rerank: %w", classify(ctx, err))
}

func pick(documents []string, at []int) []string {
	out := make([]string, len(at))
	for i, j := range at {
		out[i] = documents[j]
	}
	return out
}

// cut returns the first n code points of s.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}
