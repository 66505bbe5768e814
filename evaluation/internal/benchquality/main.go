// Command benchquality measures how well retrieval ranks public test collections
// and compares the figures with what is known about them.
//
//	benchquality [-study] DIR...
//
// Each DIR holds a collection in the layout of the BEIR benchmark: corpus.jsonl,
// queries.jsonl, qrels/test.tsv. It is indexed with the built-in embedder into
// temporary files: each document as one chunk, which published figures are over,
// and then as the program does, of which the presets are asked as they are. With
// -study it compares ways to fuse the two arms instead: the settings are chosen on
// one collection and reported on the others.
//
// The exit code is 0 when all known targets hold, 1 when one is missed, and 2
// when something else is wrong. The same collections give the same output.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/webrag/webrag-tui/evaluation/exchange"
)

// errMissed says that a collection was ranked worse than it should be.
var errMissed = errors.New("a target is missed")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	switch {
	case err == nil:
	case errors.Is(err, errMissed):
		fmt.Fprintln(os.Stderr, "benchquality:", err)
		os.Exit(1)
	default:
		fmt.Fprintln(os.Stderr, "benchquality:", err)
		os.Exit(2)
	}
}

func run(ctx context.Context, args []string, out io.Writer) (err error) {
	flags := flag.NewFlagSet("benchquality", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	asStudy := flags.Bool("study", false, "compare ways to fuse the arms")
	if err := flags.Parse(args); err != nil {
		return err
	}
	dirs := flags.Args()
	switch {
	case len(dirs) == 0:
		return errors.New("name at least one folder with corpus.jsonl, queries.jsonl and qrels/test.tsv: make bench-quality BEIR=\"DIR ...\"")
	case *asStudy && len(dirs) < 2:
		return errors.New("a setting is chosen on one collection and reported on another: name two folders at least")
	}
	temp, err := os.MkdirTemp("", "benchquality")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()

	var all []*corpus
	defer func() {
		for _, k := range all {
			err = errors.Join(err, k.store.Close())
		}
	}()
	for i, dir := range dirs {
		c, err := exchange.ReadCollection(os.DirFS(dir), "")
		if err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
		if len(c.Judged()) == 0 {
			return fmt.Errorf("%s: no query has a relevant document, so there is nothing to measure", dir)
		}
		k, err := index(ctx, filepath.Join(temp, fmt.Sprint(i, ".db")), filepath.Base(filepath.Clean(dir)), c)
		if err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
		all = append(all, k)
	}
	if *asStudy {
		return study(ctx, all, out)
	}
	return measureAll(ctx, all, out)
}
