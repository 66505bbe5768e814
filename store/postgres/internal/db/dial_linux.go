package db

import (
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// giveUpAfter bounds how long the system tries to deliver what was sent. Without
// it that is a quarter of an hour.
func giveUpAfter(d time.Duration) func(network, address string, c syscall.RawConn) error {
	return func(network, _ string, c syscall.RawConn) error {
		if !strings.HasPrefix(network, "tcp") {
			return nil
		}
		// A kernel that refuses the option leaves the connection as it was.
		return c.Control(func(fd uintptr) {
			_ = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, int(d.Milliseconds()))
		})
	}
}
