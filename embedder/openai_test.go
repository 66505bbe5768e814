package embedder

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/remote"
)

const canary = "canary-0f3b9d51c7"

// request is what the fake server was asked.
type request struct {
	Input      []string `json:"input"`
	Model      string   `json:"model"`
	Dimensions int      `json:"dimensions"`
	Encoding   string   `json:"encoding_format"`

	path, auth string
}

// step answers one request.
type step func(w http.ResponseWriter, r *http.Request, in request)

// fakeServer answers the n-th request with the n-th step, and with right
// vectors when the steps are used up.
type fakeServer struct {
	*httptest.Server
	mu       sync.Mutex
	steps    []step
	seen     []request
	inFlight int
	most     int // requests at once
}

func newFakeServer(t *testing.T, steps ...step) *fakeServer {
	t.Helper()
	s := &fakeServer{steps: steps}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *fakeServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	in := request{path: r.URL.Path, auth: r.Header.Get("Authorization")}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	var do step = right
	if n := len(s.seen); n < len(s.steps) {
		do = s.steps[n]
	}
	s.seen = append(s.seen, in)
	s.inFlight++
	s.most = max(s.most, s.inFlight)
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.inFlight--
		s.mu.Unlock()
	}()
	do(w, r, in)
}

func (s *fakeServer) requests() []request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.seen)
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

func items(in request) []item {
	out := make([]item, len(in.Input))
	for i, text := range in.Input {
		out[i] = item{Index: i, Embedding: vectorOf(text)}
	}
	return out
}

func reply(w http.ResponseWriter, data any) {
	_ = json.NewEncoder(w).Encode(map[string]any{"object": "list", "data": data})
}

func right(w http.ResponseWriter, _ *http.Request, in request) { reply(w, items(in)) }

// changed replies with what change makes of the right items.
func changed(change func(data []item) []item) step {
	return func(w http.ResponseWriter, _ *http.Request, in request) { reply(w, change(items(in))) }
}

func vector(at int, v ...any) step {
	return changed(func(data []item) []item { data[at].Embedding = append([]any{}, v...); return data })
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

// newOpenAI returns a client that never really waits.
func newOpenAI(t *testing.T, s *fakeServer, change func(*OpenAIConfig)) *OpenAI {
	t.Helper()
	cfg := OpenAIConfig{
		BaseURL: s.URL + "/v1/", Model: "test-model", APIKey: canary,
		Remote: remote.Config{Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }},
	}
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	var mu sync.Mutex
	cfg.Remote.Now = func() time.Time { // every look at the clock is a minute later
		mu.Lock()
		defer mu.Unlock()
		now = now.Add(time.Minute)
		return now
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

func numbered(n int) []string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = fmt.Sprintf("text %d", i)
	}
	return texts
}

func TestOpenAIUsesGoodAnswers(t *testing.T) {
	texts := numbered(3)
	for _, tt := range []struct {
		name     string
		steps    []step
		requests int
	}{
		{"in order", nil, 1},
		{"reversed, by index", []step{changed(func(data []item) []item { slices.Reverse(data); return data })}, 1},
		{"longer than one", []step{changed(func(data []item) []item {
			v := slices.Clone(vectorOf("text 0"))
			for i := range v {
				v[i] *= 4
			}
			data[0].Embedding = v
			return data
		})}, 1},
		{"500 then right", []step{say(500, "")}, 2},
		{"HTML 502 then right", []step{say(502, "<html>", "Content-Type", "text/html")}, 2},
		{"429 then right", []step{say(429, "", "Retry-After", "3"), say(429, "")}, 3},
		{"cut off then right", []step{say(200, `{"data":[{"ind`, "Content-Length", "5000")}, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newFakeServer(t, tt.steps...)
			got, err := newOpenAI(t, s, nil).EmbedMany(t.Context(), texts, RoleDocument)
			if err != nil {
				t.Fatal(err)
			}
			assertVectors(t, got, texts)
			if n := len(s.requests()); n != tt.requests {
				t.Errorf("%d requests, want %d", n, tt.requests)
			}
		})
	}
}

