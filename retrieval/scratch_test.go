package retrieval_test

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/retrieval"
)

// What was ranked before in the same memory, of whatever evidence, changes nothing of a
// ranking; and what is ranked later changes nothing of one that was made.
func TestScratchLeavesNothingBehind(t *testing.T) {
	var again retrieval.Scratch
	rapid.Check(t, func(t *rapid.T) {
		ev, p := drawn(t)
		o := retrieval.Options{Trace: rapid.Bool().Draw(t, "trace"), Explain: rapid.Bool().Draw(t, "explain")}
		want, wantNeeds := retrieval.Rank(ev, p, o)
		order := ev.Order(p)
		o.Scratch = &again
		got, needs := retrieval.Rank(ev, p, o)
		listed := again.Order(&ev, p)

		// Others in between, with and without what they can record.
		other, q := drawn(t)
		retrieval.Rank(other, q, o)
		again.Order(&other, q)
		retrieval.Rank(other, q, retrieval.Options{Scratch: &again})

		if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(needs, wantNeeds) {
			t.Fatalf("in memory that was used before\n%+v\n%+v\nnot\n%+v\n%+v", got, needs, want, wantNeeds)
		}
		if !reflect.DeepEqual(listed, order) {
			t.Fatalf("in memory that was used before %+v, not %+v", listed, order)
		}
	})
}
