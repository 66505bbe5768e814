package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What is pasted is text, and never what the shell runs: the library that reads keys
// panics at a sequence of more than 32 parameters, and a shell is then typed the rest.
func TestAPasteOfSequencesIsText(t *testing.T) {
	notBeside(t)
	x := newTerminal(t, "120", "40")
	paste := filepath.Join(t.TempDir(), "paste")
	long := strings.Repeat("1;", 40)
	text := "abc \x1b[" + long + "R\x1bP" + long + "q\x9b" + long + "R\x9bM!!!" + // each of which ends the library
		strings.Repeat(strings.Repeat("x", 70)+"\n", 1400) + "\ntouch $HOME/PWNED\n" +
		"\x1b[0201~q\x1b]0;" // and the end of the paste is no end of a title
	if err := os.WriteFile(paste, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	x.text("webrag-tui demo; echo ended-$?")
	x.keys("Enter")
	x.until("guide", "sections")
	x.tmux("load-buffer", paste)
	x.tmux("paste-buffer", "-p")
	x.until("touch $HOME/PWNED")
	x.keys("Escape") // from the query line to the panes
	x.until("? keys")
	x.text("q")
	x.until("ended-0")
	x.text("clear; ls $HOME/PWNED 2>/dev/null | sed s/^.*$/commands-were-run/; echo looked-$((40+2))")
	x.keys("Enter")
	if s := x.until("looked-42"); strings.Contains(s, "commands-were-run") {
		t.Errorf("the shell ran the rest of the paste:\n%s", s)
	}
	x.restored()
}

// A paste that the terminal does not end takes keys for a moment, and not for ever.
func TestAPasteWithoutAnEndLeavesTheKeys(t *testing.T) {
	notBeside(t)
	x := newTerminal(t, "120", "40")
	x.text("webrag-tui demo; echo ended-$?")
	x.keys("Enter")
	x.until("guide", "sections")
	x.tmux("send-keys", "-H", "1b", "5b", "32", "30", "30", "7e", "61", "62")
	for deadline := time.Now().Add(screenDeadline); !strings.Contains(x.screen(), "ended-130"); time.Sleep(1200 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("ctrl+c does not end it:\n%s", x.screen())
		}
		x.keys("C-c")
	}
	x.restored()
}

// What reads the keys hands the terminal itself to the editor, and takes it back, also
// where standard input is none.
func TestTheEditorGetsTheTerminal(t *testing.T) {
	notBeside(t)
	x := newTerminal(t, "120", "40")
	x.text(`printf '#!/bin/sh\nstty -a | grep -o " icanon "\n[ -t 0 ] && echo on-a-terminal\nread answer\necho $answer >>$HOME/answers\n' >$HOME/editor; chmod +x $HOME/editor; export EDITOR=$HOME/editor`)
	x.keys("Enter")
	for _, from := range []string{"", " </dev/null"} {
		x.text("clear; webrag-tui demo 'how does depth decay change the ranking'" + from + "; echo ended-$?")
		x.keys("Enter")
		x.until("guide", "Ranking and depth", "→ 20 sections")
		x.text("E")
		x.until("icanon", "on-a-terminal")
		x.text("edited")
		x.keys("Enter")
		x.until("guide", "Ranking and depth", "→ 20 sections")
		x.text("?")
		x.until("All keys")
		x.keys("C-c")
		x.until("ended-130")
	}
	x.text("clear; grep -c edited $HOME/answers | sed s/^2$/both-edited/")
	x.keys("Enter")
	x.until("both-edited")
	x.restored()
}
