package indexing

import (
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// A list that is not too long stays as it is; of a longer one every m-th is left, at most as
// many as asked for and more than half of that.
func TestThinned(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n, most := rapid.IntRange(0, 300).Draw(t, "n"), rapid.IntRange(1, 60).Draw(t, "most")
		ids := make([]string, n)
		for i := range ids {
			ids[i] = strconv.Itoa(i)
		}
		some := thinned(ids, most)
		if n <= most {
			if !slices.Equal(some, ids) {
				t.Fatalf("%v became %v", ids, some)
			}
			return
		}
		if len(some) > most || 2*len(some) < most {
			t.Fatalf("%d of %d are %d", most, n, len(some))
		}
		at := func(i int) int {
			v, err := strconv.Atoi(some[i])
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		for i := range some {
			if at(i) != i*at(min(1, len(some)-1)) {
				t.Fatalf("the distances in %v differ", some)
			}
		}
	})
}
