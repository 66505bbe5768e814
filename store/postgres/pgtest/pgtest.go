// Package pgtest gives tests a real PostgreSQL with pgvector.
//
// [Database] is what most tests want: a fresh database on a server that all
// tests of a run share. It is the server of WEBRAG_TEST_DSN, a URL or a list of
// "key=value", whose role may create databases and the extension. Without that
// variable the process starts a server of its own when the first test asks, from
// what scripts/postgres.sh finds, and [Main] stops it. [Private] is a server for
// one test, which may be killed, filled, locked and replicated; [NewProxy] is a
// network that hangs or breaks.
//
// Every server of ours ends with the process that started it, also when that is
// killed: it belongs to a script that waits for the end of a pipe from us.
//
// Where no server can be had a test is skipped with the reason; where the
// environment variable CI is set it fails.
package pgtest

import (
	"fmt"
	"os"
	"testing"
)

// EnvDSN names the variable with the server for tests. EnvCitusDSN names the one
// with a coordinator of Citus; nothing starts such a server, so the tests that
// want one are skipped without it.
const (
	EnvDSN      = "WEBRAG_TEST_DSN"
	EnvCitusDSN = "WEBRAG_TEST_CITUS_DSN"
)

// Main runs the tests of a package and then stops the server that they shared.
// It is the whole of a TestMain:
//
//	func TestMain(m *testing.M) { pgtest.Main(m) }
func Main(m *testing.M) {
	Run(m) // its code is what the test binary exits with
}

// Run is Main for a TestMain that has more to do: it returns the code to exit
// with.
func Run(m *testing.M) int {
	defer process.close()
	return m.Run()
}

// missingError says that this machine has no server to offer.
type missingError struct{ reason string }

func (e *missingError) Error() string { return e.reason }

// need fails the test over what stands between it and its server. What a
// developer's machine may lack skips it instead, but not where CI is set: there,
// a test that does not run would pass unseen.
func need(t testing.TB, err error) {
	t.Helper()
	if err == nil {
		return
	}
	if missing, ok := err.(*missingError); ok && os.Getenv("CI") == "" { //nolint:errorlint // made here, never wrapped
		t.Skip("no PostgreSQL for this test: " + missing.reason)
	}
	t.Fatal(fmt.Errorf("a PostgreSQL for this test: %w", err))
}
