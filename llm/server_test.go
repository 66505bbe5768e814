package llm

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/remote"
)

const canary = "canary-7d21e8f04b"

// request is what the scripted server was asked, in any of the protocols.
type request struct {
	Model     string   `json:"model"`
	Query     string   `json:"query"`
	Documents []string `json:"documents"`
	TopN      int      `json:"top_n"`
	Texts     []string `json:"texts"`
	Truncate  bool     `json:"truncate"`
	Messages  []struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	} `json:"messages"`
	Temperature         *float64 `json:"temperature"`
	MaxTokens           int      `json:"max_tokens"`
	MaxCompletionTokens int      `json:"max_completion_tokens"`
	ResponseFormat      *struct {
		Type string `json:"type"`
	} `json:"response_format"`

	path, query, auth string
}

// step answers one request.
type step func(w http.ResponseWriter, r *http.Request, in request)

// scripted answers the n-th request with the n-th step, and the others with the
// last.
type scripted struct {
	*httptest.Server
	mu    sync.Mutex
	steps []step
	seen  []request
}

func newScripted(t *testing.T, steps ...step) *scripted {
	t.Helper()
	s := &scripted{steps: steps}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *scripted) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	in := request{path: r.URL.Path, query: r.URL.RawQuery, auth: r.Header.Get("Authorization")}
	body, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(body, &in)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusTeapot)
		return
	}
	s.mu.Lock()
	do := s.steps[min(len(s.seen), len(s.steps)-1)]
	s.seen = append(s.seen, in)
	s.mu.Unlock()
	do(w, r, in)
}

func (s *scripted) requests() []request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.seen)
}

func say(status int, body string, headers ...string) step {
	return func(w http.ResponseWriter, _ *http.Request, _ request) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}

// silent never answers: the caller's time must run out.
func silent(_ http.ResponseWriter, r *http.Request, _ request) { <-r.Context().Done() }

// endless sends what the limit on answers must stop.
func endless(w http.ResponseWriter, r *http.Request, _ request) {
	line := []byte(strings.Repeat(" ", 1<<16))
	for r.Context().Err() == nil {
		if _, err := w.Write(line); err != nil {
			return
		}
	}
}

// hasty is an HTTP layer that never really waits between attempts.
func hasty() remote.Config {
	var mu sync.Mutex
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	return remote.Config{
		Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
		Now: func() time.Time { // every look at the clock is a minute later
			mu.Lock()
			defer mu.Unlock()
			now = now.Add(time.Minute)
			return now
		},
	}
}

// silentAfter never answers, and tells the caller to stop waiting.
func silentAfter(cancel context.CancelFunc) step {
	return func(w http.ResponseWriter, r *http.Request, in request) {
		cancel()
		silent(w, r, in)
	}
}
