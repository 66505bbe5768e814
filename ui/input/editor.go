package input

import (
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
)

// rendererStops is how long whoever held the terminal waits before giving it back.
// The runtime tells the goroutine that draws to end, and does not wait until it has: where
// that one comes last, it stops the ticker of its successor, and the screen stays as it is
// for good (bubbletea issue 1778). It has only to be scheduled once in this time.
const rendererStops = 100 * time.Millisecond

// Edit hands the terminal to an editor, a program with its arguments, at a line of a file,
// the first being 1; closed makes the message of how it ended.
func Edit(editor, path string, line int, closed func(error) tea.Msg) tea.Cmd {
	words := strings.Fields(editor)
	words = append(words, fmt.Sprintf("+%d", line), path)
	cmd := exec.Command(words[0], words[1:]...)
	return tea.Exec(&onTerminal{cmd}, closed)
}

// onTerminal is a command that takes the terminal over.
type onTerminal struct{ *exec.Cmd }

// Run runs the command to its end.
func (c *onTerminal) Run() error {
	defer time.Sleep(rendererStops)
	return c.Cmd.Run()
}

// SetStdin hands the terminal's own file to the command: of any other reader it would
// get a pipe.
func (c *onTerminal) SetStdin(r io.Reader) {
	if t, ok := r.(*Terminal); ok {
		r = t.File
	}
	c.Stdin = r
}

// SetStdout is where the command draws.
func (c *onTerminal) SetStdout(w io.Writer) { c.Stdout = w }

// SetStderr is where the command complains.
func (c *onTerminal) SetStderr(w io.Writer) { c.Stderr = w }
