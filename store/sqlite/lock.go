package sqlite

import (
	"errors"
	"fmt"
	"os"

	"github.com/webrag/webrag-tui/store"
)

// lock takes the right to write the corpus at path: a lock on a file beside it,
// held until it is released. SQLite's own lock is held only during
// a transaction, and two indexers taking turns would undo each other's work.
//
// The file stays when the lock is released: removing it could remove the one
// that the next process has just locked.
func lock(path string) (*writeLock, error) {
	name := path + ".lock"
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR|noFollow, 0o600)
	if err != nil {
		return nil, fmt.Errorf("write corpus %s: its lock file: %w", path, err)
	}
	held, err := lockFile(f)
	if err == nil && held {
		return &writeLock{f}, nil
	}
	_ = f.Close()
	if err != nil {
		return nil, fmt.Errorf("write corpus %s: lock %s: %w", path, name, err)
	}
	return nil, fmt.Errorf("write corpus %s: %w (it holds %s); wait until it is done, or stop it", path, store.ErrLocked, name)
}

// writeLock is the right to write a corpus.
type writeLock struct{ file *os.File }

func (l *writeLock) release() error { return errors.Join(unlockFile(l.file), l.file.Close()) }
