package rerank_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/llm"
	"github.com/webrag/webrag-tui/rerank"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
)

// model is a language model that says what it was told to.
type model struct {
	says  string
	err   error
	asked []llm.Prompt
	// wait makes it answer only when it is no longer waited for.
	wait bool
}

func (m *model) Model() string { return "double" }

func (m *model) Complete(ctx context.Context, p llm.Prompt) (llm.Completion, error) {
	m.asked = append(m.asked, p)
	if m.wait {
		<-ctx.Done()
		return llm.Completion{}, ctx.Err()
	}
	return llm.Completion{Text: m.says}, m.err
}

// fused are three results with the scores of a fusion.
func fused() []retrieval.RetrievalResult {
	return []retrieval.RetrievalResult{
		{ChunkID: "0", Content: "text 0", Score: 1},
		{ChunkID: "1", Content: "text 1", Score: .98},
		{ChunkID: "2", Content: "text 2", Score: .97},
	}
}

// listed is results in short: "1 .9, 0 .3".
func listed(results []retrieval.RetrievalResult) string {
	out := make([]string, len(results))
	for i, r := range results {
		out[i] = fmt.Sprintf("%s %.4g", r.ChunkID, r.Score)
	}
	return strings.Join(out, ", ")
}

func TestLLMReranker(t *testing.T) {
	const unchanged = "0 1, 1 0.98, 2 0.97"
	for _, tt := range []struct {
		name     string
		model    model
		unscored param.Unscored
		want     string
		notice   string
		warning  bool
	}{
		{"demote", model{says: `{"scores":[{"index":0,"score":3},{"index":1,"score":9}]}`}, param.UnscoredDemote, "1 0.9, 0 0.3, 2 0", "judged 2 of 3 texts", false},
		{"keep", model{says: `{"scores":[{"index":0,"score":3},{"index":1,"score":9}]}`}, param.UnscoredKeep, "2 0.97, 1 0.9, 0 0.3", "judged 2 of 3 texts", false},
		{"timeout", model{err: context.DeadlineExceeded}, param.UnscoredDemote, unchanged, "Not reranked: ", true},
		{"a server that is down", model{err: fmt.Errorf("%w: no", llm.ErrUnavailable)}, param.UnscoredDemote, unchanged, "unavailable", true},
		{"bad JSON", model{says: `{"scores":[{"index":0,`}, param.UnscoredDemote, unchanged, "judges none of 3 texts", true},
		{"index 99", model{says: `{"scores":[{"index":99,"score":10},{"index":2,"score":5},{"index":-1,"score":9}]}`}, param.UnscoredDemote, "2 0.5, 0 0, 1 0", "2 ids invalid", false},
		{"only index 99", model{says: `{"scores":[{"index":99,"score":10}]}`}, param.UnscoredDemote, unchanged, "judges none", true},
		{"N = 15 and N = -3", model{says: `{"scores":[{"index":0,"score":-3},{"index":1,"score":7},{"index":2,"score":15}]}`}, param.UnscoredDemote, "2 1, 1 0.7, 0 0", "", false},
		{"repeated", model{says: `{"scores":[{"index":1,"score":9},{"index":1,"score":0},{"index":0,"score":1},{"index":2,"score":2}]}`}, param.UnscoredDemote, "1 0.9, 2 0.2, 0 0.1", "1 id invalid", false},
		{"equal", model{says: `{"scores":[{"index":2,"score":5},{"index":0,"score":5},{"index":1,"score":5}]}`}, param.UnscoredDemote, "0 0.5, 1 0.5, 2 0.5", "", false},
		{"fenced", model{says: "Here you are:\n```json\n{\"scores\": [{\"index\": 2, \"score\": 8}]}\n```\nThe others [0] and [1] miss."}, param.UnscoredDemote, "2 0.8, 0 0, 1 0", "", false},
		{"after thoughts", model{says: `<think>{"scores":[{"index":0,"score":10}]} is too much</think>{"scores":[{"index":1,"score":6.5}]}`}, param.UnscoredDemote, "1 0.65, 0 0, 2 0", "", false},
		{"a list after thoughts", model{says: `<think>{"scores":[{"index":0,"score":10}]}</think>[{"index":1,"score":6.5}]`}, param.UnscoredDemote, "1 0.65, 0 0, 2 0", "", false},
		{"nothing but thoughts", model{says: `<think>{"scores":[{"index":0,"score":10}]}</think>Sorry.`}, param.UnscoredDemote, unchanged, "judges none", true},
		{"an echo of the form first", model{says: `{"scores":[{"index":0,"score":N}]} filled in is [{"index":"1","score":" 4 "}]`}, param.UnscoredDemote, "1 0.4, 0 0, 2 0", "", false},
		{"wrapped", model{says: `{"result":{"scores":[{"index":1,"score":4},{"score":3},7,{"index":0,"score":null},{"index":0.5,"score":1}]}}`}, param.UnscoredDemote, "1 0.4, 0 0, 2 0", "4 ids invalid", false},
		{"not numbers", model{says: `{"scores":[{"index":0,"score":"NaN"},{"index":1,"score":"Inf"},{"index":2,"score":1e999}]}`}, param.UnscoredDemote, unchanged, "judges none", true},
		{"no entries", model{says: `{"scores":[]}`}, param.UnscoredDemote, unchanged, "judges none", true},
		{"refusal", model{says: `I cannot do that.`}, param.UnscoredDemote, unchanged, "judges none", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var notices []retrieval.Notice
			given := fused()
			r := rerank.NewLLM(&tt.model, rerank.WithUnscored(tt.unscored),
				rerank.WithNotices(func(n retrieval.Notice) { notices = append(notices, n) }))
			got, err := r.Rerank(t.Context(), "a query", given, 0)
			if err != nil || listed(got) != tt.want {
				t.Errorf("got %s, %v; want %s", listed(got), err, tt.want)
			}
			if listed(given) != unchanged {
				t.Errorf("the results given became %s", listed(given))
			}
			if tt.notice != "" && !slices.ContainsFunc(notices, func(n retrieval.Notice) bool {
				return strings.Contains(n.Text, tt.notice) && n.Warning == tt.warning
			}) {
				t.Errorf("notices %+v, want %q", notices, tt.notice)
			}
			for k := range 4 {
				if got, _ := r.Rerank(t.Context(), "a query", fused(), k); k > 0 && len(got) != min(k, 3) {
					t.Errorf("%d results for top %d", len(got), k)
				}
			}
		})
	}
}

