package embedder

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/remote"
	"github.com/webrag/webrag-tui/remote/remotetest"
)

// fault is something that an embedding server does, and how it must end: with the
// vectors of the in-process embedder, bit for bit, or with an error.
type fault struct {
	name string
	// steps answer the first requests, last those after them; nil is the right
	// answer.
	steps  []step
	last   step
	change func(c *OpenAIConfig)
	texts  []string // three, if nil

	// isErr recognises the error, says is part of its text. With neither the texts
	// get their vectors.
	isErr func(error) bool
	says  string
	// requests is how many there are, 0 for one, none for none, anyNumber for one
	// that depends on time.
	requests int
	slept    []time.Duration
	// vectors are what comes instead of those of the texts.
	vectors func(texts []string) [][]float32
	// rounded allows for the last bits, which scaling changes.
	rounded bool
	// shortened is how many texts are counted as cut.
	shortened int
}

// Numbers of requests that are none.
const (
	none      = -1
	anyNumber = -2
)

func is(target error) func(error) bool { return func(err error) bool { return errors.Is(err, target) } }

func as[E error]() func(error) bool {
	return func(err error) bool {
		var e E
		return errors.As(err, &e)
	}
}

func dimensionError(want, got int) func(error) bool {
	return func(err error) bool {
		var e *DimensionError
		return errors.As(err, &e) && *e == DimensionError{Want: want, Got: got}
	}
}

var (
	unusable = as[*BadResponseError]()
	timesOut = func(c *OpenAIConfig) { c.Remote.Timeout = 20 * time.Millisecond }
)

