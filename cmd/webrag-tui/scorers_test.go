package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/retrieval/param"
)

func configOf(t *testing.T, environ ...string) *config.Config {
	t.Helper()
	c, err := config.Load(settings(), config.Inputs{Environ: environ, OwnPrefixes: ownPrefixes, Reserved: reservedVariables})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestScorersOfTheSettings(t *testing.T) {
	const canary = "canary-9c1b"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+canary {
			http.Error(w, "no key", http.StatusUnauthorized)
			return
		}
		switch r.URL.Path {
		case "/rerank":
			fmt.Fprint(w, `[{"index":0,"score":-3},{"index":1,"score":4}]`)
		case "/v1/chat/completions":
			fmt.Fprint(w, `{"choices":[{"message":{"content":"{\"scores\":[{\"index\":0,\"score\":2},{\"index\":1,\"score\":8}]}"}}]}`)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	scorers, err := newScorers(configOf(t,
		"RETRIEVAL_RERANK_BASE_URL="+server.URL, "RETRIEVAL_RERANK_API_KEY="+canary, "RETRIEVAL_RERANK_MODEL=cross",
		"LLM_BASE_URL="+server.URL+"/v1", "LLM_API_KEY="+canary, "LLM_MODEL=judge"))
	if err != nil {
		t.Fatal(err)
	}
	for kind, want := range map[param.RerankerKind][]float64{param.RerankerHTTP: {-3, 4}, param.RerankerLLM: {.2, .8}} {
		s := scorers[kind]
		if s == nil {
			t.Errorf("nothing to ask for the reranker %s", kind)
			continue
		}
		if got, err := s.Score(t.Context(), "a query", []string{"a", "b"}); err != nil || !slices.Equal(got.Values, want) {
			t.Errorf("%s: %v, %v; want %v", kind, got.Values, err, want)
		}
		if strings.Contains(fmt.Sprintf("%s %+v %#v", s.ID(), s, s), canary) {
			t.Errorf("%s shows the key", kind)
		}
	}
	if scorers, err := newScorers(configOf(t)); err != nil || len(scorers) != 0 {
		t.Errorf("without settings: %v, %v", scorers, err)
	}
}

func TestScorersThatCannotBe(t *testing.T) {
	for _, tt := range []struct{ environ, want string }{
		{"RETRIEVAL_RERANK_BASE_URL=localhost:8080", "environment RETRIEVAL_RERANK_BASE_URL: the base URL"},
		{"LLM_BASE_URL=http://localhost:11434/v1", "environment LLM_BASE_URL: a server may run several language models: set LLM_MODEL"},
		{"LLM_MODEL=m", "environment LLM_MODEL: a language model needs a server, too: set LLM_BASE_URL"},
		{"LLM_MODEL=m LLM_BASE_URL=there", "environment LLM_BASE_URL: the base URL"},
	} {
		if _, err := newScorers(configOf(t, strings.Fields(tt.environ)...)); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: %v", tt.environ, err)
		}
	}
}

func TestRerankEnabled(t *testing.T) {
	const server = "RETRIEVAL_RERANK_BASE_URL=http://localhost:8080"
	for _, tt := range []struct {
		environ string
		want    param.RerankerKind
		err     string
	}{
		{"", param.RerankerNone, ""},
		{server, param.RerankerNone, ""},
		{server + " RETRIEVAL_RERANK_ENABLED=false", param.RerankerNone, ""},
		{server + " RETRIEVAL_RERANK_ENABLED=true", param.RerankerHTTP, ""},
		{server + " RETRIEVAL_RERANK_ENABLED=true RETRIEVAL_RERANKER=score", param.RerankerScore, ""},
		{"RETRIEVAL_RERANK_ENABLED=true RETRIEVAL_RERANKER=llm", param.RerankerLLM, ""},
		{"RETRIEVAL_RERANK_ENABLED=true", param.RerankerNone, "environment RETRIEVAL_RERANK_ENABLED: reranking needs a server: set RETRIEVAL_RERANK_BASE_URL"},
	} {
		p, err := retrievalParams(configOf(t, strings.Fields(tt.environ)...), presetParams(param.PresetWebRAG))
		if p.Reranker != tt.want || (err == nil) != (tt.err == "") || err != nil && !strings.HasPrefix(err.Error(), tt.err) {
			t.Errorf("%q: %s, %v", tt.environ, p.Reranker, err)
		}
	}
}

// A variable that only looks like one of the settings is a slip, not another
// program's.
func TestAnUnknownRerankVariable(t *testing.T) {
	_, err := config.Load(settings(), config.Inputs{Environ: []string{"RETRIEVAL_RERANK_URL=x"}, OwnPrefixes: ownPrefixes, Reserved: reservedVariables})
	if err == nil || !strings.Contains(err.Error(), "RETRIEVAL_RERANK_URL") {
		t.Errorf("got %v", err)
	}
}

func TestQueriesAreReranked(t *testing.T) {
	status := http.StatusOK
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Documents []string }
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			t.Error(err)
		}
		w.WriteHeader(status)
		var results []string
		for i, d := range in.Documents {
			score := 0
			if strings.Contains(d, "second") {
				score = 5
			}
			results = append(results, fmt.Sprintf(`{"index":%d,"relevance_score":%d}`, i, score))
		}
		fmt.Fprintf(w, `{"results":[%s]}`, strings.Join(results, ","))
	}))
	t.Cleanup(server.Close)
	folder := t.TempDir()
	corpus, page := filepath.Join(folder, "c.db"), filepath.Join(folder, "page.md")
	if err := os.WriteFile(page, []byte("# Page\n\n## One\n\nA lighthouse, first.\n\n## Two\n\nA lighthouse keeper's house, second.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := commandLine(t, nil, "index", "--corpus", corpus, page); code != exitFine {
		t.Fatal(stderr)
	}
	best := func(environ ...string) string {
		t.Helper()
		code, stdout, stderr := commandLine(t, environ, "query", "--corpus", corpus, "--mode", "chunk", "--set", "similarity_floor=-1", "--json", "lighthouse first")
		if code != exitFine {
			t.Fatalf("exit code %d: %s", code, stderr)
		}
		var result struct {
			Chunks []struct {
				Rank      int
				ChunkText string `json:"chunk_text"`
			}
			Notices []struct{ Text string }
		}
		if err := json.Unmarshal([]byte(stdout), &result); err != nil {
			t.Fatal(err)
		}
		out := ""
		for _, c := range result.Chunks {
			if c.Rank == 1 {
				out = c.ChunkText
			}
		}
		for _, n := range result.Notices {
			out += " " + n.Text
		}
		return out
	}
	on := []string{"RETRIEVAL_RERANK_ENABLED=true", "RETRIEVAL_RERANK_BASE_URL=" + server.URL}
	if got := best(); !strings.Contains(got, "first") {
		t.Errorf("without a reranker: %s", got)
	}
	if got := best(on...); !strings.Contains(got, "second") {
		t.Errorf("with a reranker: %s", got)
	}
	status = http.StatusBadRequest
	if got := best(on...); !strings.Contains(got, "first") || !strings.Contains(got, "400 Bad Request") {
		t.Errorf("with a reranker that fails: %s", got)
	}
}
