package retrieval

import "math"

// RBOPersistence is the p of rank-biased overlap: with .9 the first ten places
// carry 86 % of the weight.
const RBOPersistence = 0.9

// RBO is the extrapolated rank-biased overlap of two rankings, each naming an id
// at most once: from 0 for nothing in common to 1 for the same beginning. It
// weighs agreement at the top the most; p in (0, 1) says how slowly the weight
// falls. Two empty rankings give 1, an empty and another 0. A ranking and its own
// prefix give 1, so show both lengths beside it.
//
// With X_d the number of ids common to both first d places, and lengths s ≤ l, it
// is
//
//	(1−p)/p · ( Σ_{d=1..l} X_d/d·p^d + Σ_{d=s+1..l} X_s(d−s)/(s·d)·p^d )
//	  + ( (X_l − X_s)/l + X_s/s )·p^l
//
// after Webber, Moffat and Zobel, A Similarity Measure for Indefinite Rankings
// (2010), equation 32. What other programs call RBO is often the truncated sum,
// which is another number.
func RBO(a, b []string, p float64) float64 {
	if len(a) > len(b) {
		a, b = b, a
	}
	s, l := len(a), len(b)
	switch {
	case l == 0:
		return 1
	case s == 0:
		return 0
	}
	common := overlaps(a, b)
	xs, xl := float64(common[s-1]), float64(common[l-1])
	sum, weight := 0.0, 1.0
	for d := 1; d <= l; d++ {
		weight *= p
		agreement := float64(common[d-1]) / float64(d)
		if d > s {
			agreement += float64(xs*float64(d-s)) / float64(s*d)
		}
		sum += float64(agreement * weight)
	}
	return float64((1-p)/p*sum) + float64(((xl-xs)/float64(l)+xs/float64(s))*weight)
}

// overlaps counts, for each depth up to the length of the longer ranking, the ids
// that both first places have in common. a is the shorter one.
func overlaps(a, b []string) []int {
	seen := make(map[string]bool, len(a)+len(b))
	counts := make([]int, len(b))
	common := 0
	for d := range b {
		if d < len(a) {
			if seen[a[d]] {
				common++
			}
			seen[a[d]] = true
		}
		if seen[b[d]] {
			common++
		}
		seen[b[d]] = true
		counts[d] = common
	}
	return counts
}

// KendallTauB is Kendall's rank correlation over the ids common to both rankings,
// from -1 for opposite to 1 for equal orders, and their number. Below two of them
// it is undefined and NaN. A ranking has no ties, which leaves τ-b what τ is.
func KendallTauB(a, b []string) (tau float64, common int) {
	at := make(map[string]int, len(b))
	for i, id := range b {
		at[id] = i
	}
	places := make([]int, 0, min(len(a), len(b)))
	for _, id := range a {
		if i, ok := at[id]; ok {
			places = append(places, i)
		}
	}
	n := len(places)
	if n < 2 {
		return math.NaN(), n
	}
	pairs := n * (n - 1) / 2
	discordant := inversions(places, make([]int, n))
	return float64(pairs-2*discordant) / float64(pairs), n
}

// inversions sorts places and counts the pairs that stood in the wrong order.
func inversions(places, scratch []int) int {
	if len(places) < 2 {
		return 0
	}
	half := len(places) / 2
	left, right := places[:half], places[half:]
	count := inversions(left, scratch) + inversions(right, scratch)
	merged := scratch[:0]
	i, j := 0, 0
	for i < len(left) && j < len(right) {
		if left[i] <= right[j] {
			merged = append(merged, left[i])
			i++
			continue
		}
		count += len(left) - i
		merged = append(merged, right[j])
		j++
	}
	merged = append(append(merged, left[i:]...), right[j:]...)
	copy(places, merged)
	return count
}
