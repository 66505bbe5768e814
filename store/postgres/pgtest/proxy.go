package pgtest

import (
	"errors"
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Proxy is a network between a test and a server that hangs or breaks on demand.
// Its methods may be called from any goroutine.
type Proxy struct {
	dsn              string
	network, address string // of the server
	listener         net.Listener

	mu    sync.Mutex
	open  chan struct{} // closed while bytes may pass
	cut   bool
	conns map[net.Conn]bool
}

// NewProxy puts a proxy in front of the server of a DSN that is a URL. It ends
// with the test.
func NewProxy(t testing.TB, dsn string) *Proxy {
	t.Helper()
	u, err := url.Parse(dsn)
	if err != nil || !strings.Contains(dsn, "://") {
		t.Fatal("a proxy needs a DSN in the form of a URL")
	}
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{open: make(chan struct{}), conns: map[net.Conn]bool{}}
	close(p.open)
	p.network, p.address = pgconn.NetworkAddress(config.Host, config.Port)
	p.listener, err = net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	u.Host = p.listener.Addr().String()
	query := u.Query()
	query.Del("host")
	query.Del("port")
	u.RawQuery = query.Encode()
	p.dsn = u.String()
	var pumps sync.WaitGroup
	pumps.Go(func() { p.accept(&pumps) })
	t.Cleanup(func() {
		p.listener.Close()
		p.Cut()
		p.unblock()
		pumps.Wait()
	})
	return p
}

// DSN leads through the proxy to the same database.
func (p *Proxy) DSN() string { return p.dsn }

// Hang lets no byte through any more, in neither direction. Connections stay
// open, and new ones are accepted and hear nothing. What comes meanwhile passes
// after [Proxy.Resume].
func (p *Proxy) Hang() {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.open:
		p.open = make(chan struct{})
	default: // it hangs already
	}
}

// Cut breaks all connections, and all that come until [Proxy.Resume].
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut = true
	for conn := range p.conns {
		abort(conn)
	}
}

// Resume ends [Proxy.Hang] and [Proxy.Cut].
func (p *Proxy) Resume() {
	p.mu.Lock()
	p.cut = false
	p.mu.Unlock()
	p.unblock()
}

func (p *Proxy) unblock() {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.open:
	default:
		close(p.open)
	}
}

func (p *Proxy) accept(pumps *sync.WaitGroup) {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return // closed
		}
		if !p.admit(client) {
			continue
		}
		pumps.Go(func() {
			defer p.dismiss(client)
			server, err := net.Dial(p.network, p.address)
			if err != nil || !p.admit(server) {
				return
			}
			defer p.dismiss(server)
			var both sync.WaitGroup
			both.Go(func() { p.pump(server, client) })
			both.Go(func() { p.pump(client, server) })
			both.Wait()
		})
	}
}

// pump passes bytes on until either side ends, and then ends the other one.
func (p *Proxy) pump(to, from net.Conn) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		p.mu.Lock()
		open := p.open
		p.mu.Unlock()
		<-open
		if n > 0 {
			if _, err := to.Write(buffer[:n]); err != nil {
				abort(from)
				return
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			to.Close()
			return
		case err != nil:
			abort(to)
			return
		}
	}
}

// admit remembers a connection, or breaks it if all are broken.
func (p *Proxy) admit(conn net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cut {
		abort(conn)
		return false
	}
	p.conns[conn] = true
	return true
}

func (p *Proxy) dismiss(conn net.Conn) {
	conn.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.conns, conn)
}

// abort closes a connection so that the other side learns of an error, and not
// of an end.
func abort(conn net.Conn) {
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // then it is closed less rudely
	}
	conn.Close()
}
