package pgtest_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

// envOrphan makes the test below the process that is killed.
const envOrphan = "PGTEST_ORPHAN"

func TestNoServerOutlivesItsProcess(t *testing.T) {
	if os.Getenv(envOrphan) != "" {
		shared, private := pgtest.Database(t), pgtest.Private(t).DSN()
		fmt.Printf("\n%s %s\n", shared, private)
		select {} // until we are killed
	}
	cmd := exec.Command(os.Args[0], "-test.run", "^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), envOrphan+"=1", pgtest.EnvDSN+"=")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var servers []string
	lines := bufio.NewScanner(out)
	for said := ""; len(servers) == 0; said += lines.Text() + "\n" {
		if !lines.Scan() {
			if cmd.Wait() == nil && os.Getenv("CI") == "" {
				t.Skip("no PostgreSQL for this test")
			}
			t.Fatalf("the process did not start its servers:\n%s", said)
		}
		if strings.HasPrefix(lines.Text(), "postgres://") {
			servers = strings.Fields(lines.Text())
		}
	}
	for _, dsn := range servers {
		if got := code(t, dsn, "SELECT"); got != "" {
			t.Errorf("before the kill a server answers %q", got)
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	deadline := time.Now().Add(time.Minute)
	for _, dsn := range servers {
		for {
			conn, err := pgconn.Connect(t.Context(), dsn)
			if err != nil && strings.Contains(err.Error(), "refused") {
				break
			}
			if err == nil {
				conn.Close(t.Context())
			}
			if time.Now().After(deadline) {
				t.Fatalf("a server of a process that was killed still answers: %v", err)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
}