func TestOpenAIRefusesBadAnswers(t *testing.T) {
	for _, tt := range []struct {
		name string
		step step
		want string
	}{
		{"missing", changed(func(data []item) []item { return data[1:] }), "2 vectors for 3 texts"},
		{"all but one missing", changed(func(data []item) []item { return data[:1] }), "1 vector for 3 texts"},
		{"extra", changed(func(data []item) []item { return append(data, item{3, vectorOf("x")}) }), "4 vectors for 3 texts"},
		{"twice", changed(func(data []item) []item { data[2].Index = 1; return data }), "index 1 occurs twice"},
		{"all indices zero", changed(func(data []item) []item { data[1].Index, data[2].Index = 0, 0; return data }), "index 0 occurs twice"},
		{"out of range", changed(func(data []item) []item { data[2].Index = 3; return data }), "index 3 in an answer to 3 texts"},
		{"negative", changed(func(data []item) []item { data[2].Index = -1; return data }), "index -1"},
		{"no index", func(w http.ResponseWriter, _ *http.Request, in request) {
			var data []map[string]any
			for _, one := range items(in) {
				data = append(data, map[string]any{"embedding": one.Embedding})
			}
			reply(w, data)
		}, "item 0 has no index"},
		{"null element", vector(1, .5, nil, .5, .5), "vector 1 has missing numbers"},
		{"null vector", changed(func(data []item) []item { data[2].Embedding = nil; return data }), "vector 2 has missing numbers"},
		{"no vector", say(200, `{"data":[{"index":0},{"index":1},{"index":2}]}`), "vector 0 has missing numbers"},
		{"empty vector", vector(0), "vector 0 is empty"},
		{"all zeros", vector(1, 0, 0, 0, 0), "vector 1 has no direction"},
		{"NaN", say(200, `{"data":[{"index":0,"embedding":[NaN]}]}`), "not the expected JSON"},
		{"out of float32", vector(1, 1e300, 0, 0, 0), "not the expected JSON"},
		{"empty", say(200, ""), "not the expected JSON"},
		{"truncated", say(200, `{"data":[{"index":0,"embedding":[.1`), "not the expected JSON"},
		{"trailing", say(200, `{"data":[]} {"data":[]}`), "not the expected JSON"},
		{"an error in a 200", say(200, `{"error":{"message":"model crashed, key `+canary+`"}}`), "an error in place of vectors: model crashed, key ***"},
		{"base64", say(200, `{"data":[{"index":0,"embedding":"AACAPw=="}]}`), "not the expected JSON"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newFakeServer(t, tt.step)
			got, err := newOpenAI(t, s, nil).EmbedMany(t.Context(), numbered(3), RoleDocument)
			var unusable *BadResponseError
			if !errors.As(err, &unusable) || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), strings.TrimPrefix(s.URL, "http://")) || got != nil {
				t.Fatalf("got %d vectors, %v; want %q", len(got), err, tt.want)
			}
			if n := len(s.requests()); n != 1 {
				t.Errorf("%d requests", n)
			}
		})
	}
}

