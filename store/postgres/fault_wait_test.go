package postgres

import (
	"strings"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

// patience bounds every wait for what should come at once. It only keeps a test
// from hanging.
const patience = 60 * time.Second

// eventually waits until something is so.
func eventually(t testing.TB, what string, so func() bool) {
	t.Helper()
	for until := time.Now().Add(patience); !so(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatalf("not even after %v: %s", patience, what)
		}
	}
}

// soon returns what comes from a channel, in bounded time.
func soon[T any](t testing.TB, what string, from <-chan T) (got T) {
	t.Helper()
	select {
	case got = <-from:
	case <-time.After(patience):
		t.Fatalf("not even after %v: %s", patience, what)
	}
	return got
}

// waiting is how many statements wait for a lock of the database.
const waiting = `SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`

// stuck waits until so many statements wait for a lock.
func stuck(t testing.TB, dsn string, statements int) {
	t.Helper()
	conn := pgtest.Connect(t, dsn)
	eventually(t, "statements wait for a lock", func() bool {
		var n int
		if err := conn.QueryRow(t.Context(), waiting).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n >= statements
	})
	_ = conn.Close(t.Context())
}

// gateKey is the advisory lock that a gate waits for.
const gateKey = 20260703

// gate makes a statement of a trigger wait, as "AFTER DELETE ON chunks FOR EACH
// STATEMENT", until open is called.
func gate(t testing.TB, dsn, trigger string) (open func()) {
	t.Helper()
	pgtest.Exec(t, dsn, `CREATE OR REPLACE FUNCTION gate() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN
		PERFORM pg_advisory_xact_lock_shared(20260703); RETURN NULL; END$$`)
	kind := "TRIGGER"
	if strings.Contains(trigger, "DEFERRABLE") {
		kind = "CONSTRAINT TRIGGER"
	}
	pgtest.Exec(t, dsn, `CREATE `+kind+` gate `+trigger+` EXECUTE FUNCTION gate()`)
	keeper := pgtest.Connect(t, dsn)
	if _, err := keeper.Exec(t.Context(), `SELECT pg_advisory_lock($1)`, gateKey); err != nil {
		t.Fatal(err)
	}
	return func() { _ = keeper.Close(t.Context()) } // and the lock goes with it
}

// ungate removes the trigger of gate.
func ungate(t testing.TB, dsn string) {
	t.Helper()
	pgtest.Exec(t, dsn, `DROP FUNCTION IF EXISTS gate() CASCADE`)
}

// backends are the sessions of the program in the database of dsn.
func backends(t testing.TB, dsn string) int {
	t.Helper()
	return pgtest.Value[int](t, dsn, `SELECT count(*)::int FROM pg_stat_activity
		WHERE datname = current_database() AND application_name = 'webrag-tui'`)
}
