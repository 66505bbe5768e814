package embedder

import (
	"context"
	"errors"
	"slices"
	"time"
	"unicode/utf8"

	openai "github.com/sashabaranov/go-openai"
	"golang.org/x/sync/errgroup"

	"github.com/webrag/webrag-tui/remote"
)

// batch is a part of the texts of one call, prefixes included.
type batch struct {
	first   int // the index of its first text in the call
	texts   []string
	timeout time.Duration // of one attempt, 0 for the default
}

func (b batch) part(from, to int) batch {
	return batch{first: b.first + from, texts: b.texts[from:to], timeout: b.timeout}
}

// cut makes batches that keep to the number of inputs and, where the server
// bounds it, to the sum of tokens.
func (o *OpenAI) cut(texts []string, prefix string) ([]batch, error) {
	most, mostTokens := int(o.maxInputs.Load()), o.profile.MaxRequestTokens
	var batches []batch
	tokens := 0
	for i, text := range texts {
		text = prefix + text
		size := 0
		if mostTokens > 0 {
			var err error
			if size, err = o.tokenBound(text); err != nil {
				return nil, err
			}
		}
		last := len(batches) - 1
		if last < 0 || len(batches[last].texts) >= most || tokens+size > mostTokens && mostTokens > 0 {
			batches = append(batches, batch{first: i})
			last, tokens = last+1, 0
		}
		batches[last].texts = append(batches[last].texts, text)
		tokens += size
	}
	return batches, nil
}

// tokenBound returns at least the number of tokens of text. Counting is for
// long texts; a token has at least one byte, and 256 short texts of that many
// tokens stay under any limit that is known.
func (o *OpenAI) tokenBound(text string) (int, error) {
	const short = 1000
	if len(text) <= short {
		return len(text), nil
	}
	tok, err := o.tokenizer()
	if err != nil {
		return 0, err
	}
	return tok.Count(text), nil
}

func (o *OpenAI) embedBatches(ctx context.Context, batches []batch) ([][]float32, error) {
	if len(batches) == 1 {
		return o.embedBatch(ctx, batches[0])
	}
	results, errs := make([][][]float32, len(batches)), make([]error, len(batches))
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(o.cfg.Workers)
	for i, b := range batches {
		g.Go(func() error {
			if errs[i] = gctx.Err(); errs[i] == nil {
				results[i], errs[i] = o.embedBatch(gctx, b)
			}
			return errs[i]
		})
	}
	// Wait has the error that came first in time; the first in order reads the
	// same when the same thing happens again.
	if err := g.Wait(); err != nil {
		for _, own := range errs {
			if own != nil && !errors.Is(own, context.Canceled) {
				return nil, own
			}
		}
		return nil, err
	}
	return slices.Concat(results...), nil
}

// embedBatch embeds a batch in one request, or in several if the server finds
// it too large or one of its texts too long.
func (o *OpenAI) embedBatch(ctx context.Context, b batch) ([][]float32, error) {
	if most := int(o.maxInputs.Load()); len(b.texts) > most {
		return o.embedParts(ctx, b, most)
	}
	asked := o.asked.Load()
	vecs, err := o.request(ctx, b, asked)
	if err == nil {
		return vecs, nil
	}
	n := len(b.texts)
	refusal := refusalOf(err)
	switch {
	case refusal.dimensions && asked != 0:
		// What comes without being asked for is cut here, or refused for its length.
		o.asked.Store(0)
		return o.embedBatch(ctx, b)
	case refusal.batch && n > 1:
		most := n / 2
		if refusal.most > 0 {
			most = min(refusal.most, n-1)
		}
		if !refusal.byTokens {
			o.learnMaxInputs(most)
		}
		return o.embedParts(ctx, b, most)
	case refusal.text && n > 1:
		return o.embedParts(ctx, b, (n+1)/2)
	case refusal.text:
		return o.embedShortened(ctx, b)
	}
	return nil, err
}

func (o *OpenAI) learnMaxInputs(most int) {
	for {
		known := o.maxInputs.Load()
		if int64(most) >= known || o.maxInputs.CompareAndSwap(known, int64(most)) {
			return
		}
	}
}

func (o *OpenAI) embedParts(ctx context.Context, b batch, size int) ([][]float32, error) {
	vecs := make([][]float32, 0, len(b.texts))
	for from := 0; from < len(b.texts); from += size {
		part, err := o.embedBatch(ctx, b.part(from, min(from+size, len(b.texts))))
		if err != nil {
			return nil, err
		}
		vecs = append(vecs, part...)
	}
	return vecs, nil
}

// embedShortened embeds the beginning of a text that the server found too long:
// as many tokens as the model is known to take, then ever half of that.
func (o *OpenAI) embedShortened(ctx context.Context, b batch) ([][]float32, error) {
	const shortest = 64 // bytes; a server that refuses this refuses everything
	text := b.texts[0]
	next := len(text) / 2
	if o.profile.MaxTokens > 0 {
		tok, err := o.tokenizer()
		if err != nil {
			return nil, err
		}
		most := o.profile.MaxTokens
		if own, ok := tok.(modelTokenizer); ok {
			most = max(0, most-own.special()) // they count for the model, too
		}
		if starts := tok.Starts(text); len(starts) > most {
			next = starts[most]
		}
	}
	for ; next >= shortest; next /= 2 {
		for next > 0 && !utf8.RuneStart(text[next]) {
			next--
		}
		text = text[:next]
		vecs, err := o.request(ctx, batch{first: b.first, texts: []string{text}, timeout: b.timeout}, o.asked.Load())
		if err == nil {
			o.truncated.Add(1)
			return vecs, nil
		}
		if !refusalOf(err).text {
			return nil, err
		}
	}
	return nil, &TooLongError{Index: b.first}
}

// request sends one batch and checks what comes back. It asks for vectors of some
// length, 0 for what the model has.
func (o *OpenAI) request(ctx context.Context, b batch, dimensions int64) ([][]float32, error) {
	call := remote.Call{Timeout: b.timeout}
	answer, err := o.api.CreateEmbeddings(remote.WithCall(ctx, &call), openai.EmbeddingRequest{
		Input:          b.texts,
		Model:          openai.EmbeddingModel(o.cfg.Model),
		EncodingFormat: openai.EmbeddingEncodingFormatFloat,
		Dimensions:     int(dimensions),
	})
	if err != nil {
		return nil, o.classify(ctx, err)
	}
	return o.check(answer.Data, call.Body, len(b.texts))
}

// wantedDimensions is what a request for vectors of some length asks for, 0 for
// nothing. Servers that do not know the field may refuse the request, so it is not
// sent without need.
func (o *OpenAI) wantedDimensions(dims int) int {
	p := o.profile
	if p.NoDimensions || dims == p.Dims || p.Dims > 0 && !p.Matryoshka {
		return 0
	}
	return dims
}
