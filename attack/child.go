//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// The bounds of one run of the program. They are far beyond what it takes when it
// is well, also on a busy machine: what breaks them hangs or grows without end.
const (
	mostTime   = 60 * time.Second
	mostMemory = 1 << 30 // bytes of resident memory
	mostOutput = 32 << 20
)

// call is one run of the program.
type call struct {
	bin   string // else the program under attack
	args  []string
	stdin string
	env   []string      // beside those that every run gets
	dir   string        // the working folder, else the attempt's
	most  time.Duration // else mostTime
	// during is called when the program runs, and may disturb it.
	during func(*os.Process)
}

// outcome is how a run ended.
type outcome struct {
	call
	code     int // -1 if a signal ended it
	signal   syscall.Signal
	out, err string
	peak     int64 // bytes of resident memory
	took     time.Duration
	overdue  bool
}

// run calls the program in the attempt's own home.
func (t *try) run(args ...string) outcome { return t.call(call{args: args}) }

func (t *try) call(c call) outcome {
	if c.bin == "" {
		c.bin = t.bin
	}
	cmd := exec.Command(c.bin, c.args...)
	cmd.Dir = c.dir
	if cmd.Dir == "" {
		cmd.Dir = t.dir
	}
	cmd.Env = append(t.home(), c.env...)
	cmd.Stdin = strings.NewReader(c.stdin)
	out, errs := &bounded{}, &bounded{}
	cmd.Stdout, cmd.Stderr = out, errs
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.WaitDelay = 5 * time.Second
	o := outcome{call: c}
	began := time.Now()
	must(cmd.Start())
	watched := watch(t.ctx, cmd.Process, c.most)
	if c.during != nil {
		c.during(cmd.Process)
	}
	_ = cmd.Wait() // the state says more
	o.took = time.Since(began)
	o.overdue, o.peak = watched()
	o.out, o.err = out.kept.String(), errs.kept.String()
	o.ended(cmd.ProcessState)
	return o
}

// ended fills in how a process ended.
func (o *outcome) ended(state *os.ProcessState) {
	o.code = state.ExitCode()
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() { //nolint:misspell // its name
		o.signal = status.Signal()
	}
}

// home is the environment of every run: nothing of the user's.
func (t *try) home() []string {
	env := []string{"PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "LANG=C.UTF-8", "HOME=" + t.dir}
	for _, name := range []string{"CONFIG", "CACHE", "DATA", "STATE"} {
		env = append(env, "XDG_"+name+"_HOME="+filepath.Join(t.dir, "home"))
	}
	return env
}

// watch kills a process that runs for too long or takes too much memory, and
// returns what says so afterwards, with the most memory that it had.
func watch(ctx context.Context, p *os.Process, most time.Duration) func() (overdue bool, peak int64) {
	if most == 0 {
		most = mostTime
	}
	var (
		late atomic.Bool
		peak atomic.Int64
	)
	done := make(chan struct{})
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		tick := time.NewTicker(10 * time.Millisecond)
		defer tick.Stop()
		end := time.After(most)
		for {
			select {
			case <-done:
				return
			case <-ctx.Done():
			case <-end:
				late.Store(true)
			case <-tick.C:
				if peak.Store(max(peak.Load(), resident(p.Pid))); peak.Load() <= mostMemory {
					continue
				}
			}
			_ = p.Kill()
			return
		}
	}()
	return func() (bool, int64) {
		close(done)
		<-gone
		return late.Load(), peak.Load()
	}
}

// resident is the memory that a process has now, in bytes; 0 if it is gone.
func resident(pid int) int64 {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	parts := strings.Fields(string(raw))
	if len(parts) < 2 {
		return 0
	}
	pages, err := strconv.ParseInt(parts[1], 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}

// bounded keeps the beginning of what is written to it.
type bounded struct{ kept bytes.Buffer }

func (b *bounded) Write(p []byte) (int, error) {
	if room := mostOutput - b.kept.Len(); room > 0 {
		b.kept.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

// crash is what only a program prints that lost control.
var crash = regexp.MustCompile(`(?m)^(panic: |fatal error: |runtime: |goroutine \d+ \[|SIG[A-Z]+: )|runtime error:|invalid memory address|index out of range`)

// said is the words of a run for a person, in one line.
func (o outcome) said() string { return brief(o.err) }

// wrong says how a run gave way.
func (o outcome) wrong(format string, args ...any) error {
	words := make([]string, len(o.args))
	for i, arg := range o.args {
		words[i] = brief(arg)
	}
	return fmt.Errorf("webrag-tui %s: %s", strings.Join(words, " "), fmt.Sprintf(format, args...))
}

// sound says what is wrong with a run, whatever it was to do: it ends by itself
// in time, within its memory, with an exit code that the program documents and,
// if that is no good one, a sentence; and prints nothing that a terminal obeys.
func (o outcome) sound() error {
	switch {
	case o.peak > mostMemory:
		return o.wrong("took %d MB of memory", o.peak>>20)
	case o.overdue:
		return o.wrong("had not ended after %s: %s", o.took.Round(time.Second), o.said())
	case crash.MatchString(o.err):
		return o.wrong("crashed: %s", brief(o.err[crash.FindStringIndex(o.err)[0]:]))
	case o.signal != 0:
		return o.wrong("ended by %s: %s", o.signal, o.said())
	case o.code != 0 && o.code != 1 && o.code != 2 && o.code != 3:
		return o.wrong("exit code %d: %s", o.code, o.said())
	case o.code >= 2 && strings.TrimSpace(o.err) == "":
		return o.wrong("exit code %d without a word", o.code)
	}
	if err := plain(o.out); err != nil {
		return o.wrong("standard output: %v", err)
	}
	if err := plain(o.err); err != nil {
		return o.wrong("standard error: %v", err)
	}
	return nil
}

// fine is sound, and the run did what it was to do.
func (o outcome) fine() error {
	if err := o.sound(); err != nil {
		return err
	}
	if o.code != 0 {
		return o.wrong("exit code %d: %s", o.code, o.said())
	}
	return nil
}

// refused is sound, and the run ended with a sentence and one of some exit codes.
func (o outcome) refused(codes ...int) error {
	if err := o.sound(); err != nil {
		return err
	}
	for _, code := range codes {
		if o.code == code {
			return nil
		}
	}
	return o.wrong("exit code %d, want one of %v: %s", o.code, codes, o.said())
}
