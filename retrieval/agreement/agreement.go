// Package agreement measures how alike two orders of the same things are.
package agreement

import "math"

// Persistence is the p of rank-biased overlap that comparisons use: with .9 the first ten
// places carry 86 % of the weight.
const Persistence = 0.9

// Orders are two orders of ids, a and b, held against each other.
type Orders struct {
	// InA has for each place of b the place of its id in a, from 0, or -1 for none.
	InA []int32
	a   int
	// common counts, for each depth from 1 to the longer length, the ids that both first
	// places have in common.
	common []int32
}

// Of holds two orders against each other, of which each names an id at most once. It
// takes time in proportion to their lengths, and little where they begin alike.
func Of(a, b []string) Orders {
	o := Orders{InA: make([]int32, len(b)), a: len(a), common: make([]int32, max(len(a), len(b)))}
	alike := 0
	for alike < min(len(a), len(b)) && a[alike] == b[alike] {
		o.InA[alike] = int32(alike) //nolint:gosec // no order has so many
		alike++
	}
	at := make(map[string]int32, len(a)-alike)
	for i := alike; i < len(a); i++ {
		at[a[i]] = int32(i) //nolint:gosec // as above
	}
	for j := alike; j < len(b); j++ {
		i, ok := at[b[j]]
		if !ok {
			i = -1
		}
		o.InA[j] = i
	}
	// An id is common to the first places from the deeper of its two on.
	for j, i := range o.InA {
		if i >= 0 {
			o.common[max(int(i), j)]++
		}
	}
	for d := 1; d < len(o.common); d++ {
		o.common[d] += o.common[d-1]
	}
	return o
}

// Common counts the ids that both first places have in common, depth of each; a depth
// beyond the longer order counts all.
func (o *Orders) Common(depth int) int {
	depth = min(depth, len(o.common))
	if depth <= 0 {
		return 0
	}
	return int(o.common[depth-1])
}

// RBO is the extrapolated rank-biased overlap of two orders: from 0 for nothing in common
// to 1 for the same beginning. It weighs agreement at the top the most; p in (0, 1) says
// how slowly the weight falls. Two empty orders give 1, an empty and another 0. An order
// and its own prefix give 1, so show both lengths beside it.
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
func (o *Orders) RBO(p float64) float64 {
	s, l := min(o.a, len(o.InA)), len(o.common)
	switch {
	case l == 0:
		return 1
	case s == 0:
		return 0
	}
	xs, xl := float64(o.common[s-1]), float64(o.common[l-1])
	sum, weight := 0.0, 1.0
	for d := 1; d <= l; d++ {
		weight *= p
		agreement := float64(o.common[d-1]) / float64(d)
		if d > s {
			agreement += float64(xs*float64(d-s)) / float64(s*d)
		}
		sum += float64(agreement * weight)
	}
	return float64((1-p)/p*sum) + float64(((xl-xs)/float64(l)+xs/float64(s))*weight)
}

// TauB is Kendall's rank correlation over the ids common to both orders, from -1 for
// opposite to 1 for equal ones, and their number. Below two of them it is undefined and
// NaN. An order has no ties, which leaves τ-b what τ is.
func (o *Orders) TauB() (tau float64, common int) {
	places := make([]int32, 0, len(o.InA))
	sorted := true
	for _, i := range o.InA {
		if i >= 0 {
			sorted = sorted && (len(places) == 0 || places[len(places)-1] < i)
			places = append(places, i)
		}
	}
	n := len(places)
	if n < 2 {
		return math.NaN(), n
	}
	discordant := 0
	if !sorted {
		discordant = inversions(places, make([]int32, n))
	}
	pairs := n * (n - 1) / 2
	return float64(pairs-2*discordant) / float64(pairs), n
}

// inversions sorts places and counts the pairs that stood in the wrong order.
func inversions(places, scratch []int32) int {
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
