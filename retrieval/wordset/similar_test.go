package wordset

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The filtered search finds what comparing every pair finds.
func TestSimilarIsThatOfEveryPair(t *testing.T) {
	var again Comparer // what it did before leaves nothing behind
	rapid.Check(t, func(t *rapid.T) {
		threshold := rapid.SampledFrom([]float64{.05, .3, .5, .8, .9, .95, 1}).Draw(t, "threshold")
		texts := map[string]string{}
		var ids []string
		for i := range rapid.IntRange(0, 25).Draw(t, "texts") {
			id := fmt.Sprint("t", i)
			var words []string
			if i > 0 && rapid.Bool().Draw(t, "edit another") {
				words = strings.Fields(texts[ids[rapid.IntRange(0, i-1).Draw(t, "which")]])
				words = append(words, rapid.SampledFrom([]string{"x", "y", "z"}).Draw(t, "word"))
			} else {
				for range rapid.IntRange(0, 40).Draw(t, "words") {
					words = append(words, fmt.Sprint("w", rapid.IntRange(0, 30).Draw(t, "word")))
				}
			}
			texts[id] = strings.Join(words, " ")
			ids = append(ids, id)
		}
		var known Sets
		half := map[string]string{}
		for i, id := range ids {
			if i%2 == 0 {
				half[id] = texts[id]
			}
		}
		known = known.With(half)
		known = known.With(texts) // in two steps, as rounds come
		sets := make([]Set, len(ids))
		for i, id := range ids {
			sets[i] = known.sets[id]
		}
		of, values := again.Similar(&known, sets, threshold)

		for i, id := range ids {
			wantOf, wantValue := int32(-1), 0.0
			for j := range i {
				if of[j] >= 0 {
					continue
				}
				v := overlap(texts[id], texts[ids[j]])
				if texts[id] == texts[ids[j]] {
					v = 2 // equal texts count as one, whatever the threshold
				}
				if v > threshold {
					wantOf, wantValue = int32(j), min(v, 1)
					break
				}
			}
			if of[i] != wantOf && !(of[i] >= 0 && wantOf >= 0 && texts[id] == texts[ids[of[i]]]) {
				t.Fatalf("text %d repeats %d, want %d", i, of[i], wantOf)
			}
			if of[i] == wantOf && values[i] != wantValue {
				t.Fatalf("text %d: %v, want %v", i, values[i], wantValue)
			}
		}
	})
}

// overlap is the Jaccard similarity by its definition.
func overlap(a, b string) float64 {
	in := map[string]int{}
	for _, w := range strings.Fields(a) {
		in[w] |= 1
	}
	for _, w := range strings.Fields(b) {
		in[w] |= 2
	}
	both := 0
	for _, sides := range in {
		if sides == 3 {
			both++
		}
	}
	if len(in) == 0 {
		return 0
	}
	return float64(both) / float64(len(in))
}
