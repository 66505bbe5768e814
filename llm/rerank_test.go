package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/remote/remotetest"
)

func newReranker(t *testing.T, s *scripted, change func(*RerankConfig)) *Reranker {
	t.Helper()
	cfg := RerankConfig{BaseURL: s.URL, Model: "test-model", APIKey: canary, Remote: hasty()}
	if change != nil {
		change(&cfg)
	}
	r, err := NewReranker(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

// three documents, which the server scores by their number.
var three = []string{"zero", "one", "two"}

// judge scores a document by its length, in the shape that was asked for.
func judge(in request) remotetest.Step {
	var out []map[string]any
	for i, d := range in.Documents {
		out = append(out, map[string]any{"index": i, "relevance_score": float64(len(d)) / 100})
	}
	for i, d := range in.Texts {
		out = append(out, map[string]any{"index": i, "score": float64(len(d)) / 100})
	}
	var answer any = out
	if in.Texts == nil {
		answer = map[string]any{"results": out}
	}
	body, err := json.Marshal(answer)
	if err != nil {
		return remotetest.Say(http.StatusTeapot, err.Error())
	}
	return remotetest.Say(http.StatusOK, string(body))
}

const tooLow = `{"results":[{"index":0,"relevance_score":0.1},{"index":1,"relevance_score":0.7},{"index":2,"relevance_score":0.4}]}`

func TestRerankUnderstands(t *testing.T) {
	all := []Score{{0, .1}, {1, .7}, {2, .4}}
	for _, tt := range []struct {
		name, body string
		want       []Score
	}{
		{"Cohere", tooLow, all},
		{"Cohere with documents, id and meta", `{"id":"x","results":[{"index":0,"relevance_score":0.1,"document":{"text":"zero"}},{"index":1,"relevance_score":0.7},{"index":2,"relevance_score":0.4}],"meta":{}}`, all},
		{"TEI", `[{"index":0,"score":0.1},{"index":1,"score":0.7},{"index":2,"score":0.4,"text":"two"}]`, all},
		{"data for results", `{"data":[{"index":0,"relevance_score":0.1},{"index":1,"relevance_score":0.7},{"index":2,"relevance_score":0.4}]}`, all},
		{"unsorted", `{"results":[{"index":2,"relevance_score":0.4},{"index":0,"relevance_score":0.1},{"index":1,"relevance_score":0.7}]}`, all},
		{"incomplete", `{"results":[{"index":1,"relevance_score":0.7}]}`, []Score{{1, .7}}},
		{"logits", `[{"index":1,"score":8.25},{"index":0,"score":-11.5},{"index":2,"score":0}]`, []Score{{0, -11.5}, {1, 8.25}, {2, 0}}},
		{"an error that is null", `{"error":null,"results":[{"index":0,"relevance_score":1}]}`, []Score{{0, 1}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			// A wrong content type is no reason to refuse a right answer.
			s := newScripted(t, remotetest.Say(200, tt.body, "Content-Type", "text/html"))
			got, err := newReranker(t, s, nil).Rerank(t.Context(), "a query", three)
			if err != nil || !slices.Equal(got.Scores, tt.want) || got.Cut != 0 || got.QueryCut {
				t.Errorf("got %+v, %v; want %v", got, err, tt.want)
			}
		})
	}
}

func TestRerankRefusesBadAnswers(t *testing.T) {
	for _, tt := range []struct {
		name string
		step remotetest.Step
		want string
	}{
		{"repeated", remotetest.Say(200, `[{"index":1,"score":1},{"index":1,"score":2}]`), "index 1 occurs twice"},
		{"out of range", remotetest.Say(200, `[{"index":3,"score":1}]`), "index 3 in an answer to 3 documents"},
		{"negative", remotetest.Say(200, `{"results":[{"index":-1,"relevance_score":1}]}`), "index -1 in an answer"},
		{"no index", remotetest.Say(200, `[{"index":0,"score":1},{"score":1}]`), "result 1 has no index"},
		{"no score", remotetest.Say(200, `[{"index":2}]`), "document 2 has no score"},
		{"null score", remotetest.Say(200, `[{"index":2,"score":null}]`), "document 2 has no score"},
		{"NaN", remotetest.Say(200, `[{"index":2,"score":NaN}]`), "not JSON"},
		{"Infinity", remotetest.Say(200, `{"results":[{"index":2,"relevance_score":-Infinity}]}`), "not JSON"},
		{"NaN as text", remotetest.Say(200, `[{"index":2,"score":"NaN"}]`), "not a list of scores"},
		{"beyond float64", remotetest.Say(200, `[{"index":2,"score":1e999}]`), "not a list of scores"},
		{"half an index", remotetest.Say(200, `[{"index":0.5,"score":1}]`), "not a list of scores"},
		{"empty results", remotetest.Say(200, `{"results":[]}`), "no scores for 3 documents"},
		{"empty list", remotetest.Say(200, `[]`), "no scores for 3 documents"},
		{"no results", remotetest.Say(200, `{"ok":true}`), "it has no results"},
		{"null", remotetest.Say(200, `null`), "it has no results"},
		{"a number", remotetest.Say(200, `7`), "not a list of scores"},
		{"empty", remotetest.Say(200, ``), "not JSON"},
		{"garbage", remotetest.Say(200, "\x1b]0;owned\a<<<"), "not JSON"},
		{"HTML with 200", remotetest.Say(200, "<html>sign in</html>", "Content-Type", "text/html"), "not JSON"},
		{"two answers", remotetest.Say(200, tooLow+tooLow), "not JSON"},
		{"an error in a 200", remotetest.Say(200, `{"error":{"message":"crashed with key `+canary+`"}}`), "an error with the status of success: crashed with key ***"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newScripted(t, tt.step)
			got, err := newReranker(t, s, nil).Rerank(t.Context(), "a query", three)
			var unusable *BadResponseError
			if !errors.As(err, &unusable) || !strings.Contains(err.Error(), tt.want) || got.Scores != nil {
				t.Fatalf("got %v, %v; want %q", got, err, tt.want)
			}
			if host := strings.TrimPrefix(s.URL, "http://"); !strings.Contains(err.Error(), host) {
				t.Errorf("%v does not name the server", err)
			}
			if strings.ContainsAny(err.Error(), "\x1b\a") || strings.Contains(err.Error(), canary[:8]) {
				t.Errorf("%q is not clean", err)
			}
			if n := len(s.requests()); n != 1 {
				t.Errorf("%d requests", n)
			}
		})
	}
}

func TestRerankNamesFailures(t *testing.T) {
	for _, tt := range []struct {
		name     string
		step     remotetest.Step
		want     error
		says     string
		requests int
	}{
		{"401 that repeats the key", remotetest.Say(401, `{"error":{"message":"Incorrect API key provided: `+canary+`"}}`), ErrAuth, "***", 1},
		{"403", remotetest.Say(403, "{}"), ErrAuth, "", 1},
		{"unknown model", remotetest.Say(404, `{"object":"error","message":"The model test-model does not exist","code":404}`), ErrModelNotFound, "", 1},
		{"quota", remotetest.Say(429, `{"error":{"message":"used up","code":"insufficient_quota"}}`), ErrQuota, "", 1},
		{"a long pause", remotetest.Say(429, "", "Retry-After", "600"), ErrUnavailable, "asks to wait 10 minutes", 1},
		{"HTML 502 for ever", remotetest.Say(502, "<html><h1>Bad Gateway</h1>", "Content-Type", "text/html"), ErrUnavailable, "3 attempts", 3},
		{"cut off for ever", remotetest.Say(200, `{"results":[`, "Content-Length", "5000"), ErrUnavailable, "broke off", 3},
		{"never answers", remotetest.Never(), ErrUnavailable, "no complete answer in time", 1},
		{"too large", remotetest.Endless(200, strings.Repeat(" ", 1<<16)), nil, "larger than 65536 bytes", 1},
		{"400", remotetest.Say(400, `{"message":"query is blue"}`), nil, "query is blue", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newScripted(t, tt.step)
			r := newReranker(t, s, func(c *RerankConfig) {
				c.Remote.MaxBody = 1 << 16
				if tt.name == "never answers" {
					c.Remote.Timeout = 20 * time.Millisecond
				}
			})
			_, err := r.Rerank(t.Context(), "a query", three)
			if err == nil || tt.want != nil && !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("got %v, want %v with %q", err, tt.want, tt.says)
			}
			if strings.Contains(err.Error(), canary[:8]) {
				t.Errorf("%v shows the key", err)
			}
			// A slow machine may give up before the request has arrived.
			if n := len(s.requests()); n > tt.requests || n < tt.requests && tt.name != "never answers" {
				t.Errorf("%d requests, want %d", n, tt.requests)
			}
		})
	}
}

