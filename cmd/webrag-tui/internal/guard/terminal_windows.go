package guard

import (
	"os"
	"runtime/debug"
)

// modes are left to the shell, which sets those of the console itself.
type modes struct{}

func readModes(*os.File) *modes { return nil }

func (*modes) restore(*os.File) {}

func redraw(*os.File) {}

func ignoreTerminal() {}

func newPipe() (read, write *os.File, err error) { return os.Pipe() }

// divert lets what Go's runtime writes of a crash go to w as well.
func divert(w *os.File) (undo func(), err error) {
	if err := debug.SetCrashOutput(w, debug.CrashOptions{}); err != nil {
		return nil, err
	}
	return func() { _ = debug.SetCrashOutput(nil, debug.CrashOptions{}) }, nil
}
