//go:build unix

package sqlite

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestReadOnlyFiles opens files that may not be written, as a user who may not:
// in another process, as the superuser may do anything.
func TestReadOnlyFiles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name         string
		file, folder os.FileMode
		pending      bool // changes wait in the log
		want         string
	}{
		{"file", 0o444, 0o777, false, "read-only true, vectors 2, keywords 2"},
		{"folder", 0o444, 0o555, false, "read-only true, vectors 2, keywords 2"},
		{"writable file in a folder", 0o666, 0o555, false, "read-only true, vectors 2, keywords 2"},
		{"changes wait", 0o444, 0o555, true, "make it writable, or copy the corpus elsewhere"},
		{"unreadable", 0o000, 0o777, false, "permission denied"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "corpus.db")
			s := openTest(t, path, Options{Create: true})
			putTest(t, s, testPage("a", 1, 2))
			dir := filepath.Dir(path)
			ours := dir // and the folder around it; what is above is not the test's
			if c.pending {
				// A copy made while the corpus is written has the log and not the
				// file that says how far it reaches.
				if _, err := writerTest(t, s).Put(t.Context(), testPage("a", 2, 2)); err != nil {
					t.Fatal(err)
				}
				from := path
				dir = filepath.Join(dir, "copy")
				path = filepath.Join(dir, "corpus.db")
				if err := os.Mkdir(dir, 0o755); err != nil {
					t.Fatal(err)
				}
				copyFile(t, from, path)
				copyFile(t, from+"-wal", path+"-wal")
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			for _, change := range []struct {
				path string
				mode os.FileMode
			}{{path, c.file}, {filepath.Dir(ours), 0o755}, {ours, 0o755}, {dir, c.folder}} {
				if err := os.Chmod(change.path, change.mode); err != nil {
					t.Fatal(err)
				}
			}
			t.Cleanup(func() { _ = os.Chmod(dir, 0o755) })
			got := lookUnprivileged(t, path)
			if !strings.Contains(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if c.file != 0 && !c.pending && !strings.Contains(got, "the corpus is read-only; make the file and its folder writable") {
				t.Errorf("Write said %q", got)
			}
		})
	}
}

// nobody is a user without rights.
const nobody = 65534

// lookUnprivileged reads a corpus in another process, as a user whom modes of
// files bind, and returns what it says.
func lookUnprivileged(t *testing.T, path string) string {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := childCommand(t, program, "look", path)
	if os.Geteuid() == 0 {
		// The test program is in a folder that only its owner may enter.
		public := filepath.Join(filepath.Dir(filepath.Dir(path)), "sqlite.test")
		if err := os.Link(program, public); err != nil {
			copyFile(t, program, public)
		}
		cmd = childCommand(t, public, "look", path)
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	cmd.Stderr = nil
	out, err := cmd.CombinedOutput()
	t.Logf("%s (%v)", out, err)
	return string(out)
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	b, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, b, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
}
