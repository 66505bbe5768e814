package evaluation_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/evaluation"
)

func TestNDCGWorkedExamples(t *testing.T) {
	cases := []struct {
		name        string
		gains, pool []float64
		k           int
		want        float64
	}{
		// DCG = 3 + 2/1.584963 + 0 + 1/2.321928 = 4.692536;
		// ideal 3,3,2,1 = 3 + 1.892789 + 1 + .430677 = 6.323466.
		{"ideal over all judged, not only the returned", []float64{3, 2, 0, 1}, []float64{3, 3, 2, 1, 1}, 4, .742083},
		{"topic 0 of a public test suite", []float64{0, 1, 2, 1, 0}, []float64{0, 1, 1, 2, 0}, 1000, .65846},
		{"the same at depth 3", []float64{0, 1, 2, 1, 0}, []float64{0, 1, 1, 2, 0}, 3, .52091},
		// Topic 1: D1 (unjudged), D3, D4, D2; of the judged D0, D3, D5 one is returned.
		{"topic 1 of it", []float64{0, 2, 0, 0}, []float64{1, 2, 2}, 1000, .33544},
		{"topic 1 at depth 3", []float64{0, 2, 0, 0}, []float64{1, 2, 2}, 3, .33544},
		{"negative grades count as unjudged", []float64{1, 0, 2, -1, 0}, []float64{1, -1, 0, 2, 0}, 5, .76018},
		// Topic 1 of those: D1 (unjudged), D4 −1, D2 (unjudged), D3 2.
		{"a negative grade before the right one", []float64{0, -1, 0, 2}, []float64{1, 2, -1, 0}, 1000, .32739},
		{"the same at depth 3", []float64{0, -1, 0, 2}, []float64{1, 2, -1, 0}, 3, 0},
		{"nothing relevant", []float64{0, 0}, []float64{0}, 10, 0},
		{"nothing returned", nil, []float64{1}, 10, 0},
	}
	for _, c := range cases {
		if got := evaluation.NDCG(c.gains, c.pool, c.k); math.Abs(got-c.want) > 1e-5 {
			t.Errorf("%s: %.6f, want %.6f", c.name, got, c.want)
		}
	}
}

func TestNDCGIsBetweenZeroAndOneAndBestInIdealOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pool := rapid.SliceOfN(rapid.Float64Range(0, 3), 1, 20).Draw(t, "pool")
		gains := rapid.Permutation(pool).Draw(t, "gains")
		k := rapid.IntRange(1, 25).Draw(t, "k")
		got := evaluation.NDCG(gains, pool, k)
		if got < 0 || got > 1+1e-12 {
			t.Fatalf("nDCG is %v", got)
		}
		// Moving a better result up never lowers the value.
		for i := range len(gains) - 1 {
			if gains[i] < gains[i+1] {
				gains[i], gains[i+1] = gains[i+1], gains[i]
				if better := evaluation.NDCG(gains, pool, k); better < got-1e-12 {
					t.Fatalf("moving a better result up lowers nDCG from %v to %v", got, better)
				}
				return
			}
		}
	})
}
