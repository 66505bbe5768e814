package main

import (
	"strings"
	"testing"
)

// state is what the terminal does with the screen, the cursor and the mouse.
func (x *terminal) state() string {
	return strings.TrimSpace(x.tmux("display-message", "-p", "alternate #{alternate_on} cursor #{cursor_flag} mouse #{mouse_any_flag}"))
}

// restored asserts that the shell has a terminal as it was: its own screen, a
// cursor, no mouse, and lines that are echoed.
func (x *terminal) restored() {
	x.t.Helper()
	x.text("clear; stty -a | grep -o ' echo ' | head -1; stty -a | grep -o ' icanon '")
	x.keys("Enter")
	x.until("echo", "icanon", "shell>")
	if got, want := x.state(), "alternate 0 cursor 1 mouse 0"; got != want {
		x.t.Errorf("the terminal is left with %q, want %q", got, want)
	}
}

func TestAPanicLeavesTheTerminalAsItWas(t *testing.T) {
	x := newTerminal(t, "120", "60") // room for a stack
	bin, err := builtPanics()
	if err != nil {
		t.Fatal(err)
	}

	x.text(bin + " command; echo code-$?")
	x.keys("Enter")
	x.until("a command fails on purpose", "please report", "code-1", "shell>")
	x.restored()

	x.text(bin + " loop; echo code-$?")
	x.keys("Enter")
	x.until("Opening the corpus")
	if got := x.state(); got != "alternate 1 cursor 1 mouse 1" {
		t.Errorf("while it runs, the terminal is in %q", got)
	}
	x.keys("Escape") // from the query line to the panes
	x.gone("enter ask")
	x.text("x")
	x.until("the loop fails on purpose", "code-1", "shell>")
	x.restored()
}

// A plain screen stays in the terminal after it was left, and takes neither the
// mouse nor a screen of its own; the debug log says what happened.
func TestAPlainScreenInATerminal(t *testing.T) {
	x := newTerminal(t, "80", "24")
	x.text("webrag-tui demo --plain --debug 'how does depth decay change the ranking'")
	x.keys("Enter")
	x.until("selected: ", "Results", "Ranking and depth")
	if got := x.state(); got != "alternate 0 cursor 1 mouse 0" {
		t.Errorf("the terminal is in %q", got)
	}
	x.keys("Down")
	x.keys("Enter")
	x.until("Results, ")

	x.keys("C-z")
	x.until("Stopped")
	x.text("fg; echo left-$?")
	x.keys("Enter")
	x.until("Results, ")

	x.text("q")
	x.until("Results, ", "left-0") // the prompt of before is still on the screen
	x.text("grep -c KeyPressMsg $XDG_STATE_HOME/webrag-tui/*.log | sed s/^/keys-/")
	x.keys("Enter")
	x.until("keys-4")
	x.restored()
}
