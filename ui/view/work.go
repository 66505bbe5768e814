package view

import (
	"context"
	"errors"
)

// ErrSuperseded is the cause with which work is cancelled for newer work of its kind.
var ErrSuperseded = errors.New("superseded")

// Work is one kind of waiting: its generation and how to cancel it.
type Work struct {
	Gen    int
	cancel context.CancelCauseFunc
}

// Begin cancels the work under way and returns the context of new work, and its
// generation.
func (w *Work) Begin(ctx context.Context) (context.Context, int) {
	w.End()
	ctx, w.cancel = context.WithCancelCause(ctx)
	return ctx, w.Gen
}

// End cancels the work under way; its answer will be of an old generation.
func (w *Work) End() {
	if w.cancel != nil {
		w.cancel(ErrSuperseded)
		w.cancel = nil
	}
	w.Gen++
}

// Keep leaves alone what the work has brought, which lives on in its context.
func (w *Work) Keep() { w.cancel = nil }
