package rerank

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/webrag/webrag-tui/llm"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// NewScore returns a reranker that needs no model: it drops results below a
// minimum score and sorts the others.
func NewScore(minScore float32) retrieval.Reranker { return scoreReranker{minScore: minScore} }

type scoreReranker struct{ minScore float32 }

// Rerank implements [retrieval.Reranker].
func (r scoreReranker) Rerank(_ context.Context, _ string, results []retrieval.RetrievalResult, topK int) ([]retrieval.RetrievalResult, error) {
	kept := slices.DeleteFunc(slices.Clone(results), func(one retrieval.RetrievalResult) bool {
		return !(one.Score >= r.minScore) // nor is NaN
	})
	sortByScore(kept)
	return trim(kept, topK), nil
}

// Option changes a reranker that asks a model.
type Option func(*scorerReranker)

// WithUnscored says what becomes of results that the model gave no score; the
// default is [param.UnscoredDemote]. A demoted result comes after all others and has
// their scale: 0, or the lowest score if that is below 0.
func WithUnscored(u param.Unscored) Option { return func(r *scorerReranker) { r.unscored = u } }

// WithNotices has f called with what a reranking has to report, such as
// that it failed. Without it failures pass unseen.
func WithNotices(f func(retrieval.Notice)) Option {
	return func(r *scorerReranker) { r.notify = f }
}

// NewLLM returns a reranker that has a language model rate each result
// from 0 to 10, in one question with at most 50 results and 2,000 characters of
// each. Scores are from 0 to 1. When the model fails the results stay as they
// are.
func NewLLM(chat Completer, o ...Option) retrieval.Reranker {
	return New(NewLLMScorer(chat, LLMScoring{}), o...)
}

// NewHTTP returns a reranker that asks a /rerank server. Scores are on
// the model's own scale, see [llm.Score]. When the server fails the results stay
// as they are.
func NewHTTP(client *llm.Reranker, o ...Option) retrieval.Reranker {
	return New(NewHTTPScorer(client), o...)
}

// New returns a reranker that asks a scorer.
func New(s retrieval.Scorer, o ...Option) retrieval.Reranker {
	r := &scorerReranker{scorer: s, unscored: param.UnscoredDemote, notify: func(retrieval.Notice) {}}
	for _, set := range o {
		set(r)
	}
	return r
}

type scorerReranker struct {
	scorer   retrieval.Scorer
	unscored param.Unscored
	notify   func(retrieval.Notice)
}

// noticeRerank is the code of what a reranker says about its answer.
const noticeRerank = "rerank"

// Rerank implements [retrieval.Reranker]. Its only error is that of an ended context.
func (r *scorerReranker) Rerank(ctx context.Context, query string, results []retrieval.RetrievalResult, topK int) ([]retrieval.RetrievalResult, error) {
	out := slices.Clone(results)
	if len(out) == 0 {
		return out, ctx.Err()
	}
	texts := make([]string, len(out))
	for i := range out {
		texts[i] = out[i].Content
	}
	scores, err := r.scorer.Score(ctx, query, texts)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err == nil && (len(scores.Values) != len(out) || len(scores.Scored) != len(out)) {
		err = fmt.Errorf("%s gave %d scores for %d texts", r.scorer.ID(), len(scores.Values), len(out))
	}
	if err != nil {
		r.notify(retrieval.Notice{Code: phrase.NoticeRerankFailed.Code, Text: fmt.Sprintf("Not reranked: %v.", err), Warning: true})
		return trim(out, topK), nil
	}
	if scores.Invalid > 0 {
		r.notify(retrieval.Notice{Code: noticeRerank, Text: fmt.Sprintf("Reranked, %s invalid.", phrase.Counted(scores.Invalid, "id"))})
	}
	for _, note := range scores.Notes {
		r.notify(retrieval.Notice{Code: noticeRerank, Text: note})
	}
	apply(out, scores, r.unscored)
	return trim(out, topK), nil
}

// apply gives results their new scores and sorts them. Equal scores keep the old
// order.
func apply(results []retrieval.RetrievalResult, scores retrieval.Scores, unscored param.Unscored) {
	lowest := 0.0
	for i, v := range scores.Values {
		if scores.Scored[i] {
			lowest = min(lowest, v)
		}
	}
	list, last := make([]retrieval.RetrievalResult, 0, len(results)), []retrieval.RetrievalResult(nil)
	for i, one := range results {
		switch {
		case scores.Scored[i]:
			one.Score = float32(scores.Values[i])
		case unscored == param.UnscoredDemote:
			one.Score = float32(lowest)
			last = append(last, one)
			continue
		}
		list = append(list, one)
	}
	sortByScore(list)
	copy(results, append(list, last...))
}

func sortByScore(results []retrieval.RetrievalResult) {
	slices.SortStableFunc(results, func(a, b retrieval.RetrievalResult) int { return cmp.Compare(b.Score, a.Score) })
}

func trim(results []retrieval.RetrievalResult, topK int) []retrieval.RetrievalResult {
	if topK > 0 && topK < len(results) {
		return results[:topK]
	}
	return results
}
