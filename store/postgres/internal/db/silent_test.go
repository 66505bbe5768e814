package db_test

import (
	"context"
	"errors"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/db"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

// scripted is a server that lets everybody in and answers each query with what
// answer sends, until the test ends. asked gets a value for each query.
func scripted(t *testing.T, answer func(b *pgproto3.Backend)) (dsn string, asked chan struct{}) {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	asked = make(chan struct{}, 100)
	serve := func(conn net.Conn) {
		defer conn.Close()
		defer context.AfterFunc(t.Context(), func() { _ = conn.Close() })()
		b := pgproto3.NewBackend(conn, conn)
		if _, err := b.ReceiveStartupMessage(); err != nil {
			return
		}
		b.Send(&pgproto3.AuthenticationOk{})
		b.Send(&pgproto3.ParameterStatus{Name: "standard_conforming_strings", Value: "on"})
		b.Send(&pgproto3.ParameterStatus{Name: "client_encoding", Value: "UTF8"})
		b.Send(&pgproto3.BackendKeyData{ProcessID: 1, SecretKey: []byte{0, 0, 0, 2}})
		b.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
		for b.Flush() == nil {
			message, err := b.Receive()
			if err != nil {
				return
			}
			if _, ok := message.(*pgproto3.Query); ok {
				asked <- struct{}{}
				answer(b)
			}
		}
	}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go serve(conn)
		}
	}()
	return "postgres://me@" + listener.Addr().String() + "/x?sslmode=disable", asked
}

// opening opens a database in the background.
func opening(ctx context.Context, dsn string, opts db.Options) (came chan error) {
	came = make(chan error, 1)
	go func() {
		d, err := db.Open(ctx, dsn, opts)
		if err == nil {
			d.Close()
		}
		came <- err
	}()
	return came
}

// within waits for what must come, for far longer than it may take.
func within[T any](t *testing.T, what string, from <-chan T) (value T) {
	t.Helper()
	select {
	case value = <-from:
	case <-time.After(time.Minute):
		t.Fatalf("%s: not within a minute", what)
	}
	return value
}

// A server that says nothing, or nonsense, to the first query is given up like one
// that cannot be reached, and sooner when the caller gives up.
func TestAServerThatIsSilentAfterTheLogin(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]func(b *pgproto3.Backend){
		"nothing": func(*pgproto3.Backend) {},
		// The driver takes the end for that of the query, and waits for its rows.
		"an end without rows": func(b *pgproto3.Backend) {
			b.Send(&pgproto3.RowDescription{Fields: make([]pgproto3.FieldDescription, 2)})
			b.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dsn, asked := scripted(t, answer)
			err := within(t, "it gives up", opening(t.Context(), dsn, db.Options{ConnectTimeout: time.Second}))
			if !errors.Is(err, store.ErrUnavailable) || !strings.Contains(err.Error(), "the server does not answer") {
				t.Errorf("got %v", err)
			}
			within(t, "a query comes", asked)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			came := opening(ctx, dsn, db.Options{ConnectTimeout: time.Hour})
			within(t, "a query comes", asked)
			cancel()
			if err := within(t, "it ends with its caller", came); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// Whoever waits is told of each statement, also of one that is never answered.
func TestWaitingForAStatementIsTold(t *testing.T) {
	proxy := pgtest.NewProxy(t, pgtest.Database(t))
	var begun, ended atomic.Int64
	d := open(t, proxy.DSN(), db.Options{Waiting: func(context.Context) func() {
		begun.Add(1)
		return func() { ended.Add(1) }
	}})
	tx, err := d.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if a, b := begun.Load(), ended.Load(); a == 0 || a != b {
		t.Fatalf("%d statements begun, %d ended", a, b)
	}
	proxy.Hang()
	before := begun.Load()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	came := make(chan error, 1)
	go func() {
		_, err := tx.Exec(ctx, "SELECT 1")
		came <- err
	}()
	eventually(t, "it is told of", func() bool { return begun.Load() == before+1 })
	if ended.Load() != before {
		t.Error("it is told to have ended")
	}
	cancel()
	within(t, "it ends with its caller", came)
	if ended.Load() != before+1 {
		t.Error("its end is not told")
	}
	batch := &pgx.Batch{}
	batch.Queue("SELECT 1")
	proxy.Resume()
	_ = tx.Rollback(t.Context())
	if tx, err = d.Read(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(context.Background())
	before = begun.Load()
	if err := tx.SendBatch(t.Context(), batch).Close(); err != nil || begun.Load() != before+1 || ended.Load() != begun.Load() {
		t.Errorf("a batch: %v, %d begun, %d ended", err, begun.Load()-before, ended.Load()-before)
	}
}
