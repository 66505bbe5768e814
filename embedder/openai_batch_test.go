package embedder

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
)

func TestOpenAIBatches(t *testing.T) {
	const workers, size = 3, 10
	texts := numbered(95)
	// The first requests wait for each other, so that there are as many at once
	// as there may be.
	var together sync.WaitGroup
	together.Add(workers)
	meet := func(w http.ResponseWriter, r *http.Request, in request) {
		together.Done()
		together.Wait()
		right(w, r, in)
	}
	s := newFakeServer(t, slices.Repeat([]step{meet}, workers)...)
	o := newOpenAI(t, s, func(c *OpenAIConfig) { c.BatchSize, c.Workers = size, workers })
	got, err := o.EmbedMany(t.Context(), texts, RoleDocument)
	if err != nil {
		t.Fatal(err)
	}
	assertVectors(t, got, texts)
	if most := s.MostAtOnce(); most != workers {
		t.Errorf("%d requests at once, want %d", most, workers)
	}
	seen := s.requests()
	if len(seen) != 10 {
		t.Errorf("%d requests, want 10", len(seen))
	}
	for _, r := range seen {
		if len(r.Input) > size {
			t.Errorf("a request of %d texts", len(r.Input))
		}
	}
}

// One failed batch ends the others, and nothing is returned.
func TestOpenAIIsAllOrNothing(t *testing.T) {
	var ended sync.WaitGroup
	ended.Add(1)
	waiting := make(chan struct{})
	choose := func(w http.ResponseWriter, r *http.Request, in request) {
		if in.Input[0] == "text 0" {
			close(waiting)
			<-r.Context().Done() // until the sibling's failure ends it
			ended.Done()
			return
		}
		<-waiting
		say(401, "")(w, r, in)
	}
	s := newFakeServer(t, slices.Repeat([]step{choose}, 20)...)
	o := newOpenAI(t, s, func(c *OpenAIConfig) { c.BatchSize, c.Workers = 1, 2 })
	got, err := o.EmbedMany(t.Context(), numbered(20), RoleDocument)
	if !errors.Is(err, ErrAuth) || got != nil {
		t.Errorf("got %d vectors, %v", len(got), err)
	}
	ended.Wait()
	if n := len(s.requests()); n != 2 {
		t.Errorf("%d requests after the failure", n)
	}
}

// Of several failures the first in order is told.
func TestOpenAIReportsTheFirstBatchThatFailed(t *testing.T) {
	var together sync.WaitGroup
	together.Add(3)
	fail := func(w http.ResponseWriter, r *http.Request, in request) {
		together.Done()
		together.Wait()
		say(400, `{"error":"no to `+in.Input[0]+`"}`)(w, r, in)
	}
	s := newFakeServer(t, slices.Repeat([]step{fail}, 3)...)
	o := newOpenAI(t, s, func(c *OpenAIConfig) { c.BatchSize = 1 })
	_, err := o.EmbedMany(t.Context(), numbered(3), RoleDocument)
	if err == nil || !strings.Contains(err.Error(), "no to text") || errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestOpenAIEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	never := func(_ http.ResponseWriter, r *http.Request, _ request) { cancel(); <-r.Context().Done() }
	s := newFakeServer(t, never, never, never, never)
	o := newOpenAI(t, s, func(c *OpenAIConfig) { c.BatchSize = 2 })
	if got, err := o.EmbedMany(ctx, numbered(8), RoleDocument); !errors.Is(err, context.Canceled) || got != nil {
		t.Errorf("got %d vectors, %v", len(got), err)
	}
}

// limited refuses texts of more than max bytes in the words of some server.
func limited(most int, status int, refusal string) step {
	return func(w http.ResponseWriter, r *http.Request, in request) {
		for _, text := range in.Input {
			if len(text) > most {
				say(status, refusal)(w, r, in)
				return
			}
		}
		right(w, r, in)
	}
}