func TestServerFaults(t *testing.T) {
	model := NewBuiltin()
	vec := func(text string) []float32 {
		v, err := model.EmbedOne(context.Background(), text, RoleDocument)
		if err != nil {
			t.Error(err)
		}
		return v
	}
	ok := func(w http.ResponseWriter, _ *http.Request, in request) { reply(w, itemsBy(vec, in)) }
	with := func(change func(data []item) []item) step {
		return func(w http.ResponseWriter, _ *http.Request, in request) { reply(w, change(itemsBy(vec, in))) }
	}
	only := func(change func(data []item) []item) []step { return []step{with(change)} }
	put := func(at int, v any) []step {
		return only(func(data []item) []item { data[at].Embedding = v; return data })
	}
	zeros := make([]float32, builtinDims)
	withNull := make([]any, builtinDims)
	for i := range withNull {
		withNull[i] = .5
	}
	withNull[7] = nil
	matryoshka := func(c *OpenAIConfig) {
		c.Dimensions, c.Profile = 512, &Profile{Dims: builtinDims, Matryoshka: true}
	}
	cut := func(text string) []float32 {
		v, _ := normalise(vec(text)[:512])
		return v
	}
	cutAll := func(texts []string) (out [][]float32) {
		for _, text := range texts {
			out = append(out, cut(text))
		}
		return out
	}
	other := newFakeServer(t)
	long := numbered(16)
	long[11] = strings.Repeat("lighthouse ", 400) // 4,400 bytes
	shortened := func(texts []string) (out [][]float32) {
		for _, text := range texts {
			out = append(out, vec(text[:min(len(text), 550)])) // halved three times
		}
		return out
	}
	tooLong := func(status int, words string) fault {
		return fault{texts: long, last: refusing(func(in request) bool {
			return slices.ContainsFunc(in.Input, func(text string) bool { return len(text) > 1000 })
		}, status, words, ok), requests: anyNumber, vectors: shortened, shortened: 1}
	}
	tooMany := func(most, n, status int, words string) fault {
		return fault{texts: numbered(n), requests: anyNumber, last: refusing(func(in request) bool { return len(in.Input) > most }, status, words, ok)}
	}
	sec := time.Second

	for _, section := range []struct {
		title  string
		faults []fault
	}{
		{"1 encodings and dimensions", []fault{
			{name: "floats"},
			{name: "base64 when asked", steps: []step{func(w http.ResponseWriter, r *http.Request, in request) {
				if in.Encoding == "base64" { // which is never asked for
					reply(w, inBase64(itemsBy(vec, in)))
					return
				}
				ok(w, r, in)
			}}},
			{name: "base64 although floats were asked for", isErr: unusable, says: "not the expected JSON", steps: []step{
				func(w http.ResponseWriter, _ *http.Request, in request) { reply(w, inBase64(itemsBy(vec, in))) },
			}},
			{name: "dimensions honoured", change: matryoshka, vectors: cutAll, steps: []step{func(w http.ResponseWriter, _ *http.Request, in request) {
				if in.Dimensions != 512 {
					t.Errorf("asked for %d dimensions", in.Dimensions)
				}
				reply(w, itemsBy(cut, in))
			}}},
			{name: "dimensions ignored", change: matryoshka, vectors: cutAll},
			{name: "dimensions ignored by a model that bears no cut", change: func(c *OpenAIConfig) { c.Dimensions = 512 }, isErr: dimensionError(512, builtinDims), says: "EMBEDDING_DIMENSIONS=1024"},
			{name: "dimensions refused", change: matryoshka, vectors: cutAll, requests: 2, last: refusing(func(in request) bool { return in.Dimensions != 0 }, 400, `{"error":"unknown field \"dimensions\""}`, ok)},
		}},
		{"2 which vector is whose", []fault{
			{name: "reversed, by index", steps: only(func(data []item) []item { slices.Reverse(data); return data })},
			{name: "one missing", isErr: unusable, says: "2 vectors for 3 texts", steps: only(func(data []item) []item { return data[1:] })},
			{name: "all but one missing", isErr: unusable, says: "1 vector for 3 texts", steps: only(func(data []item) []item { return data[:1] })},
			{name: "one more", isErr: unusable, says: "4 vectors for 3 texts", steps: only(func(data []item) []item { return append(data, item{3, zeros}) })},
			{name: "one twice", isErr: unusable, says: "index 1 occurs twice", steps: only(func(data []item) []item { data[2].Index = 1; return data })},
			{name: "all indices 0", isErr: unusable, says: "index 0 occurs twice", steps: only(func(data []item) []item { data[1].Index, data[2].Index = 0, 0; return data })},
			{name: "index out of range", isErr: unusable, says: "index 3 in an answer to 3 texts", steps: only(func(data []item) []item { data[2].Index = 3; return data })},
			{name: "negative index", isErr: unusable, says: "index -1", steps: only(func(data []item) []item { data[2].Index = -1; return data })},
			{name: "no index", isErr: unusable, says: "item 0 has no index", steps: []step{withoutIndex(vec)}},
			{name: "no index for a single text", texts: numbered(1), steps: []step{withoutIndex(vec)}},
		}},
		{"3 the vectors", []fault{
			{name: "dimensions other than the model's", change: func(c *OpenAIConfig) { c.Profile = &Profile{Dims: 768} }, isErr: dimensionError(768, builtinDims)},
			{name: "mixed dimensions", isErr: dimensionError(builtinDims, 2), steps: put(1, []float32{.6, .8})},
			{name: "an empty vector", isErr: unusable, says: "vector 1 is empty", steps: put(1, []float32{})},
			{name: "null for a vector", isErr: unusable, says: "vector 1 has missing numbers", steps: put(1, nil)},
			{name: "no vector", isErr: unusable, says: "vector 0 has missing numbers", steps: []step{say(200, `{"data":[{"index":0},{"index":1},{"index":2}]}`)}},
			{name: "null for a number", isErr: unusable, says: "vector 1 has missing numbers", steps: put(1, withNull)},
			{name: "NaN", isErr: unusable, says: "not the expected JSON", steps: []step{say(200, `{"data":[{"index":0,"embedding":[NaN]}]}`)}},
			{name: "Infinity", isErr: unusable, says: "not the expected JSON", steps: []step{say(200, `{"data":[{"index":0,"embedding":[-Infinity]}]}`)}},
			{name: "beyond float32", isErr: unusable, says: "not the expected JSON", steps: put(0, []float64{1e300})},
			{name: "all zeros", isErr: unusable, says: "vector 2 has no direction", steps: put(2, zeros)},
			{name: "not of length one", rounded: true, steps: only(func(data []item) []item {
				v := vec("text 1")
				for i := range v {
					v[i] *= 3
				}
				data[1].Embedding = v
				return data
			})},
		}},
		{"4 refusals", []fault{
			{name: "429 with seconds", steps: []step{say(429, "", "Retry-After", "7")}, requests: 2, slept: []time.Duration{7 * sec}},
			{name: "429 with milliseconds", steps: []step{say(429, "", "Retry-After-Ms", "1500")}, requests: 2, slept: []time.Duration{1500 * time.Millisecond}},
			{name: "429 with a date", steps: []step{say(429, "", "Retry-After", "Fri, 02 Jan 2026 03:04:45 GMT")}, requests: 2, slept: []time.Duration{40 * sec}},
			{name: "429 without a word", steps: []step{say(429, ""), say(429, "")}, requests: 3, slept: []time.Duration{sec / 4, sec / 2}},
			{name: "429 with limits in other headers", steps: []step{say(429, "", "X-Ratelimit-Remaining-Requests", "0", "X-Ratelimit-Reset-Requests", "6m0s")}, requests: 2, slept: []time.Duration{sec / 4}},
			{name: "429 with an absurd pause", steps: []step{say(429, "", "Retry-After", "1e300")}, isErr: as[*RateLimitError](), says: "asks for a pause of more than an hour: try again then"},
			{name: "429 with a pause that nobody waits", steps: []step{say(429, "", "Retry-After", "600")}, isErr: is(ErrUnavailable), says: "asks to wait 10 minutes: try again then"},
			{name: "429 for ever", last: say(429, ""), isErr: is(ErrUnavailable), requests: 5},
			{name: "429 of a used-up account", steps: []step{say(429, `{"error":{"message":"used up","code":"insufficient_quota"}}`, "Retry-After", "1")}, isErr: is(ErrQuota)},
			{name: "401 that repeats the key", steps: []step{say(401, `{"error":{"message":"Incorrect API key provided: `+canary+`. Bearer `+canary+`","code":"invalid_api_key"}}`)}, isErr: is(ErrAuth), says: "Incorrect API key provided: ***"},
			{name: "403", steps: []step{say(403, "")}, isErr: is(ErrAuth)},
			{name: "404 as a string", steps: []step{say(404, `{"error":"model \"test-model\" not found, try pulling it first"}`)}, isErr: is(ErrModelNotFound), says: "try pulling it first"},
			{name: "404 with a code", steps: []step{say(404, `{"error":{"message":"no","code":"model_not_found"}}`)}, isErr: is(ErrModelNotFound)},
			{name: "404 of another path", steps: []step{say(404, "<html>nothing here")}, isErr: as[*remote.StatusError](), says: "is the base URL right?"},
			named("too long, OpenAI", tooLong(400, `{"error":{"message":"This model's maximum context length is 8192 tokens, however you requested 9000 tokens","type":"invalid_request_error"}}`)),
			named("too long, vLLM", tooLong(400, `{"object":"error","message":"This model's maximum context length is 512 tokens. However, you requested 600 tokens in the input for embedding generation.","code":400}`)),
			named("too long, Ollama", tooLong(400, `{"error":"the input length exceeds the context length"}`)),
			named("too long, TEI", tooLong(413, `{"message":"Input validation error: inputs must have less than 512 tokens. Given: 600","code":413,"type":"Validation"}`)),
			named("too long, TEI with 422", tooLong(422, `{"error":"Input validation error: inputs must have less than 512 tokens. Given: 600","error_type":"Validation"}`)),
			named("too long, llama.cpp", tooLong(500, `{"error":{"message":"input is too large to process. increase the physical batch size","type":"server_error"}}`)),
			named("too long, a proxy", tooLong(413, `<html>Payload Too Large`)),
			{name: "an empty input is never sent", texts: []string{"a", " \n"}, isErr: as[*EmptyInputError](), requests: none},
			{name: "an input that the server calls empty", steps: []step{say(400, `{"error":{"message":"'$.input' is invalid. Input cannot be an empty string."}}`)}, isErr: as[*remote.StatusError](), says: "cannot be an empty string"},
			named("more than 2,048 inputs", with2048(tooMany(2048, 2049, 400, `{"error":{"message":"Invalid 'input': array too long. Expected an array with maximum length 2048, but got an array with length 2049 instead."}}`))),
			named("more than 32 inputs, 422", tooMany(32, 100, 422, `{"message":"batch size 100 > maximum allowed batch size 32","code":422,"type":"Validation"}`)),
			named("more than 32 inputs, 413", tooMany(32, 100, 413, `{"error":"batch size 100 > maximum allowed batch size 32","error_type":"Validation"}`)),
			named("too many tokens in sum", tooMany(40, 100, 400, `{"error":{"message":"Requested 400000 tokens, max 300000 tokens per request","type":"max_tokens_per_request"}}`)),
		}},
		{"5 transport", []fault{
			{name: "500", steps: []step{say(500, "")}, requests: 2, slept: []time.Duration{sec / 4}},
			{name: "502 with HTML", steps: []step{say(502, "<html>\r\n<b>Bad\x1b[31m gateway</b>", "Content-Type", "text/html")}, requests: 2},
			{name: "503 twice", steps: []step{say(503, ""), say(503, "")}, requests: 3, slept: []time.Duration{sec / 4, sec / 2}},
			{name: "500 for ever", last: say(500, "<html>"), isErr: is(ErrUnavailable), requests: 5},
			{name: "an error in a 200", steps: []step{say(200, `{"error":{"message":"model crashed, key `+canary+`"}}`)}, isErr: unusable, says: "an error in place of vectors: model crashed, key ***"},
			{name: "an empty 200", steps: []step{say(200, "")}, isErr: unusable, says: "not the expected JSON"},
			{name: "JSON that ends early", steps: []step{say(200, `{"data":[{"index":0,"embedding":[.1`)}, isErr: unusable, says: "not the expected JSON"},
			{name: "JSON that goes on", steps: []step{say(200, `{"data":[]} {"data":[]}`)}, isErr: unusable, says: "not the expected JSON"},
			{name: "less than the Content-Length", steps: []step{say(200, `{"data":[{"ind`, "Content-Length", "5000")}, requests: 2},
			{name: "less than the Content-Length, for ever", last: say(200, `{"data":[{"ind`, "Content-Length", "5000"), isErr: is(ErrUnavailable), says: "the connection broke off", requests: 5},
			{name: "reset before the headers", steps: []step{plainly(remotetest.Reset())}, requests: anyNumber}, // net/http may retry by itself
			{name: "reset behind the headers", steps: []step{plainly(remotetest.ResetBody(200, `{"data":[`))}, requests: 2},
			{name: "gzip", steps: []step{func(w http.ResponseWriter, r *http.Request, in request) {
				remotetest.Gzip(200, answerText(itemsBy(vec, in)))(w, r, remotetest.Request{})
			}}},
			{name: "1 GB announced", steps: []step{say(200, "{", "Content-Length", "1073741824")}, isErr: as[*remote.BodyTooLargeError](), says: "larger than 67108864 bytes"},
			{name: "a body without end", steps: []step{plainly(remotetest.Endless(200, strings.Repeat("[", 1<<12)))}, change: func(c *OpenAIConfig) { c.Remote.MaxBody = 1 << 20 }, isErr: as[*remote.BodyTooLargeError](), says: "larger than 1048576 bytes"},
			{name: "headers that do not come", last: plainly(remotetest.Never()), change: timesOut, isErr: is(ErrUnavailable), says: "no complete answer in time", requests: anyNumber},
			{name: "a trickle", last: plainly(remotetest.Trickle("application/json", "{", `"data"`, ":")), change: timesOut, isErr: is(ErrUnavailable), says: "no complete answer in time", requests: anyNumber},
			{name: "a redirect to another host", steps: []step{say(307, "", "Location", other.URL+"/v1/embeddings?key="+canary)}, isErr: as[*remote.RedirectError](), says: "refused a redirect to " + other.URL},
		}},
	} {
		for _, f := range section.faults {
			t.Run(section.title+"/"+f.name, func(t *testing.T) { f.test(t, ok, vec) })
		}
	}
	if n := len(other.requests()); n != 0 {
		t.Errorf("the host of the redirect got %d requests", n)
	}
}

