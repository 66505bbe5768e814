package pgtest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// patience bounds every wait for a server that should answer at once. It only
// keeps a test from hanging.
const patience = 60 * time.Second

// template is the database that test databases are copied from: it has the
// extension vector and nothing else.
const template = "webrag_test_template"

// Database returns the DSN of a fresh database with the extension vector, which
// is dropped at the end of the test.
func Database(t testing.TB) string {
	t.Helper()
	need(t, process.open())
	return createDatabase(t, process.dsn, process.names, template)
}

// EmptyDatabase is like [Database], but without the extension.
func EmptyDatabase(t testing.TB) string {
	t.Helper()
	need(t, process.open())
	return createDatabase(t, process.dsn, process.names, "template0")
}

// newNames returns what the names of one process's databases begin with; others
// use the same server.
func newNames() string { return "webrag_test_" + strings.ToLower(rand.Text()[:10]) }

// numbers tell the databases of one process apart.
var numbers atomic.Int64

func nextName(names string) string { return fmt.Sprintf("%s_%d", names, numbers.Add(1)) }

func createDatabase(t testing.TB, server, names, from string) string {
	t.Helper()
	name := nextName(names)
	if err := execute(context.Background(), server, "CREATE DATABASE "+name+" TEMPLATE "+from); err != nil {
		t.Fatal(fmt.Errorf("create a database for the test: %w", err))
	}
	t.Cleanup(func() {
		if err := execute(context.Background(), server, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)"); err != nil {
			t.Logf("drop the test's database: %v", err)
		}
	})
	dsn, err := withDatabase(server, name)
	if err != nil {
		t.Fatal(err)
	}
	return dsn
}

// makeTemplate makes the template on a server that has none yet. Processes that
// do this together wait for the first.
func makeTemplate(ctx context.Context, server string) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	conn, err := pgx.Connect(ctx, server)
	if err != nil {
		return fmt.Errorf("reach the server for tests: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock(hashtextextended($1, 0))", template); err != nil {
		return err
	}
	// That it admits no connections is the last step, so it says that the
	// template is finished. Only then can it be copied at any time, too.
	var finished bool
	err = conn.QueryRow(ctx, "SELECT NOT datallowconn FROM pg_database WHERE datname = $1", template).Scan(&finished)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return err
	}
	if finished {
		return nil
	}
	for _, sql := range []string{
		"DROP DATABASE IF EXISTS " + template + " WITH (FORCE)",
		"CREATE DATABASE " + template + " TEMPLATE template0",
	} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return fmt.Errorf("make the template of test databases: %w", err)
		}
	}
	dsn, err := withDatabase(server, template)
	if err != nil {
		return err
	}
	if err := execute(ctx, dsn, "CREATE EXTENSION vector"); err != nil {
		return fmt.Errorf("the server for tests needs pgvector: %w", err)
	}
	_, err = conn.Exec(ctx, "ALTER DATABASE "+template+" WITH IS_TEMPLATE true ALLOW_CONNECTIONS false")
	return err
}

// withDatabase returns a DSN, in either of its forms, with another database.
func withDatabase(dsn, name string) (string, error) {
	if !strings.Contains(dsn, "://") {
		return dsn + " dbname=" + name, nil // the last one counts
	}
	u, err := url.Parse(dsn)
	if err != nil {
		return "", errors.New(EnvDSN + " is not a URL") // the error would repeat the password
	}
	u.Path = "/" + name
	return u.String(), nil
}