func TestOpenAINamesFailures(t *testing.T) {
	other := newFakeServer(t)
	for _, tt := range []struct {
		name     string
		step     step
		want     error
		requests int
	}{
		{"401", say(401, `{"error":{"message":"Incorrect API key provided: `+canary+`","code":"invalid_api_key"}}`), ErrAuth, 1},
		{"403", say(403, ""), ErrAuth, 1},
		{"404 as a string", say(404, `{"error":"model \"test-model\" not found, try pulling it first"}`), ErrModelNotFound, 1},
		{"404 with a code", say(404, `{"error":{"message":"no","code":"model_not_found"}}`), ErrModelNotFound, 1},
		{"quota", say(429, `{"error":{"message":"used up","code":"insufficient_quota"}}`), ErrQuota, 1},
		{"429 for ever", say(429, ""), ErrUnavailable, 5},
		{"500 for ever", say(500, "<html>"), ErrUnavailable, 5},
		{"long pause", say(429, "", "Retry-After", "600"), ErrUnavailable, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newFakeServer(t, slices.Repeat([]step{tt.step}, 6)...)
			_, err := newOpenAI(t, s, nil).EmbedOne(t.Context(), "a text", RoleQuery)
			if !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
			if strings.Contains(err.Error(), canary[:8]) {
				t.Errorf("%v shows the key", err)
			}
			if n := len(s.requests()); n != tt.requests {
				t.Errorf("%d requests, want %d", n, tt.requests)
			}
		})
	}

	s := newFakeServer(t, say(404, "<html>nothing here"), say(307, "", "Location", other.URL+"/v1/embeddings"), say(400, `{"error":"input is blue"}`),
		say(429, "", "Retry-After", "600"))
	o := newOpenAI(t, s, nil)
	for _, want := range []string{"is the base URL right?", "refused a redirect to " + other.URL, "400 Bad Request: input is blue"} {
		_, err := o.EmbedOne(t.Context(), "a text", RoleQuery)
		if err == nil || !strings.Contains(err.Error(), want) || errors.Is(err, ErrUnavailable) || errors.Is(err, ErrModelNotFound) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	var limit *RateLimitError
	if _, err := o.EmbedOne(t.Context(), "a text", RoleQuery); !errors.As(err, &limit) || limit.After != 10*time.Minute {
		t.Errorf("got %v", err)
	}
	if n := len(other.requests()); n != 0 {
		t.Errorf("the other server got %d requests", n)
	}
	s.Close()
	if _, err := o.EmbedOne(t.Context(), "a text", RoleQuery); !errors.Is(err, ErrUnavailable) {
		t.Errorf("a server that is down: %v", err)
	}
}

func TestOpenAIDimensions(t *testing.T) {
	matryoshka := &Profile{Dims: 8, Matryoshka: true, Tokenizer: TokenizerApprox}
	long := changed(func(data []item) []item { data[0].Embedding = []float32{.6, 0, .8, 0, .1, .1, .1, .1}; return data })
	for _, tt := range []struct {
		name    string
		dims    int
		profile *Profile
		step    step
		asked   int
		want    []float32
		err     *DimensionError
		id      string
	}{
		{"learned", 0, nil, right, 0, vectorOf("a text"), nil, "openai/test-model/4"},
		{"as configured", 4, nil, right, 4, vectorOf("a text"), nil, "openai/test-model/4"},
		{"too few", 8, nil, right, 8, nil, &DimensionError{8, 4}, "openai/test-model/8"},
		{"too many", 2, nil, right, 2, nil, &DimensionError{2, 4}, "openai/test-model/2"},
		{"not the model's", 0, &Profile{Dims: 8}, right, 0, nil, &DimensionError{8, 4}, "openai/test-model/8"},
		{"shortened by the server", 4, matryoshka, right, 4, vectorOf("a text"), nil, "openai/test-model/4-of-8"},
		{"shortened here", 4, matryoshka, long, 4, []float32{.6, 0, .8, 0}, nil, "openai/test-model/4-of-8"},
		{"shortened and normalised", 1, matryoshka, long, 1, []float32{1}, nil, "openai/test-model/1-of-8"},
		{"never asked for", 4, &Profile{NoDimensions: true, Dims: 4}, right, 0, vectorOf("a text"), nil, "openai/test-model/4"},
		{"not trained for it", 4, &Profile{Dims: 8}, long, 0, nil, &DimensionError{4, 8}, "openai/test-model/4-of-8"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newFakeServer(t, tt.step)
			o := newOpenAI(t, s, func(c *OpenAIConfig) { c.Dimensions, c.Profile = tt.dims, tt.profile })
			got, err := o.EmbedOne(t.Context(), "a text", RoleQuery)
			var dims *DimensionError
			if tt.err != nil && (!errors.As(err, &dims) || *dims != *tt.err) || tt.err == nil && err != nil {
				t.Fatalf("got %v", err)
			}
			if wayOut := fmt.Sprintf("at %s: ", strings.TrimPrefix(s.URL, "http://")); err != nil && (!strings.Contains(err.Error(), wayOut) ||
				!strings.Contains(err.Error(), fmt.Sprintf("EMBEDDING_DIMENSIONS=%d", tt.err.Got))) {
				t.Errorf("%v does not name the server and the way out", err)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("vector %v, want %v", got, tt.want)
			}
			if asked := s.requests()[0].Dimensions; asked != tt.asked {
				t.Errorf("asked for %d dimensions, want %d", asked, tt.asked)
			}
			if id := o.Info().ID; id != tt.id {
				t.Errorf("id %s, want %s", id, tt.id)
			}
		})
	}
}

