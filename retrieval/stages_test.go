package retrieval_test

import (
	"slices"
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
