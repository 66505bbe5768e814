//go:build !linux

package db

import (
	"syscall"
	"time"
)

// giveUpAfter changes nothing where the system has no such option: keep-alive
// probes and the contexts of the callers remain.
func giveUpAfter(time.Duration) func(network, address string, c syscall.RawConn) error { return nil }
