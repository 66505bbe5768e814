package agreement_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/retrieval/agreement"
)

// order draws ids, each at most once.
func order(t *rapid.T, label string) []string {
	ids := rapid.Permutation([]string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}).Draw(t, label)
	return ids[:rapid.IntRange(0, len(ids)).Draw(t, label+" length")]
}

func TestCommonIsCounted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := order(t, "a")
		b := order(t, "b")
		if n := rapid.IntRange(0, len(a)).Draw(t, "alike"); rapid.Bool().Draw(t, "begin alike") {
			b = append(slices.Clone(a[:n]), slices.DeleteFunc(slices.Clone(b), func(id string) bool { return slices.Contains(a[:n], id) })...)
		}
		o := agreement.Of(a, b)
		for depth := range 13 {
			want := 0
			for _, id := range a[:min(depth, len(a))] {
				if slices.Contains(b[:min(depth, len(b))], id) {
					want++
				}
			}
			if got := o.Common(depth); got != want {
				t.Fatalf("%v and %v have %d in common at %d, want %d", a, b, got, depth, want)
			}
		}
		for j, id := range b {
			if got := int(o.InA[j]); got != slices.Index(a, id) {
				t.Fatalf("%s stands at %d of %v", id, got, a)
			}
		}
		there, back := agreement.Of(a, b), agreement.Of(b, a)
		x, n := there.TauB()
		y, m := back.TauB()
		if there.RBO(.9) != back.RBO(.9) || n != m || math.Float64bits(x) != math.Float64bits(y) {
			t.Fatalf("%v and %v are not alike as they are the other way round", a, b)
		}
	})
}

// Two orders of three, the second reversed: 0, 1 and 3 are common to the first 1, 2 and 3,
// so that with p = ½ rank-biased overlap is (0/1·½ + 1/2·¼ + 3/3·⅛) + 3/3·⅛ = .375.
func TestWorkedExample(t *testing.T) {
	o := agreement.Of([]string{"1", "2", "3"}, []string{"3", "2", "1"})
	if got := o.RBO(.5); math.Abs(got-.375) > 1e-15 {
		t.Errorf("RBO is %v", got)
	}
	if tau, n := o.TauB(); tau != -1 || n != 3 {
		t.Errorf("tau is %v of %d", tau, n)
	}
}
