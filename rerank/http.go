package rerank

import (
	"context"
	"fmt"
	"time"

	"github.com/webrag/webrag-tui/llm"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/phrase"
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
func NewHTTPScorer(client *llm.Reranker) retrieval.Scorer {
	return httpScorer{client: client, patience: httpPatience}
}

type httpScorer struct {
	client   *llm.Reranker
	patience time.Duration
}

// ID implements [retrieval.Scorer].
func (s httpScorer) ID() string { return "http/" + s.client.Host() + "/" + s.client.Model() }

// Scale implements [retrieval.Scorer].
func (s httpScorer) Scale() string { return scaleReranker }

// Listwise implements [retrieval.Scorer]: a cross-encoder reads each text by itself.
func (s httpScorer) Listwise() bool { return false }

// Score implements [retrieval.Scorer].
func (s httpScorer) Score(ctx context.Context, query string, docs []string) (retrieval.Scores, error) {
	texts := make([]string, len(docs))
	for i, d := range docs {
		texts[i] = withoutMarkup(d)
	}
	within, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	ranking, err := s.client.Rerank(within, query, texts)
	switch {
	case ctx.Err() != nil:
		return retrieval.Scores{}, ctx.Err()
	case err != nil && within.Err() != nil:
		return retrieval.Scores{}, fmt.Errorf("rerank at %s: %w: no answer within %s", s.client.Host(), llm.ErrUnavailable, s.patience)
	case err != nil:
		return retrieval.Scores{}, err
	}
	scores := retrieval.NewScores(len(docs))
	for _, one := range ranking.Scores {
		scores.Set(one.Index, one.Value)
	}
	if n := len(ranking.Scores); n < len(docs) {
		scores.Notes = append(scores.Notes, fmt.Sprintf("The reranker scored %d of %s.", n, phrase.Counted(len(docs), "text")))
	}
	if ranking.Cut > 0 {
		scores.Notes = append(scores.Notes, fmt.Sprintf("The reranker read the first %d characters of %s.", ranking.CutAt, phrase.Counted(ranking.Cut, "text")))
	}
	if ranking.QueryCut {
		scores.Notes = append(scores.Notes, fmt.Sprintf("The reranker read the first %d characters of the query.", ranking.CutAt))
	}
	return scores, nil
}
