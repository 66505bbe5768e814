package db_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/pgvector/pgvector-go"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/db"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

func TestASearchConnectionIsSetUp(t *testing.T) {
	d := open(t, pgtest.Database(t), db.Options{StatementTimeout: 7 * time.Second})
	for name, want := range map[string]string{
		"application_name":              "webrag-tui",
		"statement_timeout":             "7s",
		"plan_cache_mode":               "force_custom_plan",
		"random_page_cost":              "1.1",
		"default_transaction_read_only": "on",
		"transaction_read_only":         "on",
		"transaction_isolation":         "repeatable read",
		// The library is loaded: the setting exists.
		"hnsw.ef_search": "40",
	} {
		if got := ask[string](t, d, "SELECT current_setting($1)", name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	// Known types travel in binary form.
	if got := ask[pgvector.Vector](t, d, "SELECT $1::vector", pgvector.NewVector([]float32{1, 0.5})); got.String() != "[1,0.5]" {
		t.Errorf("a vector came back as %s", got)
	}
}

func TestTheAddressWinsOverTheOptions(t *testing.T) {
	dsn := plus(pgtest.Database(t), "statement_timeout", "1234")
	dsn = plus(plus(dsn, "application_name", "mine"), "options", "-c random_page_cost=3")
	d := open(t, dsn, db.Options{})
	for name, want := range map[string]string{
		"application_name": "mine", "statement_timeout": "1234ms", "random_page_cost": "3",
	} {
		if got := ask[string](t, d, "SELECT current_setting($1)", name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

func TestReadingCannotWrite(t *testing.T) {
	d := open(t, pgtest.Database(t), db.Options{})
	tx, err := d.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(t.Context())
	_, err = tx.Exec(t.Context(), "CREATE TABLE x (i int)")
	if !d.IsBroken(tx, err) {
		t.Error("the transaction goes on after a failure")
	}
	if err := d.Fail(t.Context(), "read", err); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("a write on a reading connection: %v", err)
	}
}

// A mistake of the caller in Go leaves the transaction as it is.
func TestATransactionGoesOnAfterAMistakeThatIsNotTheServers(t *testing.T) {
	d := open(t, pgtest.Database(t), db.Options{})
	tx, err := d.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(t.Context())
	var n int
	err = tx.QueryRow(t.Context(), "SELECT 'word'::text").Scan(&n)
	if err == nil || d.IsBroken(tx, err) || d.IsLost(err) {
		t.Errorf("a scan into the wrong type: %v, broken %v", err, d.IsBroken(tx, err))
	}
}

func TestATerminatedConnectionIsReplacedWithoutAWord(t *testing.T) {
	dsn := pgtest.Database(t)
	d := open(t, dsn, db.Options{})
	// Fill the pool, so that more than one is dead.
	var open []pgx.Tx
	var pids []int
	for range 3 {
		tx, err := d.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var pid int
		if err := tx.QueryRow(t.Context(), "SELECT pg_backend_pid()").Scan(&pid); err != nil {
			t.Fatal(err)
		}
		open, pids = append(open, tx), append(pids, pid)
	}
	for _, tx := range open {
		if err := tx.Rollback(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	terminate(t, dsn, pids...)
	for range 4 {
		if got := ask[int](t, d, "SELECT 1"); got != 1 {
			t.Fatal(got)
		}
	}
	if s := d.State(); s.Lost {
		t.Errorf("the state is %+v", s)
	}
}

// terminate ends sessions and waits for their ends.
func terminate(t *testing.T, dsn string, pids ...int) {
	t.Helper()
	for _, pid := range pids {
		if !pgtest.Value[bool](t, dsn, "SELECT pg_terminate_backend($1, 10000)", pid) {
			t.Fatal("a session could not be ended")
		}
	}
}

func TestALossInTheMiddleIsALossAndAnUnavailability(t *testing.T) {
	dsn := pgtest.Database(t)
	d := open(t, dsn, db.Options{})
	tx, err := d.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(t.Context())
	var pid int
	if err := tx.QueryRow(t.Context(), "SELECT pg_backend_pid()").Scan(&pid); err != nil {
		t.Fatal(err)
	}
	terminate(t, dsn, pid)
	_, err = tx.Exec(t.Context(), "SELECT 1")
	if !d.IsLost(err) || !d.IsBroken(tx, err) {
		t.Fatalf("after the end of the session: %v: lost %v, broken %v", err, d.IsLost(err), d.IsBroken(tx, err))
	}
	if err := d.Fail(t.Context(), "search", err); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("it fails with %v", err)
	}
	if s := d.State(); !s.Lost || s.Since.IsZero() || !strings.Contains(s.Problem, "ended the connection") {
		t.Errorf("the state is %+v", s)
	}
	ask[int](t, d, "SELECT 1")
	if s := d.State(); s.Lost || s.Problem != "" {
		t.Errorf("after it is back, the state is %+v", s)
	}
}

func TestCancellingFreesTheServerAndKeepsTheConnection(t *testing.T) {
	dsn := pgtest.Database(t)
	d := open(t, dsn, db.Options{SearchConns: 1})
	before := ask[int](t, d, "SELECT pg_backend_pid()")
	for range 5 {
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
		active := func() bool {
			return pgtest.Value[bool](t, dsn, "SELECT state = 'active' AND query LIKE '%pg_sleep(600)%' FROM pg_stat_activity WHERE pid = $1", before)
		}
		eventually(t, "the query runs", active)
		cancel()
		err = <-ended
		if active() {
			t.Error("the query still runs on the server")
		}
		if !errors.Is(d.Fail(ctx, "search", err), context.Canceled) {
			t.Errorf("a cancelled query fails with %v", err)
		}
		if err := tx.Rollback(ctx); err != nil {
			t.Errorf("a transaction whose context has ended is not rolled back: %v", err)
		}
	}
	if after := ask[int](t, d, "SELECT pg_backend_pid()"); after != before {
		t.Errorf("the connection was replaced: session %d, then %d", before, after)
	}
}

func TestAFullPoolIsWaitedForInBoundedTime(t *testing.T) {
	d := open(t, pgtest.Database(t), db.Options{SearchConns: 1, StatementTimeout: time.Second})
	tx, err := d.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_, err = d.Read(t.Context())
	err = d.Fail(t.Context(), "search", err)
	if !errors.Is(err, store.ErrUnavailable) || !strings.Contains(err.Error(), "all 1 connections") {
		t.Errorf("a second view of a pool of one: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := d.Read(ctx); !errors.Is(d.Fail(ctx, "search", err), context.Canceled) {
		t.Errorf("with a cancelled context: %v", err)
	}
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	ask[int](t, d, "SELECT 1")
}

func TestAStatementThatTakesTooLongNamesTheSetting(t *testing.T) {
	d := open(t, pgtest.Database(t), db.Options{StatementTimeout: time.Second})
	tx, err := d.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(t.Context())
	_, err = tx.Exec(t.Context(), "SELECT pg_sleep(600)")
	if d.IsLost(err) {
		t.Error("a timeout is not a loss")
	}
	err = d.Fail(t.Context(), "search", err)
	if !errors.Is(err, store.ErrUnavailable) || !strings.Contains(err.Error(), "statement_timeout (1s)") {
		t.Error(err)
	}
}

func TestWritingConnectionsWaitForLocksInBoundedTime(t *testing.T) {
	dsn := pgtest.Database(t)
	d := open(t, dsn, db.Options{LockTimeout: 20 * time.Millisecond})
	pgtest.Exec(t, dsn, "CREATE TABLE x (i int)")
	holder, other := connect(t, d), connect(t, d)
	begin := func(conn *pgx.Conn) pgx.Tx {
		tx, err := d.Begin(t.Context(), conn)
		if err != nil {
			t.Fatal(err)
		}
		return tx
	}
	holding := begin(holder)
	defer holding.Rollback(t.Context())
	if _, err := holding.Exec(t.Context(), "LOCK TABLE x"); err != nil {
		t.Fatal(err)
	}
	waiting := begin(other)
	defer waiting.Rollback(t.Context())
	_, err := waiting.Exec(t.Context(), "INSERT INTO x VALUES (1)")
	if err := d.FailWrite(t.Context(), "write", err); !errors.Is(err, store.ErrLocked) || !strings.Contains(err.Error(), "20ms") {
		t.Error(err)
	}
	var idle string
	if err := holding.QueryRow(t.Context(), "SHOW idle_in_transaction_session_timeout").Scan(&idle); err != nil || idle != "5min" {
		t.Error(idle, err)
	}
}

func connect(t *testing.T, d *db.DB) *pgx.Conn {
	t.Helper()
	conn, err := d.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	return conn
}

func TestTheExtensionIsRegisteredWhenItIsMade(t *testing.T) {
	dsn := pgtest.EmptyDatabase(t)
	d := open(t, dsn, db.Options{})
	if d.HasVector() {
		t.Fatal("an empty database has vectors")
	}
	conn := connect(t, d)
	_, err := conn.Exec(t.Context(), "SELECT '[1]'::vector")
	if err := d.Fail(t.Context(), "read", err); !strings.Contains(err.Error(), "CREATE EXTENSION vector") {
		t.Error(err)
	}
	if _, err := conn.Exec(t.Context(), "CREATE EXTENSION vector; CREATE TABLE v (v vector(2))"); err != nil {
		t.Fatal(err)
	}
	if err := d.Register(t.Context(), conn); err != nil {
		t.Fatal(err)
	}
	rows := [][]any{{pgvector.NewVector([]float32{1, 2})}}
	if _, err := conn.CopyFrom(t.Context(), pgx.Identifier{"v"}, []string{"v"}, pgx.CopyFromRows(rows)); err != nil {
		t.Error(err)
	}
	if got := ask[pgvector.Vector](t, d, "SELECT v FROM v"); got.String() != "[1,2]" || !d.HasVector() {
		t.Error(got)
	}
	_, err = conn.Exec(t.Context(), "INSERT INTO v VALUES ('[1,2,3]')")
	if err := d.FailWrite(t.Context(), "write", err); !strings.Contains(err.Error(), "different dimensions") {
		t.Error(err)
	}
}

// A request to cancel that comes when its statement has just ended must not hit
// the next one.
func TestALateCancellationHitsNoOtherStatement(t *testing.T) {
	d := open(t, pgtest.Database(t), db.Options{})
	conn := connect(t, d)
	cancelled := 0
	for range 300 {
		ctx, cancel := context.WithCancel(t.Context())
		go cancel()
		if _, err := conn.Exec(ctx, "SELECT 1"); err != nil {
			cancelled++
		}
		cancel()
		if conn.IsClosed() {
			t.Fatal("the connection was given up")
		}
		if _, err := conn.Exec(t.Context(), "SELECT count(*) FROM generate_series(1, 1000)"); err != nil {
			t.Fatalf("after %d statements that were cancelled: %v", cancelled, err)
		}
	}
	t.Logf("%d of 300 were cancelled", cancelled)
}
