package retrieval_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/llm"
	"github.com/webrag/webrag-tui/remote"
	"github.com/webrag/webrag-tui/retrieval"
)

// model is a language model that always says the same.
type model struct {
	says string
	err  error
}

func (m *model) Model() string { return "double" }

func (m *model) Complete(context.Context, llm.Prompt) (llm.Completion, error) {
	return llm.Completion{Text: m.says}, m.err
}

// rerankServer is a /rerank server that always answers the same.
func rerankServer(t *testing.T, body string) *llm.Reranker {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, body) }))
	t.Cleanup(server.Close)
	client, err := llm.NewReranker(llm.RerankConfig{BaseURL: server.URL, Model: "cross", Remote: remote.Config{Attempts: 1}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client
}

// listed are results in short: "1 0.9, 0 0.3".
func listed(results []retrieval.RetrievalResult) string {
	out := make([]string, len(results))
	for i, r := range results {
		out[i] = fmt.Sprintf("%s %.4g", r.ChunkID, r.Score)
	}
	return strings.Join(out, ", ")
}
