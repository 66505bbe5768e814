package pgtest_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

// The server of "make postgres" compiles no queries: Debian's packages are unpacked
// without LLVM, for want of which queries over many rows failed.
func TestTheDevelopmentServerCompilesNoQueries(t *testing.T) {
	script := filepath.Join("..", "..", "..", "scripts", "postgres.sh")
	dir, err := os.MkdirTemp("", "pgdev") // a socket's path must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	run := func(args ...string) (string, error) {
		cmd := exec.Command("sh", append([]string{script}, args...)...)
		cmd.Env = append(os.Environ(), pgtest.EnvDSN+"=")
		out, err := cmd.Output()
		return strings.TrimSpace(string(out)), err
	}
	dsn, err := run("start", "--dir", dir)
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 3 && os.Getenv("CI") == "" {
		t.Skip("no PostgreSQL for this test")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = run("stop", "--dir", dir) })
	conn, err := pgconn.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	result := conn.ExecParams(t.Context(), "SHOW jit", nil, nil, nil, nil).Read()
	if result.Err != nil || len(result.Rows) != 1 || string(result.Rows[0][0]) != "off" {
		t.Errorf("jit is %q, %v", result.Rows, result.Err)
	}
}
