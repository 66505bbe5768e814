//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// drawn is output that tells when something was drawn.
type drawn struct {
	all   bytes.Buffer
	words string
	seen  chan struct{}
}

func (d *drawn) Write(p []byte) (int, error) {
	had := bytes.Contains(d.all.Bytes(), []byte(d.words))
	d.all.Write(p)
	if !had && bytes.Contains(d.all.Bytes(), []byte(d.words)) {
		close(d.seen)
	}
	return len(p), nil
}

// A request to end ends the explorer, always and with one exit code, whatever it
// does just then. It needs script(1), as [TestErrorsAndHelpAskTheTerminalNothing].
func TestSignalsEndTheExplorerEveryTime(t *testing.T) {
	script, err := exec.LookPath("script")
	if err != nil || exec.Command(script, "-qec", "true", "/dev/null").Run() != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("script(1) of util-linux is missing, and CI must look at a terminal")
		}
		t.Skip("there is no script(1) of util-linux")
	}
	// Under nohup hangups are ignored, which children inherit, but for what has a handler.
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	defer signal.Stop(hangups)
	times := 20
	if testing.Short() {
		times = 4 // each signal once: what races does so every time
	}
	for i := range times {
		sent := []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGTERM, syscall.SIGINT}[i%4]
		t.Run(fmt.Sprint(i, " ", sent), func(t *testing.T) {
			home := t.TempDir()
			ctx, cancel := context.WithTimeout(t.Context(), screenDeadline/4)
			defer cancel()
			cmd := exec.CommandContext(ctx, script, "-qec", "echo $$ >pid; exec webrag-tui demo", "/dev/null")
			cmd.Dir = home
			cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_STATE_HOME="+home, "TERM=xterm-256color", "SHELL=/bin/sh")
			out := &drawn{words: "guide", seen: make(chan struct{})}
			in, err := cmd.StdinPipe() // open, for script(1) ends with its input
			if err != nil {
				t.Fatal(err)
			}
			defer in.Close()
			cmd.Stdout, cmd.Stderr, cmd.WaitDelay = out, io.Discard, time.Second
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			select {
			case <-out.seen:
			case <-ctx.Done():
			}
			text, err := os.ReadFile(filepath.Join(home, "pid"))
			var pid int
			if _, scanned := fmt.Sscan(strings.TrimSpace(string(text)), &pid); err != nil || scanned != nil {
				t.Fatal(err, scanned)
			}
			if err := syscall.Kill(pid, sent); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait()
			if ctx.Err() != nil {
				_ = syscall.Kill(pid, syscall.SIGKILL)
				t.Fatal("it did not end")
			}
			if code := cmd.ProcessState.ExitCode(); code != exitInterrupted {
				t.Errorf("exit code %d", code)
			}
		})
	}
}
