package evaluation_test

import (
	"errors"
	"fmt"
	"math"
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

func TestAChoiceIsHeldOut(t *testing.T) {
	ids := make([]string, 40)
	scores := make([][]float64, 3)
	for i := range scores {
		scores[i] = make([]float64, len(ids))
	}
	for q := range ids {
		ids[q] = fmt.Sprint("query ", q)
	}
	s := evaluation.Swept{IDs: ids, Scores: scores}
	halves := s.Choose(7)
	if halves[0].Setting != 0 || halves[1].Setting != 0 {
		t.Error("of equal settings the first is chosen")
	}
	if halves[0].Chosen+halves[0].Others != 40 || halves[0].Chosen != halves[1].Others || halves[0].Chosen < 10 || halves[0].Chosen > 30 {
		t.Errorf("the halves are %+v", halves)
	}
	// Setting 2 is luck: 1 on the first half, 0 on the second.
	first := firstHalf(ids)
	for q := range ids {
		scores[1][q] = .6
		if first[q] {
			scores[2][q] = 1
		}
	}
	halves = s.Choose(7)
	if c := halves[0]; c.Setting != 2 || c.On != 1 || c.Held != 0 {
		t.Errorf("on the first half: %+v", c)
	}
	if c := halves[1]; c.Setting != 1 || math.Abs(c.On-.6) > 1e-9 || math.Abs(c.Held-.6) > 1e-9 {
		t.Errorf("on the second half: %+v", c)
	}
	empty := evaluation.Swept{}
	if c := empty.Choose(7); c[0].Setting != -1 || c[1].Setting != -1 {
		t.Errorf("nothing gives %+v", c)
	}
}

// firstHalf finds out which queries are in the first half, by a setting that is
// good for one query alone.
func firstHalf(ids []string) []bool {
	first := make([]bool, len(ids))
	for q := range ids {
		one := evaluation.Swept{IDs: ids, Scores: [][]float64{make([]float64, len(ids)), make([]float64, len(ids))}}
		one.Scores[1][q] = 1
		first[q] = one.Choose(7)[0].Setting == 1
	}
	return first
}
