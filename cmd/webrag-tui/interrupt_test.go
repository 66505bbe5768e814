package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// silent is a standard input on which nothing ever comes.
type silent struct{ waiting chan struct{} }

func (s silent) Read([]byte) (int, error) {
	close(s.waiting)
	select {}
}

func TestWaitingForStandardInputCanBeInterrupted(t *testing.T) {
	dir := t.TempDir()
	corpus, page := filepath.Join(dir, "c.db"), filepath.Join(dir, "page.md")
	if err := os.WriteFile(page, []byte("# Page\n\nA page.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := commandLine(t, nil, "index", "--corpus", corpus, page); code != exitFine {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	fresh := filepath.Join(dir, "fresh.db")
	for _, args := range [][]string{
		{"query", "--corpus", corpus, "-"},
		{"index", "--corpus", corpus, "-"},
		{"index", "--corpus", fresh, "-"},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		in := silent{make(chan struct{})}
		go func() {
			<-in.waiting
			cancel()
		}()
		var out bytes.Buffer
		code := run(ctx, process{args: args, in: in, out: &out, err: &out, now: time.Now})
		cancel()
		if code != exitInterrupted || out.Len() > 0 {
			t.Errorf("%v: exit code %d, said %q", args, code, out.String())
		}
	}
	if corpusExists(fresh) {
		t.Error("an interrupted run left an empty corpus")
	}
}

// program starts the real program, to be sent signals.
func program(t *testing.T, environ []string, args ...string) (cmd *exec.Cmd, in io.WriteCloser, out io.Reader) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no signals to send")
	}
	// A limit for what hangs: a program that is deaf to signals must fail its test.
	ctx, cancel := context.WithTimeout(t.Context(), screenDeadline)
	t.Cleanup(cancel)
	cmd = exec.CommandContext(ctx, "webrag-tui", args...)
	home := t.TempDir()
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_STATE_HOME="+home)
	cmd.Env = append(cmd.Env, environ...)
	cmd.Dir = home
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err = cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, in, out
}

func TestInterruptWhileWaitingForQueries(t *testing.T) {
	dir := t.TempDir()
	corpus, page := filepath.Join(dir, "c.db"), filepath.Join(dir, "page.md")
	if err := os.WriteFile(page, []byte("# Page\n\nA page.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := commandLine(t, nil, "index", "--corpus", corpus, page); code != exitFine {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	cmd, in, out := program(t, nil, "query", "--corpus", corpus, "--json", "-")
	if _, err := io.WriteString(in, "a page\n"); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exitInterrupted {
		t.Errorf("exit code %d", code)
	}
}

func TestInterruptWhileIndexing(t *testing.T) {
	dir := t.TempDir()
	corpus, site := filepath.Join(dir, "c.db"), filepath.Join(dir, "site")
	if err := os.Mkdir(site, 0o755); err != nil {
		t.Fatal(err)
	}
	// More passages than are embedded in one go, so that some are stored already.
	for _, name := range []string{"a.md", "b.md", "c.md"} {
		var page strings.Builder
		for i := range 600 {
			page.WriteString("## Section " + name + " " + strings.Repeat("x", i) + "\n\nText.\n\n")
		}
		if err := os.WriteFile(filepath.Join(site, name), []byte(page.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var requests atomic.Int64
	var hang atomic.Bool
	hang.Store(true)
	stuck, free := make(chan struct{}), make(chan struct{})
	url := embeddingServer(t, 8, func(http.ResponseWriter, int) bool {
		if requests.Add(1) == 7 && hang.Load() {
			close(stuck)
			<-free
		}
		return false
	})
	env := []string{"EMBEDDING_BASE_URL=" + url, "EMBEDDING_MODEL=m", "EMBEDDING_DIMENSIONS=8", "EMBEDDING_MAX_WORKERS=1"}
	cmd, _, out := program(t, env, "index", "--corpus", corpus, site)
	var stderr bytes.Buffer
	go func() {
		<-stuck
		_ = cmd.Process.Signal(os.Interrupt)
	}()
	_, _ = io.Copy(&stderr, out)
	_ = cmd.Wait()
	close(free)
	if code := cmd.ProcessState.ExitCode(); code != exitInterrupted {
		t.Errorf("exit code %d", code)
	}
	hang.Store(false)
	code, said, narration := commandLine(t, env, "index", "--corpus", corpus, site)
	if code != exitFine || !strings.Contains(said, "3 pages") {
		t.Errorf("the corpus cannot be finished: exit code %d: %s%s", code, said, narration)
	}
	if code, out, stderr := commandLine(t, env, "query", "--corpus", corpus, "--set", "similarity_floor=-1", "--mode", "chunk", "Section"); code != exitFine {
		t.Errorf("the corpus cannot be asked: exit code %d: %s%s", code, out, stderr)
	}
}
