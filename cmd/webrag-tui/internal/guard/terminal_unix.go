//go:build unix

package guard

import (
	"os"
	"os/signal"

	"golang.org/x/sys/unix"
)

// modes are those of a terminal's line discipline.
type modes unix.Termios

func readModes(f *os.File) *modes {
	m, err := unix.IoctlGetTermios(int(f.Fd()), getModes)
	if err != nil {
		return nil
	}
	return (*modes)(m)
}

// restore sets the modes if the terminal is still raw. If it is not, a shell has
// taken it back, and has modes of its own. What was typed and not read is dropped:
// it was meant for the program, and much of it are reports of the mouse.
func (m *modes) restore(f *os.File) {
	now := readModes(f)
	if m == nil || now == nil || now.Lflag&unix.ISIG != 0 {
		return
	}
	_ = unix.IoctlSetTermios(int(f.Fd()), setModes, (*unix.Termios)(m))
}

// redraw lets the shell draw its prompt again, which it may have drawn on the screen
// that is gone: it cannot be made to wait for the guard of a program that was killed.
func redraw(f *os.File) {
	if group, err := unix.IoctlGetInt(int(f.Fd()), unix.TIOCGPGRP); err == nil && group > 1 && group != unix.Getpgrp() {
		_ = unix.Kill(-group, unix.SIGWINCH)
	}
}

// ignoreTerminal lets a process that is not in the foreground any more write to
// the terminal.
func ignoreTerminal() { signal.Ignore(unix.SIGTTOU, unix.SIGTTIN, unix.SIGPIPE) }

// newPipe makes a pipe whose writer waits for its reader, and which holds little:
// a program that dies waits until its guard has begun.
func newPipe() (read, write *os.File, err error) {
	if read, write, err = os.Pipe(); err != nil {
		return nil, nil, err
	}
	for _, f := range []*os.File{read, write} {
		if err := unix.SetNonblock(int(f.Fd()), false); err != nil {
			return nil, nil, err
		}
	}
	shrink(int(write.Fd()))
	return read, write, nil
}

// divert lets what Go's runtime writes to standard error go to w, and nothing else:
// what the program itself writes there goes where it went.
func divert(w *os.File) (undo func(), err error) {
	const stderr = 2
	kept, err := unix.FcntlInt(stderr, unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, err
	}
	if err := dup2(int(w.Fd()), stderr); err != nil {
		return nil, err
	}
	before := os.Stderr
	os.Stderr = os.NewFile(uintptr(kept), before.Name())
	return func() {
		_ = dup2(kept, stderr)
		_ = os.Stderr.Close()
		os.Stderr = before
	}, nil
}
