package pgtest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// Server is a PostgreSQL that belongs to one test, which may do to it what it
// likes. A commit is safe from [Server.Kill], but no file is flushed to the disk.
// Its methods are for one goroutine at a time.
type Server struct {
	dir      string // of the cluster: data/, the socket, the log
	programs string // the folder with postgres, pg_basebackup, ...
	port     int
	names    string
	settings settings

	template sync.Once
	running  *exec.Cmd     // nil while stopped
	ended    chan struct{} // closed when running has ended
}

// Private starts a server that ends with the test. WEBRAG_TEST_DSN does not
// matter to it: a server that can be killed needs its programs here, so it comes
// from this machine's PostgreSQL or from Debian's packages.
func Private(t testing.TB, options ...Option) *Server {
	t.Helper()
	s := newServer(t)
	for _, option := range options {
		option(&s.settings)
	}
	if err := s.configure(); err != nil {
		t.Fatal(fmt.Errorf("configure a server: %w", err))
	}
	s.Start(t)
	if s.settings.password != "" {
		literal := "'" + strings.ReplaceAll(s.settings.password, "'", "''") + "'"
		Exec(t, s.AdminDSN(), "ALTER ROLE app PASSWORD "+literal)
	}
	return s
}

// newServer returns a server that was not started, with an empty cluster, or for
// "--bare" without any.
func newServer(t testing.TB, args ...string) *Server {
	t.Helper()
	line, lease, err := take(append([]string{"cluster"}, args...)...)
	need(t, err)
	s := &Server{names: newNames()}
	s.dir, s.programs, _ = strings.Cut(line, " ")
	t.Cleanup(func() {
		s.end(os.Kill)
		if err := lease.close(); err != nil {
			t.Logf("remove the server of the test: %v", err)
		}
	})
	return s
}

// DSN leads over TCP to the database postgres, with the password if there is one.
// The role app is a superuser.
func (s *Server) DSN() string {
	u := url.URL{
		Scheme: "postgres", User: url.User("app"), Path: "/postgres",
		Host: "127.0.0.1:" + strconv.Itoa(s.port), RawQuery: "sslmode=disable",
	}
	if s.settings.password != "" {
		u.User = url.UserPassword("app", s.settings.password)
	}
	if s.settings.tls {
		u.RawQuery = url.Values{"sslmode": {"verify-full"}, "sslrootcert": {s.RootCertificate()}}.Encode()
	}
	return u.String()
}

// AdminDSN leads through the server's socket to the database postgres. It needs
// no password and no TLS, whatever TCP wants.
func (s *Server) AdminDSN() string {
	return fmt.Sprintf("host=%s port=%d user=app dbname=postgres sslmode=disable", s.dir, s.port)
}

// Database is like the function [Database], on this server.
func (s *Server) Database(t testing.TB) string {
	t.Helper()
	var err error
	s.template.Do(func() { err = makeTemplate(context.Background(), s.AdminDSN()) })
	if err != nil {
		t.Fatal(err)
	}
	return s.create(t, template)
}

// EmptyDatabase is like the function [EmptyDatabase], on this server.
func (s *Server) EmptyDatabase(t testing.TB) string {
	t.Helper()
	return s.create(t, "template0")
}

// create leaves the database to the end of the server.
func (s *Server) create(t testing.TB, from string) string {
	t.Helper()
	name := nextName(s.names)
	Exec(t, s.AdminDSN(), "CREATE DATABASE "+name+" TEMPLATE "+from)
	return s.With(t, name)
}

// With returns the DSN of another database on this server.
func (s *Server) With(t testing.TB, database string) string {
	t.Helper()
	dsn, err := withDatabase(s.DSN(), database)
	if err != nil {
		t.Fatal(err)
	}
	return dsn
}

// Start starts the server again, on the port that it had, and returns when it
// accepts connections.
func (s *Server) Start(t testing.TB) {
	t.Helper()
	if s.running != nil {
		t.Fatal("the server runs already")
	}
	first := s.port == 0
	deadline := time.Now().Add(patience)
	for {
		if first {
			// Below the ports that systems hand out by themselves, so that nobody
			// gets it while the server is stopped. Whether it is free the server
			// says.
			s.port = 20000 + rand.IntN(12000)
		}
		err := s.start()
		if err == nil {
			return
		}
		taken := first && strings.Contains(s.Log(), "could not bind")
		// Of a server that was killed, processes that are not quite gone.
		dying := strings.Contains(s.Log(), "pre-existing shared memory block")
		if !taken && !dying || time.Now().After(deadline) {
			t.Fatal(fmt.Errorf("start a server: %w\n%s", err, s.Log()))
		}
	}
}

func (s *Server) start() error {
	log, err := os.Create(filepath.Join(s.dir, "log"))
	if err != nil {
		return err
	}
	defer log.Close()
	cmd, err := s.command("postgres", "-D", s.data(), "-k", s.dir, "-p", strconv.Itoa(s.port))
	if err != nil {
		return err
	}
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // the log says why
		close(ended)
	}()
	s.running, s.ended = cmd, ended

	// The server itself writes how far it is into the last line of a file.
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(patience)
	for {
		if pid, state := s.status(); pid == cmd.Process.Pid && state == "ready" {
			return nil
		}
		select {
		case <-ended:
			s.running = nil
			return errors.New("it ended")
		case <-deadline:
			s.end(os.Kill)
			return fmt.Errorf("it was not ready after %v", patience)
		case <-tick.C:
		}
	}
}

// status reads what the server writes about itself: the number of its process,
// and whether it is starting, ready or stopping.
func (s *Server) status() (pid int, state string) {
	content, err := os.ReadFile(filepath.Join(s.data(), "postmaster.pid"))
	if err != nil {
		return 0, ""
	}
	lines := strings.Split(string(content), "\n")
	if len(lines) < 8 {
		return 0, ""
	}
	pid, err = strconv.Atoi(lines[0])
	if err != nil {
		return 0, ""
	}
	return pid, strings.TrimSpace(lines[7])
}

// Stop stops the server in order: connections are closed with the error 57P01,
// and what was written is in its files.
func (s *Server) Stop(t testing.TB) {
	t.Helper()
	if s.running == nil {
		t.Fatal("the server does not run")
	}
	s.end(os.Interrupt) // to PostgreSQL it says: now, but in order
}

// Kill ends the server and all of its processes as a loss of power would: they do
// not get to do anything. Start lets it recover.
func (s *Server) Kill(t testing.TB) {
	t.Helper()
	if s.running == nil {
		t.Fatal("the server does not run")
	}
	// They would end by themselves without their parent, but later.
	children := Value[[]int32](t, s.AdminDSN(), "SELECT array_agg(pid) FROM pg_stat_activity")
	s.end(os.Kill)
	for _, pid := range children {
		if p, err := os.FindProcess(int(pid)); err == nil {
			_ = p.Kill() // it may have ended by itself
		}
	}
}

// end sends a signal to the server and waits until it is gone.
func (s *Server) end(signal os.Signal) {
	if s.running == nil {
		return
	}
	_ = s.running.Process.Signal(signal) // it may have ended by itself
	<-s.ended
	s.running = nil
}

// Log returns what the server has written since its last start.
func (s *Server) Log() string {
	content, err := os.ReadFile(filepath.Join(s.dir, "log"))
	if err != nil {
		return err.Error()
	}
	return string(content)
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }
