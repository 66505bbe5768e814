package embedder

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

func numbered(n int) []string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = fmt.Sprintf("text %d", i)
	}
	return texts
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