func (f fault) test(t *testing.T, ok step, vec func(string) []float32) {
	last := f.last
	if last == nil {
		last = ok
	}
	script := make([]remotetest.Step, len(f.steps))
	for i, do := range f.steps {
		script[i] = decoded(do)
	}
	s := &fakeServer{Server: remotetest.Serve(t, decoded(last), script...), t: t}
	clk := remotetest.NewClock()
	o := newOpenAI(t, s, func(c *OpenAIConfig) {
		c.Remote.Now, c.Remote.Sleep, c.Remote.Random = clk.Now, clk.Sleep, func() float64 { return .5 }
		if f.change != nil {
			f.change(c)
		}
	})
	texts := f.texts
	if texts == nil {
		texts = numbered(3)
	}
	got, err := o.EmbedMany(t.Context(), texts, RoleDocument)
	switch {
	case f.isErr == nil && f.says == "":
		if err != nil {
			t.Fatal(err)
		}
		f.assertVectors(t, got, texts, vec)
	case got != nil || err == nil || f.isErr != nil && !f.isErr(err) || !strings.Contains(err.Error(), f.says):
		t.Fatalf("%d vectors, %v; want %q", len(got), err, f.says)
	}
	if shown := fmt.Sprintf("%v %+v %#v %v", err, err, err, o); strings.Contains(shown, canary[:8]) {
		t.Errorf("the key is shown: %s", shown)
	}
	if o.Truncated() != f.shortened {
		t.Errorf("%d texts counted as shortened", o.Truncated())
	}
	if f.slept != nil && !slices.Equal(clk.Slept(), f.slept) {
		t.Errorf("slept %v, want %v", clk.Slept(), f.slept)
	}
	f.observe(t, s, o)
}

