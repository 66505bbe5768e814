package sweep_test

import (
	"math"
	"slices"
	"testing"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/evaluation/sweep"
	"github.com/webrag/webrag-tui/retrieval/param"
)

// A survey of many parameters knows of each how many pieces its curve will have.
func TestASurveyFindsThePiecesOfEachCurve(t *testing.T) {
	t.Parallel()
	s := of(t, guide)
	at, all := base(param.PresetHybrid), axes(t, "top_k=1..12", "keyword_weight=0..1/20", "hop_decay", "similarity_floor=0,0.1,0.9", "fusion")
	terrain, err := sweep.Survey(t.Context(), at, all, evaluation.MustMeasure("nDCG@10"), s.Experiment(), s.Deps)
	if err != nil {
		t.Fatal(err)
	}
	idle, moving := 0, 0
	for _, a := range all {
		f, err := sweep.Run(t.Context(), &sweep.Plan{Base: at, Axes: evaluation.Grid{a}}, s.Experiment(), s.Deps, sweep.Options{})
		if err != nil {
			t.Fatal(err)
		}
		want := len(f.Plateaus(0, math.MaxInt))
		if n, ok := terrain.Pieces(a); !ok || n != want {
			t.Errorf("%s has %d pieces (known: %v), and its curve %d", a.Field, n, ok, want)
		}
		if want == 1 {
			idle++
		} else {
			moving++
		}
	}
	if idle == 0 || moving == 0 {
		t.Errorf("%d parameters change nothing and %d something: the test needs both", idle, moving)
	}

	some := evaluation.Axis{Field: param.FieldTopK, Values: []string{"3", "3", "5"}}
	if n, ok := terrain.Pieces(some); !ok || n != 2 {
		t.Errorf("3, 3 and 5 results are %d pieces, %v", n, ok)
	}
	for _, a := range []evaluation.Axis{{Field: param.FieldTopK, Values: []string{"3", "13"}}, {Field: param.FieldDepthFloor, Values: []string{"0"}}, {Field: param.FieldTopK}} {
		if n, ok := terrain.Pieces(a); ok {
			t.Errorf("of %v it knows %d pieces, and none was surveyed", a, n)
		}
	}
	if _, ok := (*sweep.Terrain)(nil).Pieces(some); ok {
		t.Error("what was not surveyed is known")
	}
}

// What would rank too much is left out, and where that is all, nothing is asked.
func TestASurveyIsBounded(t *testing.T) {
	t.Parallel()
	s := of(t, guide)
	x := s.Experiment()
	x.Questions = slices.Repeat(x.Questions[:1], 100_000) // one question: two cores must not ask it
	all := axes(t, "top_k=1..4", "keyword_weight=0..1/2")
	terrain, err := sweep.Survey(t.Context(), base(param.PresetHybrid), all, evaluation.MustMeasure("nDCG@10"), x, s.Deps)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := terrain.Pieces(all[0]); ok {
		t.Error("400,000 rankings were made")
	}
}
