package db_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/db"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

// with changes the URL of a database.
func with(t *testing.T, dsn string, change func(u *url.URL, query url.Values)) string {
	t.Helper()
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	query := u.Query()
	change(u, query)
	u.RawQuery = query.Encode()
	return u.String()
}

func set(key, value string) func(*url.URL, url.Values) {
	return func(_ *url.URL, query url.Values) { query.Set(key, value) }
}

// refused opens a database that cannot be opened.
func refused(t *testing.T, dsn string) error {
	t.Helper()
	d, err := db.Open(t.Context(), dsn, db.Options{ConnectTimeout: 10 * time.Second})
	if err == nil {
		d.Close()
		t.Fatalf("%s was opened", dsn)
	}
	return err
}

const secret = "s3cr3t-canary"

func TestWhatIsWrongWithTheLoginIsSaid(t *testing.T) {
	// More than the cases below open, each of whose sessions may still hold its place
	// for a moment after it was refused.
	const places = 40
	server := pgtest.Private(t, pgtest.Password(secret), pgtest.Conf("max_connections", strconv.Itoa(places)), pgtest.Conf("superuser_reserved_connections", "0"),
		pgtest.Conf("max_wal_senders", "0"))
	dsn := server.DSN()
	pgtest.Exec(t, server.AdminDSN(), "CREATE ROLE locked LOGIN PASSWORD '"+secret+"'")
	pgtest.Exec(t, server.AdminDSN(), "CREATE DATABASE closed")
	pgtest.Exec(t, server.AdminDSN(), "REVOKE CONNECT ON DATABASE closed FROM public")

	open(t, dsn, db.Options{}).Close()
	for name, c := range map[string]struct {
		change func(*url.URL, url.Values)
		want   []string
		may    error // come back
	}{
		"a wrong password": {
			func(u *url.URL, _ url.Values) { u.User = url.UserPassword("app", "wrong-canary") },
			[]string{`the password of user "app" was not accepted`, ".pgpass", "28P01"},
			nil,
		},
		"no password": {
			func(u *url.URL, _ url.Values) { u.User = url.User("app") },
			[]string{`user "app" needs a password`, "PGPASSWORD"},
			nil,
		},
		"a wrong user": {
			func(u *url.URL, _ url.Values) { u.User = url.UserPassword("nobody", secret) },
			[]string{`user "nobody"`},
			nil,
		},
		"a wrong database": {
			func(u *url.URL, _ url.Values) { u.Path = "/nothing" },
			[]string{`no database "nothing"`, `CREATE DATABASE "nothing"`, "3D000"},
			nil,
		},
		"no database": {
			func(u *url.URL, _ url.Values) { u.Path = "" },
			[]string{"names no database", "add /name"},
			nil,
		},
		"a database of others": {
			func(u *url.URL, _ url.Values) { u.User, u.Path = url.UserPassword("locked", secret), "/closed" },
			[]string{"may not connect", `GRANT CONNECT ON DATABASE "closed" TO "locked"`},
			nil,
		},
		"a parameter that the server does not know": {
			set("wurk_mem", "1"),
			[]string{"does not know a parameter of the address", "wurk_mem"},
			nil,
		},
		"a value that the server does not take": {
			set("work_mem", "much"),
			[]string{"does not take its value", "work_mem"},
			nil,
		},
		"encryption that is not offered": {
			set("sslmode", "require"),
			[]string{"offers no encryption", "sslmode=prefer"},
			nil,
		},
		"a port where nobody listens": {
			func(u *url.URL, _ url.Values) { u.Host = unused(t) },
			[]string{"no server listens there"},
			store.ErrUnavailable,
		},
		"a host that nobody knows": {
			func(u *url.URL, _ url.Values) { u.Host = "no-such-host.invalid:5432" },
			[]string{"no-such-host.invalid"},
			store.ErrUnavailable,
		},
		"a socket that is not there": {
			func(u *url.URL, query url.Values) { u.Host = ""; query.Set("host", t.TempDir()) },
			[]string{"no server on this machine"},
			store.ErrUnavailable,
		},
	} {
		err := refused(t, with(t, dsn, c.change))
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v\nlacks %q", name, err, want)
			}
		}
		if errors.Is(err, store.ErrUnavailable) != (c.may != nil) {
			t.Errorf("%s: whether it may come back is wrong: %v", name, err)
		}
		if strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: the password is told: %v", name, err)
		}
		t.Logf("%s: %v", name, err)
	}

	var held []*pgx.Conn
	for deadline := time.Now().Add(time.Minute); len(held) < places && time.Now().Before(deadline); {
		conn, err := pgx.Connect(t.Context(), dsn)
		if err != nil {
			time.Sleep(10 * time.Millisecond)
			continue
		}
		t.Cleanup(func() { _ = conn.Close(context.Background()) })
		held = append(held, conn)
	}
	err := refused(t, dsn)
	if !errors.Is(err, store.ErrUnavailable) || !strings.Contains(err.Error(), "no connection left") {
		t.Errorf("with %d connections in use: %v", len(held), err)
	}
}

