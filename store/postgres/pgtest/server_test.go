package pgtest_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

// code is the SQLSTATE of what connecting or a statement answers.
func code(t *testing.T, dsn, sql string) string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), dsn)
	if err == nil {
		defer conn.Close(context.Background())
		_, err = conn.Exec(t.Context(), sql)
	}
	var answer *pgconn.PgError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &answer):
		return answer.Code
	}
	return err.Error()
}

func TestAKilledServerComesBackWithItsCommits(t *testing.T) {
	server := pgtest.Private(t)
	dsn := server.Database(t)
	pgtest.Exec(t, dsn, "CREATE TABLE kept (n int)")
	open := pgtest.Connect(t, dsn)
	if _, err := open.Exec(t.Context(), "BEGIN; INSERT INTO kept VALUES (1)"); err != nil {
		t.Fatal(err)
	}
	pgtest.Exec(t, dsn, "INSERT INTO kept VALUES (2)")

	server.Kill(t)
	if _, err := open.Exec(t.Context(), "COMMIT"); err == nil {
		t.Error("a killed server commits")
	}
	if got := code(t, dsn, "SELECT"); !strings.Contains(got, "refused") {
		t.Errorf("a killed server answers %q", got)
	}
	server.Start(t)
	if !strings.Contains(server.Log(), "not properly shut down") {
		t.Errorf("the server was not killed:\n%s", server.Log())
	}
	if n := pgtest.Value[int](t, dsn, "SELECT sum(n) FROM kept"); n != 2 {
		t.Errorf("the sum of what was committed is %d, want 2", n)
	}
}

func TestAStoppedServerComesBackOnItsPort(t *testing.T) {
	server := pgtest.Private(t, pgtest.Conf("work_mem", "5MB"))
	dsn := server.EmptyDatabase(t)
	open := pgtest.Connect(t, dsn)
	server.Stop(t)
	var answer *pgconn.PgError
	if _, err := open.Exec(t.Context(), "SELECT"); !errors.As(err, &answer) || answer.Code != "57P01" {
		t.Errorf("a connection to a stopped server answers %v", err)
	}
	server.Start(t)
	if got := pgtest.Value[string](t, dsn, "SHOW work_mem"); got != "5MB" {
		t.Errorf("work_mem is %s, want 5MB", got)
	}
	if strings.Contains(server.Log(), "not properly shut down") {
		t.Error("the server was killed")
	}
}

func TestAStandbyFollows(t *testing.T) {
	// The standby, which has the same settings, shows what it has after a while.
	primary := pgtest.Private(t, pgtest.Password("o'clock"), pgtest.Conf("recovery_min_apply_delay", "300ms"))
	dsn := primary.Database(t)
	pgtest.Exec(t, dsn, "CREATE TABLE followed (n int)")
	standby := primary.Standby(t)
	pgtest.Exec(t, dsn, "INSERT INTO followed VALUES (7)")
	standby.CatchUp(t, primary)

	name := pgtest.Value[string](t, dsn, "SELECT current_database()")
	there := standby.With(t, name)
	if n := pgtest.Value[int](t, there, "SELECT n FROM followed"); n != 7 {
		t.Errorf("the standby has %d, want 7", n)
	}
	if got := code(t, there, "INSERT INTO followed VALUES (8)"); got != "25006" {
		t.Errorf("a write on the standby answers %q, want 25006", got)
	}
	primary.Kill(t)
	standby.Promote(t)
	if got := code(t, there, "INSERT INTO followed VALUES (8)"); got != "" {
		t.Errorf("a write on the promoted standby answers %q", got)
	}
}

func TestAPasswordIsAskedForOverTCP(t *testing.T) {
	server := pgtest.Private(t, pgtest.Password("o'clock"))
	if got := code(t, server.DSN(), "SELECT"); got != "" {
		t.Errorf("the right password is answered with %q", got)
	}
	if got := code(t, strings.Replace(server.DSN(), "clock", "cluck", 1), "SELECT"); got != "28P01" {
		t.Errorf("a wrong password is answered with %q, want 28P01", got)
	}
	if got := code(t, server.AdminDSN(), "SELECT"); got != "" {
		t.Errorf("the socket is answered with %q", got)
	}
}

func TestTLSIsVerified(t *testing.T) {
	server := pgtest.Private(t, pgtest.TLS())
	if !pgtest.Value[bool](t, server.DSN(), "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()") {
		t.Error("the connection is not encrypted")
	}
	stranger, _, _ := strings.Cut(server.DSN(), "&sslrootcert")
	if got := code(t, stranger, "SELECT"); !strings.Contains(got, "certificate") {
		t.Errorf("who does not know the server's certificate is answered with %q", got)
	}
}
