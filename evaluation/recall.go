package evaluation

// Recall is the share of what is relevant that a ranking returns in its first k
// results: trec_eval's recall at a cutoff. gains and pool are as for [NDCG];
// relevant is a grade of at least level, which is positive. A query for which
// nothing is relevant has a recall of 0, not 1: nothing was found.
func Recall(gains, pool []float64, level float64, k int) float64 {
	all := atLeast(pool, level)
	if all == 0 {
		return 0
	}
	return float64(atLeast(gains[:min(k, len(gains))], level)) / float64(all)
}

func atLeast(grades []float64, level float64) int {
	n := 0
	for _, g := range grades {
		if g >= level {
			n++
		}
	}
	return n
}
