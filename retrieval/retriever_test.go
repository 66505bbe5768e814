package retrieval_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
)

// shelf is a corpus whose best section is not on its first page.
func shelf() *memory {
	m := newMemory()
	m.page("a", 0)
	m.section("A1", "a", 0, 100, .5)
	m.section("A2", "a", 1, 100, .9)
	m.page("b", 0)
	m.section("B1", "b", 0, 100, .7)
	return m
}

func chunkMode(t *testing.T) param.Params {
	t.Helper()
	p, ok := param.Preset(param.PresetWebRAG)
	if !ok {
		t.Fatal("no preset webrag")
	}
	p.Mode = param.ModeChunk
	return p
}

func TestRetrieverListsByScore(t *testing.T) {
	deps := retrieval.Deps{Store: shelf(), Embedder: newDouble()}
	r := retrieval.NewRetriever(deps, chunkMode(t))
	// The engine lists A1 before B1, because it groups by page.
	for topK, want := range map[int]string{0: "A2 0.9, B1 0.7, A1 0.5", 2: "A2 0.9, B1 0.7", 1: "A2 0.9", 9: "A2 0.9, B1 0.7, A1 0.5"} {
		got, err := r.Retrieve(t.Context(), "a query", topK)
		if err != nil || listed(got) != want {
			t.Errorf("top %d: %s, %v; want %s", topK, listed(got), err, want)
		}
	}
	got, err := r.Retrieve(t.Context(), "a query", 1)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(got)
	if want := `[{"content":"text of A2","score":0.9,"chunk_id":"A2","document_id":"doc-a","document_title":"Page a","document_source":"a"}]`; err != nil || string(raw) != want {
		t.Errorf("%s, %v", raw, err)
	}
	if got, err := r.Retrieve(t.Context(), " ", 1); err != nil || len(got) != 0 {
		t.Errorf("a blank query: %v, %v", got, err)
	}
	if _, err := r.Retrieve(t.Context(), "a query", -1); err == nil || !strings.Contains(err.Error(), "top k -1") {
		t.Errorf("got %v", err)
	}
}

func TestRetrieverOfAPresetWithTopK(t *testing.T) {
	p := chunkMode(t)
	p.TopK = 2
	r := retrieval.NewRetriever(retrieval.Deps{Store: shelf(), Embedder: newDouble()}, p)
	if got, err := r.Retrieve(t.Context(), "a query", 0); err != nil || listed(got) != "A2 0.9, B1 0.7" {
		t.Errorf("got %s, %v", listed(got), err)
	}
	if got, err := r.Retrieve(t.Context(), "a query", 3); err != nil || len(got) != 3 {
		t.Errorf("got %s, %v", listed(got), err)
	}
}

func TestRetrieverReranks(t *testing.T) {
	p := chunkMode(t)
	p.Overfetch, p.MinScore = 3, .2
	var asked []string
	reranker := foreign(func(results []retrieval.RetrievalResult) ([]retrieval.RetrievalResult, error) {
		asked = append(asked, listed(results))
		out := make([]retrieval.RetrievalResult, len(results))
		for i, one := range results {
			one.Score = float32(i) / 10
			out[len(out)-1-i] = one
		}
		return out, nil
	})
	deps := retrieval.Deps{Store: shelf(), Embedder: newDouble()}
	got, err := retrieval.NewRetriever(deps, p, retrieval.WithReranker(reranker)).Retrieve(t.Context(), "a query", 1)
	// Three are asked for, so that the third can win; then the minimum holds for
	// the new scores.
	if err != nil || listed(got) != "A1 0.2" || asked[0] != "A2 0.9, B1 0.7, A1 0.5" {
		t.Errorf("got %s, %v, asked %q", listed(got), err, asked)
	}
	if got, err := retrieval.NewRetriever(deps, p, retrieval.WithReranker(reranker)).Retrieve(t.Context(), "a query", 3); err != nil || listed(got) != "A1 0.2" {
		t.Errorf("got %s, %v", listed(got), err)
	}
	down := errors.New("down")
	failing := foreign(func([]retrieval.RetrievalResult) ([]retrieval.RetrievalResult, error) { return nil, down })
	if _, err := retrieval.NewRetriever(deps, p, retrieval.WithReranker(failing)).Retrieve(t.Context(), "a query", 1); !errors.Is(err, down) {
		t.Errorf("got %v", err)
	}
}

func TestRetrieverKeepsItsScope(t *testing.T) {
	deps, _ := openLibrary(t)
	p := chunkMode(t)
	p.SimilarityFloor = -1
	r := retrieval.NewRetriever(deps, p, retrieval.WithScope(store.Scope{SourceURLs: []string{"https://example.org/everest"}}))
	got, err := r.Retrieve(t.Context(), "gradient boosting trees", 5)
	if err != nil || len(got) == 0 {
		t.Fatalf("got %s, %v", listed(got), err)
	}
	for _, one := range got {
		if one.DocumentSource != "https://example.org/everest" {
			t.Errorf("%s is out of scope", one.DocumentSource)
		}
	}
}

func TestRetrieverReports(t *testing.T) {
	p := chunkMode(t)
	p.Mode = param.ModeAuto // which is what the threshold decides
	p.FullContextThreshold, p.ContextBudget = 50000, 40000
	var notices []retrieval.Notice
	r := retrieval.NewRetriever(retrieval.Deps{Store: shelf(), Embedder: newDouble()}, p,
		retrieval.WithNotices(func(n []retrieval.Notice) { notices = n }))
	if _, err := r.Retrieve(context.Background(), "a query", 0); err != nil || len(notices) == 0 {
		t.Errorf("notices %v, %v", notices, err)
	}
}

// foreign is a reranker of another program.
type foreign func(results []retrieval.RetrievalResult) ([]retrieval.RetrievalResult, error)

func (f foreign) Rerank(_ context.Context, _ string, results []retrieval.RetrievalResult, _ int) ([]retrieval.RetrievalResult, error) {
	return f(results)
}