func TestOpenAIShortensTheOneTextThatIsTooLong(t *testing.T) {
	for _, tt := range []struct {
		name    string
		status  int
		refusal string
	}{
		{"OpenAI", 400, `{"error":{"message":"This model's maximum context length is 8192 tokens, however you requested 9000 tokens","type":"invalid_request_error"}}`},
		{"vLLM", 400, `{"object":"error","message":"This model's maximum context length is 512 tokens. However, you requested 600 tokens in the input for embedding generation.","code":400}`},
		{"Ollama", 400, `{"error":"the input length exceeds the context length"}`},
		{"TEI", 413, `{"message":"Input validation error: inputs must have less than 512 tokens. Given: 600","code":413,"type":"Validation"}`},
		{"llama.cpp", 500, `{"error":{"message":"input is too large to process. increase the physical batch size","type":"server_error"}}`},
		{"a proxy", 413, `<html>Payload Too Large`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newFakeServer(t, slices.Repeat([]step{limited(1000, tt.status, tt.refusal)}, 200)...)
			o := newOpenAI(t, s, nil)
			texts := numbered(16)
			texts[11] = strings.Repeat("é", 3000)
			got, err := o.EmbedMany(t.Context(), texts, RoleDocument)
			if err != nil {
				t.Fatal(err)
			}
			// 6,000 bytes, then ever half of it.
			short := slices.Clone(texts)
			short[11] = strings.Repeat("é", 375)
			assertVectors(t, got, short)
			if o.Truncated() != 1 {
				t.Errorf("%d texts counted as shortened", o.Truncated())
			}
		})
	}
}

func TestOpenAIShortensToTheModelsLimit(t *testing.T) {
	s := newFakeServer(t, slices.Repeat([]step{limited(1000, 400, `{"error":"context length"}`)}, 3)...)
	o := newOpenAI(t, s, func(c *OpenAIConfig) { c.Profile = &Profile{MaxTokens: 100, Tokenizer: TokenizerCL100K} })
	if _, err := o.EmbedOne(t.Context(), strings.Repeat("word ", 500), RoleQuery); err != nil {
		t.Fatal(err)
	}
	seen := s.requests()
	if n := mustTokenizer(t, TokenizerCL100K).Count(seen[1].Input[0]); len(seen) != 2 || n != 100 {
		t.Errorf("%d requests, the second with %d tokens", len(seen), n)
	}
}

// The model's own vocabulary, where it is given, and of the limit less what goes
// around a text.
func TestOpenAIShortensByTheModelsVocabulary(t *testing.T) {
	s := newFakeServer(t, slices.Repeat([]step{limited(1000, 400, `{"error":"context length"}`)}, 3)...)
	o := newOpenAI(t, s, func(c *OpenAIConfig) {
		c.Profile, c.Tokenizer = &Profile{MaxTokens: 100, Tokenizer: TokenizerApprox}, "hf:"+writeTokenizer(t, smallUnigram)
	})
	if _, err := o.EmbedOne(t.Context(), strings.Repeat("sunny ", 500), RoleQuery); err != nil {
		t.Fatal(err)
	}
	// 99 tokens are 49 words, two tokens each, and the beginning of another one.
	if seen := s.requests(); len(seen) != 2 || seen[1].Input[0] != strings.Repeat("sunny ", 49)+"sun" {
		t.Errorf("%d requests, the second with %q", len(seen), seen[1].Input[0])
	}
	tok, err := o.Tokenizer()
	if err != nil || !strings.HasPrefix(tok.ID(), "hf:") || o.Info().Tokenizer != TokenizerApprox {
		t.Errorf("%v: counted by %s, the model's is %s", err, tok.ID(), o.Info().Tokenizer)
	}
}

func TestOpenAIGivesUpOnATextThatStaysTooLong(t *testing.T) {
	s := newFakeServer(t, slices.Repeat([]step{limited(10, 400, `{"error":"context length"}`)}, 50)...)
	var tooLong *TooLongError
	texts := append(numbered(3), strings.Repeat("x", 1000))
	if _, err := newOpenAI(t, s, nil).EmbedMany(t.Context(), texts, RoleDocument); !errors.As(err, &tooLong) || tooLong.Index != 3 {
		t.Errorf("got %v", err)
	}
}

