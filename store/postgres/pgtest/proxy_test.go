package pgtest_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

func TestAProxyHangsAndPassesOn(t *testing.T) {
	proxy := pgtest.NewProxy(t, pgtest.Database(t))
	conn := pgtest.Connect(t, proxy.DSN())
	pgtest.Exec(t, proxy.DSN(), "CREATE TABLE passed (n int)")

	proxy.Hang()
	proxy.Hang() // to hang twice is to hang
	answer := make(chan error, 1)
	go func() {
		_, err := conn.Exec(context.Background(), "INSERT INTO passed VALUES (1)")
		answer <- err
	}()
	hurry, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := pgconn.Connect(hurry, proxy.DSN()); err == nil || hurry.Err() == nil {
		t.Errorf("a new connection through a network that hangs: %v", err)
	}
	select {
	case err := <-answer:
		t.Fatalf("a statement through a network that hangs was answered: %v", err)
	default:
	}
	proxy.Resume()
	if err := <-answer; err != nil {
		t.Errorf("after the network hung: %v", err)
	}
	if n := pgtest.Value[int](t, proxy.DSN(), "SELECT count(*) FROM passed"); n != 1 {
		t.Errorf("%d rows, want 1", n)
	}
}

func TestAProxyBreaksConnections(t *testing.T) {
	proxy := pgtest.NewProxy(t, pgtest.Database(t))
	conn := pgtest.Connect(t, proxy.DSN())
	proxy.Cut()
	if _, err := conn.Exec(t.Context(), "SELECT"); err == nil || !conn.IsClosed() {
		t.Fatalf("a broken connection: %v, closed: %v", err, conn.IsClosed())
	}
	if _, err := pgconn.Connect(t.Context(), proxy.DSN()); err == nil {
		t.Error("a new connection through a broken network")
	}
	proxy.Resume()
	pgtest.Exec(t, proxy.DSN(), "SELECT")
}

func TestAProxyEndsWhileItHangs(t *testing.T) {
	dsn := pgtest.Database(t)
	answer := make(chan error, 1)
	t.Run("test", func(t *testing.T) {
		proxy := pgtest.NewProxy(t, dsn)
		conn, err := pgconn.Connect(t.Context(), proxy.DSN())
		if err != nil {
			t.Fatal(err)
		}
		proxy.Hang()
		go func() { answer <- conn.Exec(context.Background(), "SELECT").Close() }()
	})
	if <-answer == nil {
		t.Error("a statement was answered through a proxy that hung until its end")
	}
}
