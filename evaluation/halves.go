package evaluation

import (
	"hash/fnv"
	"math/rand/v2"
)

// Halves splits queries in two by a hash of seed and id, so that what is chosen on one half
// can be measured on the other, where luck did not choose it. It returns their indices in
// ascending order. A query stays in its half when others come or go.
func Halves(ids []string, seed uint64) (halves [2][]int) {
	for i, id := range ids {
		h := fnv.New64a()
		h.Write([]byte(id))
		// Ids often differ in their last letters alone, which FNV spreads over few bits: a
		// generator that it seeds spreads them over all (PCG, O'Neill 2014).
		half := rand.NewPCG(seed, h.Sum64()).Uint64() >> 63
		halves[half] = append(halves[half], i)
	}
	return halves
}
