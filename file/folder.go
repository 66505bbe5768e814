package file

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// ErrOutside says that a link leads out of the folder that it is in.
var ErrOutside = errors.New("a link that leads out of the folder")

// Folder is a folder of which all is read, by [fs.FS], and nothing outside of it:
// a link that leads elsewhere is not followed, also one that was made after
// somebody looked. The folder itself may be a link.
type Folder struct {
	root *os.Root
	path string // absolute, without links
}

var _ interface {
	fs.ReadDirFS
	fs.StatFS
} = (*Folder)(nil)

// OpenFolder opens a folder. It is closed when nothing refers to it any more.
func OpenFolder(path string) (*Folder, error) {
	path, err := filepath.Abs(path)
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return &Folder{root, path}, nil
}

// Open opens a regular file, or fails as [Open] does without a limit.
func (d *Folder) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	f, err := open(filepath.FromSlash(name), Unlimited, d.root.Stat, d.root.OpenFile)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// ReadDir lists a folder in it, in lexical order.
func (d *Folder) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(d.root.FS(), name) }

// Stat describes what is at a path in it, with links followed.
func (d *Folder) Stat(name string) (fs.FileInfo, error) { return fs.Stat(d.root.FS(), name) }

// Resolve returns the path in it, without links, of what a link in it leads to.
// It fails with [ErrOutside] for one that leads out. A link may go by an absolute
// path, or by the folder's own name, and yet stay inside.
func (d *Folder) Resolve(name string) (string, error) {
	target, err := filepath.EvalSymlinks(filepath.Join(d.path, filepath.FromSlash(name)))
	if err != nil {
		// It leads nowhere, or where nobody may look. The system knows that of links
		// that stay inside; of others it is not asked.
		_, err = d.Stat(name)
		var system syscall.Errno
		if errors.As(err, &system) {
			return "", err
		}
		return "", &fs.PathError{Op: "open", Path: name, Err: ErrOutside}
	}
	below, err := filepath.Rel(d.path, target)
	if err != nil || !filepath.IsLocal(below) {
		return "", &fs.PathError{Op: "open", Path: name, Err: ErrOutside}
	}
	return filepath.ToSlash(below), nil
}
