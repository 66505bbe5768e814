package retrieval_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/rerank"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
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
	logits := rerankServer(t, `[{"index":2,"score":4.5},{"index":0,"score":-2.25},{"index":1,"score":1}]`)
	repeats := rerankServer(t, `[{"index":2,"score":4.5},{"index":2,"score":1}]`)
	for _, tt := range []struct {
		name     string
		kind     param.RerankerKind
		scorer   retrieval.Scorer
		unscored param.Unscored
		want     string // without scores where they are on two scales
		notice   string
	}{
		{"demote", param.RerankerLLM, rerank.NewLLMScorer(&model{says: `{"scores":[{"index":0,"score":3},{"index":1,"score":9}]}`}, rerank.LLMScoring{}), param.UnscoredDemote, "1 0.9, 0 0.3, 2 0.97", ""},
		{"keep", param.RerankerLLM, rerank.NewLLMScorer(&model{says: `{"scores":[{"index":0,"score":3},{"index":1,"score":9}]}`}, rerank.LLMScoring{}), param.UnscoredKeep, "2 0.97, 1 0.9, 0 0.3", "said nothing about 1"},
		{"timeout", param.RerankerLLM, rerank.NewLLMScorer(&model{err: context.DeadlineExceeded}, rerank.LLMScoring{}), param.UnscoredDemote, unchanged, "deadline"},
		{"bad JSON", param.RerankerLLM, rerank.NewLLMScorer(&model{says: `{"scores":`}, rerank.LLMScoring{}), param.UnscoredDemote, unchanged, "judges none of 3 texts"},
		{"index 99 and N = 15", param.RerankerLLM, rerank.NewLLMScorer(&model{says: `{"scores":[{"index":99,"score":9},{"index":2,"score":15},{"index":1,"score":5},{"index":0,"score":1}]}`}, rerank.LLMScoring{}), param.UnscoredDemote, "2 1, 1 0.5, 0 0.1", ""},
		{"listwise", param.RerankerLLM, rerank.NewLLMScorer(&model{says: `{"order":[2,0,1]}`}, rerank.LLMScoring{Form: rerank.LLMOrder}), param.UnscoredDemote, "2 1, 0 0.6667, 1 0.3333", ""},
		{"logits", param.RerankerHTTP, rerank.NewHTTPScorer(logits), param.UnscoredDemote, "2 4.5, 1 1, 0 -2.25", ""},
		{"repeated", param.RerankerHTTP, rerank.NewHTTPScorer(repeats), param.UnscoredDemote, unchanged, "index 2 occurs twice"},
		{"none configured", param.RerankerHTTP, nil, param.UnscoredDemote, unchanged, `no reranker "http" is configured`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := chunkMode(t)
			p.Reranker, p.Unscored = tt.kind, tt.unscored
			deps := retrieval.Deps{Store: trio(), Embedder: newDouble()}
			if tt.scorer != nil {
				deps.Scorers = map[param.RerankerKind]retrieval.Scorer{tt.kind: tt.scorer}
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
	p, ok := param.Preset("hybrid")
	if !ok {
		t.Fatal("no preset hybrid")
	}
	p.KeywordWeight, p.Fusion, p.RRFScale = .3, param.FusionRRF, param.RRFRaw
	p.Reranker, p.RerankMinScore = param.RerankerScore, .1
	deps := retrieval.Deps{Store: trio(), Embedder: newDouble()}
	for scale, want := range map[param.RRFScale]int{param.RRFRaw: 0, param.RRFNormalized: 3} {
		p.RRFScale = scale
		got, err := retrieval.Retrieve(t.Context(), deps, retrieval.Query{Text: "a query"}, p, retrieval.Options{})
		if err != nil || len(got.Items) != want {
			t.Errorf("%s: %s, %v; want %d", scale, ranked(&got), err, want)
		}
	}
}
