package main

import (
	"math"

	"github.com/webrag/webrag-tui/retrieval/param"
)

// rrf is reciprocal rank fusion: (1-w)/(k+r+1) + w/(k+s+1) with the ranks r and s
// from 0 of the vector and the keyword arm; an arm that lacks the document adds
// nothing (Cormack, Clarke and Büttcher, 2009; the weights are ours).
func rrf(w, k float64) fusion {
	share := func(rank int) float64 {
		if rank == missing {
			return 0
		}
		return 1 / (k + float64(rank) + 1)
	}
	return func(g *gathered) []float64 {
		out := make([]float64, len(g.places))
		for i := range out {
			out[i] = (1-w)*share(g.vector.ranks[i]) + w*share(g.keyword.ranks[i])
		}
		return out
	}
}

// norm brings an arm's scores to a scale on which they may be added to those of
// the other arm. What the arm lacks gets 0 unless the norm says otherwise.
type norm func(g *gathered, a *arm) []float64

// convex is (1-w) times the normalised cosine plus w times the normalised BM25,
// as Bruch, Gai and Ingber study it ("An Analysis of Fusion Functions for Hybrid
// Retrieval", 2023).
func convex(w float64, vector, keyword norm) fusion {
	return func(g *gathered) []float64 {
		out := vector(g, &g.vector)
		for i, b := range keyword(g, &g.keyword) {
			out[i] = (1-w)*out[i] + w*b
		}
		return out
	}
}

// each applies f to the scores that are there and gives the others absent.
func each(scores []float64, absent float64, f func(float64) float64) []float64 {
	out := make([]float64, len(scores))
	for i, s := range scores {
		if out[i] = absent; !math.IsNaN(s) {
			out[i] = f(s)
		}
	}
	return out
}

// ratio is a/b, and 0 where there is nothing to divide by.
func ratio(a, b float64) float64 {
	if b <= 0 {
		return 0
	}
	return a / b
}

// asIs leaves scores as they are.
func asIs(_ *gathered, a *arm) []float64 {
	return each(a.scores, 0, func(s float64) float64 { return s })
}

// minMax maps the least score of the query's rows to 0 and the greatest to 1.
func minMax(_ *gathered, a *arm) []float64 {
	least, most := bounds(a.scores)
	return each(a.scores, 0, func(s float64) float64 { return ratio(s-least, most-least) })
}

// byMax divides by the greatest score. For BM25, which is never below 0, this is
// min-max with the theoretical minimum.
func byMax(_ *gathered, a *arm) []float64 {
	_, most := bounds(a.scores)
	return each(a.scores, 0, func(s float64) float64 { return ratio(max(0, s), most) })
}

// theoretical is min-max with the theoretical minimum of a cosine, which is -1.
func theoretical(_ *gathered, a *arm) []float64 {
	_, most := bounds(a.scores)
	return each(a.scores, 0, func(s float64) float64 { return ratio(s+1, most+1) })
}

// zScore subtracts the mean and divides by the standard deviation; what is
// missing is as good as the worst row.
func zScore(_ *gathered, a *arm) []float64 {
	var sum, squares, n float64
	for _, s := range a.scores {
		if !math.IsNaN(s) {
			sum, squares, n = sum+s, squares+s*s, n+1
		}
	}
	if n == 0 {
		return make([]float64, len(a.scores))
	}
	centre := sum / n
	deviation := math.Sqrt(max(0, squares/n-centre*centre))
	scale := func(s float64) float64 {
		if deviation == 0 {
			return 0
		}
		return (s - centre) / deviation
	}
	least, _ := bounds(a.scores)
	return each(a.scores, scale(least), scale)
}

// byLog is ln(1+s) over the greatest of these.
func byLog(_ *gathered, a *arm) []float64 {
	_, most := bounds(a.scores)
	return each(a.scores, 0, func(s float64) float64 { return ratio(math.Log1p(s), math.Log1p(most)) })
}

// byIdeal divides a BM25 score by the one that no text can reach.
func byIdeal(g *gathered, a *arm) []float64 {
	return each(a.scores, 0, func(s float64) float64 { return ratio(s, g.ideal) })
}

// calibrated is the similarity as it is shown: on the corpus's own scale.
func calibrated(g *gathered, a *arm) []float64 { return each(a.scores, 0, g.onScale) }

// calibratedBound is the same, but what is missing is as good as the worst row:
// better it cannot be.
func calibratedBound(g *gathered, a *arm) []float64 {
	least, _ := bounds(a.scores)
	return each(a.scores, g.onScale(least), g.onScale)
}

// onScale is between 0 and 1, also where the corpus has no scale or rounding made
// a cosine longer than 1.
func (g *gathered) onScale(cosine float64) float64 {
	return max(0, min(1, param.Calibrated(g.scale, cosine)))
}