func TestScoreReranker(t *testing.T) {
	// Raw RRF scores are at most 1/61: a minimum of .1 keeps none of them.
	raw := []retrieval.RetrievalResult{{ChunkID: "A", Score: .01623731}, {ChunkID: "C", Score: .01602914}, {ChunkID: "B", Score: .01129032}}
	for _, tt := range []struct {
		results []retrieval.RetrievalResult
		least   float32
		topK    int
		want    string
	}{
		{raw, .1, 5, ""},
		{fused(), .98, 5, "0 1, 1 0.98"},
		{fused(), .1, 1, "0 1"},
		{[]retrieval.RetrievalResult{{ChunkID: "a", Score: .2}, {ChunkID: "b", Score: float32(math.NaN())}, {ChunkID: "c", Score: .3}, {ChunkID: "d", Score: .2}}, .1, 0, "c 0.3, a 0.2, d 0.2"},
	} {
		got, err := rerank.NewScore(tt.least).Rerank(t.Context(), "a query", tt.results, tt.topK)
		if err != nil || listed(got) != tt.want {
			t.Errorf("got %s, %v; want %s", listed(got), err, tt.want)
		}
	}
}

func TestRerankersEndWithTheirContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := rerank.NewLLM(&model{wait: true}).Rerank(ctx, "a query", fused(), 0); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// given is a scorer whose scores are known.
type given struct {
	retrieval.Scorer
	scores retrieval.Scores
	err    error
}

func (given) ID() string { return "given" }

func (g given) Score(context.Context, string, []string) (retrieval.Scores, error) {
	return g.scores, g.err
}

func TestAScorerThatBreaksItsWord(t *testing.T) {
	r := rerank.New(given{scores: retrieval.Scores{Values: []float64{1}, Scored: []bool{true}}})
	if got, err := r.Rerank(t.Context(), "a query", fused(), 0); err != nil || listed(got) != "0 1, 1 0.98, 2 0.97" {
		t.Errorf("got %s, %v", listed(got), err)
	}
}

// Reranked results are those given, sorted by score, and with demotion the
// unscored ones last in their old order, whatever the scale.
func TestRerankingSorts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 8).Draw(t, "n")
		scores := retrieval.Scores{
			Values: rapid.SliceOfN(rapid.Float64Range(-12, 12), n, n).Draw(t, "values"),
			Scored: rapid.SliceOfN(rapid.Bool(), n, n).Draw(t, "scored"),
		}
		results := make([]retrieval.RetrievalResult, n)
		for i := range results {
			results[i] = retrieval.RetrievalResult{ChunkID: fmt.Sprint(i), Score: rapid.Float32Range(0, 1).Draw(t, "score")}
		}
		unscored := rapid.SampledFrom([]param.Unscored{param.UnscoredDemote, param.UnscoredKeep}).Draw(t, "unscored")
		topK := rapid.IntRange(0, 9).Draw(t, "topK")
		got, err := rerank.New(given{scores: scores}, rerank.WithUnscored(unscored)).Rerank(context.Background(), "a query", results, topK)
		want := n
		if topK > 0 {
			want = min(topK, n)
		}
		if err != nil || len(got) != want {
			t.Fatalf("%d results, %v; want %d", len(got), err, want)
		}
		seen, last := map[string]bool{}, -1
		for i, r := range got {
			var at int
			if _, err := fmt.Sscan(r.ChunkID, &at); err != nil || seen[r.ChunkID] {
				t.Fatalf("result %d is %s", i, r.ChunkID)
			}
			seen[r.ChunkID] = true
			if i > 0 && r.Score > got[i-1].Score {
				t.Fatalf("not sorted: %s", listed(got))
			}
			if unscored == param.UnscoredDemote {
				if scores.Scored[at] && last >= 0 || !scores.Scored[at] && at < last {
					t.Fatalf("unscored results are not last, or not in order: %s of %v", listed(got), scores)
				}
				if !scores.Scored[at] {
					last = at
				}
			}
		}
	})
}
