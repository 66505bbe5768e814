package db

import (
	"net"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestADeadNetworkIsNoticed(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	conn, err := dial(time.Minute)(t.Context(), "tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	raw, err := conn.(*net.TCPConn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ level, option, want int }{
		"milliseconds without an acknowledgement": {unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, 30_000},
		"keep-alive":                        {unix.SOL_SOCKET, unix.SO_KEEPALIVE, 1},
		"seconds before the first probe":    {unix.IPPROTO_TCP, unix.TCP_KEEPIDLE, 15},
		"seconds between probes":            {unix.IPPROTO_TCP, unix.TCP_KEEPINTVL, 5},
		"probes before the connection dies": {unix.IPPROTO_TCP, unix.TCP_KEEPCNT, 3},
	} {
		var got int
		if err := raw.Control(func(fd uintptr) { got, err = unix.GetsockoptInt(int(fd), c.level, c.option) }); err != nil || got != c.want {
			t.Errorf("%s: %d, want %d (%v)", name, got, c.want, err)
		}
	}
}
