package retrieval

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestRelevanceModelWorkedExample mixes "tree" (once) and "leaf" (twice in the query)
// with two chunks of scores 3 and 1. Of the model, p(tree) = 3/4·1/4 + 1/4·1/2 =
// .3125, p(root) = 3/4·2/4 = .375, p(leaf) = 3/4·1/4 = .1875 and p(bark) = 1/4·1/2 =
// .125; the three most likely are root, tree and leaf, .875 together. With λ .4 the
// query's own words keep .6 and 1.2, and 1.2 of its weight of 3 go to the model.
func TestRelevanceModelWorkedExample(t *testing.T) {
	terms, weights := relevanceModel([]string{"tree", "leaf"}, []float64{1, 2}, []feedbackChunk{
		{3, []string{"tree", "root", "root", "leaf"}},
		{1, []string{"bark", "tree"}},
	}, 3, .4)
	if !slices.Equal(terms, []string{"tree", "leaf", "root"}) {
		t.Fatalf("terms %q", terms)
	}
	for i, want := range []float64{.6 + 1.2*.3125/.875, 1.2 + 1.2*.1875/.875, 1.2 * .375 / .875} {
		if math.Abs(weights[i]-want) > 1e-12 {
			t.Errorf("%s weighs %v, want %v", terms[i], weights[i], want)
		}
	}
}

// TestFeedbackKeepsTheWeightOfTheQuery holds that the weights add up to those of the
// query, that its own words come first, and that equally likely words come in one
// order whatever that of the chunks is.
func TestFeedbackKeepsTheWeightOfTheQuery(t *testing.T) {
	word := rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f"})
	rapid.Check(t, func(t *rapid.T) {
		own := rapid.SliceOfNDistinct(word, 1, 4, rapid.ID).Draw(t, "own")
		weights := make([]float64, len(own))
		sum := 0.0
		for i := range weights {
			weights[i] = float64(rapid.IntRange(1, 3).Draw(t, "weight"))
			sum += weights[i]
		}
		var best []feedbackChunk
		for range rapid.IntRange(1, 5).Draw(t, "chunks") {
			best = append(best, feedbackChunk{
				rapid.Float64Range(.1, 10).Draw(t, "score"), rapid.SliceOfN(word, 1, 6).Draw(t, "terms"),
			})
		}
		n, lambda := rapid.IntRange(1, 8).Draw(t, "n"), rapid.Float64Range(0, 1).Draw(t, "lambda")
		terms, mixed := relevanceModel(own, weights, best, n, lambda)
		got := 0.0
		for _, w := range mixed {
			if w < 0 {
				t.Fatalf("a weight of %v", w)
			}
			got += w
		}
		if math.Abs(got-sum) > 1e-9 {
			t.Fatalf("the weights add up to %v, not %v", got, sum)
		}
		if !slices.Equal(terms[:len(own)], own) || len(terms) > len(own)+n {
			t.Fatalf("%q became %q", own, terms)
		}
	})
}
