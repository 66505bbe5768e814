package postgres

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

// secret must not appear in an error.
const secret = "s3cr3t-canary"

// TestAPrimaryAndItsStandby reads on the standby while the primary writes, and
// goes on when the primary is lost.
func TestAPrimaryAndItsStandby(t *testing.T) {
	t.Parallel()
	// Nothing that the standby replays waits for a query.
	primary := pgtest.Private(t, pgtest.Password(secret), pgtest.Conf("max_standby_streaming_delay", "0"))
	dsn := primary.Database(t)
	s, w := writing(t, dsn, Options{})
	setDims(t, w, 8)
	var editions [2]store.Bundle
	editions[0] = leaf("https://example.org/a", 8, "trees that are split", "leaves of both editions", "roots")
	editions[1] = leaf("https://example.org/a", 8, "trees that are felled", "leaves of both editions", "twigs and leaves")
	var answers [2]string
	for i := range editions {
		mustPut(t, w, editions[i], true)
		var err error
		answers[i], err = ask(t.Context(), s)
		must(t, "ask", err)
	}
	must(t, "close", w.Close()) // the index is built now
	standby := primary.Standby(t)
	standby.CatchUp(t, primary)
	there := standby.With(t, pgtest.Value[string](t, dsn, "SELECT current_database()"))

	t.Run("written while it is read", func(t *testing.T) { readOnStandby(t, primary, standby, dsn, there, editions, answers) })
	t.Run("in the way of what is replayed", func(t *testing.T) { conflict(t, primary, standby, dsn, there) })
	t.Run("with another password", func(t *testing.T) { otherPassword(t, primary, dsn) })
	t.Run("the primary is lost", func(t *testing.T) { failOver(t, primary, standby, dsn, there, editions, answers) })
}

