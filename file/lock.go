package file

import (
	"context"
	"errors"
	"os"
	"time"
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

// ErrHeld is the error for a lock that somebody else has held for long.
var ErrHeld = errors.New("another program is writing")

// lockWait is how long [WhileLocked] waits for others, each of which needs some
// milliseconds; lockPause is the time between two tries.
const (
	lockWait  = 5 * time.Second
	lockPause = 2 * time.Millisecond
)

// WhileLocked does something that is over in milliseconds, as [TryLock] lets only one at
// a time. It waits for others, and fails with [ErrHeld] after five seconds.
func WhileLocked(ctx context.Context, path string, do func() error) error {
	late := time.NewTimer(lockWait)
	defer late.Stop()
	for {
		l, held, err := TryLock(path)
		switch {
		case err != nil:
			return err
		case held:
			return errors.Join(do(), l.Release())
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-late.C:
			return ErrHeld
		case <-time.After(lockPause):
		}
	}
}
