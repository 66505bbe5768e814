package db_test

import (
	"io"
	"net"
	"net/url"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/pgvector/pgvector-go"

	"github.com/webrag/webrag-tui/store/postgres/internal/db"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

// pooler stands in front of a server and refuses settings at the start of a
// connection, as PgBouncer does. It returns the address through it.
func pooler(t *testing.T, dsn string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	config := pgtest.Connect(t, dsn).Config()
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer client.Close()
				pool(client, config.Host, config.Port)
			}()
		}
	}()
	through := url.URL{
		Scheme: "postgres", User: url.UserPassword(config.User, config.Password), Host: l.Addr().String(), Path: config.Database,
		RawQuery: "sslmode=disable",
	}
	return through.String()
}

func pool(client net.Conn, host string, port uint16) {
	backend := pgproto3.NewBackend(client, client)
	message, err := backend.ReceiveStartupMessage()
	if err != nil {
		return
	}
	if startup, ok := message.(*pgproto3.StartupMessage); ok {
		for name := range startup.Parameters {
			switch name {
			case "user", "database", "application_name", "client_encoding":
			default:
				backend.Send(&pgproto3.ErrorResponse{Severity: "FATAL", Code: "08P01", Message: "unsupported startup parameter: " + name})
				_ = backend.Flush()
				return
			}
		}
	}
	server, err := net.Dial(pgconn.NetworkAddress(host, port))
	if err != nil {
		return
	}
	defer server.Close()
	encoded, err := message.Encode(nil)
	if err != nil {
		return
	}
	if _, err := server.Write(encoded); err != nil {
		return
	}
	go func() {
		defer server.Close()
		_, _ = io.Copy(server, client)
	}()
	_, _ = io.Copy(client, server)
}

func TestAPoolerGetsItsSettingsWithEachTransaction(t *testing.T) {
	dsn := pgtest.Database(t)
	through := pooler(t, dsn)
	for _, dsn := range []string{
		through,                                   // it is found out
		plus(through, "pgbouncer", "true"),        // it is named
		plus(dsn, "pool_mode", "transaction"),     // it is named and takes settings
		plus(through, "pool_mode", "transaction"), // both
	} {
		d := open(t, dsn, db.Options{SearchConns: 1})
		if !d.Pooled() {
			t.Fatalf("%s: the pooler was not found", dsn)
		}
		for name, want := range map[string]string{
			"application_name": "webrag-tui", "statement_timeout": "30s", "plan_cache_mode": "force_custom_plan",
			"random_page_cost": "1.1", "transaction_read_only": "on", "transaction_isolation": "repeatable read",
			"default_transaction_read_only": "off", // on a connection that others use next
			"hnsw.ef_search":                "40",
		} {
			if got := ask[string](t, d, "SELECT current_setting($1)", name); got != want {
				t.Errorf("%s: %s is %q, want %q", dsn, name, got, want)
			}
		}
		if got := ask[pgvector.Vector](t, d, "SELECT $1::vector", pgvector.NewVector([]float32{1})); got.String() != "[1]" {
			t.Error(got)
		}
		if n := ask[int](t, d, "SELECT count(*) FROM pg_prepared_statements WHERE NOT from_sql AND name <> ''"); n > 0 {
			t.Errorf("%s: %d prepared statements are left for whoever comes next", dsn, n)
		}
		conn := connect(t, d)
		tx, err := d.Begin(t.Context(), conn)
		if err != nil {
			t.Fatal(err)
		}
		var lock string
		if err := tx.QueryRow(t.Context(), "SHOW lock_timeout").Scan(&lock); err != nil || lock != "10s" {
			t.Errorf("%s: lock_timeout is %s, %v", dsn, lock, err)
		}
		if err := tx.Rollback(t.Context()); err != nil {
			t.Error(err)
		}
		if err := conn.QueryRow(t.Context(), "SHOW lock_timeout").Scan(&lock); err != nil || lock != "0" {
			t.Errorf("%s: lock_timeout outlives its transaction: %s, %v", dsn, lock, err)
		}
	}
	if d := open(t, dsn, db.Options{}); d.Pooled() {
		t.Error("a pooler where there is none")
	}
}
