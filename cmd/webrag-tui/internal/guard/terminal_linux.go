package guard

import "golang.org/x/sys/unix"

const (
	getModes = unix.TCGETS
	setModes = unix.TCSETSF
)

// shrink makes a pipe hold one page.
func shrink(fd int) { _, _ = unix.FcntlInt(uintptr(fd), unix.F_SETPIPE_SZ, 4<<10) }

// dup2 makes to another name of from.
func dup2(from, to int) error { return unix.Dup3(from, to, 0) }
