//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package guard

import "golang.org/x/sys/unix"

const (
	getModes = unix.TIOCGETA
	setModes = unix.TIOCSETAF
)

// shrink makes a pipe hold less, where that can be asked for.
func shrink(int) {}

// dup2 makes to another name of from.
func dup2(from, to int) error { return unix.Dup2(from, to) }
