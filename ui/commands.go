package ui

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/ui/input"
)

// clipboardCmd writes the machine's own clipboard. The terminal's, which also
// works over a remote shell, is written by the runtime; inBand says that it was.
func clipboardCmd(write func(string) error, what, text string, inBand bool) tea.Cmd {
	return func() tea.Msg {
		err := errors.New("no clipboard of its own")
		if write != nil {
			err = write(text)
		}
		return copied{what: what, size: len([]rune(text)), inBand: inBand, err: err}
	}
}

func openURLCmd(open func(string) error, url string) tea.Cmd {
	return func() tea.Msg { return urlOpened{url: url, err: open(url)} }
}

// draftCmd writes a section to a temporary file for the editor.
func draftCmd(text string, line int) tea.Cmd {
	return func() tea.Msg {
		f, err := os.CreateTemp("", "section-*.md")
		if err != nil {
			return draftWritten{err: fmt.Errorf("write the section to a file: %w", err)}
		}
		_, err = f.WriteString(text)
		if closed := f.Close(); err == nil {
			err = closed
		}
		if err != nil {
			err = fmt.Errorf("write the section to %s: %w", f.Name(), err)
		}
		return draftWritten{path: f.Name(), line: line, err: err}
	}
}

// editorCmd hands the terminal to the editor.
func editorCmd(editor, path string, line int) tea.Cmd {
	words := strings.Fields(editor)
	words = append(words, fmt.Sprintf("+%d", line), path)
	cmd := exec.Command(words[0], words[1:]...)
	return tea.Exec(&onTerminal{cmd}, func(err error) tea.Msg { return editorClosed{path: path, err: err} })
}

// onTerminal is a command that takes the terminal over.
type onTerminal struct{ *exec.Cmd }

// SetStdin hands the terminal's own file to the command: of any other reader it would
// get a pipe.
func (c *onTerminal) SetStdin(r io.Reader) {
	if t, ok := r.(*input.Terminal); ok {
		r = t.File
	}
	c.Stdin = r
}

// SetStdout is where the command draws.
func (c *onTerminal) SetStdout(w io.Writer) { c.Stdout = w }

// SetStderr is where the command complains.
func (c *onTerminal) SetStderr(w io.Writer) { c.Stderr = w }

func removeCmd(path string) tea.Cmd {
	return func() tea.Msg {
		_ = os.Remove(path) // a file in the temporary folder: nothing depends on it
		return nil
	}
}
