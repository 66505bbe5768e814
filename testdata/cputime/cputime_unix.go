//go:build unix

package cputime

import (
	"time"

	"golang.org/x/sys/unix"
)

// Now is the processor time that this process has used. Unlike the time of
// day it does not depend on what else the machine is doing.
func Now() time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