// A server that knows nothing of dimensions gives what the model has, and that is
// cut to the same vector: (3, 4, 12)/13 begins with (3, 4)/13 of length 5/13, which
// is .384615, and with length one that is (.6, .8).
func TestOpenAICutsWhatTheServerDoesNot(t *testing.T) {
	full := []float32{3. / 13, 4. / 13, 12. / 13}
	if before := math.Hypot(float64(full[0]), float64(full[1])); math.Abs(before-.384615) > 1e-6 {
		t.Fatalf("length before %v", before)
	}
	for _, tt := range []struct {
		name  string
		steps []step
		asked []int
	}{
		{"ignored", []step{whole(full), whole(full)}, []int{2, 2}},
		{"refused", []step{say(400, `{"error":{"message":"Model does not support matryoshka representation, changing output dimensions will lead to poor results."}}`), whole(full), whole(full)}, []int{2, 0, 0}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newFakeServer(t, tt.steps...)
			o := newOpenAI(t, s, func(c *OpenAIConfig) { c.Dimensions, c.Profile = 2, &Profile{Dims: 3, Matryoshka: true} })
			stored, err := o.EmbedMany(t.Context(), []string{"a text"}, RoleDocument)
			if err != nil {
				t.Fatal(err)
			}
			asked, err := o.EmbedOne(t.Context(), "a text", RoleQuery)
			if err != nil || !slices.Equal(stored[0], asked) {
				t.Errorf("stored %v, asked with %v, %v", stored[0], asked, err)
			}
			if v := stored[0]; len(v) != 2 || math.Abs(float64(v[0])-.6) > 1e-7 || math.Abs(float64(v[1])-.8) > 1e-7 {
				t.Errorf("vector %v", v)
			}
			var dims []int
			for _, r := range s.requests() {
				dims = append(dims, r.Dimensions)
			}
			if !slices.Equal(dims, tt.asked) || o.Info().ID != "openai/test-model/2-of-3" {
				t.Errorf("asked for %v, id %s", dims, o.Info().ID)
			}
		})
	}
	// What a model does not bear is refused, however the server says no.
	s := newFakeServer(t, say(400, `{"error":"unknown field dimensions"}`))
	o := newOpenAI(t, s, func(c *OpenAIConfig) { c.Dimensions = 2 })
	var dims *DimensionError
	if _, err := o.EmbedOne(t.Context(), "a text", RoleQuery); !errors.As(err, &dims) || dims.Want != 2 || dims.Got != 4 {
		t.Errorf("got %v", err)
	}
}

// whole answers each text with the same vector.
func whole(v []float32) step {
	return changed(func(data []item) []item {
		for i := range data {
			data[i].Embedding = v
		}
		return data
	})
}

