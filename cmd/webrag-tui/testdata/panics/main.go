//go:build unix

// Command panics runs the explorer and fails in it on purpose, so that a test can
// look at what is left of the terminal: in a command, with "x" in the loop, or in a
// goroutine of its own in the ways that its argument names.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/webrag/webrag-tui/cmd/webrag-tui/internal/guard"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui"
)

func main() {
	guard.Watch()
	o := ui.Options{
		CorpusName: "corpus",
		Open:       func(context.Context) (*session.Corpus, error) { select {} },
		Debug:      trap{},
	}
	if len(os.Args) > 1 && os.Args[1] == "command" {
		o.Open = func(context.Context) (*session.Corpus, error) {
			panic("a command fails on purpose")
		}
	}
	if fail := deaths[os.Args[1]]; fail != nil {
		go func() {
			time.Sleep(500 * time.Millisecond) // until the screen is drawn
			fail()
		}()
	}
	g, err := guard.Start(guard.Terminal{Report: filepath.Join(os.Getenv("HOME"), "crash.txt"), Program: "panics"})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	err = ui.Run(context.Background(), o)
	g.End()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// deaths are ways to die that nothing recovers from.
var deaths = map[string]func(){
	"goroutine": func() { panic("a goroutine fails on purpose") },
	"fault":     fault,
	"map": func() {
		m := map[int]int{}
		for range 8 {
			go func() {
				for i := 0; ; i++ {
					m[i%10] = i
				}
			}()
		}
	},
	"memory": func() {
		debug.SetGCPercent(-1)
		_ = make([]byte, 1<<46)
	},
}

// fault reads what a mapped file no longer holds.
func fault() {
	f, err := os.CreateTemp("", "fault")
	if err != nil {
		panic(err)
	}
	defer os.Remove(f.Name())
	_ = f.Truncate(1)
	b, err := unix.Mmap(int(f.Fd()), 0, 1, unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		panic(err)
	}
	_ = f.Truncate(0)
	fmt.Fprint(os.Stderr, b[0])
}

// trap is a debug log that panics when it is told of the key x.
type trap struct{}

func (trap) Write(line []byte) (int, error) {
	if strings.HasSuffix(string(line), "KeyPressMsg x\n") {
		panic("the loop fails on purpose")
	}
	return len(line), nil
}