func TestRerankRetries(t *testing.T) {
	for _, faults := range [][]remotetest.Step{
		{remotetest.Say(429, "", "Retry-After", "3")},
		{remotetest.Say(502, "<html>"), remotetest.Say(503, "")},
		{remotetest.ResetBody(200, `{"results":[`), remotetest.Reset()},
	} {
		s := newScripted(t, append(faults, remotetest.Gzip(200, tooLow))...)
		got, err := newReranker(t, s, nil).Rerank(t.Context(), "a query", three)
		if err != nil || len(got.Scores) != 3 || len(s.requests()) != len(faults)+1 {
			t.Errorf("got %v, %v after %d requests", got, err, len(s.requests()))
		}
	}
}

func TestRerankAsks(t *testing.T) {
	missing := remotetest.Say(422, "Failed to deserialize the JSON body into the target type: missing field `texts` at line 1 column 66")
	s := newScripted(t, missing, answering(t, judge))
	r := newReranker(t, s, nil)
	for range 2 {
		if got, err := r.Rerank(t.Context(), "a query", three); err != nil || !slices.Equal(got.Scores, []Score{{0, .04}, {1, .03}, {2, .03}}) {
			t.Fatalf("got %v, %v", got, err)
		}
	}
	seen := s.requests()
	want := request{Model: "test-model", Query: "a query", Documents: three, TopN: 3, path: "/rerank", auth: "Bearer " + canary}
	if len(seen) != 3 || !reflect.DeepEqual(seen[0], want) {
		t.Fatalf("%d requests, the first %+v", len(seen), seen[0])
	}
	// The form that worked is kept: the probe is made once.
	want = request{Query: "a query", Texts: three, Truncate: true, path: "/rerank", auth: "Bearer " + canary}
	if !reflect.DeepEqual(seen[1], want) || !reflect.DeepEqual(seen[2], want) {
		t.Errorf("then %+v and %+v", seen[1], seen[2])
	}
}

