//go:build unix

package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"testing"

	"github.com/webrag/webrag-tui/testdata/hostilepages"
)

// TestHostilePagesTakeLittleMemory indexes pages that were written to exhaust
// whoever does, each in a process of its own, which may take 1 GB: the worst of them
// in a small size, or all in the size that WEBRAG_HOSTILE_BYTES says. The limit for
// pages is 8388608.
func TestHostilePagesTakeLittleMemory(t *testing.T) {
	const most = 1 << 30
	size, worst := 1_600_000, []string{"a heading of half the page", "markdown: a table with a long head"}
	if given := os.Getenv("WEBRAG_HOSTILE_BYTES"); given != "" {
		n, err := strconv.Atoi(given)
		if err != nil {
			t.Fatal(err)
		}
		size, worst = n, nil
	}
	for _, p := range hostilepages.All() {
		if worst != nil && !slices.Contains(worst, p.Name) {
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			dir := t.TempDir()
			page := filepath.Join(dir, "page"+p.Ext)
			if err := os.WriteFile(page, []byte(p.Make(size)), 0o600); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 10*screenDeadline) // a limit for what hangs
			defer cancel()
			// The shell's limit keeps a page that does take all from the machine.
			cmd := exec.CommandContext(ctx, "sh", "-c", `ulimit -v 6000000; exec webrag-tui "$@"`, "sh", "index", "--quiet", "--corpus", filepath.Join(dir, "c.db"), page)
			cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_STATE_HOME="+dir)
			cmd.Dir = dir
			out, err := cmd.CombinedOutput()
			code := cmd.ProcessState.ExitCode()
			usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
			if !ok {
				t.Fatal("the system does not say what a process took")
			}
			peak := int64(usage.Maxrss)
			if runtime.GOOS != "darwin" {
				peak <<= 10
			}
			t.Logf("%.1f MB: %s, %d MB", float64(size)/1e6, cmd.ProcessState.UserTime(), peak>>20)
			if peak > most || code != exitFine && code != exitNothing {
				t.Errorf("exit code %d, %v, with %d MB: %.300s", code, err, peak>>20, out)
			}
		})
	}
}
