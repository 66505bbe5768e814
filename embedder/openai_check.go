package embedder

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"

	openai "github.com/sashabaranov/go-openai"
)

// rawAnswer shows what the library's decoder hides: an error where vectors
// should be, a missing index (it reads as 0), a null among the numbers (also 0).
type rawAnswer struct {
	Error json.RawMessage `json:"error"`
	Data  []struct {
		Index     *int            `json:"index"`
		Embedding json.RawMessage `json:"embedding"`
	} `json:"data"`
}

func bad(format string, args ...any) error {
	return &BadResponseError{Why: fmt.Sprintf(format, args...)}
}

func counted(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// check returns the n vectors of an answer in the order of the texts, finite,
// of the right length and normalised, or the reason not to use it.
func (o *OpenAI) check(data []openai.Embedding, body []byte, n int) ([][]float32, error) {
	var raw rawAnswer
	if err := json.Unmarshal(body, &raw); err != nil {
		return nil, bad("it is not the expected JSON")
	}
	if len(raw.Error) > 0 && string(raw.Error) != "null" {
		return nil, bad("an error in place of vectors: %s", o.http.Message(body))
	}
	if len(data) != n || len(raw.Data) != n {
		return nil, bad("%s for %s", counted(len(data), "vector"), counted(n, "text"))
	}
	vecs := make([][]float32, n)
	for i, item := range raw.Data {
		at := 0
		switch {
		case item.Index != nil:
			at = *item.Index
		case n > 1:
			return nil, bad("item %d has no index", i)
		}
		if at < 0 || at >= n {
			return nil, bad("index %d in an answer to %d texts", at, n)
		}
		if vecs[at] != nil {
			return nil, bad("index %d occurs twice", at)
		}
		if bytes.Contains(item.Embedding, []byte("null")) || len(item.Embedding) == 0 {
			return nil, bad("vector %d has missing numbers", at)
		}
		v, err := o.checkVector(data[i].Embedding, at)
		if err != nil {
			return nil, err
		}
		vecs[at] = v
	}
	return vecs, nil
}

func (o *OpenAI) checkVector(v []float32, at int) ([]float32, error) {
	if len(v) == 0 {
		return nil, bad("vector %d is empty", at)
	}
	// The first vector of an unknown model says how long all of them are.
	o.dims.CompareAndSwap(0, int64(len(v)))
	if want := int(o.dims.Load()); len(v) != want {
		if len(v) < want || !o.profile.Matryoshka {
			return nil, &DimensionError{Want: want, Got: len(v)}
		}
		v = v[:want:want]
	}
	v, ok := normalise(v)
	if !ok {
		return nil, bad("vector %d has no direction (all zeros, or not finite)", at)
	}
	return v, nil
}

// normalise returns v with length one. A vector that has it already stays as it
// is: rounding it again would make equal vectors differ in their last bits. It
// returns false for one that has no direction.
func normalise(v []float32) ([]float32, bool) {
	const tolerance = 1e-5
	var s float64
	for _, x := range v {
		s += float64(x) * float64(x)
	}
	if s == 0 || math.IsNaN(s) || math.IsInf(s, 0) {
		return nil, false
	}
	if math.Abs(s-1) <= tolerance {
		return v, true
	}
	norm := math.Sqrt(s)
	out := make([]float32, len(v))
	for i, x := range v {
		out[i] = float32(float64(x) / norm)
	}
	return out, true
}
