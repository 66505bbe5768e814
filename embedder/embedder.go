// Package embedder turns texts into unit vectors and counts their tokens.
//
// It has three embedders: a built-in one that needs no files and no network
// ([NewBuiltin]), static models from a folder ([LoadModel2Vec]), and a client for
// servers that speak the OpenAI embeddings protocol ([NewOpenAI]). They keep one
// contract: vectors come back finite, of one dimension, with length one, in the
// order of their texts, all or none. Only the first two may return a vector of
// zeros, for a text without any word that they know. [NewCached] remembers the
// vectors of queries.
//
// The tokenizers in this package say how long a text is to a model and where
// each token begins; they are paired with the embedding models.
package embedder

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/webrag/webrag-tui/remote"
)

// Role says what a text is, because some models prefix queries and documents
// differently.
type Role int

// The roles.
const (
	RoleDocument Role = iota
	RoleQuery
)

// Info describes an embedder.
type Info struct {
	// ID is the key of everything made with it: provider, model, dimensions,
	// truncation, prefixes and the hash of its tables.
	ID    string
	Model string
	Dims  int
	// MaxTokens is the longest input in tokens, 0 without a limit.
	MaxTokens int
	// Tokenizer is the id of the paired tokenizer.
	Tokenizer string
	// Lexical says that it finds word forms and spellings, not synonyms.
	Lexical bool
	// InProcess says that embedding costs neither money nor waiting.
	InProcess bool
}

// Embedder turns texts into vectors. It may be used from several goroutines.
type Embedder interface {
	Info() Info
	// EmbedMany returns one vector for each text, in order; after a failure it
	// returns none. Blank texts are an EmptyInputError.
	EmbedMany(ctx context.Context, texts []string, role Role) ([][]float32, error)
	// EmbedOne embeds a single text; retrieval calls nothing else.
	EmbedOne(ctx context.Context, text string, role Role) ([]float32, error)
}

// Errors of embedding servers that callers tell apart.
var (
	// ErrUnavailable marks a failure that may pass: exit code 3.
	ErrUnavailable = errors.New("the embedding server is not available")
	// ErrAuth is a missing or rejected key.
	ErrAuth = errors.New("the embedding server rejected the key")
	// ErrModelNotFound is a model that the server does not have.
	ErrModelNotFound = errors.New("the embedding server does not know the model")
	// ErrQuota is an exhausted account: waiting does not help.
	ErrQuota = errors.New("the account's quota is used up")
)

// EmptyInputError reports a blank text, found before any request.
type EmptyInputError struct{ Index int }

func (e *EmptyInputError) Error() string { return fmt.Sprintf("text %d is blank", e.Index) }

// RateLimitError reports that the server asked for a longer pause than is
// waited for.
type RateLimitError struct{ After time.Duration }

func (e *RateLimitError) Error() string {
	return "the embedding server " + remote.Pause(e.After) + ": try again then"
}

// Unwrap makes it an ErrUnavailable.
func (e *RateLimitError) Unwrap() error { return ErrUnavailable }

// TooLongError reports an input over the model's limit.
type TooLongError struct{ Index int }

func (e *TooLongError) Error() string {
	return fmt.Sprintf("text %d is longer than the model's limit", e.Index)
}

// DimensionError reports vectors of another dimension than expected.
type DimensionError struct{ Want, Got int }

func (e *DimensionError) Error() string {
	return fmt.Sprintf("the embedding server returned %d dimensions, expected %d; set EMBEDDING_DIMENSIONS=%d, or choose another model", e.Got, e.Want, e.Got)
}

// BadResponseError reports an answer that must not be used.
type BadResponseError struct{ Why string }

func (e *BadResponseError) Error() string {
	return "the embedding server's answer is unusable: " + e.Why + "; its log may say why, and another model may help"
}

// Tokenizer counts a text's tokens and says where they begin. It may be used
// from several goroutines.
type Tokenizer interface {
	// ID names the vocabulary: "cl100k_base", "o200k_base", "approx:cl100k", or
	// "hf:" or "wordpiece:" and a hash.
	ID() string
	// Exact is false when counts are estimates, to be marked as such.
	Exact() bool
	Count(text string) int
	// Starts returns the byte offset of each token's first byte, ascending.
	Starts(text string) []int
}
