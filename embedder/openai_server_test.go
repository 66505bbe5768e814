package embedder

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"testing"

	"github.com/webrag/webrag-tui/remote"
	"github.com/webrag/webrag-tui/remote/remotetest"
)

// canary is the key in all tests. It must not appear in anything that is shown.
const canary = "canary-0f3b9d51c7"

// request is what the fake server was asked.
type request struct {
	Input      []string `json:"input"`
	Model      string   `json:"model"`
	Dimensions int      `json:"dimensions"`
	Encoding   string   `json:"encoding_format"`

	path, auth string
}

func requestOf(in remotetest.Request) (request, error) {
	out := request{path: in.Path, auth: in.Header.Get("Authorization")}
	err := json.Unmarshal(in.Body, &out)
	return out, err
}

// step answers one request.
type step func(w http.ResponseWriter, r *http.Request, in request)

// fakeServer is an embedding server: it answers the n-th request with the n-th
// step, and with right vectors when the steps are used up.
type fakeServer struct {
	*remotetest.Server
	t testing.TB
}

func newFakeServer(t testing.TB, steps ...step) *fakeServer {
	t.Helper()
	script := make([]remotetest.Step, len(steps))
	for i, do := range steps {
		script[i] = decoded(do)
	}
	return &fakeServer{Server: remotetest.Serve(t, decoded(right), script...), t: t}
}

func decoded(do step) remotetest.Step {
	return func(w http.ResponseWriter, r *http.Request, in remotetest.Request) {
		what, err := requestOf(in)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		do(w, r, what)
	}
}

// plainly makes a step of one that does not care what was asked.
func plainly(do remotetest.Step) step {
	return func(w http.ResponseWriter, r *http.Request, _ request) { do(w, r, remotetest.Request{}) }
}

func say(status int, body string, headers ...string) step {
	return plainly(remotetest.Say(status, body, headers...))
}

func (s *fakeServer) requests() []request {
	s.t.Helper()
	seen := s.Requests()
	out := make([]request, len(seen))
	for i, in := range seen {
		var err error
		if out[i], err = requestOf(in); err != nil {
			s.t.Fatal(err)
		}
	}
	return out
}

// vectorOf is the fake model: unit vectors of four numbers.
func vectorOf(text string) []float32 {
	h := hash64(text, 0)
	v, _ := normalise([]float32{1, float32(h & 255), float32(h >> 8 & 255), float32(h >> 16 & 255)})
	return v
}

type item struct {
	Index     int `json:"index"`
	Embedding any `json:"embedding"`
}

// items are the right answer of the fake model, itemsBy that of another one.
func items(in request) []item { return itemsBy(vectorOf, in) }

func itemsBy(model func(text string) []float32, in request) []item {
	out := make([]item, len(in.Input))
	for i, text := range in.Input {
		out[i] = item{Index: i, Embedding: model(text)}
	}
	return out
}

func reply(w http.ResponseWriter, data any) {
	_ = json.NewEncoder(w).Encode(answerOf(data))
}

func answerOf(data any) map[string]any { return map[string]any{"object": "list", "data": data} }

func answerText(data any) string {
	var sb bytes.Buffer
	_ = json.NewEncoder(&sb).Encode(answerOf(data))
	return sb.String()
}

func right(w http.ResponseWriter, _ *http.Request, in request) { reply(w, items(in)) }

// changed replies with what change makes of the right items.
func changed(change func(data []item) []item) step {
	return func(w http.ResponseWriter, _ *http.Request, in request) { reply(w, change(items(in))) }
}

func vector(at int, v ...any) step {
	return changed(func(data []item) []item { data[at].Embedding = append([]any{}, v...); return data })
}

// newOpenAI returns a client that never really waits.
func newOpenAI(t testing.TB, s *fakeServer, change func(*OpenAIConfig)) *OpenAI {
	t.Helper()
	clk := remotetest.NewClock()
	cfg := OpenAIConfig{
		BaseURL: s.URL + "/v1/", Model: "test-model", APIKey: canary,
		Remote: remote.Config{Sleep: clk.Sleep, Now: clk.Now},
	}
	if change != nil {
		change(&cfg)
	}
	o, err := NewOpenAI(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(o.Close)
	return o
}

func assertVectors(t *testing.T, got [][]float32, texts []string) {
	t.Helper()
	if len(got) != len(texts) {
		t.Fatalf("%d vectors for %d texts", len(got), len(texts))
	}
	for i, text := range texts {
		if !slices.Equal(got[i], vectorOf(text)) {
			t.Fatalf("vector %d is not that of %q", i, text)
		}
	}
}
