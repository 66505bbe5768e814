// Package evaluation measures rankings against judgments.
package evaluation

import (
	"cmp"
	"math"
	"slices"
)

// NDCG is the normalised discounted cumulative gain of a ranking at depth k,
// with linear gain, as trec_eval's ndcg_cut computes it:
//
//	Σ_{i≤k} gain_i / log2(i+1), over the same sum for the ideal order.
//
// gains are the grades of the returned results from rank 1 on, 0 for unjudged
// ones; pool holds the grades of everything that was judged for the query,
// returned or not, in any order. Negative grades count as 0. The value is
// between 0 and 1, and 0 when the pool holds nothing relevant.
func NDCG(gains, pool []float64, k int) float64 {
	ideal := slices.Clone(pool)
	slices.SortFunc(ideal, func(a, b float64) int { return cmp.Compare(b, a) })
	best := dcg(ideal, k)
	if best == 0 {
		return 0
	}
	return dcg(gains, k) / best
}

func dcg(gains []float64, k int) float64 {
	sum := 0.0
	for i, g := range gains[:min(k, len(gains))] {
		sum += max(g, 0) / math.Log2(float64(i+2))
	}
	return sum
}
