// Package file opens what people, settings, folders and corpora name as a file, and
// the files that are written under a name of the program's own.
//
// A name may stand for anything: a named pipe that nobody writes to, a device
// that never ends, a file of a terabyte. Only regular files are opened here, no
// more of them is read than the caller says, and nothing waits in between.
//
// The null device counts as an empty file, as people name it to say that there is
// none.
//
//	raw, err := file.Read("config.toml", 1<<20)
package file

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
)

// Unlimited is the limit for files that are read as a stream, whose lines or
// pages have limits of their own.
const Unlimited = math.MaxInt64

// KindError says that a path is something else than a regular file. It comes in
// an *[fs.PathError], which has the path.
type KindError struct {
	// Mode is that of the path, with links followed.
	Mode fs.FileMode
}

// Kind names what the path is: "a named pipe".
func (e *KindError) Kind() string {
	switch {
	case e.Mode.IsDir():
		return "a folder"
	case e.Mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case e.Mode&fs.ModeSocket != 0:
		return "a socket"
	case e.Mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "something else"
}

// IsStream says that what comes out of the path could be piped elsewhere.
func (e *KindError) IsStream() bool {
	return e.Mode&(fs.ModeNamedPipe|fs.ModeSocket|fs.ModeDevice) != 0
}

func (e *KindError) Error() string {
	if !e.IsStream() {
		return e.Kind() + ", not a file; give the path of a file"
	}
	return e.Kind() + ", not a file; write what comes out of it into a file first, and give that"
}

// SizeError says that a file is larger than is read of its kind. It comes in an
// *[fs.PathError], which has the path.
type SizeError struct {
	// Limit is the most in bytes.
	Limit int64
}

func (e *SizeError) Error() string {
	limit := fmt.Sprintf("%d bytes", e.Limit)
	if e.Limit >= 1<<20 && e.Limit%(1<<20) == 0 {
		limit = fmt.Sprintf("%d MB", e.Limit>>20)
	}
	return "larger than " + limit + ", the most that is read of such a file; check that it is the right one"
}

// Read returns what is in a regular file of at most limit bytes. Its errors are
// those of [Open].
func Read(path string, limit int64) ([]byte, error) {
	f, err := Open(path, limit)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// Open opens a regular file for reading. Every error is an *[fs.PathError], with
// a *[KindError] in it for what is no file and a *[SizeError] for what is longer
// than limit bytes, from Read too where it grows meanwhile.
func Open(path string, limit int64) (*File, error) {
	return open(path, limit, os.Stat, os.OpenFile)
}

// Check says what [Open] would, for files that a library opens.
func Check(path string, limit int64) error {
	f, err := Open(path, limit)
	if err != nil {
		return err
	}
	return f.Close()
}

// open looks before it opens, as opening alone can have an effect on a device,
// and after it, as the path may be something else by then: for which it never
// waits.
func open(path string, limit int64, stat func(string) (fs.FileInfo, error), open func(string, int, fs.FileMode) (*os.File, error)) (*File, error) {
	info, err := stat(path)
	if err != nil {
		var at *fs.PathError
		if errors.As(err, &at) {
			at.Op = "open" // which is what was asked for
		}
		return nil, err
	}
	if err := check(path, info, limit); err != nil {
		return nil, err
	}
	f, err := open(path, os.O_RDONLY|withoutWaiting, 0)
	if err != nil {
		return nil, err
	}
	info, err = f.Stat()
	if err == nil {
		err = check(path, info, limit)
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return &File{limited{f, path, limit, limit}, f, info.Size()}, nil
}

// Append opens a regular file to write at its end, and makes one for its owner alone
// where there is none. Its errors are those of [Open]: a named pipe, which nobody may
// read from, is not waited for.
func Append(path string) (*os.File, error) { return write(path, os.O_WRONLY|os.O_APPEND) }

// AppendLines writes lines, the last of which ends, too, at the end of a regular file as
// [Append] opens one, with one write. If the last line of the file has no end, since
// whoever wrote it was cut off, it gets that first: no line becomes part of another. The
// lines are on the disk when it returns. Of several who append at once each looks at the
// end of the file by itself: they need a [Lock].
func AppendLines(path string, lines []byte) error {
	f, err := write(path, os.O_RDWR|os.O_APPEND)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil && info.Size() > 0 {
		last := make([]byte, 1)
		if _, err = f.ReadAt(last, info.Size()-1); last[0] != '\n' {
			lines = append([]byte{'\n'}, lines...)
		}
	}
	if err == nil {
		_, err = f.Write(lines)
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// Replace writes a regular file anew, as [Append] opens one.
func Replace(path string, content []byte) error {
	f, err := write(path, os.O_WRONLY|os.O_TRUNC)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	return errors.Join(err, f.Close())
}

// ReplaceAtOnce puts a file with a mode in the place of another, in one step: a crash
// leaves the old one, and who reads it finds all of one of them. Its folder is made, for
// its owner alone, if need be.
func ReplaceAtOnce(path string, mode fs.FileMode, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	// Two writings may happen at once: each has a file of its own until it is done.
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.new")
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // it is of no use
	}
	return err
}

func write(path string, flag int) (*os.File, error) {
	info, err := os.Stat(path)
	if err == nil {
		err = check(path, info, Unlimited)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_CREATE|withoutWaiting|flag, 0o600)
	if err != nil {
		return nil, err
	}
	info, err = f.Stat()
	if err == nil {
		err = check(path, info, Unlimited)
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

func check(path string, info fs.FileInfo, limit int64) error {
	switch {
	case path == os.DevNull:
		return nil // the way to say that there is nothing to read
	case !info.Mode().IsRegular():
		return &fs.PathError{Op: "open", Path: path, Err: &KindError{info.Mode()}}
	case info.Size() > limit:
		return &fs.PathError{Op: "open", Path: path, Err: &SizeError{limit}}
	}
	return nil
}

// File is a regular file that is open for reading.
type File struct {
	limited
	file *os.File
	size int64
}

// Size is how many bytes the file had when it was opened. Some, such as those of
// /proc, have more than they say.
func (f *File) Size() int64 { return f.size }

// Stat describes the file.
func (f *File) Stat() (fs.FileInfo, error) { return f.file.Stat() }

// Close ends the reading.
func (f *File) Close() error { return f.file.Close() }

// Limit reads from r, which messages call name, and fails like a [File] where
// there is more than limit bytes.
func Limit(r io.Reader, name string, limit int64) io.Reader {
	return &limited{in: r, name: name, limit: limit, left: limit}
}

type limited struct {
	in          io.Reader
	name        string
	limit, left int64
}

// Read reads up to the limit. One byte more is a *[SizeError].
func (l *limited) Read(p []byte) (int, error) {
	if l.left == 0 && len(p) > 0 {
		if n, err := l.in.Read(make([]byte, 1)); n == 0 {
			return 0, err
		}
		return 0, &fs.PathError{Op: "read", Path: l.name, Err: &SizeError{l.limit}}
	}
	n, err := l.in.Read(p[:min(int64(len(p)), l.left)])
	l.left -= int64(n)
	return n, err
}
