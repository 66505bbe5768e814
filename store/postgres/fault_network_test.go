package postgres

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/db"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

// A query into a network that hangs ends with its context, and its connection is
// given back.
func TestANetworkThatHangsWhileItIsAsked(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Database(t)
	mustIndexSite(t, open(t, dsn, Options{Create: true}), 1)
	proxy := pgtest.NewProxy(t, dsn)
	s := open(t, proxy.DSN(), Options{Conn: db.Options{SearchConns: 2, ConnectTimeout: 2 * time.Second}})
	want, err := ask(t.Context(), s)
	must(t, "ask", err)
	others := backends(t, dsn) - 1
	enough := errors.New("enough")
	for name, deadline := range map[string]bool{"a deadline": true, "a cancellation": false} {
		t.Run(name, func(t *testing.T) {
			of := enough
			v := view(t, s)
			release := holdUp(t, dsn, "chunks")
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			if deadline {
				of = context.DeadlineExceeded
				var stop context.CancelFunc
				ctx, stop = context.WithTimeout(ctx, 3*time.Second)
				defer stop()
			}
			came := asking(ctx, v)
			stuck(t, dsn, 1)
			proxy.Hang()
			if !deadline {
				cancel(enough)
			}
			if got := soon(t, "the query ends", came); !errors.Is(got.err, of) {
				t.Errorf("the query ends with %v", got.err)
			}
			must(t, "close", v.Close())
			proxy.Resume()
			eventually(t, "the server's work ends, too", func() bool { return pgtest.Value[int](t, dsn, waiting) == 0 })
			release()
			if got, err := ask(t.Context(), s); err != nil || got != want {
				t.Errorf("then the answer is %v\n%s", err, got)
			}
			eventually(t, "no connection is left over", func() bool { return backends(t, dsn)-others <= 1 })
		})
	}

	// None of the connections is lost.
	for _, v := range []*View{view(t, s), view(t, s)} {
		if got := mustAnswer(t, v); got != want {
			t.Errorf("then the answer is\n%s", got)
		}
		must(t, "close", v.Close())
	}

	// Nobody gave a limit: the first answer of a connection has its own.
	proxy.Hang()
	_, err = ask(t.Context(), s)
	if !errors.Is(err, store.ErrUnavailable) || !s.db.State().Lost {
		t.Errorf("a query into the void: %v, %+v", err, s.db.State())
	}
	// Nor does anybody want to wait for the end.
	began := time.Now()
	must(t, "close", s.Close())
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("to close it took %v", took)
	}
}

// A replacement whose network is cut is undone, and the writer goes on when it can,
// although the server may not have noticed yet.
func TestANetworkThatIsCutWhileItWrites(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Database(t)
	proxy := pgtest.NewProxy(t, dsn)
	_, w := writing(t, proxy.DSN(), Options{})
	setDims(t, w, 3)
	mustPut(t, w, leaf("https://example.org/a", 3, "one", "two"), true)
	before := stateOf(t, dsn)
	opened := gate(t, dsn, `AFTER INSERT ON chunks FOR EACH STATEMENT`)
	next := leaf("https://example.org/a", 3, "one", "three")
	failed := make(chan error, 1)
	go func() {
		_, err := w.Put(t.Context(), next)
		failed <- err
	}()
	stuck(t, dsn, 1)
	proxy.Cut()
	err := soon(t, "Put ends", failed)
	if !errors.Is(err, store.ErrUnavailable) || !strings.Contains(err.Error(), "https://example.org/a") {
		t.Errorf("Put ends with %v", err)
	}
	if _, err := w.Put(t.Context(), next); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("Put without a network: %v", err)
	}
	proxy.Resume()
	if got := stateOf(t, dsn); got.eachWhole(t, state{}, before) != 1 || got.between != before.between {
		t.Error("something of the lost replacement is there")
	}
	opened()
	mustPut(t, w, next, true)
	mustPut(t, w, next, false)
	consistent(t, dsn)
}
