package sqlite_test

import (
	"path/filepath"
	"testing"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/sqlite"
	"github.com/webrag/webrag-tui/store/storetest"
)

func TestConformance(t *testing.T) {
	t.Parallel()
	storetest.Run(t, storetest.Backend{Loads: true, Checks: true}, func(t *testing.T) storetest.Open {
		path := filepath.Join(t.TempDir(), "corpus.db")
		return func(t *testing.T, owner string) store.Store {
			return open(t, path, sqlite.Options{Owner: owner, Create: true})
		}
	})
}

// A keyword index of many segments answers as one of none.
func TestConformanceOfSegments(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector sees the same in the other conformance test: the full run has this test")
	}
	t.Parallel()
	storetest.Run(t, storetest.Backend{Loads: true, Checks: true}, func(t *testing.T) storetest.Open {
		path := filepath.Join(t.TempDir(), "corpus.db")
		return func(t *testing.T, owner string) store.Store {
			s := open(t, path, sqlite.Options{Owner: owner, Create: true})
			s.SetMostTail(2)
			return s
		}
	})
}

// open opens a corpus until the test ends.
func open(t testing.TB, path string, opts sqlite.Options) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}
