package file

import (
	"errors"
	"os"
)

// Lock is the right to change what several programs may want to change. The system
// takes it back when the process ends, however it ends.
type Lock struct{ file *os.File }

// TryLock takes the lock that a file stands for, which is made for its owner alone if
// need be, without waiting: held is false while somebody else has it, in this process or
// in another. A link in place of the file is refused.
//
// The file stays when the lock is released: removing it could remove the one that the
// next process has just locked.
func TryLock(path string) (l *Lock, held bool, err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|withoutWaiting|noFollow, 0o600)
	if err != nil {
		return nil, false, err
	}
	held, err = lockFile(f)
	if err != nil || !held {
		return nil, false, errors.Join(err, f.Close())
	}
	return &Lock{f}, true, nil
}

// Release gives the lock back.
func (l *Lock) Release() error { return errors.Join(unlockFile(l.file), l.file.Close()) }
