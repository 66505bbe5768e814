package param_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
)

// The scale and the floor's translation are inverses where the scale is not
// flat, and the scale never turns an order around.
func TestCalibratedScale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cal := store.Calibration{P50: rapid.Float64Range(-.2, .4).Draw(t, "p50")}
		cal.P995 = rapid.Float64Range(cal.P50+.01, .9).Draw(t, "p99.5")
		a, b := rapid.Float64Range(-1, 1).Draw(t, "a"), rapid.Float64Range(-1, 1).Draw(t, "b")
		if a > b {
			a, b = b, a
		}
		if param.Calibrated(cal, a) > param.Calibrated(cal, b) {
			t.Fatalf("%v and %v change places", a, b)
		}
		p := param.Params{SimilarityFloor: rapid.Float64Range(0, 1).Draw(t, "floor"), FloorScale: param.FloorCalibrated}
		floor, uncalibrated := p.FloorOn(false, cal)
		if got := param.Calibrated(cal, floor.Raw); uncalibrated || math.Abs(got-p.SimilarityFloor) > 1e-9 {
			t.Fatalf("floor %v is the cosine %v, which is %v", p.SimilarityFloor, floor.Raw, got)
		}
	})
	if got := param.Calibrated(store.Calibration{}, .42); got != .42 {
		t.Errorf("without calibration .42 became %v", got)
	}
}
