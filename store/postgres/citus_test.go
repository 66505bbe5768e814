package postgres_test

import (
	"crypto/rand"
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
	"github.com/webrag/webrag-tui/store/storetest"
)

// TestConformanceOfDistributedTables runs the suite of all stores on a cluster.
// Nothing here starts one; "make test" says so where none is named.
func TestConformanceOfDistributedTables(t *testing.T) {
	t.Parallel()
	cluster := os.Getenv(pgtest.EnvCitusDSN)
	if cluster == "" {
		t.Skip("no coordinator of Citus is named in " + pgtest.EnvCitusDSN)
	}
	storetest.Run(t, storetest.Backend{Indexed: true, Checks: true}, func(t *testing.T) storetest.Open {
		dsn := inSchema(t, cluster)
		if _, err := postgres.Migrate(t.Context(), dsn, postgres.MigrateOptions{Distributed: true}); err != nil {
			t.Fatal(err)
		}
		return func(t *testing.T, owner string) store.Store {
			return open(t, dsn, postgres.Options{Owner: owner, Create: true})
		}
	})
}

// inSchema returns the address of a new schema in a database, which ends with the
// test: databases of a cluster are made by hand, on each of its servers.
func inSchema(t *testing.T, dsn string) string {
	t.Helper()
	name := "webrag_test_" + strings.ToLower(rand.Text()[:10])
	pgtest.Exec(t, dsn, "CREATE SCHEMA "+name)
	t.Cleanup(func() { pgtest.Exec(t, dsn, "DROP SCHEMA "+name+" CASCADE") })
	if !strings.Contains(dsn, "://") {
		return fmt.Sprintf("%s search_path=%s,public", dsn, name)
	}
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	query := u.Query()
	query.Set("search_path", name+",public")
	u.RawQuery = query.Encode()
	return u.String()
}
