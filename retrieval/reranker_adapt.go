package retrieval

import (
	"context"
	"errors"
	"fmt"
	"strconv"
)

// NewScorer lets the engine ask a [Reranker] of another program. The reranker is
// given the texts as results with the score 0 and their numbers as ids. Those
// that it drops are unscored.
func NewScorer(r Reranker) Scorer { return rerankerScorer{reranker: r} }

type rerankerScorer struct{ reranker Reranker }

// ID implements [Scorer].
func (s rerankerScorer) ID() string { return fmt.Sprintf("reranker/%T", s.reranker) }

// Scale implements [Scorer].
func (s rerankerScorer) Scale() string { return scaleReranker }

// Listwise implements [Scorer]: of a reranker nothing is known.
func (s rerankerScorer) Listwise() bool { return true }

// errNoOpinion is what a reranker's silent failure looks like: it is to return
// its input when it cannot do its work.
var errNoOpinion = errors.New("the reranker left every text as it was")

// Score implements [Scorer].
func (s rerankerScorer) Score(ctx context.Context, query string, docs []string) (Scores, error) {
	given := make([]RetrievalResult, len(docs))
	for i, d := range docs {
		given[i] = RetrievalResult{ChunkID: strconv.Itoa(i), Content: d}
	}
	results, err := s.reranker.Rerank(ctx, query, given, len(docs))
	if err != nil {
		return Scores{}, fmt.Errorf("rerank: %w", err)
	}
	scores := newScores(len(docs))
	touched := len(results) != len(docs)
	for place := range results {
		at, err := strconv.Atoi(results[place].ChunkID)
		if err != nil {
			at = -1
		}
		touched = touched || at != place || results[place].Score != 0
		scores.set(at, float64(results[place].Score))
	}
	if !touched && len(docs) > 0 {
		return Scores{}, errNoOpinion
	}
	return scores, nil
}
