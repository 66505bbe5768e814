//go:build unix

package main

import (
	"os/exec"
	"strings"
	"testing"
	"time"
)

// However the program dies, the shell has its terminal back, and one sentence says
// what happened.
func TestEveryDeathLeavesTheTerminalAsItWas(t *testing.T) {
	x := newTerminal(t, "120", "40")
	x.text("stty -g >$HOME/before")
	x.keys("Enter")
	for _, c := range []struct {
		signal string
		says   []string
	}{
		{"TERM", []string{"code-130"}},
		{"HUP", []string{"code-130"}},
		{"QUIT", []string{"code-2", "it crashed (SIGQUIT", "crash.txt"}},
		{"BUS", []string{"code-2", "it crashed (SIGBUS", "crash.txt"}},
		{"SEGV", []string{"code-2", "it crashed (SIGSEGV", "crash.txt"}},
		{"ABRT", []string{"code-2", "it crashed (SIGABRT", "crash.txt"}},
		{"KILL", []string{"it was killed from outside"}},
	} {
		t.Run(c.signal, func(t *testing.T) {
			x.t = t
			x.die("webrag-tui demo 'how does depth decay change the ranking'", c.says, func() {
				x.until("guide", "Ranking and depth", "→ 20 sections")
				x.signal(c.signal)
			})
			if strings.Contains(c.says[0], "code-2") {
				x.text("grep -c '^goroutine' $HOME/webrag-tui/crash.txt | sed 's/^[1-9][0-9]*$/stacks-kept/'; head -1 $HOME/webrag-tui/crash.txt")
				x.keys("Enter")
				x.until("stacks-kept", "webrag-tui dev, go1.")
			}
		})
	}
	x.t = t
}

// Nobody may be left to wait for, and a program that is stopped has no claim on a
// terminal that is its shell's.
func TestAStoppedProgramThatIsKilledLeavesTheShellAlone(t *testing.T) {
	x := newTerminal(t, "120", "40")
	x.text("stty -g >$HOME/before")
	x.keys("Enter")
	x.text("webrag-tui demo 'how does depth decay change the ranking'")
	x.keys("Enter")
	x.until("guide", "Ranking and depth", "→ 20 sections")
	x.keys("C-z")
	x.until("Stopped")
	x.text("kill -KILL %1; wait; echo killed-$?")
	x.keys("Enter")
	s := x.until("killed-")
	if strings.Contains(s, "it was killed from outside") {
		t.Errorf("the guard wrote over the shell's screen:\n%s", s)
	}
	x.restored()
}

// Panics in goroutines of one's own, and what Go's runtime ends a program for, pass
// by all that could recover.
func TestFatalErrorsLeaveTheTerminalAsItWas(t *testing.T) {
	x := newTerminal(t, "120", "40")
	bin, err := builtPanics()
	if err != nil {
		t.Fatal(err)
	}
	x.text("stty -g >$HOME/before")
	x.keys("Enter")
	for _, c := range []struct{ mode, says string }{
		{"goroutine", "panic: a goroutine fails on purpose"},
		{"map", "fatal error: concurrent map"},
		{"fault", "unexpected fault address"},
		{"memory", "out of memory"}, // the runtime has two ways to say so
	} {
		t.Run(c.mode, func(t *testing.T) {
			x.t = t
			x.die(bin+" "+c.mode, []string{"it crashed (", c.says, "code-2"}, func() {})
		})
	}
	x.t = t
}

// die runs a command that takes the screen, lets do make it die, and checks that the
// terminal is as it was in "before" and that the shell shows what is said.
func (x *terminal) die(command string, says []string, do func()) {
	x.t.Helper()
	x.text("clear")
	x.keys("Enter")
	x.gone("clear")
	x.text(command + "; echo code-$?")
	x.keys("Enter")
	do()
	x.until(append(says, "shell>")...)
	x.text("[ $(stty -g) = $(cat $HOME/before) ] && echo modes-$((40+2))")
	x.keys("Enter")
	x.until("modes-42")
	x.restored()
}

// signal sends a signal to the program that the shell runs, and to no other process.
func (x *terminal) signal(name string) {
	x.t.Helper()
	shell := strings.TrimSpace(x.tmux("display-message", "-p", "#{pane_pid}"))
	out, err := exec.Command("ps", "-o", "pid=", "--ppid", shell).Output()
	pid := strings.Fields(string(out))
	if err != nil || len(pid) != 1 {
		x.t.Fatalf("the shell's children are %q, %v", out, err)
	}
	if out, err := exec.Command("kill", "-"+name, pid[0]).CombinedOutput(); err != nil {
		x.t.Fatalf("kill: %v\n%s", err, out)
	}
}

// Whoever starts the program may ignore hangups, as nohup does; then only reading and
// writing tell that the terminal is gone.
func TestTheProgramEndsWithItsTerminal(t *testing.T) {
	x := newTerminal(t, "120", "40")
	x.text("trap '' HUP; exec webrag-tui demo")
	x.keys("Enter")
	x.until("❯")
	pid := strings.TrimSpace(x.tmux("display-message", "-p", "#{pane_pid}"))
	x.tmux("kill-server")
	for deadline := time.Now().Add(screenDeadline); ; time.Sleep(30 * time.Millisecond) {
		state, _ := exec.Command("ps", "-o", "stat=", "-p", pid).Output()
		if s := strings.TrimSpace(string(state)); s == "" || s[0] == 'Z' {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the program goes on without a terminal")
		}
	}
}
