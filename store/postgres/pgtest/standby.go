package pgtest

import (
	"fmt"
	"testing"
	"time"
)

// Standby starts a replica that follows this server and answers reads. It has the
// same databases, password and TLS. [Server.CatchUp] waits for it.
func (s *Server) Standby(t testing.TB) *Server {
	t.Helper()
	standby := newServer(t, "--bare")
	standby.settings = s.settings
	// Over the socket, where no password is asked for.
	cmd, err := standby.command("pg_basebackup", "-D", standby.data(), "-R", "-X", "stream", "-c", "fast", "--no-sync", "-d", s.AdminDSN())
	if err != nil {
		t.Fatal(err)
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatal(fmt.Errorf("copy a server for its standby: %w\n%s", err, out))
	}
	if s.settings.tls {
		if err := standby.certify(); err != nil {
			t.Fatal(err)
		}
	}
	standby.Start(t)
	return standby
}

// CatchUp returns when this standby has what the primary had at the call.
func (s *Server) CatchUp(t testing.TB, primary *Server) {
	t.Helper()
	end := Value[string](t, primary.AdminDSN(), "SELECT pg_current_wal_lsn()::text")
	deadline := time.Now().Add(patience)
	for !Value[bool](t, s.AdminDSN(), "SELECT coalesce(pg_last_wal_replay_lsn() >= $1::text::pg_lsn, false)", end) {
		if time.Now().After(deadline) {
			t.Fatalf("the standby is not where the primary was %v ago\n%s", patience, s.Log())
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// Promote makes a standby a server that takes writes.
func (s *Server) Promote(t testing.TB) {
	t.Helper()
	if !Value[bool](t, s.AdminDSN(), "SELECT pg_promote()") {
		t.Fatal("the standby is still one\n" + s.Log())
	}
}
