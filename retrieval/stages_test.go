package retrieval_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
)

func newWorkedResult(t *testing.T, mode string) retrieval.Result {
	return worked(t).set(t, "mode", mode).retrieve(t)
}

// A parameter says which stage reads it, by the name that the stage has in a trace.
func TestEveryParameterBelongsToAStage(t *testing.T) {
	var stages []string
	everything := worked(t).set(t, "mode", "chunk", "unit", "chunk", "keyword_weight", "0.5", "max_hops", "1", "recency_half_life", "1",
		"dedup_threshold", "1", "reranker", "llm", "min_score", "0.01", "top_k", "5", "merge_adjacent", "true")
	for _, r := range []retrieval.Result{everything.retrieve(t), newWorkedResult(t, "chunk"), newWorkedResult(t, "full_context")} {
		for _, s := range r.Trace.Stages {
			stages = append(stages, s.Name)
		}
	}
	for _, s := range param.Specs() {
		if !slices.Contains(stages, s.Stage) {
			t.Errorf("%s belongs to the stage %q, which no trace has", s.Field, s.Stage)
		}
	}
}

// Every mode passes its stages in the one order, and each says what it is.
func TestStagesRunInOneOrder(t *testing.T) {
	all := worked(t).set(t, "mode", "chunk", "unit", "chunk", "keyword_weight", "0.5", "max_hops", "1", "recency_half_life", "1",
		"dedup_threshold", "1", "reranker", "llm", "min_score", "0.01", "top_k", "5", "merge_adjacent", "true")
	for _, r := range []retrieval.Result{all.retrieve(t), newWorkedResult(t, "chunk"), newWorkedResult(t, "full_context")} {
		last := -1
		for _, s := range r.Trace.Stages {
			at := retrieval.StageIndex(s.Name)
			if at <= last {
				t.Errorf("%s is number %d and runs after number %d", s.Name, at, last)
			}
			last = at
			if spec := retrieval.StageOf(s.Name); spec.Name != s.Name || spec.Title == "" || !strings.HasSuffix(spec.About, ".") {
				t.Errorf("%s: %q, %q", s.Name, spec.Title, spec.About)
			}
		}
	}
	if unknown := retrieval.StageOf("no such stage"); unknown.Title != "no such stage" || unknown.About != "" || retrieval.StageIndex("no such stage") != -1 {
		t.Errorf("an unknown stage is %+v", unknown)
	}
}

// Ablations are in the order of the rows of the parameters: it is that of the stages.
func TestSwitchesAreInTheOrderOfStages(t *testing.T) {
	last := -1
	for _, s := range param.Switches() {
		at := retrieval.StageIndex(s.Stage)
		if at <= last {
			t.Errorf("%s switches off stage %s, number %d, and stands behind number %d", s.Field, s.Stage, at, last)
		}
		last = at
	}
}

// What a parameter switches off does not run: the parameter's row and the stage's
// say the same.
func TestAStageThatIsSwitchedOffDoesNotRun(t *testing.T) {
	w := worked(t).set(t, "mode", "chunk", "unit", "chunk", "keyword_weight", "0.5", "max_hops", "1", "recency_half_life", "1",
		"dedup_threshold", "1", "reranker", "llm", "min_score", "0.01", "top_k", "5", "merge_adjacent", "true", "context_budget", "1000")
	names := func() (list []string) {
		for _, s := range w.retrieve(t).Trace.Stages {
			list = append(list, s.Name)
		}
		return list
	}
	on := w.params
	ran := names()
	for _, s := range ran {
		off, ok := param.StageOff(on, s)
		if !ok {
			continue
		}
		w.params = off
		// These two say where the tokens and the forms came from, also without a choice.
		always := s == param.StageBudget || s == param.StageSurface
		if still := slices.Contains(names(), s); still != always {
			t.Errorf("%s runs, switched off: %v", s, still)
		}
	}
	for _, s := range param.Switches() {
		if !slices.Contains(ran, s.Stage) {
			t.Errorf("%s was not tried", s.Stage)
		}
	}
}
