package session_test

import (
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
)

// holding has a snapshot for each name.
func holding(query string, names ...string) session.Comparisons {
	var c session.Comparisons
	for _, name := range names {
		c.Snapshots = append(c.Snapshots, &session.Snapshot{Name: name, Query: query, Result: retrieval.Result{Mode: param.ModeChunk}})
	}
	return c
}

func namesOf(c session.Comparisons) (names []string) {
	for _, sn := range c.Snapshots {
		names = append(names, sn.Name)
	}
	return names
}

// What both have stays, and what either has added; what either has dropped goes.
func TestMergedComparisons(t *testing.T) {
	all := []string{"a", "b", "c", "d", "e", "f"}
	rapid.Check(t, func(rt *rapid.T) {
		some := rapid.SliceOfDistinct(rapid.SampledFrom(all), rapid.ID)
		base, mine, theirs := some.Draw(rt, "base"), some.Draw(rt, "mine"), some.Draw(rt, "theirs")
		var want []string
		for _, name := range all {
			was, here, there := slices.Contains(base, name), slices.Contains(mine, name), slices.Contains(theirs, name)
			if here && there || !was && (here || there) {
				want = append(want, name)
			}
		}
		b, m, o := holding("depth", base...), holding("depth", mine...), holding("depth", theirs...)
		got := namesOf(m.Merge(&b, &o))
		if slices.Sort(got); !slices.Equal(got, want) {
			rt.Fatalf("%q and %q of %q: %q, want %q", mine, theirs, base, got, want)
		}
	})
}

// Of two that have one name both stay, and of two baselines the one that was changed.
func TestMergedNamesAndBaselines(t *testing.T) {
	none, mine, theirs := session.Comparisons{}, holding("depth", "steep"), holding("floor", "steep")
	if got := namesOf(mine.Merge(&none, &theirs)); !slices.Equal(got, []string{"steep", "steep 2"}) {
		t.Errorf("there are %q", got)
	}
	with := func(name string) session.Comparisons {
		return session.Comparisons{Baseline: &session.Setting{Name: name}, Pinned: true}
	}
	was, one, other := with("was"), with("one"), with("other")
	for want, c := range map[string]session.Comparisons{"one": one.Merge(&was, &other), "other": was.Merge(&was, &other)} {
		if c.Baseline.Name != want {
			t.Errorf("compared with %s, want %s", c.Baseline.Name, want)
		}
	}
	if c := none.Merge(&was, &other); c.Baseline != nil {
		t.Errorf("let go, and compared with %s", c.Baseline.Name)
	}
}

// The bound holds for both together: the oldest give way.
func TestMergedComparisonsAreBounded(t *testing.T) {
	var mine, theirs []string
	for i := range 50 {
		mine, theirs = append(mine, "m"+strconv.Itoa(i)), append(theirs, "t"+strconv.Itoa(i))
	}
	none, m, o := session.Comparisons{}, holding("depth", mine...), holding("depth", theirs...)
	if got := namesOf(m.Merge(&none, &o)); !slices.Equal(got, mine) {
		t.Errorf("there are %q", got)
	}
}
