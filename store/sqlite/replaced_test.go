package sqlite

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/webrag/webrag-tui/store"
)

// A corpus whose file is removed or replaced says so at the next reading, and
// answers again once its own file is back.
func TestARemovedFileIsNotRead(t *testing.T) {
	t.Parallel()
	s := newTest(t, testPage("a", 1, 2))
	other := newTest(t, testPage("a", 2, 2))
	_ = other.Close()
	aside := s.path + ".aside"
	for _, c := range []struct {
		name, says string
		change     func() error
	}{
		{"removed", "was removed or moved away", func() error { return os.Rename(s.path, aside) }},
		{"replaced", "another file was put in its place", func() error { return os.Rename(other.path, s.path) }},
	} {
		if err := c.change(); err != nil {
			t.Fatal(err)
		}
		_, err := s.Read(t.Context())
		if !errors.Is(err, store.ErrReplaced) || !errors.Is(err, store.ErrUnavailable) || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), s.path) {
			t.Errorf("%s: Read says %v", c.name, err)
		}
		if err := s.Load(t.Context(), nil); !errors.Is(err, store.ErrReplaced) {
			t.Errorf("%s: Load says %v", c.name, err)
		}
	}
	if err := os.Rename(aside, s.path); err != nil {
		t.Fatal(err)
	}
	if got := generationOf(t, readTest(t, s), "a", 2); got != 1 {
		t.Errorf("put back, it shows generation %d", got)
	}
}

// What another program wrote into the log of the old file is not taken for changes
// of the new one.
func TestAReplacedFileHasNoLogOfTheOldOne(t *testing.T) {
	t.Parallel()
	s := newTest(t, testPage("a", 1, 2)) // and stays open, as an explorer does
	putTest(t, s, testPage("a", 2, 9))
	generationOf(t, readTest(t, s), "a", 9)
	other := newTest(t, testPage("a", 3, 4))
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(other.path, s.path); err != nil {
		t.Fatal(err)
	}
	checkFile(t, s.path)
	if got := generationOf(t, readTest(t, openTest(t, s.path, Options{})), "a", 4); got != 3 {
		t.Errorf("the new file shows generation %d", got)
	}
}

// A file that is cut off under a writer is an error that says so, and no fault.
func TestAFileCutOffWhileItIsWritten(t *testing.T) {
	if testing.Short() {
		t.Skip("another process is looked at: the full run has this test")
	}
	t.Parallel()
	for _, suffix := range []string{"", "-wal", "-shm"} {
		for round := range 3 {
			s := newTest(t, testPage("a", 1, 20), testPage("b", 1, 20), testPage("c", 1, 20))
			_ = s.Close()
			c := startChild(t, "rewrite", s.path)
			c.expect("writing")
			said := ""
			for puts := 0; c.out.Scan(); {
				if said = c.out.Text(); said != "put" {
					break
				}
				if puts++; puts%(2+round) == 0 {
					_ = os.Truncate(s.path+suffix, int64(round)*4096)
				}
				if puts == 60 {
					_ = c.cmd.Process.Kill() // it lives on with what it has in memory
				}
			}
			err := c.cmd.Wait()
			if code := c.cmd.ProcessState.ExitCode(); code != 1 && code != -1 {
				t.Errorf("%q cut off, round %d: it ended with %v, saying %q", suffix, round, err, said)
			}
			t.Logf("%q cut off, round %d: %v, %q", suffix, round, err, said)
		}
	}
}

// A writer never writes into a file that has lost its name.
func TestARemovedFileIsNotWritten(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(t *testing.T, path string){
		"removed": func(t *testing.T, path string) {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		},
		"replaced": func(t *testing.T, path string) {
			other := newTest(t, testPage("b", 2, 2))
			_ = other.Close()
			if err := os.Rename(other.path, path); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newTest(t, testPage("a", 1, 2))
			w := writerTest(t, s)
			if _, err := w.Put(t.Context(), testPage("a", 2, 2)); err != nil {
				t.Fatal(err)
			}
			change(t, s.path)
			if _, err := w.Put(t.Context(), testPage("a", 3, 2)); !errors.Is(err, store.ErrReplaced) || !strings.Contains(err.Error(), s.path) {
				t.Errorf("Put says %v", err)
			}
			if _, err := w.Delete(t.Context(), testPage("a", 0, 0).Document.ID); !errors.Is(err, store.ErrReplaced) {
				t.Errorf("Delete says %v", err)
			}
			if err := w.Close(); !errors.Is(err, store.ErrReplaced) {
				t.Errorf("Close says %v", err)
			}
			if _, err := s.Write(t.Context()); !errors.Is(err, store.ErrReplaced) {
				t.Errorf("Write says %v", err)
			}
			if _, err := os.Stat(s.path); name == "removed" && !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("the removed file is there again: %v", err)
			}
		})
	}
}

// Of several processes that make the same corpus at the same time, each makes it,
// finds it made, or is told that another one is at it.
func TestFirstWritersTogether(t *testing.T) {
	t.Parallel()
	for round := range 40 {
		path := filepath.Join(t.TempDir(), "corpus.db")
		var start, done sync.WaitGroup
		start.Add(1)
		errs := make([]error, 3)
		for i := range errs {
			done.Go(func() {
				start.Wait()
				s, err := Open(t.Context(), path, Options{Create: true})
				if err == nil {
					err = s.Close()
				}
				errs[i] = err
			})
		}
		start.Done()
		done.Wait()
		made := 0
		for _, err := range errs {
			switch {
			case err == nil:
				made++
			case !errors.Is(err, store.ErrLocked) && !errors.Is(err, store.ErrUnavailable):
				t.Errorf("round %d: %v", round, err)
			}
		}
		if made == 0 {
			t.Errorf("round %d: nobody made it: %v", round, errs)
		}
	}
}

// What a process leaves that was stopped between making the file and its tables is
// no corpus yet, and is made one by the next.
func TestAFileWithoutTablesIsMadeACorpus(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "corpus.db")
	execTest(t, path, `PRAGMA journal_mode = WAL`)
	if b, err := os.ReadFile(path); err != nil || !strings.HasPrefix(string(b), magic) {
		t.Fatalf("the file starts with %.16q, %v", b, err)
	}
	if _, err := Open(t.Context(), path, Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without Create: %v", err)
	}
	held, err := lock(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), path, Options{Create: true}); !errors.Is(err, store.ErrLocked) {
		t.Errorf("while another process makes it: %v", err)
	}
	if err := held.Release(); err != nil {
		t.Fatal(err)
	}
	putTest(t, openTest(t, path, Options{Create: true}), testPage("a", 1, 2))
}
