package evaluation_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/evaluation"
)

func TestBootstrapAgreesWithTheNormalInterval(t *testing.T) {
	// Of 400 normal differences with mean .02 and deviation .2 the mean has a
	// standard error of .01, and its interval is about ±.0196 wide.
	rng := rand.New(rand.NewPCG(3, 4))
	d := make([]float64, 400)
	sum, squares := 0.0, 0.0
	for i := range d {
		d[i] = .02 + .2*rng.NormFloat64()
		sum += d[i]
	}
	mean := sum / 400
	for _, x := range d {
		squares += (x - mean) * (x - mean)
	}
	half := 1.96 * math.Sqrt(squares/399/400)
	got := evaluation.Bootstrap(d, 1)
	if math.Abs(got.Mean-mean) > 1e-12 || math.Abs(got.Low-(mean-half)) > .0015 || math.Abs(got.High-(mean+half)) > .0015 {
		t.Errorf("%+v, want %.4f within %.4f of it", got, mean, half)
	}
}

func TestBootstrapProperties(t *testing.T) {
	if got := evaluation.Bootstrap(nil, 1); got != (evaluation.Interval{}) {
		t.Errorf("no differences give %+v", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SliceOfN(rapid.Float64Range(-1, 1), 1, 12).Draw(t, "d")
		seed := rapid.Uint64().Draw(t, "seed")
		got := evaluation.Bootstrap(d, seed)
		if got != evaluation.Bootstrap(d, seed) {
			t.Fatal("the same seed gives other bounds")
		}
		least, most := d[0], d[0]
		for _, x := range d {
			least, most = min(least, x), max(most, x)
		}
		const rounding = 1e-12
		if got.Low > got.High || got.Low < least-rounding || got.High > most+rounding {
			t.Fatalf("%+v of differences from %v to %v", got, least, most)
		}
		if least == most && math.Abs(got.High-got.Low) > rounding {
			t.Fatalf("equal differences have the bounds %+v", got)
		}
	})
}
