package main

import "fmt"

// family is a kind of fusion with the grid of its settings.
type family struct {
	name     string
	settings []setting
}

type setting struct {
	weight float64
	k      int // of RRF, else 0
	depth  int
	fuse   fusion
}

func (s setting) String() string {
	if s.k == 0 {
		return fmt.Sprintf("w %.2f, depth %d", s.weight, s.depth)
	}
	return fmt.Sprintf("w %.2f, k %d, depth %d", s.weight, s.k, s.depth)
}

// The depths that are compared, and the number of steps of the weight from 0 to 1.
const (
	deepest     = 200
	weightSteps = 20
)

func depths() []int { return []int{60, 100, deepest} }

func weight(step int) float64 { return float64(step) / weightSteps }

// recommended is the fusion that the study ends with.
const recommended = "convex: calibrated cosine, BM25/max"

// families are all fusions that are compared.
func families() []family {
	ranks := func(w float64, k int) fusion { return rrf(w, float64(k)) }
	all := []family{
		newFamily("rrf, k 60", ranks, 60),
		newFamily("rrf, any k", ranks, 1, 2, 5, 10, 20, 60),
	}
	for _, one := range []struct {
		name            string
		vector, keyword norm
	}{
		{recommended, calibrated, byMax},
		{"convex: calibrated cosine (missing: the worst), BM25/max", calibratedBound, byMax},
		{"convex: calibrated cosine, BM25/ideal", calibrated, byIdeal},
		{"convex: cosine, BM25/max", asIs, byMax},
		{"convex: cosine, log BM25", asIs, byLog},
		{"convex: theoretical min-max, BM25/max", theoretical, byMax},
		{"convex: cosine/max, BM25/max", byMax, byMax},
		{"convex: min-max, BM25/max", minMax, byMax},
		{"convex: min-max, min-max", minMax, minMax},
		{"convex: min-max, log BM25", minMax, byLog},
		{"convex: z-score, z-score", zScore, zScore},
	} {
		all = append(all, newFamily(one.name, func(w float64, _ int) fusion { return convex(w, one.vector, one.keyword) }, 0))
	}
	return all
}

// newFamily has a setting for each depth, constant and weight.
func newFamily(name string, fuse func(w float64, k int) fusion, constants ...int) family {
	f := family{name: name}
	for _, depth := range depths() {
		for _, k := range constants {
			for step := range weightSteps + 1 {
				w := weight(step)
				f.settings = append(f.settings, setting{w, k, depth, fuse(w, k)})
			}
		}
	}
	return f
}
