package retrieval_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/retrieval"
)

// trio is a corpus of three sections with the scores of a fusion.
func trio() *memory {
	m := newMemory()
	m.page("a", 0)
	for i, score := range []float64{1, .98, .97} {
		m.section(fmt.Sprint(i), "a", i, 100, score)
	}
	return m
}

// ranked is a result in short, by rank: "1 0.9, 0 0.3".
func ranked(r *retrieval.Result) string {
	items := slices.Clone(r.Items)
	slices.SortFunc(items, func(a, b retrieval.Item) int { return a.Rank - b.Rank })
	out := make([]string, len(items))
	for i := range items {
		out[i] = fmt.Sprintf("%s %.4g", items[i].ChunkID, items[i].Score)
	}
	return strings.Join(out, ", ")
}

func TestTheEngineReranks(t *testing.T) {
	const unchanged = "0 1, 1 0.98, 2 0.97"
	logits, _ := rerankServer(t, 200, `[{"index":2,"score":4.5},{"index":0,"score":-2.25},{"index":1,"score":1}]`)
	repeats, _ := rerankServer(t, 200, `[{"index":2,"score":4.5},{"index":2,"score":1}]`)
	for _, tt := range []struct {
		name     string
		kind     retrieval.RerankerKind
		scorer   retrieval.Scorer
		unscored retrieval.Unscored
		want     string // without scores where they are on two scales
		notice   string
	}{
		{"demote", retrieval.RerankerLLM, retrieval.NewLLMScorer(&model{says: `{"scores":[{"index":0,"score":3},{"index":1,"score":9}]}`}, retrieval.LLMScoring{}), retrieval.UnscoredDemote, "1 0.9, 0 0.3, 2 0.97", ""},
		{"keep", retrieval.RerankerLLM, retrieval.NewLLMScorer(&model{says: `{"scores":[{"index":0,"score":3},{"index":1,"score":9}]}`}, retrieval.LLMScoring{}), retrieval.UnscoredKeep, "2 0.97, 1 0.9, 0 0.3", "said nothing about 1"},
		{"timeout", retrieval.RerankerLLM, retrieval.NewLLMScorer(&model{err: context.DeadlineExceeded}, retrieval.LLMScoring{}), retrieval.UnscoredDemote, unchanged, "deadline"},
		{"bad JSON", retrieval.RerankerLLM, retrieval.NewLLMScorer(&model{says: `{"scores":`}, retrieval.LLMScoring{}), retrieval.UnscoredDemote, unchanged, "judges none of 3 texts"},
		{"index 99 and N = 15", retrieval.RerankerLLM, retrieval.NewLLMScorer(&model{says: `{"scores":[{"index":99,"score":9},{"index":2,"score":15},{"index":1,"score":5},{"index":0,"score":1}]}`}, retrieval.LLMScoring{}), retrieval.UnscoredDemote, "2 1, 1 0.5, 0 0.1", ""},
		{"listwise", retrieval.RerankerLLM, retrieval.NewLLMScorer(&model{says: `{"order":[2,0,1]}`}, retrieval.LLMScoring{Form: retrieval.LLMOrder}), retrieval.UnscoredDemote, "2 1, 0 0.6667, 1 0.3333", ""},
		{"logits", retrieval.RerankerHTTP, retrieval.NewHTTPScorer(logits), retrieval.UnscoredDemote, "2 4.5, 1 1, 0 -2.25", ""},
		{"repeated", retrieval.RerankerHTTP, retrieval.NewHTTPScorer(repeats), retrieval.UnscoredDemote, unchanged, "index 2 occurs twice"},
		{"none configured", retrieval.RerankerHTTP, nil, retrieval.UnscoredDemote, unchanged, `no reranker "http" is configured`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := chunkMode(t)
			p.Reranker, p.Unscored = tt.kind, tt.unscored
			deps := retrieval.Deps{Store: trio(), Embedder: newDouble()}
			if tt.scorer != nil {
				deps.Scorers = map[retrieval.RerankerKind]retrieval.Scorer{tt.kind: tt.scorer}
			}
			got, err := retrieval.Retrieve(t.Context(), deps, retrieval.Query{Text: "a query"}, p, retrieval.Options{Trace: true, Explain: true})
			if err != nil || ranked(&got) != tt.want {
				t.Errorf("got %s, %v; want %s", ranked(&got), err, tt.want)
			}
			if !slices.ContainsFunc(got.Notices, func(n retrieval.Notice) bool { return strings.Contains(n.Text, tt.notice) }) && tt.notice != "" {
				t.Errorf("notices %+v, want %q", got.Notices, tt.notice)
			}
		})
	}
}

func TestTheScoreRerankerOnRawRRF(t *testing.T) {
	p, ok := retrieval.Preset("hybrid")
	if !ok {
		t.Fatal("no preset hybrid")
	}
	p.KeywordWeight, p.Fusion, p.RRFScale = .3, retrieval.FusionRRF, retrieval.RRFRaw
	p.Reranker, p.RerankMinScore = retrieval.RerankerScore, .1
	deps := retrieval.Deps{Store: trio(), Embedder: newDouble()}
	for scale, want := range map[retrieval.RRFScale]int{retrieval.RRFRaw: 0, retrieval.RRFNormalized: 3} {
		p.RRFScale = scale
		got, err := retrieval.Retrieve(t.Context(), deps, retrieval.Query{Text: "a query"}, p, retrieval.Options{})
		if err != nil || len(got.Items) != want {
			t.Errorf("%s: %s, %v; want %d", scale, ranked(&got), err, want)
		}
	}
}
