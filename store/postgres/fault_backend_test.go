package postgres

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

// A session that is ended while it works for a view is replaced, and the query
// begins anew without a word.
func TestASessionThatIsEndedWhileItIsAsked(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Database(t)
	s := open(t, dsn, Options{Create: true})
	mustIndexSite(t, s, 1)
	want, err := ask(t.Context(), s)
	must(t, "ask", err)

	v := view(t, s)
	release := holdUp(t, dsn, "chunks")
	came := asking(t.Context(), v)
	// Each arm has a session of its own; this is about that of the view.
	const waits = ` FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%<=>%'`
	nearest := func() {
		eventually(t, "the vector arm waits for a lock", func() bool { return pgtest.Value[int](t, dsn, `SELECT count(*)::int`+waits) == 1 })
	}
	nearest()
	first := pgtest.Value[int](t, dsn, `SELECT pid`+waits)
	pgtest.Exec(t, dsn, `SELECT pg_terminate_backend($1, 60000)`, first)
	nearest()
	if second := pgtest.Value[int](t, dsn, `SELECT pid`+waits); second == first {
		t.Error("the session was not ended")
	}
	release()
	if got := soon(t, "the query is answered", came); got.err != nil || got.text != want {
		t.Errorf("the answer is\n%s, %v\nwant\n%s", got.text, got.err, want)
	}

	must(t, "close", v.Close())

	// The second time it is said: somebody may be ending sessions on purpose.
	v = view(t, s)
	release = holdUp(t, dsn, "chunks")
	defer release()
	came = asking(t.Context(), v)
	for range 2 {
		nearest()
		pgtest.Exec(t, dsn, `SELECT pg_terminate_backend(pid, 60000)`+waits)
	}
	got := soon(t, "the query ends", came)
	if !errors.Is(got.err, store.ErrUnavailable) || !strings.Contains(got.err.Error(), "the server ended the connection") {
		t.Errorf("a query whose sessions are ended: %v", got.err)
	}
}

// The session of the keyword arm is ended while both arms wait: its part is asked
// for again, in the session of the view.
func TestTheKeywordArmsSessionIsEnded(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Database(t)
	s := open(t, dsn, Options{Create: true})
	mustIndexSite(t, s, 1)
	want, err := ask(t.Context(), s)
	must(t, "ask", err)

	v := view(t, s)
	release := holdUp(t, dsn, "chunks")
	came := asking(t.Context(), v)
	stuck(t, dsn, 2)
	pgtest.Exec(t, dsn, `SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
		WHERE datname = current_database() AND wait_event_type = 'Lock' AND query NOT LIKE '%<=>%'`)
	release()
	if got := soon(t, "the query is answered", came); got.err != nil || got.text != want {
		t.Errorf("the answer is\n%s, %v\nwant\n%s", got.text, got.err, want)
	}
}

// endings is how many sessions are ended at random moments.
const endings = 40

// Sessions that read and that write end at random moments. Whatever is answered
// is one edition or the other, and every document is whole at any time.
func TestSessionsThatEndAtRandom(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Database(t)
	s := open(t, dsn, Options{Create: true})
	// The answers and the rows of both states between which the writer goes.
	var editions [2]store.Bundle
	editions[0] = leaf("https://example.org/a", 8, "trees that are split", "leaves of both editions", "roots")
	editions[1] = leaf("https://example.org/a", 8, "trees that are felled", "leaves of both editions", "twigs and leaves")
	editions[1].Document.Title = "The second edition"
	var answers [2]string
	var states [2]state
	w, err := s.Write(t.Context())
	must(t, "write", err)
	t.Cleanup(func() { _ = w.Close() })
	setDims(t, w.(*Writer), 8)
	for i := range editions {
		mustPut(t, w.(*Writer), editions[i], true)
		answers[i], err = ask(t.Context(), s)
		must(t, "ask", err)
		states[i] = stateOf(t, dsn)
	}
	if answers[0] == answers[1] {
		t.Fatal("the editions do not differ")
	}

	ctx, stop := context.WithCancel(t.Context())
	var asked, answered, puts, written atomic.Int64
	ended := make(chan struct{}, 3)
	for range 2 {
		go func() {
			defer func() { ended <- struct{}{} }()
			for ctx.Err() == nil {
				got, err := ask(t.Context(), s)
				asked.Add(1)
				switch {
				case err == nil && got != answers[0] && got != answers[1]:
					t.Errorf("a query is answered\n%s", got)
				case err == nil:
					answered.Add(1)
				case !errors.Is(err, store.ErrUnavailable):
					t.Errorf("a query fails with %v", err)
				}
			}
		}()
	}
	go func() {
		defer func() { ended <- struct{}{} }()
		for i := 0; ctx.Err() == nil; i++ {
			_, err := w.Put(t.Context(), editions[i%2])
			puts.Add(1)
			switch {
			case err == nil:
				written.Add(1)
			case !errors.Is(err, store.ErrUnavailable):
				t.Errorf("Put fails with %v", err)
			}
		}
	}()
	admin := pgtest.Connect(t, dsn)
	for range endings {
		queries, writes := asked.Load(), puts.Load()
		_, err := admin.Exec(t.Context(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
			WHERE datname = current_database() AND application_name = 'webrag-tui' ORDER BY random() LIMIT 1`)
		if err != nil {
			t.Fatal(err)
		}
		eventually(t, "queries and puts go on", func() bool { return asked.Load() > queries && puts.Load() > writes })
	}
	stop()
	for range cap(ended) {
		soon(t, "everybody ends", ended)
	}
	t.Logf("%d of %d queries answered, %d of %d puts done", answered.Load(), asked.Load(), written.Load(), puts.Load())
	if answered.Load() == 0 || written.Load() == 0 || written.Load() == puts.Load() {
		t.Error("the endings hit everything or nothing")
	}
	stateOf(t, dsn).eachWhole(t, states[0], states[1])
	consistent(t, dsn)
	for i := range editions {
		// Of the last put it may not be known whether it was done.
		_, err := w.Put(t.Context(), editions[i])
		must(t, "put", err)
		if got, err := ask(t.Context(), s); err != nil || got != answers[i] {
			t.Errorf("in the end the answer is %v\n%s", err, got)
		}
	}
	if got := stateOf(t, dsn); got.eachWhole(t, state{}, states[1]) != 1 || got.between != states[1].between {
		t.Errorf("between documents is\n%s\nwant\n%s", got.between, states[1].between)
	}
}