func TestRerankPaths(t *testing.T) {
	for _, tt := range []struct {
		base, has string
		want      []string
	}{
		{"", "/rerank", []string{"/rerank"}},
		{"/", "/v1/rerank", []string{"/rerank", "/v1/rerank"}},
		{"/proxy/", "/proxy/v2/rerank", []string{"/proxy/rerank", "/proxy/v1/rerank", "/proxy/v2/rerank"}},
		{"/v2", "/v2/rerank", []string{"/v2/rerank"}},
		{"/v1/", "/v2/rerank", []string{"/v1/rerank"}},
		{"/score/rerank?tenant=a", "/score/rerank", []string{"/score/rerank"}},
	} {
		var queries []string
		s := newScripted(t, func(w http.ResponseWriter, r *http.Request, in remotetest.Request) {
			queries = append(queries, r.URL.RawQuery)
			if in.Path != tt.has {
				remotetest.Say(404, `{"detail":"Not Found"}`)(w, r, in)
				return
			}
			judge(parse(t, in))(w, r, in)
		})
		r := newReranker(t, s, func(c *RerankConfig) { c.BaseURL += tt.base })
		_, err := r.Rerank(t.Context(), "a query", three)
		var paths []string
		for i, in := range s.requests() {
			paths = append(paths, in.path)
			if _, query, _ := strings.Cut(tt.base, "?"); queries[i] != query {
				t.Errorf("%s: the query became %q", tt.base, queries[i])
			}
		}
		found := slices.Contains(paths, tt.has)
		if !slices.Equal(paths, tt.want) || found != (err == nil) || !found && !strings.Contains(err.Error(), "is the base URL right?") {
			t.Errorf("%s: asked %v, %v", tt.base, paths, err)
		}
	}
}

