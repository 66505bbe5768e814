package llm

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"

	"github.com/webrag/webrag-tui/remote"
	"github.com/webrag/webrag-tui/remote/remotetest"
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

	path, auth string
}

// scripted is a server that answers the n-th request with the n-th step, and the
// others with the last.
type scripted struct {
	*remotetest.Server
	t *testing.T
}

func newScripted(t *testing.T, steps ...remotetest.Step) *scripted {
	t.Helper()
	last := len(steps) - 1
	return &scripted{remotetest.Serve(t, steps[last], steps[:last]...), t}
}

func (s *scripted) requests() []request {
	s.t.Helper()
	var all []request
	for _, in := range s.Requests() {
		all = append(all, parse(s.t, in))
	}
	return all
}

func parse(t *testing.T, in remotetest.Request) request {
	t.Helper()
	out := request{path: in.Path, auth: in.Header.Get("Authorization")}
	if err := json.Unmarshal(in.Body, &out); err != nil {
		t.Errorf("the request's body: %v", err)
	}
	return out
}

// answering is a step that depends on the request.
func answering(t *testing.T, answer func(in request) remotetest.Step) remotetest.Step {
	return func(w http.ResponseWriter, r *http.Request, in remotetest.Request) {
		answer(parse(t, in))(w, r, in)
	}
}

// neverAfter never answers, and tells the caller to stop waiting.
func neverAfter(cancel context.CancelFunc) remotetest.Step {
	return func(w http.ResponseWriter, r *http.Request, in remotetest.Request) {
		cancel()
		remotetest.Never()(w, r, in)
	}
}

// hasty is an HTTP layer that never really waits between attempts.
func hasty() remote.Config {
	clock := remotetest.NewClock()
	return remote.Config{Now: clock.Now, Sleep: clock.Sleep}
}
