//go:build unix

package file

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// noFollow refuses a link in place of the lock file, which would have a file made
// where it leads.
const noFollow = unix.O_NOFOLLOW

// lockFile takes an exclusive lock on f without waiting. The system releases it
// when the process ends, however it ends.
func lockFile(f *os.File) (held bool, err error) {
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// unlockFile releases the lock at once. Closing alone would not while a process
// that is just being started still has a copy of the descriptor.
func unlockFile(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_UN) }