// atMost refuses more than n documents at once.
func atMost(n, status int, body string) func(request) remotetest.Step {
	return func(in request) remotetest.Step {
		if len(in.Texts)+len(in.Documents) > n {
			return remotetest.Say(status, body)
		}
		return judge(in)
	}
}

func TestRerankSlices(t *testing.T) {
	documents := make([]string, 70)
	var want []Score
	for i := range documents {
		documents[i] = strings.Repeat("x", i+1)
		want = append(want, Score{Index: i, Value: float64(i+1) / 100})
	}
	for _, tt := range []struct {
		name  string
		shape Shape
		step  func(request) remotetest.Step
		sizes []int
	}{
		{"TEI", ShapeTEI, judge, []int{32, 32, 6}},
		{"TEI that takes fewer", ShapeTEI, atMost(20, 422, `{"error":"batch size 32 > maximum allowed batch size 20","error_type":"Validation"}`), []int{32, 20, 20, 20, 10}},
		{"TEI that does not say how many", ShapeTEI, atMost(8, 422, `{"error":"no"}`), []int{32, 16, 8, 8, 8, 8, 8, 8, 8, 8, 6}},
		{"all at once", ShapeCohere, judge, []int{70}},
		{"413", ShapeCohere, atMost(40, 413, ""), []int{70, 35, 35}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newScripted(t, answering(t, tt.step))
			got, err := newReranker(t, s, func(c *RerankConfig) { c.Shape = tt.shape }).Rerank(t.Context(), "a query", documents)
			if err != nil || !slices.Equal(got.Scores, want) {
				t.Fatalf("got %v, %v", got.Scores, err)
			}
			var sizes []int
			for _, in := range s.requests() {
				sizes = append(sizes, len(in.Texts)+len(in.Documents))
			}
			if !slices.Equal(sizes, tt.sizes) {
				t.Errorf("asked for %v, want %v", sizes, tt.sizes)
			}
		})
	}

	// One document that is refused is an end, not a loop.
	s := newScripted(t, remotetest.Say(413, ""))
	if _, err := newReranker(t, s, nil).Rerank(t.Context(), "a query", three); err == nil || len(s.requests()) != 6 {
		t.Errorf("%d requests, %v", len(s.requests()), err)
	}
}

func TestRerankCuts(t *testing.T) {
	s := newScripted(t, answering(t, func(in request) remotetest.Step {
		for _, d := range append(in.Documents, in.Query) {
			if len([]rune(d)) > 1000 {
				return remotetest.Say(400, `{"message":"This model's maximum context length is 512 tokens"}`)
			}
		}
		return judge(in)
	}))
	r := newReranker(t, s, func(c *RerankConfig) { c.MaxCharacters = 3000 })
	got, err := r.Rerank(t.Context(), strings.Repeat("q", 900), []string{"short", strings.Repeat("é", 5000)})
	if err != nil || got.Cut != 1 || got.CutAt != 750 || !got.QueryCut || len(got.Scores) != 2 {
		t.Fatalf("got %+v, %v", got, err)
	}
	var lengths []int
	for _, in := range s.requests() {
		lengths = append(lengths, len([]rune(in.Documents[1])))
	}
	if !slices.Equal(lengths, []int{3000, 1500, 750}) {
		t.Errorf("sent %v code points", lengths)
	}
}

