// Command panics runs the explorer and fails in it on purpose, so that a test can
// look at what is left of the terminal: in a command, or with "x" in the loop.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/webrag/webrag-tui/ui"
)

func main() {
	o := ui.Options{
		CorpusName: "corpus",
		Open:       func(context.Context) (*ui.Corpus, error) { select {} },
		Debug:      trap{},
	}
	if len(os.Args) > 1 && os.Args[1] == "command" {
		o.Open = func(context.Context) (*ui.Corpus, error) {
			panic("a command fails on purpose")
		}
	}
	if err := ui.Run(context.Background(), o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// trap is a debug log that panics when it is told of the key x.
type trap struct{}

func (trap) Write(line []byte) (int, error) {
	if strings.HasSuffix(string(line), "KeyPressMsg x\n") {
		panic("the loop fails on purpose")
	}
	return len(line), nil
}
