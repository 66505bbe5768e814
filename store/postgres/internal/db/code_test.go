package db

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/webrag/webrag-tui/store"
)

// unconnected is a database that nobody has connected to.
func unconnected(t *testing.T) *DB {
	t.Helper()
	alone(t)
	a, err := parse(`postgres://ana:canary@h/x`, false)
	if err != nil {
		t.Fatal(err)
	}
	return &DB{address: a, opts: Options{}.withDefaults(), where: location(a.hosts, a.name())}
}

func TestCodesOfTheServerBecomeSentences(t *testing.T) {
	d := unconnected(t)
	for _, c := range []struct {
		code, message string
		writes        bool
		want          string
		kind          error
		lost          bool // IsLost
		down          bool // the state
	}{
		{"57P01", "terminating connection", false, "ended the connection", store.ErrUnavailable, true, true},
		{"57P02", "crash shutdown", false, "ended the connection", store.ErrUnavailable, true, true},
		{"57P03", "the database system is starting up", false, "starting, stopping or recovering", store.ErrUnavailable, true, true},
		{"57P04", "database dropped", false, "was dropped", nil, false, false},
		{"57P05", "idle session", false, "idled too long", store.ErrUnavailable, true, true},
		{"25P03", "idle in transaction", false, "idled too long", store.ErrUnavailable, true, true},
		{"25P04", "transaction timeout", false, "took or idled too long", store.ErrUnavailable, false, true},
		{"08006", "server conn crashed?", false, "connection to the server failed", store.ErrUnavailable, true, true},
		{"08P01", "protocol violation", false, "connection to the server failed", store.ErrUnavailable, true, true},
		{"40001", "could not serialize access", false, "another transaction was in the way", store.ErrUnavailable, true, false},
		{"40P01", "deadlock detected", false, "another transaction was in the way", store.ErrUnavailable, true, false},
		{"25006", "cannot execute INSERT in a read-only transaction", false, "takes no writes", store.ErrReadOnly, false, false},
		{"42501", "permission denied for table x", false, `GRANT SELECT ON ALL TABLES IN SCHEMA public TO "ana"`, nil, false, false},
		{"42501", "permission denied for table x", true, `GRANT SELECT, INSERT, UPDATE, DELETE`, store.ErrReadOnly, false, false},
		{"42501", `new row violates row-level security policy for table "documents"`, true, "--owner", nil, false, false},
		{"53100", "could not extend file", true, "disk is full", store.ErrUnavailable, false, false},
		{"53200", "out of memory", false, "no memory left", store.ErrUnavailable, false, false},
		{"53300", "too many clients already", false, "no connection left", store.ErrUnavailable, false, true},
		{"53400", "configuration limit", false, "no resources left", store.ErrUnavailable, false, false},
		{"57014", "canceling statement due to statement timeout", false, "longer than statement_timeout (30s)", store.ErrUnavailable, false, false},
		{"57014", "storniere Anfrage wegen Zeitüberschreitung", true, "ALTER ROLE ... SET statement_timeout", store.ErrUnavailable, false, false},
		{"57014", "canceling statement due to user request", false, "cancelled on the server by somebody else", store.ErrUnavailable, false, false},
		{"55P03", "canceling statement due to lock timeout", true, "longer than 10s", store.ErrLocked, false, false},
		{"42704", `type "vector" does not exist`, true, "CREATE EXTENSION vector", nil, false, false},
		{"42883", "operator does not exist: vector <=> unknown", false, "CREATE EXTENSION vector", nil, false, false},
		{"0A000", `extension "vector" is not available`, true, "install its package", nil, false, false},
		{"58P01", `could not open extension control file "/x/vector.control"`, true, "install its package", nil, false, false},
		{"22000", "different vector dimensions 3 and 4", false, "different dimensions", nil, false, false},
		{"22000", "expected 3 dimensions, not 4", true, "different dimensions", nil, false, false},
		{"42P01", `relation "chunks" does not exist`, false, "a table is missing", nil, false, false},
		{"42703", `column "terms" does not exist`, false, "a column is missing", nil, false, false},
		{"XX002", "index is corrupted", false, "REINDEX", nil, false, false},
		{"26000", "prepared statement does not exist", false, "pool_mode=transaction", nil, false, false},
		{"42P05", "prepared statement exists already", false, "pool_mode=transaction", nil, false, false},
		{"22012", "division by zero", false, "the server refused it: division by zero (22012)", nil, false, false},
		{"42704", `role "x" does not exist`, false, "the server refused it", nil, false, false},
	} {
		d.state = watch{}
		// As it arrives: wrapped by whoever asked.
		cause := fmt.Errorf("rows: %w", &pgconn.PgError{Severity: "ERROR", Code: c.code, Message: c.message})
		if got := d.IsLost(cause); got != c.lost {
			t.Errorf("%s: lost is %v", c.code, got)
		}
		fail := d.Fail
		if c.writes {
			fail = d.FailWrite
		}
		err := fail(t.Context(), "search", cause)
		if !strings.HasPrefix(err.Error(), "search corpus postgres://h:5432/x: ") || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), c.message) {
			t.Errorf("%s: %v", c.code, err)
		}
		for _, kind := range []error{store.ErrUnavailable, store.ErrReadOnly, store.ErrLocked} {
			if is := errors.Is(err, kind); is != errors.Is(c.kind, kind) {
				t.Errorf("%s: %v is %v: %v", c.code, err, kind, is)
			}
		}
		var e *pgconn.PgError
		if !errors.As(err, &e) || e.Code != c.code {
			t.Errorf("%s: the code is lost", c.code)
		}
		if s := d.State(); s.Lost != c.down || s.Lost && s.Problem != err.Error() {
			t.Errorf("%s: the state is %+v", c.code, s)
		}
		if again := fail(t.Context(), "read", err); again != err { //nolint:errorlint // the very same
			t.Errorf("%s: said twice: %v", c.code, again)
		}
	}
}

