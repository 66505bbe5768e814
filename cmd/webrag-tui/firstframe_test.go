package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"
)

// What a start may take, in milliseconds: firstFrameBudget from the start of the process
// to the first frame, the corpus loads behind it; versionBudget of CPU for the command that
// does least, of which chroma's tables, which glamour links, are 9.
const (
	firstFrameBudget = 45
	versionBudget    = 20
)

// BenchmarkVersion measures the CPU of a command that does nothing but start.
func BenchmarkVersion(b *testing.B) {
	bin, err := builtProgram()
	if err != nil {
		b.Fatal(err)
	}
	var took []time.Duration
	for range max(40, b.N) {
		cmd := exec.Command(bin, "version")
		if err := cmd.Run(); err != nil {
			b.Fatal(err)
		}
		took = append(took, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "median_ms")
	b.ReportMetric(versionBudget, "budget_ms")
}

// BenchmarkFirstFrame starts the real program in a terminal and waits for the
// query's prompt. It needs script(1), which gives a program a terminal.
func BenchmarkFirstFrame(b *testing.B) {
	script, err := exec.LookPath("script")
	if err != nil {
		b.Skip("script(1) is missing")
	}
	bin, err := builtProgram()
	if err != nil {
		b.Fatal(err)
	}
	home := b.TempDir()
	var took []time.Duration
	for range max(10, b.N) {
		took = append(took, firstFrame(b, script, bin+" demo", home))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "median_ms")
	b.ReportMetric(firstFrameBudget, "budget_ms")
}

func firstFrame(b *testing.B, script, command, home string) time.Duration {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.Context(), 20*time.Second)
	defer cancel()
	// A terminal that nobody looks at has no size.
	cmd := exec.CommandContext(ctx, script, "-qfec", "stty cols 120 rows 40; exec "+command, "/dev/null")
	cmd.WaitDelay = time.Second
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CACHE_HOME="+home, "XDG_STATE_HOME="+home, "XDG_CONFIG_HOME="+home, "TERM=xterm-256color")
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	keys, err := cmd.StdinPipe() // stays open: its end would end the program
	if err != nil {
		b.Fatal(err)
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	defer func() {
		keys.Close()
		cancel() // it has shown what was asked
		_ = cmd.Wait()
	}()
	var seen []byte
	buf := make([]byte, 32<<10)
	for {
		n, err := out.Read(buf)
		seen = append(seen, buf[:n]...)
		if bytes.Contains(seen, []byte("❯")) {
			return time.Since(start)
		}
		if err != nil {
			b.Fatalf("the program ended before its first frame: %v\n%q", err, seen)
		}
	}
}
