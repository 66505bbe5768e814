package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/webrag/webrag-tui/store"
)

// checkPlace fails with store.ErrReplaced unless the file that was opened is still
// the one at the store's path. Connections go on reading and writing a file that
// has no name any more, and a new connection would open the other one.
func (s *Store) checkPlace() error {
	now, err := os.Stat(s.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w: the file was removed or moved away since it was opened; put it back, or index into a new one", store.ErrReplaced)
	case err != nil:
		return fmt.Errorf("%w: the file that was opened cannot be found any more (%w)", store.ErrReplaced, err)
	case !os.SameFile(s.file, now):
		return fmt.Errorf("%w: another file was put in its place since it was opened; open it again", store.ErrReplaced)
	}
	return nil
}
