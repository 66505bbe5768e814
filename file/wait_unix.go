//go:build unix

package file

import "syscall"

// withoutWaiting opens a named pipe at once, whoever is at its other end. For
// regular files it changes nothing.
const withoutWaiting = syscall.O_NONBLOCK
