// Package regular opens what is given as a corpus, if it is a file.
package regular

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/webrag/webrag-tui/file"
	"github.com/webrag/webrag-tui/store"
)

// Open opens what is given as a corpus, and makes sure that what SQLite opens
// beside it are files too: it would wait for a pipe for ever. An error is ready
// to be shown, and of fs.ErrNotExist if there is no corpus.
func Open(path string) (*file.File, error) {
	for _, ending := range []string{"-wal", "-shm", "-journal", ".lock"} {
		// Only looked at: closing one of them would give up the locks on it that this
		// process has.
		if info, err := os.Stat(path + ending); err == nil && !info.Mode().IsRegular() {
			return nil, fmt.Errorf("open corpus %s: %s beside it is %s, not a file; remove it", path, filepath.Base(path)+ending, (&file.KindError{Mode: info.Mode()}).Kind())
		}
	}
	if path == os.DevNull {
		return nil, fmt.Errorf("open %s: %w: nothing can be kept there; give the path of a file", path, store.ErrNotCorpus)
	}
	f, err := file.Open(path, file.Unlimited)
	var kind *file.KindError
	switch {
	case err == nil || errors.Is(err, fs.ErrNotExist):
		return f, err
	case !errors.As(err, &kind):
		return nil, fmt.Errorf("open corpus: %w", err)
	case kind.Mode.IsDir():
		return nil, fmt.Errorf("open %s: %w: it is a folder; give the path of a file, such as %s", path, store.ErrNotCorpus, filepath.Join(path, "corpus.db"))
	}
	return nil, fmt.Errorf("open %s: %w: it is %s; give the path of a file", path, store.ErrNotCorpus, kind.Kind())
}
