package rerank_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/llm"
	"github.com/webrag/webrag-tui/remote"
	"github.com/webrag/webrag-tui/rerank"
	"github.com/webrag/webrag-tui/retrieval"
)

// rerankServer answers with a body, and keeps the documents it was sent.
func rerankServer(t *testing.T, status int, body string) (client *llm.Reranker, sent *[]string) {
	t.Helper()
	sent = new([]string)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Documents []string }
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			t.Error(err)
		}
		*sent = in.Documents
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}))
	t.Cleanup(server.Close)
	client, err := llm.NewReranker(llm.RerankConfig{BaseURL: server.URL, Model: "cross", Remote: remote.Config{Attempts: 1}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client, sent
}

func TestHTTPReranker(t *testing.T) {
	const unchanged = "0 1, 1 0.98, 2 0.97"
	for _, tt := range []struct {
		name   string
		status int
		body   string
		want   string
		notice string
	}{
		// Logits stay as they are, and what is not scored comes below the lowest.
		{"logits", 200, `[{"index":2,"score":4.5},{"index":0,"score":-2.25}]`, "2 4.5, 0 -2.25, 1 -2.25", "scored 2 of 3 texts"},
		{"all", 200, `{"results":[{"index":2,"relevance_score":0.5},{"index":0,"relevance_score":0.25},{"index":1,"relevance_score":0.75}]}`, "1 0.75, 2 0.5, 0 0.25", ""},
		{"out of range", 200, `[{"index":3,"score":1}]`, unchanged, "index 3 in an answer to 3 documents"},
		{"repeated", 200, `[{"index":1,"score":1},{"index":1,"score":1}]`, unchanged, "index 1 occurs twice"},
		{"empty", 200, `[]`, unchanged, "no scores for 3 documents"},
		{"down", 502, `<html>`, unchanged, "502 Bad Gateway"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			client, _ := rerankServer(t, tt.status, tt.body)
			var notices []string
			r := rerank.NewHTTP(client, rerank.WithNotices(func(n retrieval.Notice) { notices = append(notices, n.Text) }))
			got, err := r.Rerank(t.Context(), "a query", fused(), 0)
			if err != nil || listed(got) != tt.want {
				t.Errorf("got %s, %v; want %s", listed(got), err, tt.want)
			}
			if said := strings.Join(notices, " "); !strings.Contains(said, tt.notice) || tt.notice == "" && said != "" {
				t.Errorf("notices %q, want %q", said, tt.notice)
			}
		})
	}
}

func TestHTTPScorer(t *testing.T) {
	client, sent := rerankServer(t, 200, `[{"index":0,"score":1}]`)
	s := rerank.NewHTTPScorer(client)
	docs := []string{
		"## Heading\n\nSome *emphasis*,\na [link](https://example.org/x) and `a_b`&mdash;done\\*.\n\n```go\nx := 1\ny\n```\n\n- one\n- two ![a cat](cat.png)",
		"<h2>Title</h2>\n<p>A <b>bo</b>ld &lt;word&gt;<br>next</p>\n<script>alert(1)</script>\n\n<table><tr><td>1</td><td>2</td></tr></table>",
		"| a | b |\n|---|---|\n| 1 | 2 |\n\n<details>\n\n**in**\n\n</details>",
		"plain",
	}
	if _, err := s.Score(t.Context(), "a query", docs); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"Heading\nSome emphasis, a link and a_b—done*.\nx := 1\ny\none\ntwo a cat",
		"Title\nA bold <word>\nnext\n1 2",
		"a b\n1 2\nin",
		"plain",
	}
	if !slices.Equal(*sent, want) {
		t.Errorf("sent %q\nwant %q", *sent, want)
	}
	if !strings.HasPrefix(s.ID(), "http/127.0.0.1:") || !strings.HasSuffix(s.ID(), "/cross") || s.Listwise() || s.Scale() != "reranker" {
		t.Errorf("%s, %s", s.ID(), s.Scale())
	}

	client, _ = rerankServer(t, 500, "")
	if _, err := rerank.NewHTTPScorer(client).Score(t.Context(), "a query", docs); !errors.Is(err, llm.ErrUnavailable) {
		t.Errorf("got %v", err)
	}
}
