package evaluation_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/evaluation"
)

func TestRecallWorkedExamples(t *testing.T) {
	cases := []struct {
		name        string
		gains, pool []float64
		level       float64
		k           int
		want        float64
	}{
		{"three of the four relevant", []float64{3, 2, 0, 1}, []float64{3, 3, 2, 1}, 1, 4, .75},
		{"all judged count, not only the returned", []float64{3, 2, 0, 1}, []float64{3, 3, 2, 1, 1}, 1, 4, .6},
		{"topic 0 of a public test suite: D0, D2 of D1, D2, D3", []float64{0, 1, 2, 1, 0}, []float64{0, 1, 1, 2, 0}, 1, 2, 1. / 3},
		{"topic 1 of it: D1 unjudged, D3 of D0, D3, D5", []float64{0, 2, 0, 0}, []float64{1, 2, 2}, 1, 2, 1. / 3},
		{"a higher level", []float64{3, 2, 0, 1}, []float64{3, 3, 2, 1}, 3, 4, .5},
		{"a cut beyond the list", []float64{1}, []float64{1, 1}, 1, 60, .5},
		{"negative grades count as unjudged", []float64{1, -1, 2}, []float64{1, -1, 0, 2}, 1, 5, 1},
		{"nothing relevant", []float64{0, 0}, []float64{0}, 1, 10, 0},
		{"nothing returned", nil, []float64{1}, 1, 10, 0},
	}
	for _, c := range cases {
		if got := evaluation.Recall(c.gains, c.pool, c.level, c.k); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %.6f, want %.6f", c.name, got, c.want)
		}
	}
}

func TestRecallNeverFallsWithDepth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pool := rapid.SliceOfN(rapid.Float64Range(-1, 3), 1, 20).Draw(t, "pool")
		gains := rapid.Permutation(pool).Draw(t, "gains")
		before := 0.0
		for k := range len(pool) + 2 {
			got := evaluation.Recall(gains, pool, 1, k)
			if got < before || got > 1 {
				t.Fatalf("recall at %d is %v, after %v", k, got, before)
			}
			before = got
		}
		if atAll := evaluation.Recall(pool, pool, 1, len(pool)); before != atAll {
			t.Fatalf("everything returned gives %v, not %v", before, atAll)
		}
	})
}
