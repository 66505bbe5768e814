package db

import (
	"context"
	"net"
	"time"
)

// The connection to a network that is dead is given up after deadAfter: when what
// was sent is not acknowledged for so long, or, while there is nothing to send,
// when that many probes were not answered.
const (
	probeAfter  = 15 * time.Second
	probeEvery  = 5 * time.Second
	probes      = 3
	deadAfter   = probeAfter + probes*probeEvery
	fallbackGap = 300 * time.Millisecond
)

// dial connects so that a dead network is noticed.
func dial(timeout time.Duration) func(ctx context.Context, network, address string) (net.Conn, error) {
	d := &net.Dialer{
		Timeout:       timeout,
		FallbackDelay: fallbackGap,
		KeepAliveConfig: net.KeepAliveConfig{
			Enable: true, Idle: probeAfter, Interval: probeEvery, Count: probes,
		},
		Control: giveUpAfter(deadAfter),
	}
	return d.DialContext
}
