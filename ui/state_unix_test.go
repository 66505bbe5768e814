//go:build unix

package ui

import (
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// What is no file counts as a state that was never kept: it is not waited for, and
// the next writing replaces it.
func TestAStateThatIsNoFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.json")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	loaded := make(chan screenState, 1)
	go func() { loaded <- loadState(path) }()
	select {
	case s := <-loaded:
		if s.Split != 0 {
			t.Errorf("it has %v", s)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("it waits for a pipe that nobody writes to")
	}
	if err := saveState(path, screenState{Split: 3}); err != nil {
		t.Fatal(err)
	}
	if s := loadState(path); s.Split != 3 {
		t.Errorf("it has %v", s)
	}
}
