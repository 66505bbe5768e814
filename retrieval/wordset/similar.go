package wordset

import "math"

// Comparer is the memory of comparisons, which each uses again: results are valid until
// the next. The zero value is ready.
type Comparer struct {
	of     []int32
	values []float64
	// first[word] and then next[p] chain the kept sets that have a word in their prefix.
	first   []int32
	links   []link
	digests map[[16]byte]int32
	seen    []int32
}

type link struct{ set, next int32 }

// Similar finds, for sets in order, the first earlier one that is kept and more alike
// than threshold, in (0, 1]: equal texts, or a Jaccard similarity above it. of[i] is
// that one's index, or -1 where set i is kept; values are the similarities.
//
// Two sets whose similarity is above t share more than t·|A| words of each, and
// so one of the first |A|−⌊t·|A|⌋ words of each when words are in a fixed order
// (Chaudhuri, Ganti, Kaushik 2006; Bayardo, Ma, Srikant 2007). Words are in order from the rarest on,
// so that few sets share them.
func (c *Comparer) Similar(w *Sets, sets []Set, threshold float64) (of []int32, values []float64) {
	c.begin(len(sets), len(w.words))
	of, values = c.of, c.values
	first, digests, seen := c.first, c.digests, c.seen // in seen, set i+1 was compared with
	links := c.links[:1]                               // 0 ends a chain
	for i := range sets {
		of[i] = -1
		if at, ok := digests[sets[i].digest]; ok {
			of[i], values[i] = at, 1
			continue
		}
		prefix := sets[i].words[:prefixLength(len(sets[i].words), threshold)]
		best := int32(-1)
		for _, word := range prefix {
			for at := first[word]; at != 0; at = links[at].next {
				j := links[at].set
				if seen[j] == int32(i+1) {
					continue
				}
				seen[j] = int32(i + 1)
				if v := jaccard(sets[i].words, sets[j].words, threshold); v > threshold && (best < 0 || j < best) {
					best, values[i] = j, v
				}
			}
		}
		if best >= 0 {
			of[i] = best
			continue
		}
		digests[sets[i].digest] = int32(i)
		for _, word := range prefix {
			links = append(links, link{int32(i), first[word]})
			first[word] = int32(len(links) - 1)
		}
	}
	c.links = links
	return of, values
}

// begin makes room for so many sets and words.
func (c *Comparer) begin(sets, words int) {
	if cap(c.of) < sets {
		c.of, c.values, c.seen = make([]int32, sets), make([]float64, sets), make([]int32, sets)
	}
	if cap(c.links) == 0 {
		c.links = make([]link, 1, 8*sets+1)
	}
	c.of, c.values, c.seen = c.of[:sets], c.values[:sets], c.seen[:sets]
	clear(c.values)
	clear(c.seen)
	if cap(c.first) < words {
		c.first = make([]int32, words)
	}
	c.first = c.first[:words]
	clear(c.first)
	if c.digests == nil {
		c.digests = make(map[[16]byte]int32, sets)
	}
	clear(c.digests)
}

// prefixLength is how many words of a set of n must be looked at.
func prefixLength(n int, threshold float64) int {
	if n == 0 {
		return 0
	}
	// The slack only makes the prefix longer, where rounding would cut it short.
	const slack = 1e-9
	return min(n, n-int(math.Floor(threshold*float64(n)-slack)))
}

// jaccard is |a ∩ b| / |a ∪ b| of two ascending lists, 0 for two empty ones, and
// 0 as soon as it cannot be above threshold: most pairs differ early.
func jaccard(a, b []uint32, threshold float64) float64 {
	// The union has |a| + |b| − both words, so that both must exceed
	// t·(|a|+|b|)/(1+t); the rest is how many words may lack a partner. The slack
	// only lets more pairs through to the division.
	const slack = 1
	need := int(threshold*float64(len(a)+len(b))/(1+threshold)) - slack
	lacking := len(a) + len(b) - 2*need
	both := 0
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		switch x, y := a[i], b[j]; {
		case x == y:
			both++
			i++
			j++
			continue
		case x < y:
			i++
		default:
			j++
		}
		if lacking--; lacking < 0 {
			return 0
		}
	}
	if both == 0 {
		return 0
	}
	return float64(both) / float64(len(a)+len(b)-both)
}
