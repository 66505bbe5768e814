package postgres

import (
	"context"
	"errors"
	"os"
	process "os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

// envIndexer makes the test below the indexer that is killed: it is the address
// of the corpus. envPages is how many pages it gets before it waits for more.
const (
	envIndexer = "WEBRAG_TEST_INDEXER"
	envPages   = "WEBRAG_TEST_INDEXER_PAGES"
)

// Of two programs that index into a corpus the second is told who the first is.
// When that is killed its lock is free, and what it was writing is not there.
func TestAnIndexerThatIsKilled(t *testing.T) {
	if dsn := os.Getenv(envIndexer); dsn != "" {
		beIndexer(t, dsn)
		return
	}
	t.Parallel()
	meant := pgtest.Database(t)
	again := open(t, meant, Options{Create: true})
	mustIndexSite(t, again, 1)
	before := stateOf(t, meant)
	mustIndexSite(t, again, 2)
	after := stateOf(t, meant)

	second := func(t *testing.T, dsn string) *Store {
		t.Helper()
		s := open(t, dsn, Options{})
		_, err := indexSite(t, s, 2)
		first := pgtest.Value[int](t, dsn, `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ExclusiveLock' AND objid <> $1
			AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`, gateKey)
		if !errors.Is(err, store.ErrLocked) || !strings.Contains(err.Error(), "server process "+strconv.Itoa(first)) || !strings.Contains(err.Error(), `"webrag-tui"`) {
			t.Errorf("the second indexer, beside that of session %d: %v", first, err)
		}
		return s
	}
	finishes := func(t *testing.T, dsn string, s *Store, written int) {
		t.Helper()
		eventually(t, "the lock is free", func() bool {
			w, err := s.Write(t.Context())
			if err == nil {
				err = w.Close()
			}
			if err != nil && !errors.Is(err, store.ErrLocked) {
				t.Fatal(err)
			}
			return err == nil
		})
		if n := stateOf(t, dsn).eachWhole(t, before, after); n != written {
			t.Errorf("%d documents are new, want %d", n, written)
		}
		consistent(t, dsn)
		mustIndexSite(t, s, 2)
		if got := stateOf(t, dsn); got.eachWhole(t, state{}, after) != sitePages || got.between != after.between {
			t.Errorf("between documents is\n%s\nwant\n%s", got.between, after.between)
		}
	}
	t.Run("between two pages", func(t *testing.T) {
		t.Parallel()
		dsn := pgtest.Database(t)
		mustIndexSite(t, open(t, dsn, Options{Create: true}), 1)
		kill := startIndexer(t, dsn, 2)
		eventually(t, "two pages are stored", func() bool {
			n := 0
			for url, rows := range stateOf(t, dsn).documents {
				if rows == after.documents[url] {
					n++
				}
			}
			return n == 2
		})
		s := second(t, dsn)
		kill()
		finishes(t, dsn, s, 2)
	})
	t.Run("in a page", func(t *testing.T) {
		t.Parallel()
		dsn := pgtest.Database(t)
		mustIndexSite(t, open(t, dsn, Options{Create: true}), 1)
		release := gate(t, dsn, `AFTER DELETE ON chunks FOR EACH STATEMENT`)
		kill := startIndexer(t, dsn, sitePages)
		stuck(t, dsn, 1)
		s := second(t, dsn)
		kill()
		release()
		finishes(t, dsn, s, 0)
	})
}

// startIndexer starts a program that indexes the second edition.
func startIndexer(t *testing.T, dsn string, pages int) (kill func()) {
	t.Helper()
	name, _, _ := strings.Cut(t.Name(), "/")
	cmd := process.Command(os.Args[0], "-test.run", "^"+name+"$")
	cmd.Env = append(os.Environ(), envIndexer+"="+dsn, envPages+"="+strconv.Itoa(pages))
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill = func() {
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()
	}
	t.Cleanup(kill)
	return kill
}

// beIndexer indexes pages and waits to be killed.
func beIndexer(t *testing.T, dsn string) {
	pages, err := strconv.Atoi(os.Getenv(envPages))
	must(t, "read how many pages there are", err)
	s := open(t, dsn, Options{})
	o := siteOptions(t)
	o.BatchTexts = 1
	_, err = indexing.Run(context.Background(), s, each(siteEdition(2), func(page int) {
		if page == pages {
			select {}
		}
	}), o)
	t.Errorf("nobody has killed it: %v", err)
}
