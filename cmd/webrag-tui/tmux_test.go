package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// screenDeadline bounds the wait for the real program in a real terminal. It is
// a limit for what hangs, not a measurement.
const screenDeadline = 2 * time.Minute

// terminal is a shell in tmux, so that a person's use of the program can be
// repeated: start it, type, resize, suspend, come back and quit.
type terminal struct {
	t    *testing.T
	sock string
}

func newTerminal(t *testing.T, cols, rows string) *terminal {
	t.Helper()
	if testing.Short() {
		t.Skip("what is built for the terminal has no race detector: the full run has this test")
	}
	if _, err := exec.LookPath("tmux"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("tmux is missing, and CI must drive the real program")
		}
		t.Skip("tmux is missing: the real program is not driven")
	}
	bin, err := builtProgram()
	if err != nil {
		t.Fatal(err)
	}
	// Short paths, so that no row of a screen is wrapped in the middle of one; and a
	// socket's address has about 100 bytes.
	dir, err := os.MkdirTemp("", "wrt")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	home := filepath.Join(dir, "home")
	if err := os.Mkdir(home, 0o700); err != nil {
		t.Fatal(err)
	}
	x := &terminal{t: t, sock: filepath.Join(dir, "s")}
	conf := filepath.Join(home, "tmux.conf")
	if err := os.WriteFile(conf, []byte("set -g status off\nset -g escape-time 0\nset -g default-terminal tmux-256color\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	x.tmux("-f", conf, "new-session", "-d", "-x", cols, "-y", rows, "--",
		"env", "-u", "TMUX", "-u", "TMUX_PANE", "HOME="+home, "XDG_CACHE_HOME="+home, "XDG_DATA_HOME="+home,
		"XDG_CONFIG_HOME="+home, "XDG_STATE_HOME="+home, "PATH="+filepath.Dir(bin)+":"+os.Getenv("PATH"), "PS1=shell> ",
		"TERM=xterm-256color", "HISTFILE=", "bash", "--norc", "--noprofile")
	t.Cleanup(func() {
		// What the server starts outlives it for a moment, and must not write into
		// folders that are being removed.
		shell, _ := exec.Command("tmux", "-S", x.sock, "display-message", "-p", "#{pane_pid}").Output()
		_ = exec.Command("tmux", "-S", x.sock, "kill-server").Run()
		if pid, err := strconv.Atoi(strings.TrimSpace(string(shell))); err == nil {
			for range 100 {
				if exec.Command("kill", "-0", strconv.Itoa(pid)).Run() != nil {
					break
				}
			}
		}
	})
	x.until("shell>")
	return x
}

func (x *terminal) tmux(args ...string) string {
	x.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-S", x.sock}, args...)...).CombinedOutput()
	if err != nil {
		x.t.Fatalf("tmux %s: %v\n%s", args[0], err, out)
	}
	return string(out)
}

func (x *terminal) keys(keys ...string) { x.tmux(append([]string{"send-keys"}, keys...)...) }

func (x *terminal) text(s string) { x.tmux("send-keys", "-l", "--", s) }

// screen is what is shown, lines that were too long for it whole.
func (x *terminal) screen() string { return x.tmux("capture-pane", "-p", "-J") }

// until waits for the screen to show all of the words.
func (x *terminal) until(words ...string) string {
	x.t.Helper()
	deadline := time.Now().Add(screenDeadline)
	for {
		s := x.screen()
		missing := ""
		for _, w := range words {
			if !strings.Contains(s, w) {
				missing = w
			}
		}
		if missing == "" {
			return s
		}
		if time.Now().After(deadline) {
			x.t.Fatalf("the screen never showed %q:\n%s", missing, s)
		}
		time.Sleep(30 * time.Millisecond)
	}
}

// gone waits until the screen no longer shows a word.
func (x *terminal) gone(word string) {
	x.t.Helper()
	deadline := time.Now().Add(screenDeadline)
	for s := x.screen(); strings.Contains(s, word); s = x.screen() {
		if time.Now().After(deadline) {
			x.t.Fatalf("the screen still shows %q:\n%s", word, s)
		}
		time.Sleep(30 * time.Millisecond)
	}
}

func TestTheRealProgramInATerminal(t *testing.T) {
	x := newTerminal(t, "120", "40")
	x.text("webrag-tui demo 'how does depth decay change the ranking'")
	x.keys("Enter")
	x.until("guide", "Ranking and depth", "→ 20 sections")

	// A new query replaces the old one.
	x.text("/")
	x.keys("C-u")
	x.text("reciprocal rank fusion")
	x.keys("Enter")
	x.until("Fusing keyword")

	// Narrow, then too small, then wide again: nothing is lost.
	x.tmux("resize-window", "-x", "50", "-y", "15")
	x.until("Fusing keyword")
	x.tmux("resize-window", "-x", "20", "-y", "5")
	x.until("too small")
	x.tmux("resize-window", "-x", "150", "-y", "42")
	x.until("Fusing keyword", "→ 20 sections")

	x.text("?")
	x.until("All keys")
	x.keys("Escape")
	x.gone("All keys")

	// Suspended, the shell is back; in the foreground, so is the program.
	x.keys("C-z")
	x.until("Stopped")
	x.text("fg; echo left-$?")
	x.keys("Enter")
	x.until("→ 20 sections")

	// Quit leaves a terminal that echoes.
	x.text("q")
	x.until("left-0") // the prompt of before may still be on the screen
	x.text("echo back-$((40+2))")
	x.keys("Enter")
	x.until("back-42")
}
