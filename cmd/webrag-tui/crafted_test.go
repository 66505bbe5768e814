package main

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/testdata/hostile"
)

// readings are the commands that read a corpus.
func readings(c target) [][]string {
	return [][]string{
		{"query", "--explain", "--text", "--preset", "graph", hostileWords},
		{"query", "--json", "--preset", "webrag", "--mode", "chunk", hostileWords},
		{"context", "--ground", "--preset", "webrag", hostileWords},
		{"why", "--source", c.page, "--preset", "hybrid", "--set", "top_k=1", hostileWords},
		{"why", "--quote", "the retries", hostileWords},
		{"compare", "--a", "hybrid", "--b", "graph", hostileWords},
		{"docs", "list"}, {"docs", "show", c.page}, {"edges", "list"}, {"edges", "list", "--dangling"},
		{"cite", c.page, "--span", "0-40"}, {"cite", c.page, "--quote", "the retries"},
		{"doctor"},
		{"copy", "--from", c.corpus, "--to", filepath.Join(c.dir, "copy.db")},
		{"index", c.more},
	}
}

func craft(t *testing.T, c target, what hostile.Crafted) {
	t.Helper()
	c.change(t, func(ctx context.Context, db *sql.DB) error {
		conn, err := db.Conn(ctx)
		if err != nil {
			return err
		}
		defer conn.Close()
		for _, s := range []string{`PRAGMA ignore_check_constraints = 1; PRAGMA foreign_keys = 0; PRAGMA writable_schema = 1; PRAGMA legacy_alter_table = 1`, what.SQL} {
			if _, err := conn.ExecContext(ctx, s); err != nil {
				return fmt.Errorf("%s: %w", what.Name, err)
			}
		}
		return nil
	})
}

// mostMemory is what a command may take of a small corpus, whatever is in it.
const mostMemory = 1 << 30

// programWithin runs the program in a process of its own, which may end badly, with
// bounds on its time and its address space. It returns the most memory that it had.
func programWithin(t *testing.T, args ...string) (code int, stdout, stderr string, memory int64) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", append([]string{"-c", `ulimit -v 6000000; exec webrag-tui "$@"`, "sh"}, args...)...)
	home := t.TempDir()
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_STATE_HOME="+home)
	cmd.Dir = home
	var out, narration bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &narration
	_ = cmd.Run()
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		t.Fatal("the system does not count memory")
	}
	return cmd.ProcessState.ExitCode(), out.String(), narration.String(), usage.Maxrss << 10
}

func TestCraftedCorpora(t *testing.T) {
	c := hostileCorpus(t)
	for _, what := range hostile.Crafts() {
		t.Run(what.Name, func(t *testing.T) {
			t.Parallel()
			one := c
			one.dir = t.TempDir()
			one = one.copied(t, "crafted")
			craft(t, one, what)
			for _, args := range readings(one) {
				_ = os.Remove(filepath.Join(one.dir, "copy.db"))
				line := slices.Concat(args, []string{"--corpus", one.corpus})
				start := time.Now()
				code, stdout, stderr, memory := programWithin(t, line...)
				if code < 0 || code > exitUsage || strings.Contains(stderr, "goroutine ") || strings.Contains(stderr, "panic") {
					t.Errorf("%v: %d %.600s", args, code, stderr)
				}
				if memory > mostMemory {
					t.Errorf("%v: %d MB", args, memory>>20)
				}
				if os.Getenv("SHOW") != "" {
					t.Logf("%v: %d, %v, %d MB, %.100q %.300q", args, code, time.Since(start), memory>>20, stdout[:min(len(stdout), 100)], stderr)
				}
			}
		})
	}
}
