package postgres_test

import (
	"testing"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
	"github.com/webrag/webrag-tui/store/storetest"
)

func TestConformance(t *testing.T) {
	if testing.Short() {
		t.Skip("each part has a corpus alone, and what goroutines share has tests of its own: the full run has this test")
	}
	t.Parallel()
	storetest.Run(t, storetest.Backend{Indexed: true, Checks: true}, func(t *testing.T) storetest.Open {
		dsn := pgtest.Database(t)
		return func(t *testing.T, owner string) store.Store {
			return open(t, dsn, postgres.Options{Owner: owner, Create: true})
		}
	})
}

// open opens a corpus until the test ends.
func open(t testing.TB, dsn string, opts postgres.Options) *postgres.Store {
	t.Helper()
	s, err := postgres.Open(t.Context(), dsn, opts)
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