func readOnStandby(t *testing.T, primary, standby *pgtest.Server, dsn, there string, editions [2]store.Bundle, answers [2]string) {
	// It need not make anything, and so it may be asked to.
	s := open(t, there, Options{Create: true})
	if _, err := indexSite(t, s, 1); !errors.Is(err, store.ErrReadOnly) || !strings.Contains(err.Error(), "address of the primary") {
		t.Errorf("indexing on a standby: %v", err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan [2]int, 1)
	go func() {
		var seen [2]int
		defer func() { ended <- seen }()
		for ctx.Err() == nil {
			switch got, err := ask(t.Context(), s); {
			case errors.Is(err, store.ErrUnavailable): // its rows were cleaned away meanwhile
			case err != nil:
				t.Errorf("a query on the standby: %v", err)
			case got == answers[0]:
				seen[0]++
			case got == answers[1]:
				seen[1]++
			default:
				t.Errorf("a query on the standby is answered\n%s", got)
			}
		}
	}()
	_, w := writing(t, dsn, Options{})
	for i := range 20 {
		mustPut(t, w, editions[i%2], true)
		standby.CatchUp(t, primary)
	}
	must(t, "close", w.Close())
	standby.CatchUp(t, primary)
	if got, err := ask(t.Context(), s); err != nil || got != answers[1] {
		t.Errorf("in the end the standby answers %v\n%s", err, got)
	}
	stop()
	seen := soon(t, "the reader ends", ended)
	t.Logf("the standby showed the editions %d and %d times", seen[0], seen[1])
	if seen[0]+seen[1] == 0 {
		t.Error("nothing was answered")
	}
}

// conflict removes rows that a view on the standby may still want to see. The
// standby ends its transaction, and the view begins anew.
func conflict(t *testing.T, primary, standby *pgtest.Server, dsn, there string) {
	s := open(t, there, Options{})
	v := view(t, s)
	want := mustAnswer(t, v)
	session := func() (pid uint32) {
		must(t, "ask for the session", v.do(t.Context(), "ask", func(tx pgx.Tx) error {
			pid = tx.Conn().PgConn().PID()
			return nil
		}))
		return pid
	}
	first := session()
	pgtest.Exec(t, dsn, "UPDATE documents SET fetched_at = fetched_at")
	pgtest.Exec(t, dsn, "VACUUM documents")
	standby.CatchUp(t, primary)
	eventually(t, "the standby ends the view's transaction", func() bool {
		return pgtest.Value[int](t, there, "SELECT count(*)::int FROM pg_stat_activity WHERE pid = $1 AND state = 'idle in transaction'", int(first)) == 0
	})
	if got := mustAnswer(t, v); got != want {
		t.Errorf("the view answers\n%s\nwant\n%s", got, want)
	}
	if session() == first {
		t.Error("nothing was in the way")
	}
}

// otherPassword changes the password while a store is open, and then opens one
// with the former.
func otherPassword(t *testing.T, primary *pgtest.Server, dsn string) {
	s := open(t, dsn, Options{})
	v := view(t, s)
	pgtest.Exec(t, primary.AdminDSN(), "ALTER ROLE app PASSWORD 'another'")
	pgtest.Exec(t, primary.AdminDSN(), "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE application_name = 'webrag-tui'")
	_, again := Open(t.Context(), dsn, Options{Create: true})
	_, inView := answer(t.Context(), v)
	_, write := s.Write(t.Context())
	for what, err := range map[string]error{"opening": again, "a view": inView, "a writer": write} {
		t.Log(err)
		if err == nil || errors.Is(err, store.ErrUnavailable) || !strings.Contains(err.Error(), `the password of user "app" was not accepted`) || strings.Contains(err.Error(), "canary") {
			t.Errorf("%s with a former password: %v", what, err)
		}
	}
	pgtest.Exec(t, primary.AdminDSN(), "ALTER ROLE app PASSWORD '"+secret+"'")
	if _, err := answer(t.Context(), v); err != nil {
		t.Errorf("with the password that it has again, the view answers %v", err)
	}
}

func failOver(t *testing.T, primary, standby *pgtest.Server, dsn, there string, editions [2]store.Bundle, answers [2]string) {
	u, err := url.Parse(there)
	must(t, "parse", err)
	p, err := url.Parse(dsn)
	must(t, "parse", err)
	u.Host = p.Host + "," + u.Host
	both := u.String()
	s := open(t, both, Options{})
	writer, err := s.Write(t.Context())
	must(t, "write", err)
	w := writer.(*Writer)
	t.Cleanup(func() { _ = w.Close() })
	v := view(t, s)
	standby.CatchUp(t, primary)
	primary.Kill(t)

	if got := mustAnswer(t, v); got != answers[1] {
		t.Errorf("without the primary the view answers\n%s", got)
	}
	if got, err := ask(t.Context(), s); err != nil || got != answers[1] {
		t.Errorf("without the primary the answer is %v\n%s", err, got)
	}
	for range 2 { // the connection is lost, and then none can be made
		if changed, err := w.Put(t.Context(), editions[0]); changed || !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("Put without the primary = %v, %v", changed, err)
		}
	}
	late := open(t, both, Options{})
	if _, err := late.Write(t.Context()); err == nil {
		t.Error("there is a writer without a primary")
	}
	if got, err := ask(t.Context(), late); err != nil || got != answers[1] {
		t.Errorf("what is opened without the primary answers %v\n%s", err, got)
	}

	standby.Promote(t)
	mustPut(t, w, editions[0], true)
	must(t, "close", w.Close())
	for what, s := range map[string]*Store{"before the primary was lost": s, "after": late} {
		if got, err := ask(t.Context(), s); err != nil || got != answers[0] {
			t.Errorf("what was opened %s answers %v\n%s", what, err, got)
		}
		again, err := s.Write(t.Context())
		if err != nil {
			t.Errorf("what was opened %s is not written: %v", what, err)
			continue
		}
		must(t, "close", again.Close())
		must(t, "close", view(t, s).Close())
		if s.Info().ReadOnly {
			t.Errorf("what was opened %s is read-only", what)
		}
	}
	consistent(t, there)
}
