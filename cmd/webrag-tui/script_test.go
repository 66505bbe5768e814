package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/adrg/xdg"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

// TestMain lets scripts run this program as "webrag-tui".
func TestMain(m *testing.M) {
	testscript.Main(withServer{m}, map[string]func(){"webrag-tui": main})
}

// withServer stops the database server that tests started. A process that only
// stands for a program in a script starts none.
type withServer struct{ m *testing.M }

// Run gives commands that run in the test's own process a state folder of its own.
func (w withServer) Run() int {
	dir, err := os.MkdirTemp("", "webrag-tui-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	programs = dir
	if err := os.Setenv("XDG_STATE_HOME", filepath.Join(dir, "state")); err != nil {
		panic(err)
	}
	xdg.Reload()
	return pgtest.Run(w.m)
}

// programs is the folder of what is built for terminals.
var programs string

// builtProgram builds webrag-tui, and builtPanics a program that fails on purpose, once for all
// tests: their paths.
var (
	builtProgram = sync.OnceValues(func() (string, error) { return build("webrag-tui", ".") })
	builtPanics  = sync.OnceValues(func() (string, error) { return build("panics", "./testdata/panics") })
)

func build(name, pkg string) (string, error) {
	bin := filepath.Join(programs, name)
	if out, err := exec.Command("go", "build", "-o", bin, pkg).CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w\n%s", pkg, err, out)
	}
	return bin, nil
}

// TestScripts uses the program as a shell does: arguments, standard streams and
// exit codes.
func TestScripts(t *testing.T) {
	repository, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Files: scripts(t, "script"),
		Setup: func(e *testscript.Env) error {
			home := filepath.Join(e.WorkDir, "home")
			for _, name := range []string{"HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"} {
				e.Setenv(name, home)
			}
			e.Setenv("REPOSITORY", repository)
			e.Setenv("ESCAPE", "\x1b")
			return os.MkdirAll(home, 0o755)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":  exits,
			"repeat": repeat,
			"tame":   tame,

			"chat": chatCommand, "stranger": strangerCommand, "heard": heardCommand, "mkenv": mkenv,
		},
		RequireExplicitExec: true,
	})
}

// exits runs a program and holds its exit code: exits CODE PROGRAM ARG...
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM [ARG]...")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	if err != nil {
		_, got, _ = strings.Cut(err.Error(), "exit status ")
	}
	if got != args[0] {
		ts.Fatalf("%s exits with %q, want %s (%v)", args[1], got, args[0], err)
	}
}

// tame holds that a program wrote nothing that a terminal would obey: no control
// character but line ends, neither as bytes nor as code points. tame stdout|stderr
func tame(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: tame stdout|stderr")
	}
	text := ts.ReadFile(args[0])
	if !utf8.ValidString(text) {
		ts.Fatalf("%s is not UTF-8", args[0])
	}
	for at, r := range text {
		if unicode.IsControl(r) && r != '\n' {
			ts.Fatalf("%s has a raw %U at %d: %q", args[0], r, at, text[max(0, at-40):min(len(text), at+40)])
		}
	}
}

// repeat writes a text many times into a file: repeat FILE COUNT TEXT.
func repeat(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: repeat FILE COUNT TEXT")
	}
	count := 0
	for _, digit := range args[1] {
		count = count*10 + int(digit-'0')
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Repeat(args[2], count)), 0o644))
}
