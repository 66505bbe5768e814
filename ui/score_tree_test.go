package ui

import (
	"testing"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/ui/wording"
)

// The numbers in the header are those of the pipeline's stages.
func TestTheFunnelHasTheNumbersOfTheStages(t *testing.T) {
	stages := func(all ...retrieval.Stage) *retrieval.Trace { return &retrieval.Trace{Stages: all} }
	for _, c := range []struct {
		result retrieval.Result
		want   string
	}{
		{retrieval.Result{Items: make([]retrieval.Item, 5), Trace: stages(
			retrieval.Stage{Name: param.StageVector, Out: 60}, retrieval.Stage{Name: param.StageFloor, In: 60, Out: 12},
			retrieval.Stage{Name: param.StageParents, In: 12, Out: 5},
		)}, "60 passages → 12 kept → 5 sections"},
		{retrieval.Result{Items: make([]retrieval.Item, 4), Trace: stages( // found by both searches: counted once
			retrieval.Stage{Name: param.StageVector, Out: 6}, retrieval.Stage{Name: param.StageKeyword, In: 6, Out: 10},
			retrieval.Stage{Name: param.StageFusion, In: 10, Out: 7}, retrieval.Stage{Name: param.StageParents, In: 5, Out: 4},
		)}, "7 passages → 5 kept → 4 sections"},
		{retrieval.Result{Items: make([]retrieval.Item, 20), Trace: stages( // the graph adds
			retrieval.Stage{Name: param.StageVector, Out: 60}, retrieval.Stage{Name: param.StageParents, In: 15, Out: 12}, retrieval.Stage{Name: param.StageGraph, Out: 20},
		)}, "60 passages → 20 sections"},
		{retrieval.Result{Items: make([]retrieval.Item, 20), Trace: stages(
			retrieval.Stage{Name: param.StageVector, Out: 6}, retrieval.Stage{Name: param.StageParents, In: 6, Out: 6}, retrieval.Stage{Name: param.StageGraph, Out: 20},
		)}, "20 sections"},
		{retrieval.Result{Items: []retrieval.Item{{Level: store.Child}}, Trace: stages(retrieval.Stage{Name: param.StageVector, Out: 1})}, "1 passage → 1 passage"},
		{retrieval.Result{Items: make([]retrieval.Item, 2), Mode: param.ModeFullContext}, "all 2 sections"},
		{retrieval.Result{Items: make([]retrieval.Item, 2)}, "2 sections"},
	} {
		if got := wording.Funnel(&c.result)[0]; got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