// unused is an address of this machine where nobody listens.
func unused(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func TestAServerWithoutPostgreSQLIsToldApart(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			fmt.Fprint(conn, "HTTP/1.1 400 Bad Request\r\n\r\n")
			conn.Close()
		}
	}()
	err = refused(t, "postgres://app@"+l.Addr().String()+"/x?sslmode=disable")
	t.Log(err)
	if !errors.Is(err, store.ErrUnavailable) || !strings.Contains(err.Error(), "check host and port") {
		t.Error(err)
	}
}

func TestCertificatesAreCheckedAndExplained(t *testing.T) {
	server := pgtest.Private(t, pgtest.TLS(), pgtest.Password(secret))
	d := open(t, server.DSN(), db.Options{SearchConns: 1})
	if !ask[bool](t, d, "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()") {
		t.Error("the connection is not encrypted")
	}
	// A request to cancel goes over an encrypted connection of its own.
	ctx, cancel := context.WithCancel(t.Context())
	tx, err := d.Read(ctx)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() {
		_, err := tx.Exec(ctx, "SELECT pg_sleep(600)")
		ended <- err
	}()
	eventually(t, "the query runs", func() bool { // a request that comes before it cancels nothing
		return pgtest.Value[bool](t, server.DSN(), "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE state = 'active' AND query = 'SELECT pg_sleep(600)')")
	})
	cancel()
	err = <-ended
	if !errors.Is(d.Fail(ctx, "search", err), context.Canceled) || tx.Conn().IsClosed() {
		t.Errorf("cancelling: %v", err)
	}
	if err := tx.Rollback(ctx); err != nil {
		t.Error(err)
	}

	for name, c := range map[string]struct {
		change func(*url.URL, url.Values)
		want   string
	}{
		"an unknown authority": {func(_ *url.URL, query url.Values) { query.Del("sslrootcert") }, "authority that is not known"},
		"another name": {
			func(u *url.URL, _ url.Values) { u.Host = strings.Replace(u.Host, "127.0.0.1", "localhost", 1) }, "for another name",
		},
		"a certificate that is missing": {set("sslrootcert", filepath.Join(t.TempDir(), "none.crt")), "none.crt"},
	} {
		err := refused(t, with(t, server.DSN(), c.change))
		t.Logf("%s: %v", name, err)
		if !strings.Contains(err.Error(), c.want) || errors.Is(err, store.ErrUnavailable) || strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestANetworkThatHangsIsNotWaitedForForever(t *testing.T) {
	proxy := pgtest.NewProxy(t, pgtest.Database(t))
	d := open(t, proxy.DSN(), db.Options{ConnectTimeout: time.Second, SearchConns: 2})
	tx, err := d.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	proxy.Hang()
	// An idle connection that hears nothing, and then a new one that hears nothing.
	_, err = d.Read(t.Context())
	err = d.Fail(t.Context(), "search", err)
	t.Log(err)
	if !errors.Is(err, store.ErrUnavailable) || !d.State().Lost {
		t.Errorf("%v, %+v", err, d.State())
	}
	// A statement under way ends with its context.
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = tx.Exec(ctx, "SELECT 1")
	if err := d.Fail(ctx, "search", err); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a statement into the void: %v", err)
	}
	if !tx.Conn().IsClosed() {
		t.Error("a connection whose statement may still run is kept")
	}
	_ = tx.Rollback(t.Context())
	if _, err := db.Open(t.Context(), proxy.DSN(), db.Options{ConnectTimeout: 50 * time.Millisecond}); !strings.Contains(err.Error(), "no answer within 50ms") {
		t.Error(err)
	}
	proxy.Resume()
	ask[int](t, d, "SELECT 1")
	if d.State().Lost {
		t.Errorf("after the network is back: %+v", d.State())
	}

	tx, err = d.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	proxy.Cut()
	_, err = tx.Exec(t.Context(), "SELECT 1")
	if !d.IsLost(err) || !d.IsBroken(tx, err) {
		t.Errorf("a connection that was cut: %v", err)
	}
	err = d.Fail(t.Context(), "search", err)
	t.Log(err)
	if !errors.Is(err, store.ErrUnavailable) {
		t.Error(err)
	}
	_ = tx.Rollback(t.Context())
}

func TestAServerThatIsKilledIsFoundAgain(t *testing.T) {
	server := pgtest.Private(t)
	d := open(t, server.DSN(), db.Options{SearchConns: 2})
	tx, err := d.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() {
		_, err := tx.Exec(t.Context(), "SELECT pg_sleep(600)")
		ended <- err
	}()
	server.Kill(t)
	err = <-ended
	if !d.IsLost(err) || !d.IsBroken(tx, err) {
		t.Errorf("a query during kill -9: %v", err)
	}
	_ = tx.Rollback(t.Context())
	_, err = d.Read(t.Context())
	err = d.Fail(t.Context(), "search", err)
	if !errors.Is(err, store.ErrUnavailable) || !strings.Contains(err.Error(), "no server listens") || !d.State().Lost {
		t.Errorf("while it is down: %v, %+v", err, d.State())
	}
	server.Start(t)
	ask[int](t, d, "SELECT 1")
	if d.State().Lost {
		t.Errorf("after it is back: %+v", d.State())
	}
	// The connection that is idle now dies with the next stop.
	server.Stop(t)
	server.Start(t)
	ask[int](t, d, "SELECT 1")
}

func TestSearchesGoToAStandbyAndWritesToThePrimary(t *testing.T) {
	primary := pgtest.Private(t)
	standby := primary.Standby(t)
	hosts := func(servers ...*pgtest.Server) string {
		var list []string
		for _, s := range servers {
			u, err := url.Parse(s.DSN())
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, u.Host)
		}
		return "postgres://app@" + strings.Join(list, ",") + "/postgres?sslmode=disable"
	}
	both := hosts(primary, standby)
	for range 4 { // whatever the order that was drawn
		d := open(t, both, db.Options{})
		if !ask[bool](t, d, "SELECT pg_is_in_recovery()") {
			t.Error("a search on the primary")
		}
		conn := connect(t, d)
		var recovering bool
		if err := conn.QueryRow(t.Context(), "SELECT pg_is_in_recovery()").Scan(&recovering); err != nil || recovering {
			t.Errorf("writing on a standby: %v, %v", recovering, err)
		}
	}
	d := open(t, both+"&target_session_attrs=read-write", db.Options{})
	if want := strings.Replace(strings.Replace(both, "app@", "", 1), "?sslmode=disable", "", 1); d.Location() != want {
		t.Errorf("the location is %s, want %s", d.Location(), want)
	}
	if ask[bool](t, d, "SELECT pg_is_in_recovery()") {
		t.Error("the address asks for the primary, and the search is on a standby")
	}

	// A standby alone takes no writes.
	d = open(t, hosts(standby), db.Options{})
	conn := connect(t, d)
	_, err := conn.Exec(t.Context(), "CREATE TABLE x (i int)")
	if err := d.FailWrite(t.Context(), "write", err); !errors.Is(err, store.ErrReadOnly) || !strings.Contains(err.Error(), "standby") {
		t.Error(err)
	}
	// Without the primary, searches go on and writes say why not.
	d = open(t, both, db.Options{})
	pgtest.Exec(t, primary.AdminDSN(), "ALTER ROLE app SET default_transaction_read_only = on")
	_, err = d.Connect(t.Context())
	if err := d.FailWrite(t.Context(), "write", err); !errors.Is(err, store.ErrReadOnly) || !strings.Contains(err.Error(), "none of its hosts") {
		t.Errorf("two hosts that take no writes: %v", err)
	}
	primary.Kill(t)
	ask[int](t, d, "SELECT 1")
	_, err = d.Connect(t.Context())
	if err := d.FailWrite(t.Context(), "write", err); !errors.Is(err, store.ErrUnavailable) || !strings.Contains(err.Error(), "start the primary") {
		t.Errorf("writing without the primary: %v", err)
	}
}

