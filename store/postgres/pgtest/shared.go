package pgtest

import (
	"context"
	"fmt"
	"os"
	"sync"
)

// process is the server of this process. It is a variable because nothing can be
// handed from a TestMain to the tests that it runs.
var process shared

// shared is a server that many tests use, and the template of their databases.
type shared struct {
	once sync.Once
	err  error
	dsn  string
	// names is what the names of this process's databases begin with.
	names string

	lease *lease // of a server of ours
}

// open starts the server when it is first asked for.
func (s *shared) open() error {
	s.once.Do(func() {
		s.names = newNames()
		s.dsn = os.Getenv(EnvDSN)
		if s.dsn == "" {
			s.dsn, s.lease, s.err = take("serve")
		}
		if s.err == nil {
			s.err = makeTemplate(context.Background(), s.dsn)
		}
	})
	return s.err
}

// close stops the server, if it is ours, and waits until it is gone.
func (s *shared) close() {
	if s.lease == nil {
		return
	}
	if err := s.lease.close(); err != nil {
		fmt.Fprintln(os.Stderr, "pgtest: stop the server:", err)
	}
}
