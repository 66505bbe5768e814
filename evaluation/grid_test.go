package evaluation_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/retrieval/param"
)

func TestGrid(t *testing.T) {
	base, _ := param.Preset(param.PresetWebRAG)
	g := evaluation.Grid{evaluation.Steps("similarity_floor", .1, .1, 3), {Field: "budget_policy", Values: []string{"stop", "skip"}}}
	settings, err := g.Settings(base)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range settings {
		got = append(got, settings[i].Get("similarity_floor")+" "+settings[i].Get("budget_policy"))
	}
	want := []string{"0.1 stop", "0.1 skip", "0.2 stop", "0.2 skip", "0.3 stop", "0.3 skip"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if alone, err := (evaluation.Grid{}).Settings(base); err != nil || len(alone) != 1 || alone[0] != base {
		t.Errorf("a grid without axes: %v, %v", alone, err)
	}
	var wrong *param.Error
	if _, err := (evaluation.Grid{{Field: "similarity_flor", Values: []string{"1"}}}).Settings(base); !errors.As(err, &wrong) {
		t.Errorf("an unknown field gives %v", err)
	}
	if _, err := (evaluation.Grid{evaluation.Steps("similarity_floor", .5, .5, 3)}).Settings(base); !errors.As(err, &wrong) {
		t.Errorf("a floor of 1.5 gives %v", err)
	}
	huge := evaluation.Steps("top_k_children_limit", 1, 1, 1001)
	if _, err := (evaluation.Grid{huge, evaluation.Steps("context_budget", 1, 1, 1000)}).Settings(base); err == nil {
		t.Error("a million and a thousand combinations are taken")
	}
}

func TestStepsEndExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 200).Draw(t, "n")
		a := evaluation.Steps("x", 0, 1/float64(n), n+1)
		if len(a.Values) != n+1 || a.Values[0] != "0" || a.Values[n] != "1" {
			t.Fatalf("%d values from %s to %s", len(a.Values), a.Values[0], a.Values[len(a.Values)-1])
		}
	})
	// Adding .1 three times gives .30000000000000004.
	if got := evaluation.Steps("x", 0, .1, 4).Values; !slices.Equal(got, []string{"0", "0.1", "0.2", "0.3"}) {
		t.Errorf("%q", got)
	}
}

func TestHalves(t *testing.T) {
	ids := make([]string, 1000)
	for i := range ids {
		ids[i] = fmt.Sprint("query ", i)
	}
	halves := evaluation.Halves(ids, 7)
	both := slices.Concat(halves[0], halves[1])
	slices.Sort(both)
	if len(both) != 1000 || both[0] != 0 || len(slices.Compact(both)) != 1000 || !slices.IsSorted(halves[0]) {
		t.Fatalf("%d queries in both halves", len(both))
	}
	if n := len(halves[0]); n < 400 || n > 600 {
		t.Errorf("%d of 1000 queries are in the first half", n)
	}
	short := make([]string, 20)
	for i := range short {
		short[i] = fmt.Sprint("q", i)
	}
	for seed := range uint64(20) {
		if n := len(evaluation.Halves(short, seed)[0]); n < 3 || n > 17 {
			t.Errorf("seed %d: %d of 20 queries with short ids are in the first half", seed, n)
		}
	}
	if some := evaluation.Halves(ids[:500], 7); !slices.Equal(some[0], halves[0][:len(some[0])]) {
		t.Error("queries change sides when others go")
	}
	if other := evaluation.Halves(ids, 8); slices.Equal(other[0], halves[0]) {
		t.Error("another seed gives the same halves")
	}
}
