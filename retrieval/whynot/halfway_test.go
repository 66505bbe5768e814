package whynot

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// Wherever a number begins to pass, it is found between its neighbours, in a hundred steps:
// also beside 0, as the floor below a cosine of 0 is.
func TestHalfwayFindsTheBoundaryInAHundredSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.OneOf(rapid.Float64Range(-1, 0), rapid.SampledFrom([]float64{0, -math.SmallestNonzeroFloat64, -6e-299, -1e-17, -tiny, -.25})).Draw(t, "passes below")
		from, to := rapid.SampledFrom([]float64{0, .01, .3}).Draw(t, "from"), -1.0 // which passes
		if at == -1 {
			return
		}
		steps := 0
		x := passing(func(v float64) bool { steps++; return v < at }, halfway)
		c := x.nearest(crossing[float64, bool]{from: seen[float64, bool]{from, false, true}, to: seen[float64, bool]{to, true, true}})
		if want := math.Nextafter(at, -1); c.to.at != want {
			t.Fatalf("below %v: found %v, want %v", at, c.to.at, want)
		}
		if steps > 110 {
			t.Fatalf("below %v: %d steps", at, steps)
		}
	})
}

// Halfway lies between, and where nothing does there is none.
func TestHalfway(t *testing.T) {
	least := math.SmallestNonzeroFloat64
	for _, c := range []struct {
		a, b, want float64
		ok         bool
	}{
		{0, 1, .5, true},
		{.3, -.1, .1, true},
		{0, 4 * least, 2 * least, true},
		{-3 * least, least, -least, true},
		{0, least, 0, false},
		{0, -least, 0, false},
		{.5, math.Nextafter(.5, 1), .5, false},
	} {
		got, ok := halfway(c.a, c.b)
		if ok != c.ok || ok && math.Abs(got-c.want) > 1e-16 {
			t.Errorf("between %v and %v: %v, %v, want %v, %v", c.a, c.b, got, ok, c.want, c.ok)
		}
	}
}
