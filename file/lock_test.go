package file_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/webrag/webrag-tui/file"
)

func TestALockIsHeldOnce(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), ".lock")
	first, held, err := file.TryLock(path)
	if err != nil || !held {
		t.Fatalf("the first got it: %v, %v", held, err)
	}
	if _, held, err := file.TryLock(path); held || err != nil {
		t.Errorf("the second got it, too: %v, %v", held, err)
	}
	if err := first.Release(); err != nil {
		t.Fatal(err)
	}
	again, held, err := file.TryLock(path)
	if err != nil || !held {
		t.Fatalf("it is not free again: %v, %v", held, err)
	}
	if err := again.Release(); err != nil {
		t.Fatal(err)
	}
	if _, held, err := file.TryLock(filepath.Join(path, "below a file")); held || err == nil {
		t.Errorf("a path that cannot be: %v, %v", held, err)
	}
}

func TestALineThatWasCutGetsItsEnd(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lines")
	for _, c := range []struct{ before, want string }{
		{"", "new\n"},
		{"whole\n", "whole\nnew\n"},
		{"whole\ncu", "whole\ncu\nnew\n"},
		{"\n", "\nnew\n"},
	} {
		if err := os.WriteFile(path, []byte(c.before), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := file.AppendLines(path, []byte("new\n")); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != c.want {
			t.Errorf("%q became %q, %v", c.before, got, err)
		}
	}
	fresh := filepath.Join(t.TempDir(), "fresh")
	if err := file.AppendLines(fresh, []byte("a\nb\n")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(fresh)
	if err != nil || info.Size() != 4 {
		t.Errorf("a new file is %v, %v", info, err)
	}
	if err := file.AppendLines(t.TempDir(), []byte("a\n")); err == nil || !strings.Contains(err.Error(), "a folder") {
		t.Errorf("a folder: %v", err)
	}
}

func TestWhileLockedLetsOneAtATime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	var inside, total atomic.Int32
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			err := file.WhileLocked(t.Context(), path, func() error {
				if n := inside.Add(1); n != 1 {
					t.Errorf("%d at a time", n)
				}
				total.Add(1)
				inside.Add(-1)
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := total.Load(); n != 8 {
		t.Errorf("%d of 8 were let in", n)
	}
	held, _, err := file.TryLock(path)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Release()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := file.WhileLocked(ctx, path, func() error { t.Error("it was done"); return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("waiting ended with %v", err)
	}
}
