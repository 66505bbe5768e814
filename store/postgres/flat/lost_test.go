package flat

import (
	"errors"
	"testing"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

// A view whose connection is lost goes on with another one, unless the table has
// changed meanwhile.
func TestALostConnection(t *testing.T) {
	t.Parallel()
	dsn := made(t, passages+"CREATE VIEW shown AS SELECT * FROM passages")
	s := open(t, dsn, "shown", "id=key,text=words,embedding=v")
	v := view(t, s)
	lose := func() {
		pgtest.Value[int](t, dsn, `SELECT count(pg_terminate_backend(pid))::int FROM pg_stat_activity
			WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`)
	}
	lose()
	ids, _ := nearest(t, v, store.Search{Vector: unit(1, 0), VectorRows: 5})
	if len(ids) != 2 {
		t.Errorf("found %v", ids)
	}
	lose()
	pgtest.Exec(t, dsn, "DELETE FROM passages WHERE words = 'One.'")
	before := v.Version()
	for range 2 { // it stays so: the view is of what is gone
		if _, err := v.Stats(t.Context(), store.Scope{}); !errors.Is(err, store.ErrUnavailable) || v.Version() != before {
			t.Errorf("after a change: %v, version %d, was %d", err, v.Version(), before)
		}
	}
	next := view(t, s)
	if stats, err := next.Stats(t.Context(), store.Scope{}); err != nil || stats.Parents != 1 {
		t.Errorf("the next view sees %+v, %v", stats, err)
	}
	if err := errors.Join(v.Close(), next.Close()); err != nil {
		t.Fatal(err)
	}
	// A table that is gone is told as such, and nothing else is shown instead.
	pgtest.Exec(t, dsn, "DROP VIEW shown")
	if _, err := s.Read(t.Context()); !errors.Is(err, store.ErrNotCorpus) {
		t.Errorf("without the table: %v", err)
	}
}