func TestRerankLeavesOutWhatIsBlank(t *testing.T) {
	s := newScripted(t, answering(t, judge))
	r := newReranker(t, s, nil)
	got, err := r.Rerank(t.Context(), "a query", []string{" ", "one", "\n", "two"})
	if err != nil || !slices.Equal(got.Scores, []Score{{1, .03}, {3, .03}}) {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err := r.Rerank(t.Context(), "\t", three); err == nil {
		t.Error("a blank query was sent")
	}
	if got, err := r.Rerank(t.Context(), "a query", []string{""}); err != nil || got.Scores != nil {
		t.Errorf("got %v, %v", got, err)
	}
	if n := len(s.requests()); n != 1 {
		t.Errorf("%d requests", n)
	}
}

func TestRerankEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := newScripted(t, neverAfter(cancel))
	if _, err := newReranker(t, s, nil).Rerank(ctx, "a query", three); !errors.Is(err, ctx.Err()) {
		t.Errorf("got %v", err)
	}
}

func TestNewRerankerChecksItsConfig(t *testing.T) {
	for _, tt := range []struct {
		cfg  RerankConfig
		want string
	}{
		{RerankConfig{}, "base URL"},
		{RerankConfig{BaseURL: "localhost:8080"}, "base URL"},
		{RerankConfig{BaseURL: "http://user:" + canary + "@"}, "base URL"},
		{RerankConfig{BaseURL: "http://h", Shape: "jina"}, `no rerank shape "jina"`},
		{RerankConfig{BaseURL: "http://h", MaxDocuments: -1}, "-1 documents"},
		{RerankConfig{BaseURL: "http://h", MaxCharacters: 10}, "10 characters"},
	} {
		if _, err := NewReranker(tt.cfg); err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), canary) {
			t.Errorf("%v: %v", tt.cfg, err)
		}
	}
	cfg := RerankConfig{BaseURL: "http://h", APIKey: canary}
	r, err := NewReranker(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if s := fmt.Sprintf("%v %+v %#v %+v %#v", cfg, cfg, cfg, r, r); strings.Contains(s, canary) {
		t.Errorf("the key is shown: %s", s)
	}
}

// What comes out is finite, names each document at most once and is in order,
// whatever came in.
func TestReadScores(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5).Draw(t, "n")
		items := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) map[string]any {
			item := map[string]any{}
			if rapid.Bool().Draw(t, "indexed") {
				item["index"] = rapid.IntRange(-1, n).Draw(t, "index")
			}
			item[rapid.SampledFrom([]string{"score", "relevance_score", "rank"}).Draw(t, "name")] = rapid.Float64Range(-20, 20).Draw(t, "score")
			return item
		}), 0, 6).Draw(t, "items")
		body, err := json.Marshal(items)
		if err != nil {
			t.Fatal(err)
		}
		checkScores(t, body, n)
	})
}

func FuzzReadScores(f *testing.F) {
	for _, body := range []string{tooLow, `[{"index":0,"score":1}]`, `{"data":[]}`, `null`, `[`, `[{"index":0,"score":1},{"index":0,"score":1}]`} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) { checkScores(t, body, 3) })
}

func checkScores(t interface{ Fatalf(string, ...any) }, body []byte, n int) {
	scores, err := readScores(body, n)
	if err != nil {
		return
	}
	last := -1
	for _, s := range scores {
		if s.Index <= last || s.Index >= n || math.IsNaN(s.Value) || math.IsInf(s.Value, 0) {
			t.Fatalf("%s became %v", body, scores)
		}
		last = s.Index
	}
	if last < 0 {
		t.Fatalf("%s became no scores and no error", body)
	}
}
