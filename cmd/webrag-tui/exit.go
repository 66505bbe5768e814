package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/ui"
)

// The exit codes are an interface: scripts decide by them.
const (
	exitFine = 0
	// exitNothing says that nothing was found or that a check fell short.
	exitNothing = 1
	// exitUsage is a mistake in flags, settings or input.
	exitUsage = 2
	// exitUnavailable is a backend that may come back.
	exitUnavailable = 3
	exitInterrupted = 130
)

// errNothing ends a command with exitNothing after it has said why itself.
var errNothing = errors.New("nothing found")

// orNothing is how a command ends that has printed what it found: with errNothing where
// that was nothing, and no other error comes before.
func orNothing(err error, isNothing bool) error {
	if err == nil && isNothing {
		return errNothing
	}
	return err
}

// exitCode maps an error to the code that scripts see.
func exitCode(err error) int {
	switch {
	case err == nil:
		return exitFine
	case errors.Is(err, errNothing):
		return exitNothing
	case errors.Is(err, context.Canceled), errors.Is(err, ui.ErrInterrupted):
		return exitInterrupted
	case errors.Is(err, embedder.ErrUnavailable), errors.Is(err, store.ErrUnavailable), errors.Is(err, store.ErrLocked):
		return exitUnavailable
	default:
		return exitUsage
	}
}

// tell prints an error for a person: one sentence a line, nothing in it that a
// terminal would obey.
func tell(w io.Writer, err error) {
	if code := exitCode(err); code == exitFine || code == exitNothing || code == exitInterrupted {
		return
	}
	for line := range strings.Lines(err.Error()) {
		fmt.Fprintln(w, "webrag-tui: "+offset.Line(strings.TrimRight(line, "\n")))
	}
}