func (f fault) assertVectors(t *testing.T, got [][]float32, texts []string, vec func(string) []float32) {
	t.Helper()
	var want [][]float32
	if f.vectors != nil {
		want = f.vectors(texts)
	} else {
		for _, text := range texts {
			want = append(want, vec(text))
		}
	}
	same := func(a, b float32) bool {
		return a == b || f.rounded && math.Abs(float64(a)-float64(b)) < 1e-7
	}
	if len(got) != len(want) {
		t.Fatalf("%d vectors for %d texts", len(got), len(texts))
	}
	for i := range want {
		if !slices.EqualFunc(got[i], want[i], same) {
			t.Fatalf("vector %d is not that of %.40q", i, texts[i])
		}
	}
}

// observe checks what holds for every exchange: 6 of the list.
func (f fault) observe(t *testing.T, s *fakeServer, o *OpenAI) {
	t.Helper()
	seen := s.requests()
	want := max(1, f.requests)
	if f.requests == none {
		want = 0
	}
	if f.requests != anyNumber && len(seen) != want {
		t.Errorf("%d requests, want %d", len(seen), want)
	}
	if most := s.MostAtOnce(); most > o.cfg.Workers {
		t.Errorf("%d requests at once with %d workers", most, o.cfg.Workers)
	}
	for _, r := range seen {
		if r.path != "/v1/embeddings" || r.auth != "Bearer "+canary || r.Encoding != "float" || r.Model != "test-model" {
			t.Errorf("request %+v", r)
		}
		if len(r.Input) > o.cfg.BatchSize || slices.Contains(r.Input, "") {
			t.Errorf("a request of %d inputs, or with an empty one", len(r.Input))
		}
	}
}

func named(name string, f fault) fault {
	f.name = name
	return f
}

func with2048(f fault) fault {
	f.change = func(c *OpenAIConfig) { c.BatchSize = 2048 }
	return f
}

// refusing answers with a refusal whenever the request deserves it.
func refusing(deserves func(in request) bool, status int, words string, otherwise step) step {
	return func(w http.ResponseWriter, r *http.Request, in request) {
		if deserves(in) {
			say(status, words)(w, r, in)
			return
		}
		otherwise(w, r, in)
	}
}

func withoutIndex(vec func(string) []float32) step {
	return func(w http.ResponseWriter, _ *http.Request, in request) {
		var data []map[string]any
		for _, text := range in.Input {
			data = append(data, map[string]any{"embedding": vec(text)})
		}
		reply(w, data)
	}
}

func inBase64(data []item) []item {
	for i := range data {
		v, _ := data[i].Embedding.([]float32)
		raw, err := binary.Append(nil, binary.LittleEndian, v)
		if err != nil {
			panic(err)
		}
		data[i].Embedding = base64.StdEncoding.EncodeToString(raw)
	}
	return data
}
