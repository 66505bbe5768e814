// Command webrag-tui is a terminal laboratory for retrieval: it opens a corpus,
// sends a query through the pipeline that feeds a language model, and shows why
// it returned what it returned.
//
// This package holds flags, wiring and exit codes. What the program does is in
// the packages beside it.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/webrag/webrag-tui/cmd/webrag-tui/internal/guard"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/remote"
)

// version is set when a release is built.
var version = "dev"

func main() {
	guard.Watch()
	ctx, stop := signal.NotifyContext(context.Background(), ending()...)
	// The first signal ends the work in order. From then on signals have their
	// usual effect, so that a second one ends a program that does not listen.
	context.AfterFunc(ctx, stop)
	code := run(ctx, process{
		args: os.Args[1:], in: os.Stdin, out: os.Stdout, err: os.Stderr,
		environ: os.Environ(), now: time.Now,
	})
	stop()
	os.Exit(code)
}

// ending are the signals that end the program in order. A hang-up is one of them
// unless the program was started to outlive it, as by nohup.
func ending() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

// process is the world that the program runs in, so that tests can be one.
type process struct {
	args     []string
	in       io.Reader
	out, err io.Writer
	environ  []string
	now      func() time.Time
}

// run executes one command line and returns its exit code.
func run(ctx context.Context, p process) int {
	a := newApp(p)
	root := newRoot(a)
	root.AddCommand(newMan(a))
	root.SetArgs(p.args)
	root.SetIn(p.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	err := root.ExecuteContext(remote.WithWaiting(ctx, a.tellWait))
	if out, ok := a.out.(*offset.Writer); ok && err == nil && out.Err() != nil {
		err = fmt.Errorf("the output is not whole: %w", out.Err())
	}
	tell(a.err, err)
	code := exitCode(err)
	if ctx.Err() != nil && err != nil {
		code = exitInterrupted
	}
	a.closeLog(code, err)
	return code
}