// A corpus that was cut is asked with vectors that are, without being told again.
func TestOpenAIAdoptsTheDimensionsOfACorpus(t *testing.T) {
	matryoshka := Profile{Dims: 8, Matryoshka: true}
	for _, tt := range []struct {
		name    string
		set     int
		profile Profile
		id      string
		dims    int
		want    bool
	}{
		{"cut", 0, matryoshka, "openai/test-model/4-of-8", 4, true},
		{"whole", 0, matryoshka, "openai/test-model/8", 8, false},
		{"configured", 2, matryoshka, "openai/test-model/4-of-8", 4, false},
		{"of another model", 0, matryoshka, "openai/other/4-of-8", 4, false},
		{"of another profile", 0, matryoshka, "openai/test-model/4-of-16", 4, false},
		{"of nobody", 0, matryoshka, "", 0, false},
		{"a model that bears no cut", 0, Profile{Dims: 8}, "openai/test-model/4-of-8", 4, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newFakeServer(t)
			o := newOpenAI(t, s, func(c *OpenAIConfig) { c.Profile, c.Dimensions = &tt.profile, tt.set })
			before := o.Info()
			if got := o.Adopt(tt.id, tt.dims); got != tt.want {
				t.Fatalf("adopted: %t", got)
			}
			if !tt.want {
				if o.Info() != before {
					t.Errorf("%+v became %+v", before, o.Info())
				}
				return
			}
			v, err := o.EmbedOne(t.Context(), "a text", RoleQuery)
			if err != nil || len(v) != tt.dims || o.Info().ID != tt.id || s.requests()[0].Dimensions != tt.dims {
				t.Errorf("%d dimensions, id %s, asked %+v, %v", len(v), o.Info().ID, s.requests()[0], err)
			}
		})
	}
}

func TestOpenAIDimensionsStayTheSame(t *testing.T) {
	s := newFakeServer(t, right, vector(0, 1, 2, 3), vector(1, 1, 2, 3))
	o := newOpenAI(t, s, nil)
	if _, err := o.EmbedMany(t.Context(), numbered(2), RoleDocument); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		var dims *DimensionError
		if _, err := o.EmbedMany(t.Context(), numbered(2), RoleDocument); !errors.As(err, &dims) || dims.Want != 4 || dims.Got != 3 {
			t.Errorf("got %v", err)
		}
	}
}

func TestOpenAIProbe(t *testing.T) {
	s := newFakeServer(t, right, changed(func(data []item) []item { data[1].Embedding = data[0].Embedding; return data }))
	o := newOpenAI(t, s, nil)
	if o.Info().Dims != 0 {
		t.Errorf("dimensions %d before any answer", o.Info().Dims)
	}
	if err := o.Probe(t.Context()); err != nil || o.Info().Dims != 4 {
		t.Errorf("%v, dimensions %d", err, o.Info().Dims)
	}
	var unusable *BadResponseError
	if err := o.Probe(t.Context()); !errors.As(err, &unusable) {
		t.Errorf("equal vectors: %v", err)
	}
}

// What the fake server says must be found again bit for bit.
func TestOpenAIGivesTheServersBits(t *testing.T) {
	b := NewBuiltin()
	s := newFakeServer(t, func(w http.ResponseWriter, _ *http.Request, in request) {
		vecs, err := b.EmbedMany(context.Background(), in.Input, RoleDocument)
		if err != nil {
			t.Error(err)
		}
		data := make([]item, len(vecs))
		for i, v := range vecs {
			data[i] = item{i, v}
		}
		reply(w, data)
	})
	texts := []string{"gradient boosting", "decision trees"}
	want, err := b.EmbedMany(t.Context(), texts, RoleDocument)
	if err != nil {
		t.Fatal(err)
	}
	got, err := newOpenAI(t, s, nil).EmbedMany(t.Context(), texts, RoleDocument)
	if err != nil {
		t.Fatal(err)
	}
	for i := range want {
		if !slices.Equal(got[i], want[i]) {
			t.Errorf("vector %d differs", i)
		}
	}
}

