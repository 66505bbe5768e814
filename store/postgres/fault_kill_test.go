package postgres

import (
	"errors"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

// putPlaces are where a replacement of a document can be held up.
func putPlaces() map[string]string {
	return map[string]string{
		"after the copy":           `AFTER INSERT ON chunks FOR EACH STATEMENT`,
		"after the copy of terms":  `AFTER INSERT ON chunk_terms FOR EACH STATEMENT`,
		"after the deletion":       `AFTER DELETE ON chunks FOR EACH STATEMENT`,
		"while the edges are made": `AFTER INSERT ON chunk_edges FOR EACH STATEMENT`,
		"at the commit":            `AFTER UPDATE ON documents DEFERRABLE INITIALLY DEFERRED FOR EACH ROW`,
	}
}

// TestAServerThatGoesAway does to one server what servers suffer.
func TestAServerThatGoesAway(t *testing.T) {
	t.Parallel()
	server := pgtest.Private(t)
	t.Run("killed while a site is indexed again", func(t *testing.T) { killedWhileIndexing(t, server) })
	t.Run("killed while it is asked", func(t *testing.T) { killedWhileAsked(t, server) })
	t.Run("stopped", func(t *testing.T) { stopped(t, server) })
	t.Run("without space", func(t *testing.T) { withoutSpace(t, server) })
}

// Every document is as it was or as it is to be, and the next run makes the corpus
// that it would have been.
func killedWhileIndexing(t *testing.T, server *pgtest.Server) {
	old, meant := server.Database(t), server.Database(t)
	mustIndexSite(t, open(t, old, Options{Create: true}), 1)
	again := open(t, meant, Options{Create: true})
	mustIndexSite(t, again, 1)
	mustIndexSite(t, again, 2)
	_ = again.Close()
	before, after := stateOf(t, old), stateOf(t, meant)
	inAFile := inFile(t, 1, 2)

	for name, place := range putPlaces() {
		t.Run(name, func(t *testing.T) {
			dsn := server.With(t, pgtest.Value[string](t, server.AdminDSN(), "SELECT 'copy_' || count(*) FROM pg_database"))
			s := open(t, copied(t, server, old, dsn), Options{})
			ended := make(chan error)
			stored, goOn := make(chan bool), make(chan bool)
			o := siteOptions(t)
			o.BatchTexts = 1
			o.Progress = func(p indexing.Progress) {
				if p.PagesDone == 1 && stored != nil {
					close(stored)
					stored = nil
					<-goOn
				}
			}
			first := stored
			go func() {
				_, err := indexing.Run(t.Context(), s, each(siteEdition(2), nil), o)
				ended <- err
			}()
			_ = soon(t, "the first page is stored", first)
			_ = gate(t, dsn, place) // it opens with the end of the server
			close(goOn)
			stuck(t, dsn, 1)
			server.Kill(t)
			err := soon(t, "the run ends with its server", ended)
			if !errors.Is(err, store.ErrUnavailable) || !strings.Contains(err.Error(), siteURL(1)) {
				t.Errorf("indexing ends with %v", err)
			}
			t.Log(err)
			server.Start(t)
			ungate(t, dsn)
			if n := stateOf(t, dsn).eachWhole(t, before, after); n != 1 {
				t.Errorf("%d documents are new, want 1", n)
			}
			consistent(t, dsn)
			// The same store goes on.
			mustIndexSite(t, s, 2)
			if got := stateOf(t, dsn); got.eachWhole(t, state{}, after) != sitePages || got.between != after.between {
				t.Errorf("between the documents is\n%s\nwant\n%s", got.between, after.between)
			}
			consistent(t, dsn)
			sameCorpus(t, inAFile, s)
		})
	}
}

// A view says that the server is gone, and goes on when it is back, unless the
// corpus is another one by then.
func killedWhileAsked(t *testing.T, server *pgtest.Server) {
	dsn := server.Database(t)
	s := open(t, dsn, Options{Create: true})
	mustIndexSite(t, s, 1)
	want, err := ask(t.Context(), s)
	must(t, "ask", err)
	v := view(t, s)

	_ = holdUp(t, dsn, "chunks") // until the server ends
	came := asking(t.Context(), v)
	stuck(t, dsn, 1)
	server.Kill(t)
	got := soon(t, "the query ends with its server", came)
	if !errors.Is(got.err, store.ErrUnavailable) || !strings.Contains(got.err.Error(), "no server listens") || !s.db.State().Lost {
		t.Errorf("a query while the server is killed: %v, %+v", got.err, s.db.State())
	}
	if _, err := ask(t.Context(), s); !errors.Is(err, store.ErrUnavailable) || !strings.Contains(err.Error(), "no server listens") {
		t.Errorf("a query while there is no server: %v", err)
	}
	server.Start(t)
	if got := mustAnswer(t, v); got != want || s.db.State().Lost {
		t.Errorf("the view answers\n%s\nwant\n%s\n%+v", got, want, s.db.State())
	}

	// Nobody asks while the server is away.
	server.Kill(t)
	server.Start(t)
	if got := mustAnswer(t, v); got != want {
		t.Errorf("the view answers\n%s\nwant\n%s", got, want)
	}
	server.Kill(t)
	server.Start(t)
	mustIndexSite(t, s, 2)
	for range 2 { // what was read before does not fit what is there now, however often it is asked
		_, err := answer(t.Context(), v)
		if !errors.Is(err, store.ErrUnavailable) || !strings.Contains(err.Error(), "has changed") || v.Version() == view(t, s).Version() {
			t.Errorf("a view of what is gone: %v, version %d", err, v.Version())
		}
	}
	if got := mustAnswer(t, view(t, s)); got == want {
		t.Error("a new view shows the old edition")
	}
}

// A server that is stopped in order, too, is found again without a word.
func stopped(t *testing.T, server *pgtest.Server) {
	dsn := server.Database(t)
	s, w := writing(t, dsn, Options{})
	setDims(t, w, 3)
	mustPut(t, w, leaf("https://example.org/a", 3, "one", "two"), true)
	v := view(t, s)
	before := v.Version()
	server.Stop(t)
	if _, err := v.Stats(t.Context(), store.Scope{}); !errors.Is(err, store.ErrUnavailable) || !strings.Contains(err.Error(), "no server listens") {
		t.Errorf("a view of a server that is stopped: %v", err)
	}
	server.Start(t)
	stats, err := v.Stats(t.Context(), store.Scope{})
	if err != nil || stats.Children != 2 || v.Version() != before {
		t.Errorf("the view has %+v, %v, version %d", stats, err, v.Version())
	}
	// A write is not sent twice: it says that it was lost, and the next one goes on.
	next := leaf("https://example.org/b", 3, "three")
	if changed, err := w.Put(t.Context(), next); changed || !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("Put after a restart = %v, %v", changed, err)
	}
	mustPut(t, w, next, true)
	if _, err := s.Write(t.Context()); !errors.Is(err, store.ErrLocked) {
		t.Errorf("a second writer: %v, want ErrLocked", err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	consistent(t, dsn)
}

// copied makes the database of to a copy of another that nobody uses.
func copied(t testing.TB, server *pgtest.Server, from, to string) string {
	t.Helper()
	name := func(dsn string) string { return dsn[strings.LastIndex(dsn, "/")+1 : strings.Index(dsn, "?")] }
	pgtest.Exec(t, server.AdminDSN(), "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '"+name(from)+"'")
	pgtest.Exec(t, server.AdminDSN(), "CREATE DATABASE "+name(to)+" TEMPLATE "+name(from))
	return to
}
