//go:build unix

package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestAReadOnlyCorpus runs the program as a user whom modes of files bind: the
// superuser may do anything.
func TestAReadOnlyCorpus(t *testing.T) {
	for _, c := range []struct {
		name         string
		file, folder os.FileMode
	}{{"file", 0o444, 0o777}, {"folder", 0o444, 0o555}} {
		t.Run(c.name, func(t *testing.T) {
			corpus, _ := smallCorpus(t)
			dir, outside := filepath.Dir(corpus), t.TempDir()
			page := filepath.Join(outside, "new.md")
			if err := os.WriteFile(page, []byte("# New\n\nA new page.\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			bin := copyOfProgram(t, outside)
			_ = os.Remove(corpus + ".lock")
			for _, change := range []struct {
				path string
				mode os.FileMode
			}{{filepath.Dir(dir), 0o755}, {filepath.Dir(outside), 0o755}, {outside, 0o777}, {corpus, c.file}, {dir, c.folder}} {
				if err := os.Chmod(change.path, change.mode); err != nil {
					t.Fatal(err)
				}
			}
			t.Cleanup(func() { _ = os.Chmod(dir, 0o755) })

			code, stdout, stderr := unprivileged(t, bin, outside, "index", "--corpus", corpus, page)
			if code != exitUsage || stdout != "" || strings.Count(stderr, "\n") != 1 ||
				!strings.Contains(stderr, "read-only; make the file and its folder writable") {
				t.Errorf("index: exit code %d, said %q and %q", code, stdout, stderr)
			}
			if code, stdout, stderr := unprivileged(t, bin, outside, "query", "--corpus", corpus, "page"); code != exitFine || !strings.Contains(stdout, "Page") {
				t.Errorf("query: exit code %d, said %q and %q", code, stdout, stderr)
			}
		})
	}
}

// copyOfProgram puts the program where others may run it.
func copyOfProgram(t *testing.T, dir string) string {
	t.Helper()
	path, err := exec.LookPath("webrag-tui")
	if err != nil {
		t.Fatal(err)
	}
	from, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	to, err := os.OpenFile(filepath.Join(dir, "webrag-tui"), os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.Copy(to, from)
	if closed := to.Close(); err != nil || closed != nil {
		t.Fatal(err, closed)
	}
	return to.Name()
}

func unprivileged(t *testing.T, bin, dir string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), bin, args...)
	cmd.Dir = dir
	cmd.Env = []string{"HOME=" + dir}
	if os.Geteuid() == 0 {
		const nobody = 65534
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	var out, narration bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &narration
	_ = cmd.Run()
	return cmd.ProcessState.ExitCode(), out.String(), narration.String()
}
