package view

import (
	"context"
	"errors"
)

// Work is one kind of waiting: its generation and how to cancel it.
type Work struct {
	// Gen is the generation of what was begun last. An answer of an older one is dropped.
	Gen    int
	cancel context.CancelCauseFunc
}

// errSuperseded is the cause with which work is cancelled for newer work of its kind.
var errSuperseded = errors.New("superseded")

// Begin cancels the work under way and returns the context and the generation of new work.
func (w *Work) Begin(ctx context.Context) (context.Context, int) {
	w.End()
	ctx, w.cancel = context.WithCancelCause(ctx)
	return ctx, w.Gen
}

// End cancels the work under way; its answer will be of an old generation.
func (w *Work) End() {
	if w.cancel != nil {
		w.cancel(errSuperseded)
		w.cancel = nil
	}
	w.Gen++
}
