package sqlite

import (
	"fmt"

	"github.com/webrag/webrag-tui/file"
	"github.com/webrag/webrag-tui/store"
)

// lock takes the right to write the corpus at path: a lock on a file beside it,
// held until it is released. SQLite's own lock is held only during
// a transaction, and two indexers taking turns would undo each other's work.
func lock(path string) (*file.Lock, error) {
	name := path + ".lock"
	l, held, err := file.TryLock(name)
	switch {
	case err != nil:
		return nil, fmt.Errorf("write corpus %s: its lock file: %w", path, err)
	case !held:
		return nil, fmt.Errorf("write corpus %s: %w (it holds %s); wait until it is done, or stop it", path, store.ErrLocked, name)
	}
	return l, nil
}
