package embedder

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/webrag/webrag-tui/remote"
)

// classify gives an error of a request the kind that callers ask for. Its text
// stays that of the HTTP layer, which is free of secrets.
func (o *OpenAI) classify(ctx context.Context, err error) error {
	if ctxErr := ctx.Err(); ctxErr != nil {
		return ctxErr
	}
	var status *remote.StatusError
	if errors.As(err, &status) {
		return classifyStatus(status)
	}
	var transport *remote.TransportError
	if errors.As(err, &transport) {
		if transport.IsTemporary() {
			return fmt.Errorf("%w: %w", ErrUnavailable, transport)
		}
		return transport
	}
	// What is left is the decoder's: the answer was complete, but not JSON. Its
	// text may quote the answer.
	return bad("it is not the expected JSON")
}

func classifyStatus(e *remote.StatusError) error {
	switch {
	case e.IsQuota():
		return fmt.Errorf("%w: %w", ErrQuota, e)
	case e.Status == http.StatusUnauthorized, e.Status == http.StatusForbidden:
		return fmt.Errorf("%w: %w", ErrAuth, e)
	case e.Code == "model_not_found", e.Status == http.StatusNotFound && contains(e.Message, "model"):
		return fmt.Errorf("%w: %w", ErrModelNotFound, e)
	case e.Status == http.StatusNotFound:
		return fmt.Errorf("%w (is the base URL right? It ends in /v1 for most servers)", e)
	case e.IsTemporary() && e.RetryAfter > 0:
		return fmt.Errorf("%w: %w", &RateLimitError{After: e.RetryAfter}, e)
	case e.IsTemporary():
		return fmt.Errorf("%w: %w", ErrUnavailable, e)
	}
	return e
}

// refusal says why a server would not take a request that is right in itself.
type refusal struct {
	text       bool // a text is too long
	batch      bool // there are too many texts
	most       int  // how many it takes, if it said so
	byTokens   bool // it is their sum, which says nothing of other batches
	dimensions bool // it does not know the field of that name
}

// The code of these errors differs from server to server and is often missing,
// so their words have to do: those of OpenAI, vLLM, Ollama, TEI and llama.cpp.
var (
	tooLongWords = []string{
		"maximum context length", "context length", "must have less than", "maximum input length",
		"too large to process", "input is too long", "too many tokens", "reduce the length", "longer than the maximum",
	}
	dimensionWords = []string{"dimensions", "matryoshka"}
	tokenSumWords  = []string{"tokens per request", "max_tokens_per_request"}
	batchSizeWords = []string{"batch size", "array too long", "in one batch", "too many inputs"}
	batchLimit     = regexp.MustCompile(`(?i)(?:maximum (?:allowed )?(?:batch size|length)|at most)\D{0,3}(\d{1,5})`)
)

// refusalOf recognises the refusals that sending less will cure.
func refusalOf(err error) refusal {
	var status *remote.StatusError
	if !errors.As(err, &status) {
		return refusal{}
	}
	said := status.Message + " " + status.Code + " " + status.Type
	switch status.Status {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity, http.StatusInternalServerError:
	default:
		return refusal{}
	}
	switch {
	case contains(said, tokenSumWords...):
		return refusal{batch: true, text: true, byTokens: true}
	// llama.cpp speaks of its batch size when a single text is too long.
	case contains(said, "too large to process"):
		return refusal{text: true}
	case contains(said, batchSizeWords...):
		r := refusal{batch: true}
		if m := batchLimit.FindStringSubmatch(said); m != nil {
			r.most, _ = strconv.Atoi(m[1])
		}
		return r
	case contains(said, tooLongWords...):
		return refusal{text: true}
	case contains(said, dimensionWords...):
		return refusal{dimensions: true}
	case status.Status == http.StatusRequestEntityTooLarge:
		return refusal{batch: true, text: true, byTokens: true}
	}
	return refusal{}
}

func contains(s string, words ...string) bool {
	s = strings.ToLower(s)
	for _, word := range words {
		if strings.Contains(s, word) {
			return true
		}
	}
	return false
}
