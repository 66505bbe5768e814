//go:build unix

package input

import (
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Suspend puts the program aside until the shell brings it back. The runtime's own
// message for it can leave the screen frozen (see rendererStops).
func Suspend() tea.Cmd { return tea.Exec(suspension{}, nil) }

// suspension is the time in which the shell has the terminal.
type suspension struct{}

// Run stops the process group, as the terminal's own key does, and returns when it goes on.
func (suspension) Run() error {
	goesOn := make(chan os.Signal, 1)
	signal.Notify(goesOn, syscall.SIGCONT)
	defer signal.Stop(goesOn)
	if err := syscall.Kill(0, syscall.SIGTSTP); err != nil {
		return err
	}
	<-goesOn
	time.Sleep(rendererStops)
	return nil
}

// SetStdin changes nothing: the shell reads from the terminal itself.
func (suspension) SetStdin(io.Reader) {}

// SetStdout changes nothing.
func (suspension) SetStdout(io.Writer) {}

// SetStderr changes nothing.
func (suspension) SetStderr(io.Writer) {}
