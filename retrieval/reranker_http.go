package retrieval

import (
	"context"
	"fmt"
	"time"

	"github.com/webrag/webrag-tui/llm"
)

// scaleReranker is what a reranker's scores mean when nobody says: more is
// better, and nothing else.
const scaleReranker = "reranker"

// httpPatience bounds a reranking by a server with all its attempts and slices.
const httpPatience = time.Minute

// NewHTTPScorer returns a scorer that asks a /rerank server, which reads the
// texts without their markup: such models were trained on plain text. Scores are
// as the model gives them, see [llm.Score]: they compare with each other and
// with no floor.
func NewHTTPScorer(client *llm.Reranker) Scorer {
	return httpScorer{client: client, patience: httpPatience}
}

type httpScorer struct {
	client   *llm.Reranker
	patience time.Duration
}

// ID implements [Scorer].
func (s httpScorer) ID() string { return "http/" + s.client.Host() + "/" + s.client.Model() }

// Scale implements [Scorer].
func (s httpScorer) Scale() string { return scaleReranker }

// Listwise implements [Scorer]: a cross-encoder reads each text by itself.
func (s httpScorer) Listwise() bool { return false }

// Score implements [Scorer].
func (s httpScorer) Score(ctx context.Context, query string, docs []string) (Scores, error) {
	texts := make([]string, len(docs))
	for i, d := range docs {
		texts[i] = withoutMarkup(d)
	}
	within, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	ranking, err := s.client.Rerank(within, query, texts)
	switch {
	case ctx.Err() != nil:
		return Scores{}, ctx.Err()
	case err != nil && within.Err() != nil:
		return Scores{}, fmt.Errorf("rerank at %s: %w: no answer within %s", s.client.Host(), llm.ErrUnavailable, s.patience)
	case err != nil:
		return Scores{}, err
	}
	scores := newScores(len(docs))
	for _, one := range ranking.Scores {
		scores.set(one.Index, one.Value)
	}
	if n := len(ranking.Scores); n < len(docs) {
		scores.Notes = append(scores.Notes, fmt.Sprintf("The reranker scored %d of %s.", n, counted(len(docs), "text")))
	}
	if ranking.Cut > 0 {
		scores.Notes = append(scores.Notes, fmt.Sprintf("The reranker read the first %d characters of %s.", ranking.CutAt, counted(ranking.Cut, "text")))
	}
	if ranking.QueryCut {
		scores.Notes = append(scores.Notes, fmt.Sprintf("The reranker read the first %d characters of the query.", ranking.CutAt))
	}
	return scores, nil
}
