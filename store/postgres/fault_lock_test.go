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

// Whoever waits for somebody else's lock is told so after a time, and what was
// being written is not there.
func TestLocksOfOthers(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Database(t)
	s, w := writing(t, dsn, Options{Conn: db.Options{LockTimeout: 50 * time.Millisecond}})
	setDims(t, w, 8)
	b := leaf("https://example.org/a", 8, "roots of trees", "leaves")
	mustPut(t, w, b, true)
	other := leaf("https://example.org/b", 8, "twigs of trees")
	mustPut(t, w, other, true)
	want, err := ask(t.Context(), s)
	must(t, "ask", err)
	before := stateOf(t, dsn)

	refused := func(t *testing.T, b store.Bundle) {
		t.Helper()
		changed, err := w.Put(t.Context(), b)
		if changed || !errors.Is(err, store.ErrLocked) || !strings.Contains(err.Error(), "longer than 50ms") || !strings.Contains(err.Error(), b.Document.SourceURL) {
			t.Errorf("Put = %v, %v", changed, err)
		}
	}
	unchanged := func(t *testing.T) {
		t.Helper()
		if got := stateOf(t, dsn); got.eachWhole(t, state{}, before) != 2 || got.between != before.between {
			t.Error("something was written")
		}
	}
	next := leaf("https://example.org/a", 8, "roots of trees", "stones")
	t.Run("of a row", func(t *testing.T) {
		keeper := pgtest.Connect(t, dsn)
		tx, err := keeper.Begin(t.Context())
		must(t, "begin", err)
		_, err = tx.Exec(t.Context(), `SELECT FROM documents WHERE id = $1 FOR UPDATE`, b.Document.ID)
		must(t, "lock", err)
		refused(t, next)
		if got, err := ask(t.Context(), s); err != nil || got != want {
			t.Errorf("meanwhile the answer is %v\n%s", err, got)
		}
		// Another document is not concerned.
		renamed := other
		renamed.Document.Title = "Another title"
		mustPut(t, w, renamed, true)
		mustPut(t, w, other, true)
		must(t, "release", tx.Rollback(t.Context()))
		unchanged(t)
	})
	t.Run("of a table", func(t *testing.T) {
		hasty := open(t, dsn, Options{Conn: db.Options{StatementTimeout: 3 * time.Second}})
		v := view(t, hasty)
		release := holdUp(t, dsn, "chunks")
		refused(t, next)
		if _, err := answer(t.Context(), v); !errors.Is(err, store.ErrUnavailable) || !strings.Contains(err.Error(), "statement_timeout (3s)") {
			t.Errorf("a query meanwhile: %v", err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		if _, err := ask(ctx, s); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a query with a deadline: %v", err)
		}
		must(t, "close", v.Close())
		release()
		unchanged(t)
		eventually(t, "the table is free", func() bool {
			got, err := ask(t.Context(), s)
			return err == nil && got == want
		})
	})
	mustPut(t, w, next, true)
	consistent(t, dsn)
}

// searches is how many searches a burst has: more than there are connections.
const searches = 50

// Somebody types: each search is given up for the next one, while the server does
// not get to any. It has nothing left to do for them in the end.
func TestABurstOfSearchesThatAreGivenUp(t *testing.T) {
	t.Parallel()
	const conns = 4
	dsn := pgtest.Database(t)
	mustIndexSite(t, open(t, dsn, Options{Create: true}), 1)
	s := open(t, dsn, Options{Conn: db.Options{SearchConns: conns}})
	want, err := ask(t.Context(), s)
	must(t, "ask", err)
	others := backends(t, dsn) - 2 // each arm has made its connection
	release := holdUp(t, dsn, "chunks")
	search := func(ctx context.Context) <-chan reply {
		came := make(chan reply, 1)
		go func() {
			text, err := ask(ctx, s)
			came <- reply{text, err}
		}()
		return came
	}
	givenUp := func(came <-chan reply) {
		t.Helper()
		if got := soon(t, "a search ends", came); !errors.Is(got.err, context.Canceled) {
			t.Errorf("a search that was given up: %v", got.err)
		}
	}

	// One after the other: each has got to the server, with both arms.
	for range searches {
		ctx, cancel := context.WithCancel(t.Context())
		came := search(ctx)
		stuck(t, dsn, 2)
		cancel()
		givenUp(came)
	}
	// All at once: most wait for a connection.
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var all []<-chan reply
	for range searches {
		all = append(all, search(ctx))
	}
	stuck(t, dsn, conns)
	if n := backends(t, dsn) - others; n != conns {
		t.Errorf("%d connections, want %d", n, conns)
	}
	cancel()
	for _, came := range all {
		givenUp(came)
	}
	eventually(t, "the server has nothing left to do", func() bool {
		return pgtest.Value[int](t, dsn, `SELECT count(*)::int FROM pg_stat_activity
			WHERE datname = current_database() AND application_name = 'webrag-tui' AND state <> 'idle'`) == 0
	})
	if n := backends(t, dsn) - others; n > conns {
		t.Errorf("%d connections, want at most %d", n, conns)
	}
	release()
	// All connections can be used.
	var views []*View
	for range conns {
		views = append(views, view(t, s))
	}
	for _, v := range views {
		if got := mustAnswer(t, v); got != want {
			t.Errorf("then the answer is\n%s", got)
		}
	}
}