func TestARoleThatMayOnlyReadIsToldWhatToAskFor(t *testing.T) {
	dsn := pgtest.Database(t)
	d := open(t, dsn, db.Options{})
	conn := connect(t, d)
	role := "reader_" + d.Name()
	run := func(sql string) error {
		_, err := conn.Exec(t.Context(), sql)
		return err
	}
	for _, sql := range []string{
		"CREATE TABLE x (i int)", "CREATE TABLE y (i int)", "CREATE ROLE " + role, "GRANT SELECT ON x TO " + role,
		"SET ROLE " + role,
	} {
		if err := run(sql); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		conn := pgtest.Connect(t, dsn)
		if _, err := conn.Exec(context.Background(), "DROP OWNED BY "+role+"; DROP ROLE "+role); err != nil {
			t.Error(err)
		}
	})
	err := d.Fail(t.Context(), "read", run("SELECT * FROM y"))
	if errors.Is(err, store.ErrReadOnly) || !strings.Contains(err.Error(), "GRANT SELECT") {
		t.Error(err)
	}
	err = d.FailWrite(t.Context(), "write", run("INSERT INTO x VALUES (1)"))
	if !errors.Is(err, store.ErrReadOnly) || !strings.Contains(err.Error(), "INSERT") {
		t.Error(err)
	}
}
