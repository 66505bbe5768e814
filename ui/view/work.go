package view

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"
)

// errSuperseded is the cause with which work is cancelled for newer work of its kind.
var errSuperseded = errors.New("superseded")

// Work is one kind of waiting that is not the session's: for a text to be rendered, for
// typing to rest, for a line to fade. Newer work of the kind, and End, cancel what is
// under way and drop what it brings. It stays where it is: its messages point to it.
type Work struct {
	// Gen is its generation: that of an older one is not waited for any more.
	Gen    int
	cancel context.CancelCauseFunc
}

// Run runs work beside the screen. What it returns is done in the loop, unless the work is
// over by then; nil is nothing.
func (w *Work) Run(ctx context.Context, run func(context.Context) (then func() tea.Cmd)) tea.Cmd {
	ctx, gen := w.Begin(ctx)
	return func() tea.Msg { return arrival{w, gen, run(ctx)} }
}

// Rest has something done after a pause. after is that of the shell.
func (w *Work) Rest(after func(time.Duration, tea.Msg) tea.Cmd, pause time.Duration, then func() tea.Cmd) tea.Cmd {
	w.End()
	return after(pause, arrival{w, w.Gen, then})
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
		w.cancel(errSuperseded)
		w.cancel = nil
	}
	w.Gen++
}

// arrival ends work.
type arrival struct {
	of   *Work
	gen  int
	then func() tea.Cmd
}

// Apply implements [Arrival].
func (a arrival) Apply() tea.Cmd {
	if a.then == nil || a.gen != a.of.Gen {
		return nil
	}
	return a.then()
}
