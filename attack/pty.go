//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// terminal is the program in a terminal that keeps what it is sent.
type terminal struct {
	outcome
	cmd     *exec.Cmd
	master  *os.File
	before  unix.Termios
	watched func() (overdue bool, peak int64)
	ended   chan struct{} // closed with the process
	heard   chan struct{} // closed when all that was sent is read

	mu   sync.Mutex
	sent bytes.Buffer // since the last look
	all  bytes.Buffer
	last time.Time // of a byte
}

// open starts the program in a terminal of 120 by 40.
func (t *try) open(c call) *terminal {
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	must(err)
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	must(err)
	must(unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0))
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	must(err)
	defer slave.Close()
	// Another descriptor, since Fd has made this one block its readers for ever.
	x := &terminal{outcome: outcome{call: c}, master: master, ended: make(chan struct{}), heard: make(chan struct{}), last: time.Now()}
	x.resize(120, 40)
	before, err := unix.IoctlGetTermios(int(slave.Fd()), unix.TCGETS)
	must(err)
	x.before = *before
	x.cmd = exec.Command(t.bin, c.args...)
	x.cmd.Dir = t.dir
	if c.dir != "" {
		x.cmd.Dir = c.dir
	}
	// No other program can be started from inside, so that keys start none.
	x.cmd.Env = append(append(t.home(), "PATH=", "EDITOR=", "BROWSER="), c.env...)
	x.cmd.Stdin, x.cmd.Stdout, x.cmd.Stderr = slave, slave, slave
	x.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Pdeathsig: syscall.SIGKILL}
	must(x.cmd.Start())
	x.watched = watch(t.ctx, x.cmd.Process, c.most)
	go x.read()
	go func() {
		_ = x.cmd.Wait() // the state says more
		close(x.ended)
	}()
	return x
}

func (x *terminal) read() {
	defer close(x.heard)
	buf := make([]byte, 64<<10)
	for {
		n, err := x.master.Read(buf)
		x.mu.Lock()
		x.sent.Write(buf[:n])
		if room := mostOutput - x.all.Len(); room > 0 {
			x.all.Write(buf[:min(n, room)])
		}
		x.last = time.Now()
		x.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// resize tells the program a new size.
func (x *terminal) resize(cols, rows uint16) {
	_ = unix.IoctlSetWinsize(int(x.master.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Col: cols, Row: rows})
}

// keys types.
func (x *terminal) keys(s string) {
	if x.gone() {
		return
	}
	// The terminal takes 4 KB before its reader reads.
	for len(s) > 0 && !x.gone() {
		n := min(len(s), 1024)
		if _, err := x.master.WriteString(s[:n]); err != nil {
			return
		}
		s = s[n:]
	}
}

// gone says whether the program has ended.
func (x *terminal) gone() bool {
	select {
	case <-x.ended:
		return true
	default:
		return false
	}
}

// until waits for the program to draw one of some words, and says whether it did.
func (x *terminal) until(most time.Duration, words ...string) bool {
	for end := time.Now().Add(most); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		x.mu.Lock()
		drawn := letters(x.sent.String())
		x.mu.Unlock()
		for _, w := range words {
			if strings.Contains(drawn, w) {
				return true
			}
		}
		if x.gone() {
			return false
		}
	}
	return false
}

// forget begins a new look at what is drawn.
func (x *terminal) forget() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.sent.Reset()
}

// tail is the end of what was drawn.
func (x *terminal) tail() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	drawn := strings.Join(strings.Fields(letters(x.all.String())), " ")
	return brief(drawn[max(0, len(drawn)-300):])
}

// settle waits until nothing was drawn for a moment. It always waits as long, so
// that esc and the next key are not taken for one.
func (x *terminal) settle(quiet time.Duration) {
	time.Sleep(quiet)
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end) && !x.gone(); time.Sleep(quiet / 4) {
		x.mu.Lock()
		idle := time.Since(x.last)
		x.mu.Unlock()
		if idle > quiet {
			return
		}
	}
}

// letters are the words among the sequences.
func letters(raw string) string { return sequence.ReplaceAllString(raw, "") }

// quit asks the program to end, and kills it where it does not.
func (x *terminal) quit(ctx context.Context) {
	for range 3 {
		x.keys("\x03")
		select {
		case <-x.ended:
			return
		case <-ctx.Done():
		case <-time.After(3 * time.Second):
		}
	}
}

// close waits for the program's end, and says how it was.
func (x *terminal) close() outcome {
	select {
	case <-x.ended:
	case <-time.After(time.Second):
		x.overdue = true
		_ = x.cmd.Process.Kill()
		<-x.ended
	}
	late, peak := x.watched()
	x.overdue, x.peak = x.overdue || late, peak
	select {
	case <-x.heard:
	case <-time.After(2 * time.Second):
	}
	x.mu.Lock()
	x.out = x.all.String()
	x.mu.Unlock()
	x.outcome.ended(x.cmd.ProcessState)
	x.took = x.cmd.ProcessState.UserTime() + x.cmd.ProcessState.SystemTime()
	return x.outcome
}

// screenModes are those that the explorer sets; 25, the cursor, is set when it
// is as it was.
var screenModes = regexp.MustCompile(`\x1b\[\?([0-9;]+)([hl])`)

// given says what is wrong with a terminal that the program has left: it is given
// back as it was, on every way out.
func (x *terminal) given() error {
	on := map[string]bool{}
	for _, at := range screenModes.FindAllStringSubmatch(x.out, -1) {
		for mode := range strings.SplitSeq(at[1], ";") {
			on[mode] = at[2] == "h"
		}
	}
	for _, mode := range []string{"1000", "1002", "1003", "1006", "1004", "1049", "2004"} {
		if on[mode] {
			return x.wrong("left the terminal in mode %s", mode)
		}
	}
	if shown, touched := on["25"]; touched && !shown {
		return x.wrong("left the terminal without a cursor")
	}
	if after, err := unix.IoctlGetTermios(int(x.master.Fd()), unix.TCGETS); err == nil && after.Lflag != x.before.Lflag {
		return x.wrong("left the terminal in raw mode")
	}
	return nil
}

// end quits, and says what was wrong with the whole session.
func (x *terminal) end(ctx context.Context) error {
	x.quit(ctx)
	o := x.close()
	defer x.master.Close()
	switch {
	case o.peak > mostMemory:
		return o.wrong("took %d MB of memory", o.peak>>20)
	case crash.MatchString(letters(o.out)):
		said := letters(o.out)
		return o.wrong("crashed: %s", brief(said[crash.FindStringIndex(said)[0]:]))
	case o.overdue:
		return o.wrong("does not end when it is asked to")
	case o.signal != 0:
		return o.wrong("ended by %s", o.signal)
	}
	if err := drawn(o.out); err != nil {
		return o.wrong("%v", err)
	}
	return x.given()
}