func TestOpenAIRequests(t *testing.T) {
	s := newFakeServer(t)
	o := newOpenAI(t, s, func(c *OpenAIConfig) {
		c.Model, c.APIKey = "nomic-embed-text:latest", ""
		c.Profile = &Profile{QueryPrefix: "search_query: ", DocumentPrefix: "search_document: ", Tokenizer: TokenizerApprox}
	})
	if _, err := o.EmbedOne(t.Context(), "a", RoleQuery); err != nil {
		t.Fatal(err)
	}
	if _, err := o.EmbedMany(t.Context(), []string{"b"}, RoleDocument); err != nil {
		t.Fatal(err)
	}
	var blank *EmptyInputError
	if _, err := o.EmbedMany(t.Context(), []string{"b", "\t"}, RoleDocument); !errors.As(err, &blank) || blank.Index != 1 {
		t.Errorf("blank: %v", err)
	}
	if _, err := o.EmbedOne(t.Context(), "", RoleQuery); !errors.As(err, &blank) {
		t.Errorf("blank: %v", err)
	}
	if vecs, err := o.EmbedMany(t.Context(), nil, RoleDocument); len(vecs) != 0 || err != nil {
		t.Errorf("nothing: %v, %v", vecs, err)
	}
	seen := s.requests()
	if len(seen) != 2 || seen[0].Input[0] != "search_query: a" || seen[1].Input[0] != "search_document: b" {
		t.Fatalf("%+v", seen)
	}
	if r := seen[0]; r.path != "/v1/embeddings" || r.auth != "" || r.Model != "nomic-embed-text:latest" || r.Encoding != "float" {
		t.Errorf("%+v", r)
	}
	if id := o.Info().ID; !strings.HasPrefix(id, "openai/nomic-embed-text:latest/4/prefix-") {
		t.Errorf("id %s", id)
	}
}

func TestNewOpenAIChecksItsConfig(t *testing.T) {
	for _, tt := range []struct {
		cfg  OpenAIConfig
		want string
	}{
		{OpenAIConfig{BaseURL: "localhost:11434"}, "base URL"},
		{OpenAIConfig{BaseURL: "http://user:" + canary + "@"}, "base URL"},
		{OpenAIConfig{Dimensions: 5000}, "dimensions 5000 is outside 0 to 4000"},
		{OpenAIConfig{BatchSize: -1}, "batch size"},
		{OpenAIConfig{Workers: 65}, "workers"},
	} {
		if _, err := NewOpenAI(tt.cfg); err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), canary) {
			t.Errorf("%v: %v", tt.cfg, err)
		}
	}
	cfg := OpenAIConfig{APIKey: canary}
	o, err := NewOpenAI(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if s := fmt.Sprintf("%v %+v %#v %+v %#v", cfg, cfg, cfg, o, o); strings.Contains(s, canary) {
		t.Errorf("the key is shown: %s", s)
	}
	if got := o.Info(); got.ID != "openai/text-embedding-3-small/1536" || got.MaxTokens != 8192 || got.Tokenizer != TokenizerCL100K || got.Lexical || got.InProcess {
		t.Errorf("%+v", got)
	}
}

func TestNormalise(t *testing.T) {
	nearly := []float32{1.000001, 0}
	if got, ok := normalise(nearly); !ok || &got[0] != &nearly[0] {
		t.Error("a unit vector was rounded again")
	}
	// (3, 4) has length 5.
	if got, ok := normalise([]float32{3, 4}); !ok || math.Abs(float64(got[0])-.6) > 1e-7 || math.Abs(float64(got[1])-.8) > 1e-7 {
		t.Errorf("got %v", got)
	}
	for _, v := range [][]float32{{0, 0}, {float32(math.NaN())}, {float32(math.Inf(1)), 1}} {
		if _, ok := normalise(v); ok {
			t.Errorf("%v has a direction", v)
		}
	}
}
