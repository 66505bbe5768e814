package retrieval_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/param/paramtest"
	"github.com/webrag/webrag-tui/retrieval/whynot"
)

func TestAblations(t *testing.T) {
	w := worked(t)
	ev := gather(t, w)
	var got []string
	for _, toggle := range whynot.Ablations(ev, w.params, nil) {
		if !toggle.On {
			continue
		}
		c := toggle.Comparison
		got = append(got, fmt.Sprintf("%s +%d -%d ~%d", toggle.Stage, len(c.Entered), len(c.Left), len(c.Moved)))
	}
	// Without decay P1 and P3 score .90 and .80, which the budget ends after;
	// without a budget P2, P4 and P5 come in as well.
	want := "floor +0 -0 ~0, depth +0 -0 ~2, budget +3 -0 ~0, grouping +0 -0 ~0, surface +0 -0 ~0"
	if strings.Join(got, ", ") != want {
		t.Errorf("got %s\nwant %s", strings.Join(got, ", "), want)
	}
	rankings := 0
	if list := whynot.Ablations(ev, w.params, func() bool { rankings++; return rankings == 3 }); list != nil || rankings != 3 {
		t.Errorf("stopped at the third ranking of %d, it gives %+v", rankings, list)
	}
}

// Ranking by other parameters what was gathered is asking anew with them, as far as
// the evidence reaches.
func TestRankingAnewIsRetrieving(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := drawBench(t)
		ev, err := retrieval.Gather(t.Context(), b.deps(), retrieval.Query{Text: "question"}, b.params)
		if err != nil {
			t.Fatal(err)
		}
		if ev, err = retrieval.Complete(t.Context(), b.deps(), ev, b.params); err != nil {
			t.Fatal(err)
		}
		spec := rapid.SampledFrom(param.Specs()).Draw(t, "field")
		changed := paramtest.Draw(t, b.params, spec)
		if ok, _ := ev.Covers(changed); !ok {
			t.Skip("the evidence does not reach that far")
		}
		ranked, needs := retrieval.Rank(ev, changed, retrieval.Options{})
		if needs.IsProvisional() {
			t.Skip("edges, words or scores have to be fetched")
		}
		present, _ := retrieval.Rank(ev, b.params, retrieval.Options{})
		before := b.mustRetrieve(t)
		b.params = changed
		after := b.mustRetrieve(t)
		if ids(ranked.Items) != ids(after.Items) {
			t.Fatalf("%s %s: ranked %s, retrieved %s", spec.Field, changed.Get(spec.Field), ids(ranked.Items), ids(after.Items))
		}
		c, again := retrieval.Compare(before, after, 0), retrieval.Compare(present, ranked, 0)
		entered := func(c retrieval.Comparison) (all []string) {
			for _, s := range append(slices.Clone(c.Entered), c.Left...) {
				all = append(all, s.ChunkID)
			}
			return all
		}
		if !slices.Equal(entered(c), entered(again)) {
			t.Fatalf("%v and %v", entered(c), entered(again))
		}
	})
}
