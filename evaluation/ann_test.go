package evaluation_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/store"
)

func probed(points ...store.ProbePoint) store.Probed { return store.Probed{Points: points} }

// Of two queries with .5 and .9 at 40, the mean is .7 and the first the worst.
func TestSumProbes(t *testing.T) {
	t.Parallel()
	sums := evaluation.SumProbes([]store.Probed{
		probed(store.ProbePoint{EfSearch: 40, Recall: .5, Returned: 40, Took: 2 * time.Millisecond, Used: "i"},
			store.ProbePoint{EfSearch: 80, Recall: 1, Returned: 60, Took: 4 * time.Millisecond, Used: "i"}),
		probed(store.ProbePoint{EfSearch: 40, Recall: .9, Returned: 38, Took: 4 * time.Millisecond, Used: "i"},
			store.ProbePoint{EfSearch: 80, Recall: .96, Returned: 60, Took: 8 * time.Millisecond}),
	})
	want := []evaluation.EfRecall{
		{EfSearch: 40, Mean: .7, Least: .5, Worst: 0, Returned: 38, Took: 3 * time.Millisecond},
		{EfSearch: 80, Mean: .98, Least: .96, Worst: 1, Returned: 60, Took: 6 * time.Millisecond, Scans: 1},
	}
	if len(sums) != 2 || sums[0] != want[0] || sums[1] != want[1] {
		t.Errorf("%+v", sums)
	}
	if evaluation.SumProbes(nil) != nil {
		t.Error("nothing was summed up to something")
	}
}

func TestLeastEf(t *testing.T) {
	t.Parallel()
	means := func(pairs ...float64) (sums []evaluation.EfRecall) {
		for i := 0; i < len(pairs); i += 2 {
			sums = append(sums, evaluation.EfRecall{EfSearch: int(pairs[i]), Mean: pairs[i+1]})
		}
		return sums
	}
	for _, tt := range []struct {
		name string
		sums []evaluation.EfRecall
		want int // 0 for none
	}{
		{"the first that is enough", means(10, .4, 40, .95, 80, .97), 40},
		{"one that is lucky", means(10, .96, 40, .94, 80, .97), 80},
		{"in any order", means(80, .97, 40, .95, 10, .1), 40},
		{"one without the index", append(means(40, .95), evaluation.EfRecall{EfSearch: 10, Mean: 1, Scans: 1}), 40},
		{"none", means(10, .4, 800, .9499), 0},
		{"nothing was tried", nil, 0},
		{"rounding", means(40, .95-1e-12), 40},
	} {
		got, ok := evaluation.LeastEf(tt.sums, .95)
		if ok != (tt.want != 0) || got.EfSearch != tt.want {
			t.Errorf("%s: %d, %v, want %d", tt.name, got.EfSearch, ok, tt.want)
		}
	}
}

// A higher aim never has a smaller answer.
func TestLeastEfGrowsWithTheAim(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var sums []evaluation.EfRecall
		for i, mean := range rapid.SliceOf(rapid.Float64Range(0, 1)).Draw(t, "means") {
			sums = append(sums, evaluation.EfRecall{EfSearch: 10 * (i + 1), Mean: mean})
		}
		low := rapid.Float64Range(0, 1).Draw(t, "low")
		high := rapid.Float64Range(low, 1).Draw(t, "high")
		a, okA := evaluation.LeastEf(sums, low)
		b, okB := evaluation.LeastEf(sums, high)
		if okB && (!okA || a.EfSearch > b.EfSearch) {
			t.Fatalf("%d for %v, %d for %v", a.EfSearch, low, b.EfSearch, high)
		}
	})
}
