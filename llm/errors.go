package llm

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/webrag/webrag-tui/remote"
)

// The kinds of failure that a caller may decide by. The errors wrapped beside
// them say what the server said, redacted.
var (
	// ErrUnavailable is a server that cannot be reached or is overloaded; the
	// same request may succeed later.
	ErrUnavailable = errors.New("the model server is unavailable")
	// ErrAuth is a missing or rejected key.
	ErrAuth = errors.New("the model server rejected the key")
	// ErrModelNotFound is a model that the server does not have.
	ErrModelNotFound = errors.New("the model server does not know the model")
	// ErrQuota is an exhausted account: waiting does not help.
	ErrQuota = errors.New("the account's quota is used up")
)

// RateLimitError reports that the server asked for a longer pause than is waited
// for.
type RateLimitError struct{ After time.Duration }

func (e *RateLimitError) Error() string {
	return "the model server " + remote.Pause(e.After) + ": try again then"
}

// Unwrap makes it an ErrUnavailable.
func (e *RateLimitError) Unwrap() error { return ErrUnavailable }

// BadResponseError reports an answer that must not be used.
type BadResponseError struct{ Why string }

func (e *BadResponseError) Error() string { return "the model server's answer is unusable: " + e.Why }

func bad(format string, args ...any) error {
	return &BadResponseError{Why: fmt.Sprintf(format, args...)}
}

// classify gives an error of a request the kind that callers ask for. Its text
// stays that of the HTTP layer, which is free of secrets.
func classify(ctx context.Context, err error) error {
	if ctxErr := ctx.Err(); ctxErr != nil {
		return ctxErr
	}
	var status *remote.StatusError
	if errors.As(err, &status) {
		return classifyStatus(status)
	}
	var transport *remote.TransportError
	if errors.As(err, &transport) && transport.IsTemporary() {
		return fmt.Errorf("%w: %w", ErrUnavailable, transport)
	}
	return err
}

func classifyStatus(e *remote.StatusError) error {
	switch {
	case e.IsQuota():
		return fmt.Errorf("%w: %w", ErrQuota, e)
	case e.Status == http.StatusUnauthorized, e.Status == http.StatusForbidden:
		return fmt.Errorf("%w: %w", ErrAuth, e)
	case isUnknownModel(e):
		return fmt.Errorf("%w: %w", ErrModelNotFound, e)
	case e.Status == http.StatusNotFound:
		return fmt.Errorf("%w (is the base URL right?)", e)
	case e.IsTemporary() && e.RetryAfter > 0:
		return fmt.Errorf("%w: %w", &RateLimitError{After: e.RetryAfter}, e)
	case e.IsTemporary():
		return fmt.Errorf("%w: %w", ErrUnavailable, e)
	}
	return e
}

// isUnknownModel tells an unknown model from an unknown path, which have the
// same status.
func isUnknownModel(e *remote.StatusError) bool {
	return e.Code == "model_not_found" || e.Status == http.StatusNotFound && says(e, "model")
}

// says reports whether a server's refusal has one of the words, which are lower
// case. Codes differ from server to server and are often missing, so words have
// to do.
func says(e *remote.StatusError, words ...string) bool {
	said := strings.ToLower(e.Message + " " + e.Code + " " + e.Type)
	for _, word := range words {
		if strings.Contains(said, word) {
			return true
		}
	}
	return false
}
