package judgment

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/webrag/webrag-tui/file"
)

// Copy makes a set of the files of one that comes with a program, which lie at the root
// of from. It is there completely or not at all, and is then like any other: what is judged
// in it stays when the program brings another one. It fails with [ErrSetExists] where a set
// has the name.
func Copy(from fs.FS, sets, name string) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("copy query set %s: %w", name, err)
		}
	}()
	folder, err := folderOf(sets, name)
	if err != nil {
		return err
	}
	return makeFolder(folder, func(unfinished string) error {
		for _, part := range []string{aboutFile, queriesFile, recordsFile} {
			raw, err := fs.ReadFile(from, part)
			if err == nil {
				err = file.ReplaceAtOnce(filepath.Join(unfinished, part), 0o600, raw)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// makeFolder makes the folder of a set with what fill writes into the folder that it is
// given, all of it or nothing, so that no other program sees a part. It fails with
// [ErrSetExists] where there is something of this name, also if another program was faster.
func makeFolder(folder string, fill func(unfinished string) error) error {
	if _, err := os.Lstat(folder); err == nil {
		return ErrSetExists
	}
	sets := filepath.Dir(folder)
	if err := os.MkdirAll(sets, 0o700); err != nil {
		return err
	}
	unfinished, err := os.MkdirTemp(sets, ".unfinished-")
	if err != nil {
		return err
	}
	if err := fill(unfinished); err != nil {
		return errors.Join(err, os.RemoveAll(unfinished))
	}
	if err := os.Rename(unfinished, folder); err != nil {
		err = errors.Join(err, os.RemoveAll(unfinished))
		if _, there := os.Lstat(folder); there == nil {
			return ErrSetExists
		}
		return err
	}
	return nil
}
