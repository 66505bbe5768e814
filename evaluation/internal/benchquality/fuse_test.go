package main

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/store"
)

// four are four candidates: a and b from the vector arm, a, c and d from the
// keyword arm, d from the vector arm as its last row.
func four() *gathered {
	g := &gathered{
		places: []int{10, 11, 12, 13},
		vector: newArm(4), keyword: newArm(4),
		ideal: 24,
		scale: store.Calibration{P50: .04, P995: .22},
	}
	g.vector.put(0, 0, .31)
	g.vector.put(1, 1, .13)
	g.vector.put(3, 2, .02)
	g.keyword.put(0, 0, 12)
	g.keyword.put(2, 1, 9)
	g.keyword.put(3, 2, 3)
	return g
}

func TestFusionWorkedExamples(t *testing.T) {
	for name, c := range map[string]struct {
		f    fusion
		want []float64
	}{
		"rrf":                 {rrf(.3, 60), []float64{.7/61 + .3/61, .7 / 62, .3 / 62, .7/63 + .3/63}},
		"as is":               {convex(0, asIs, byMax), []float64{.31, .13, 0, .02}},
		"min-max":             {convex(0, minMax, byMax), []float64{1, .11 / .29, 0, 0}},
		"by max":              {convex(1, asIs, byMax), []float64{1, 0, .75, .25}},
		"theoretical minimum": {convex(0, theoretical, byMax), []float64{1, 1.13 / 1.31, 0, 1.02 / 1.31}},
		"by log":              {convex(1, asIs, byLog), []float64{1, 0, math.Log(10) / math.Log(13), math.Log(4) / math.Log(13)}},
		"by ideal":            {convex(1, asIs, byIdeal), []float64{.5, 0, .375, .125}},
		// Mean 8, deviation √14; the worst row is (3-8)/√14.
		"z-score": {convex(1, asIs, zScore), []float64{4 / math.Sqrt(14), -5 / math.Sqrt(14), 1 / math.Sqrt(14), -5 / math.Sqrt(14)}},
		// .3+.7·(.31-.22)/.78, .3·(.13-.04)/.18, absent, below the median.
		"calibrated":          {convex(0, calibrated, byMax), []float64{.380769, .15, 0, 0}},
		"calibrated, bounded": {convex(0, calibratedBound, byMax), []float64{.380769, .15, 0, 0}},
		"calibrated + by max": {convex(.5, calibrated, byMax), []float64{.690385, .075, .375, .125}},
	} {
		got := c.f(four())
		for i := range c.want {
			if math.Abs(got[i]-c.want[i]) > 1e-6 {
				t.Errorf("%s: %.6f, want %.6f", name, got, c.want)
				break
			}
		}
	}
}

func TestRankingIsByScoreThenPlace(t *testing.T) {
	g := four()
	if got := g.rank(convex(.5, calibrated, byMax)); !slices.Equal(got, []int{10, 12, 13, 11}) {
		t.Errorf("%v", got)
	}
	if got := g.rank(func(*gathered) []float64 { return make([]float64, 4) }); !slices.Equal(got, g.places) {
		t.Errorf("equal scores come as %v", got)
	}
}

func TestAnArmWithoutRowsGivesNumbers(t *testing.T) {
	for name, n := range map[string]norm{
		"as is": asIs, "min-max": minMax, "by max": byMax, "theoretical": theoretical, "z": zScore,
		"log": byLog, "ideal": byIdeal, "calibrated": calibrated, "bounded": calibratedBound,
	} {
		for _, rows := range []int{0, 1} {
			g := &gathered{places: []int{1, 2}, vector: newArm(2), keyword: newArm(2), scale: store.Calibration{P50: .1, P995: .2}}
			if rows == 1 {
				g.vector.put(0, 0, 0)
			}
			for _, s := range n(g, &g.vector) {
				if math.IsNaN(s) || math.IsInf(s, 0) {
					t.Errorf("%s of %d rows gives %v", name, rows, s)
				}
			}
		}
	}
}

// TestLeaningVectorsAreFusedAlike raises all cosines, and the scale with them, as
// a model does whose vectors lean to one side: what is fused stays the same. Of
// cosines as they are it does not.
func TestLeaningVectorsAreFusedAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		share := rapid.Float64Range(0, .9).Draw(t, "share")
		w := rapid.Float64Range(0, 1).Draw(t, "w")
		straight, leaning := four(), four()
		for i, c := range straight.vector.scores {
			leaning.vector.scores[i] = share + (1-share)*c
		}
		leaning.scale.P50 = share + (1-share)*straight.scale.P50
		leaning.scale.P995 = share + (1-share)*straight.scale.P995
		for name, vector := range map[string]norm{"calibrated": calibrated, "bounded": calibratedBound, "min-max": minMax} {
			want, got := convex(w, vector, byMax)(straight), convex(w, vector, byMax)(leaning)
			for i := range want {
				if math.Abs(got[i]-want[i]) > 1e-9 {
					t.Fatalf("%s: %v becomes %v", name, want, got)
				}
			}
		}
	})
}

func TestACorpusWithoutAScaleIsFusedByItsCosines(t *testing.T) {
	g := four()
	g.scale = store.Calibration{}
	g.vector.put(1, 1, -.5)
	if got := calibrated(g, &g.vector); got[0] != .31 || got[1] != 0 {
		t.Errorf("%v", got)
	}
}