func TestOpenAILearnsTheServersBatchSize(t *testing.T) {
	for _, tt := range []struct {
		name, refusal string
		limit         int
		requests      int // of the first call
	}{
		{"TEI", `{"message":"batch size %d > maximum allowed batch size 32","code":422,"type":"Validation"}`, 32, 5},
		{"OpenAI", `{"error":{"message":"Invalid 'input': array too long. Expected an array with maximum length 32, but got %d"}}`, 32, 5},
		{"no number", `{"error":"too many inputs (%d)"}`, 32, 6},
	} {
		t.Run(tt.name, func(t *testing.T) {
			refuse := func(w http.ResponseWriter, r *http.Request, in request) {
				if len(in.Input) > tt.limit {
					say(422, fmt.Sprintf(tt.refusal, len(in.Input)))(w, r, in)
					return
				}
				right(w, r, in)
			}
			s := newFakeServer(t, slices.Repeat([]step{refuse}, 50)...)
			o := newOpenAI(t, s, nil)
			texts := numbered(128)
			for range 2 {
				got, err := o.EmbedMany(t.Context(), texts, RoleDocument)
				if err != nil {
					t.Fatal(err)
				}
				assertVectors(t, got, texts)
			}
			// The second call knows.
			if n := len(s.requests()); n != tt.requests+4 {
				t.Errorf("%d requests, want %d", n, tt.requests+4)
			}
		})
	}
}

func TestOpenAIKeepsTheTokenSum(t *testing.T) {
	s := newFakeServer(t)
	o := newOpenAI(t, s, func(c *OpenAIConfig) {
		c.Profile = &Profile{Tokenizer: TokenizerCL100K, MaxRequestTokens: 1000, MaxInputs: 7}
	})
	texts := append(slices.Repeat([]string{strings.Repeat("word ", 300)}, 6), numbered(20)...)
	got, err := o.EmbedMany(t.Context(), texts, RoleDocument)
	if err != nil {
		t.Fatal(err)
	}
	assertVectors(t, got, texts)
	tok := mustTokenizer(t, TokenizerCL100K)
	for _, r := range s.requests() {
		sum := 0
		for _, text := range r.Input {
			sum += tok.Count(text)
		}
		if sum > 1000 || len(r.Input) > 7 {
			t.Errorf("a request of %d texts and %d tokens", len(r.Input), sum)
		}
	}
}

func TestProfiles(t *testing.T) {
	for _, tt := range []struct {
		url, model string
		want       Profile
	}{
		{"https://api.openai.com/v1", "text-embedding-3-large", Profile{Dims: 3072, MaxTokens: 8192, Tokenizer: "cl100k_base", Matryoshka: true, MaxInputs: 2048, MaxRequestTokens: 300_000}},
		{"http://localhost:11434/v1", "nomic-embed-text:latest", Profile{Dims: 768, MaxTokens: 8192, Tokenizer: TokenizerApprox, QueryPrefix: "search_query: ", DocumentPrefix: "search_document: "}},
		{"http://localhost:1234/v1", "text-embedding-nomic-embed-text-v1.5", Profile{Dims: 768, MaxTokens: 8192, Tokenizer: TokenizerApprox, QueryPrefix: "search_query: ", DocumentPrefix: "search_document: ", NoDimensions: true}},
		{"http://tei/v1", "intfloat/multilingual-e5-base", Profile{Dims: 768, MaxTokens: 512, Tokenizer: TokenizerApprox, QueryPrefix: "query: ", DocumentPrefix: "passage: "}},
		{"http://tei/v1", "intfloat/multilingual-e5-large-instruct", Profile{Tokenizer: TokenizerApprox}},
		{"http://tei/v1", "BAAI/bge-m3", Profile{Dims: 1024, MaxTokens: 8192, Tokenizer: TokenizerApprox}},
		{"://", "gemini-embedding-001", Profile{Dims: 3072, MaxTokens: 2048, Tokenizer: TokenizerApprox, Matryoshka: true}},
		{"https://generativelanguage.googleapis.com/v1beta/openai/", "models/gemini-embedding-001", Profile{Dims: 3072, MaxTokens: 2048, Tokenizer: TokenizerApprox, Matryoshka: true, MaxInputs: 100}},
		{"http://x/v1", "unknown", Profile{Tokenizer: TokenizerApprox}},
	} {
		if got := ProfileFor(tt.url, tt.model); got != tt.want {
			t.Errorf("%s at %s: %+v", tt.model, tt.url, got)
		}
	}
}
