package db_test

import (
	"context"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/store/postgres/internal/db"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// open opens a database for the length of a test.
func open(t *testing.T, dsn string, opts db.Options) *db.DB {
	t.Helper()
	d, err := db.Open(t.Context(), dsn, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

// plus adds a parameter to an address of either form.
func plus(dsn, key, value string) string {
	switch {
	case !strings.Contains(dsn, "://"):
		return dsn + " " + key + "='" + value + "'"
	case strings.Contains(dsn, "?"):
		dsn += "&"
	default:
		dsn += "?"
	}
	return dsn + key + "=" + strings.ReplaceAll(url.QueryEscape(value), "+", "%20")
}

// ask reads one value in a transaction of its own.
func ask[T any](t *testing.T, d *db.DB, sql string, args ...any) T {
	t.Helper()
	var value T
	tx, err := d.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(context.Background())
	if err := tx.QueryRow(t.Context(), sql, args...).Scan(&value); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return value
}

// eventually asks until it is so. Only what another process does cannot be
// waited for otherwise.
func eventually(t *testing.T, what string, so func() bool) {
	t.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	late := time.After(20 * time.Second)
	for !so() {
		select {
		case <-tick.C:
		case <-late:
			t.Fatal("never: " + what)
		}
	}
}