func TestPoliciesAreKnownInAnyLanguage(t *testing.T) {
	d := unconnected(t)
	err := d.FailWrite(t.Context(), "write", &pgconn.PgError{
		Code: "42501", Routine: "ExecWithCheckOptions",
		Message: `neue Zeile verletzt Policy für Sicherheit auf Zeilenebene für Tabelle »documents«`,
	})
	if !strings.Contains(err.Error(), "--owner") || strings.Contains(err.Error(), "GRANT") || errors.Is(err, store.ErrReadOnly) {
		t.Error(err)
	}
}

func TestFailuresOfTheConnectionAreLosses(t *testing.T) {
	d := unconnected(t)
	reset := &net.OpError{Op: "read", Err: syscall.ECONNRESET}
	for _, c := range []struct {
		err  error
		lost bool
	}{
		{nil, false},
		{io.EOF, true},
		{io.ErrUnexpectedEOF, true},
		{net.ErrClosed, true},
		{pgconn.ErrConnClosed, true},
		{reset, true},
		{fmt.Errorf("write failed: %w", syscall.EPIPE), true},
		{errSilent, true},
		{&pgconn.PgError{Code: "0A000", Routine: "RevalidateCachedQuery"}, true},
		{&pgconn.PgError{Code: "0A000"}, false},
		{context.Canceled, false},
		{fmt.Errorf("timeout: %w", context.DeadlineExceeded), false},
		{&pgconn.ConnectError{}, false},
		{errBusy, false},
		{pgx.ErrNoRows, false},
		{errors.New("a mistake of ours"), false},
	} {
		if got := d.IsLost(c.err); got != c.lost {
			t.Errorf("%v: lost is %v", c.err, got)
		}
		if c.lost {
			if err := d.Fail(t.Context(), "search", c.err); !errors.Is(err, store.ErrUnavailable) && !errors.As(c.err, new(*pgconn.PgError)) {
				t.Errorf("%v: %v", c.err, err)
			}
		}
	}
}

func TestErrorsOfOursAreOnlySaidWhere(t *testing.T) {
	d := unconnected(t)
	if err := d.Fail(t.Context(), "search", nil); err != nil {
		t.Error(err)
	}
	ours := errors.New("no such page")
	if err := d.Fail(t.Context(), "read", ours); !errors.Is(err, ours) || err.Error() != "read corpus postgres://h:5432/x: no such page" {
		t.Error(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("another query came")
	cancel(gone)
	err := d.Fail(ctx, "search", &pgconn.PgError{Code: "57014", Message: "canceling statement due to user request"})
	if !errors.Is(err, gone) || errors.Is(err, store.ErrUnavailable) {
		t.Error(err)
	}
}

func TestTheServersWordsAreTamed(t *testing.T) {
	d := unconnected(t)
	err := d.Fail(t.Context(), "search", &pgconn.PgError{
		Code:    "XX000\x1b[2J",
		Message: "a\x1b[31m red\r\nline\u202e\u2028 with the canary and\x00" + strings.Repeat(" more", 1000),
	})
	for _, c := range []string{"\x1b", "\n", "\r", "\x00", "\u202e", "\u2028", "canary"} {
		if strings.Contains(err.Error(), c) {
			t.Errorf("%q is in %q", c, err)
		}
	}
	if n := len(err.Error()); n > 600 {
		t.Errorf("the sentence has %d bytes", n)
	}
	if got := plain(" a \t b\n\nc "); got != "a b c" {
		t.Errorf("%q", got)
	}
}

func TestTheStateIsOfItsLastUse(t *testing.T) {
	var w watch
	if s := w.get(); s != (State{}) {
		t.Errorf("before its use: %+v", s)
	}
	w.reached()
	first := w.get()
	w.reached()
	if s := w.get(); s != first || s.Since.IsZero() {
		t.Errorf("reached twice: %+v, then %+v", first, s)
	}
	w.lost("one")
	since := w.get().Since
	w.lost("two")
	if s := w.get(); !s.Lost || s.Problem != "two" || s.Since != since {
		t.Errorf("lost twice: %+v", s)
	}
	w.reached()
	if s := w.get(); s.Lost || s.Problem != "" || s.Since.Before(since) {
		t.Errorf("reached again: %+v", s)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(w.reached)
		all.Go(func() { w.lost("x") })
		all.Go(func() { _ = w.get() })
	}
	all.Wait()
}
