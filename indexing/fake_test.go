package indexing

import (
	"context"
	"math"
	"unicode"

	"github.com/webrag/webrag-tui/embedder"
)

// wordTokens is a tokenizer for tests: a token is a run of letters and digits of
// at most eight bytes with the space before it, or any other single rune.
type wordTokens struct{}

func (wordTokens) ID() string           { return "words" }
func (wordTokens) Exact() bool          { return true }
func (t wordTokens) Count(s string) int { return len(t.Starts(s)) }
func (wordTokens) Starts(s string) []int {
	starts := []int{}
	begun := -1
	for i, r := range s {
		word := unicode.IsLetter(r) || unicode.IsDigit(r)
		if word && begun >= 0 && i-begun < 8 {
			continue
		}
		if word && i > 0 && s[i-1] == ' ' && begun < 0 && len(starts) > 0 && starts[len(starts)-1] == i-1 {
			begun = i
			continue
		}
		starts = append(starts, i)
		begun = -1
		if word {
			begun = i
		}
	}
	return starts
}

// byteTokens splits even runes: each byte is a token, as a vocabulary does it
// with emoji.
type byteTokens struct{}

func (byteTokens) ID() string         { return "bytes" }
func (byteTokens) Exact() bool        { return true }
func (byteTokens) Count(s string) int { return len(s) }
func (byteTokens) Starts(s string) []int {
	starts := make([]int, len(s))
	for i := range starts {
		starts[i] = i
	}
	return starts
}

type contextType = context.Context

// fakeEmbedder makes a vector of a text's bytes. The zero value is usable.
type fakeEmbedder struct {
	id   string
	fail func(texts []string) error
	seen func(texts []string)
}

func (f fakeEmbedder) Info() embedder.Info {
	id := f.id
	if id == "" {
		id = "fake/8"
	}
	return embedder.Info{ID: id, Model: id, Dims: 8, Tokenizer: "words", InProcess: true}
}

func (f fakeEmbedder) EmbedMany(ctx context.Context, texts []string, _ embedder.Role) ([][]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if f.seen != nil {
		f.seen(texts)
	}
	if f.fail != nil {
		if err := f.fail(texts); err != nil {
			return nil, err
		}
	}
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i] = f.vector(text)
	}
	return out, nil
}

func (f fakeEmbedder) EmbedOne(_ context.Context, text string, _ embedder.Role) ([]float32, error) {
	return f.vector(text), nil
}

func (f fakeEmbedder) vector(text string) []float32 {
	v := make([]float32, 8)
	for i, c := range []byte(f.id + text) {
		v[(i+int(c))%8] += float32(c%16) + 1
	}
	var sum float64
	for _, x := range v {
		sum += float64(x * x)
	}
	for i := range v {
		v[i] = float32(float64(v[i]) / math.Sqrt(sum))
	}
	return v
}

// contextOf is the context of a test, of a plain one or one of rapid's.
func contextOf(t any) context.Context {
	if c, ok := t.(interface{ Context() context.Context }); ok {
		return c.Context()
	}
	return context.Background()
}
