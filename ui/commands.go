package ui

import (
	"errors"
	"fmt"
	"os"

	tea "charm.land/bubbletea/v2"
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

func removeCmd(path string) tea.Cmd {
	return func() tea.Msg {
		_ = os.Remove(path) // a file in the temporary folder: nothing depends on it
		return nil
	}
}
