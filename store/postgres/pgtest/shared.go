package pgtest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
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

	script *exec.Cmd
	alive  io.Closer // the pipe whose end stops the script, and so the server
}

// open starts the server when it is first asked for.
func (s *shared) open() error {
	s.once.Do(func() {
		s.names = newNames()
		s.dsn = os.Getenv(EnvDSN)
		if s.dsn == "" {
			s.err = s.serve()
		}
		if s.err == nil {
			s.err = makeTemplate(context.Background(), s.dsn)
		}
	})
	return s.err
}

func (s *shared) serve() error {
	cmd, err := script("serve")
	if err != nil {
		return err
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	alive, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return scriptError(err, &stderr)
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		alive.Close()
		return scriptError(errors.Join(cmd.Wait(), ignoreEOF(err)), &stderr)
	}
	s.dsn, s.script, s.alive = strings.TrimSpace(line), cmd, alive
	return nil
}

func ignoreEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// close stops the server, if there is one of ours, and waits until it is gone.
func (s *shared) close() {
	if s.script == nil {
		return
	}
	s.alive.Close()
	if err := s.script.Wait(); err != nil {
		fmt.Fprintln(os.Stderr, "pgtest: stop the server:", err)
	}
}
