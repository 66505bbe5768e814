package retrieval

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
)

// withFeedback adds words of the best chunks that the keyword arm finds to the
// words of spec: pseudo-relevance feedback by the relevance model RM3 (Abdul-Jaleel
// et al., UMass at TREC 2004; the estimate is RM1 of Lavrenko and Croft, SIGIR
// 2001, with BM25 for the likelihood of the query). Without a chunk that matches,
// spec comes back as it is.
func withFeedback(ctx context.Context, view store.View, spec store.Search, p param.Params) (store.Search, error) {
	first := spec
	first.Vector, first.KeywordRows = nil, p.FeedbackChunks
	found, err := view.Search(ctx, first)
	if err != nil || len(found.Keyword) == 0 {
		return spec, err
	}
	slices.SortFunc(found.Keyword, func(a, b store.KeywordRow) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.ID, b.ID))
	})
	ids := each(found.Keyword, func(row *store.KeywordRow) string { return row.ID })
	chunks, err := view.Chunks(ctx, ids, store.FieldTerms)
	if err != nil {
		return spec, fmt.Errorf("read the words of the best chunks: %w", err)
	}
	terms := make(map[string][]string, len(chunks))
	for i := range chunks {
		terms[chunks[i].ID] = strings.Fields(chunks[i].Terms)
	}
	best := each(found.Keyword, func(row *store.KeywordRow) feedbackChunk { return feedbackChunk{row.Score, terms[row.ID]} })
	spec.Terms, spec.TermWeights = relevanceModel(spec.Terms, spec.TermWeights, best, p.FeedbackTerms, p.FeedbackWeight)
	return spec, nil
}

// feedbackChunk is a chunk that is taken for relevant: its score and its terms.
type feedbackChunk struct {
	score float64
	terms []string
}

// relevanceModel mixes the words of a query with the most likely words of some
// chunks. The weights of the result add up to those of the query: 1−λ of them are
// the query's own, λ those of the model,
//
//	p(w) = Σ score/Σscore · tf(w)/length, over the chunks
//
// of which the n most likely words count, in proportion. The query's own words come
// first, in their order, then the others by weight.
func relevanceModel(own []string, weights []float64, best []feedbackChunk, n int, lambda float64) ([]string, []float64) {
	total := 0.0
	for i := range best {
		total += best[i].score
	}
	likely := map[string]float64{}
	for i := range best {
		for _, t := range best[i].terms {
			likely[t] += best[i].score / total / float64(len(best[i].terms))
		}
	}
	words := slices.Sorted(maps.Keys(likely))
	slices.SortStableFunc(words, func(a, b string) int { return cmp.Compare(likely[b], likely[a]) })
	words = words[:min(n, len(words))]
	sum, mass := 0.0, 0.0
	for _, w := range words {
		sum += likely[w]
	}
	for _, w := range weights {
		mass += w
	}
	if sum == 0 {
		return own, weights
	}
	terms, mixed := slices.Clone(own), make([]float64, len(own))
	at := make(map[string]int, len(own))
	for i := range own {
		mixed[i] = (1 - lambda) * weights[i]
		at[own[i]] = i
	}
	for _, w := range words {
		share := lambda * mass * likely[w] / sum
		if i, ok := at[w]; ok {
			mixed[i] += share
		} else {
			terms, mixed = append(terms, w), append(mixed, share)
		}
	}
	return terms, mixed
}
