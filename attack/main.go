//go:build linux

// Command attack builds the program and attacks it from outside, as strangers'
// pages, corpora, folders, servers and keys would, and prints what held.
//
//	go run ./attack                        # all families, in about ten minutes
//	go run ./attack -family damage -n 5    # five times as many of one
//	go run ./attack -family damage -seed 7 -only 31   # one attempt again
//
// It looks at nothing but the program's documented behaviour: what it prints,
// how it ends, what it leaves in files, and what it takes of time and memory. It
// exits with 1 if anything gave way.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code, err := command(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "attack:", err)
	}
	os.Exit(code)
}

// command does what the arguments ask for, and returns the exit code: 0 if
// everything held, 1 if something gave way, 2 if that could not be found out.
func command(ctx context.Context, args []string, out, errs io.Writer) (int, error) {
	flags := flag.NewFlagSet("attack", flag.ContinueOnError)
	flags.SetOutput(errs)
	var (
		names   = flags.String("family", "", "attack with these families only, with commas between")
		factor  = flags.Float64("n", 1, "make this many times as many attempts")
		seed    = flags.Uint64("seed", 0, "repeat what a run of this seed drew (default: the time)")
		only    = flags.Int("only", 0, "make only this attempt of each family, from 1")
		most    = flags.Duration("time", 12*time.Minute, "make no attempt that would begin later than this")
		bin     = flags.String("bin", "", "attack this program (default: build ./cmd/webrag-tui)")
		write   = flags.String("write", "", "put the table into this file, between its marks")
		list    = flags.Bool("list", false, "list the families")
		quietly = flags.Bool("quiet", false, "print no progress")
	)
	if err := flags.Parse(args); err != nil {
		return 2, nil // the flag set has said it
	}
	chosen, err := choose(*names)
	if err != nil {
		return 2, err
	}
	if *list {
		for _, f := range chosen {
			fmt.Fprintf(out, "%-10s %5d  %s\n", f.name, f.count, f.tries)
		}
		return 0, nil
	}
	if *write != "" && (*names != "" || *only != 0 || *factor < 1) {
		return 2, fmt.Errorf("-write wants a whole run: leave out -family, -only and an -n below 1")
	}
	dir, err := os.MkdirTemp("", "attack")
	if err != nil {
		return 2, err
	}
	defer func() {
		_ = exec.Command("chmod", "-R", "u+w", dir).Run() // an attempt may have left folders that are read-only
		_ = os.RemoveAll(dir)
	}()
	if *bin == "" {
		if *bin, err = build(ctx, dir); err != nil {
			return 2, err
		}
	}
	a := &arena{
		bin: *bin, dir: dir, seed: cmp.Or(*seed, uint64(time.Now().UnixNano()%1e9)), factor: *factor, only: *only,
		workers: runtime.NumCPU(), until: time.Now().Add(*most), say: errs,
	}
	if *quietly {
		a.say = io.Discard
	}
	fmt.Fprintf(a.say, "seed %d\n", a.seed)
	var rows []row
	for _, f := range chosen {
		r, err := a.attack(ctx, f)
		if err != nil {
			return 2, fmt.Errorf("%s: %w", f.name, err)
		}
		rows = append(rows, r)
	}
	fmt.Fprint(out, table(rows))
	if *write != "" {
		if err := writeTable(*write, rows); err != nil {
			return 2, err
		}
	}
	if slices.ContainsFunc(rows, func(r row) bool { return r.gaveWay > 0 }) {
		return 1, nil
	}
	if i := slices.IndexFunc(rows, func(r row) bool { return r.attempts == 0 }); i >= 0 {
		return 2, fmt.Errorf("%s was not tried: it needs what is missing here, or more time (-time)", rows[i].name)
	}
	return 0, nil
}

// choose returns the families of a list of names, all of them for none.
func choose(names string) ([]family, error) {
	if names == "" {
		return families, nil
	}
	var chosen []family
	for name := range strings.SplitSeq(names, ",") {
		i := slices.IndexFunc(families, func(f family) bool { return f.name == name })
		if i < 0 {
			return nil, fmt.Errorf("no family is called %q: -list lists them", name)
		}
		chosen = append(chosen, families[i])
	}
	return chosen, nil
}

// build makes the program of this module.
func build(ctx context.Context, dir string) (string, error) {
	bin := filepath.Join(dir, "webrag-tui")
	cmd := exec.CommandContext(ctx, "go", "build", "-o", bin, "github.com/webrag/webrag-tui/cmd/webrag-tui")
	if said, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the program: %w\n%s", err, said)
	}
	return bin, nil
}
