package sqlite

import (
	"context"
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/webrag/webrag-tui/store"
)

// fail says what was done to which corpus, and turns SQLite's codes into the
// errors that callers tell apart and a sentence on what to do.
func fail(ctx context.Context, doing, path string, err error) error {
	if err == nil {
		return nil
	}
	// An interrupted statement is reported by SQLite in its own words.
	if ctx.Err() != nil {
		return fmt.Errorf("%s corpus %s: %w", doing, path, context.Cause(ctx))
	}
	if isDamaged(err) {
		return fmt.Errorf("%s corpus %s: its keyword index is out of step with its texts; the next indexing run mends it: %w", doing, path, err)
	}
	if isForeign(err) {
		return fmt.Errorf("%s corpus %s: %w (%w)", doing, path, store.ErrForeign, err)
	}
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return fmt.Errorf("%s corpus %s: %w", doing, path, err)
	}
	if e.Code() == sqlite3.SQLITE_IOERR_DATA {
		return damagedError(doing, path, plain(err))
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return fmt.Errorf("%s corpus %s: %w: another process keeps it locked; try again when it is done (%w)", doing, path, store.ErrUnavailable, err)
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM:
		return fmt.Errorf("%s corpus %s: %w (%w)", doing, path, store.ErrReadOnly, err)
	case sqlite3.SQLITE_FULL:
		return fmt.Errorf("%s corpus %s: %w: the disk is full (%w)", doing, path, store.ErrUnavailable, err)
	case sqlite3.SQLITE_NOTADB:
		return fmt.Errorf("open %s: %w: it is not an SQLite file, or it is encrypted; choose another path or index into a new one (%w)", path, store.ErrNotCorpus, err)
	case sqlite3.SQLITE_CORRUPT:
		return damagedError(doing, path, err)
	}
	return fmt.Errorf("%s corpus %s: %w", doing, path, plain(err))
}

// plain says in words what SQLite calls a disk I/O error and a number.
func plain(err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) || e.Code()&0xff != sqlite3.SQLITE_IOERR {
		return err
	}
	switch e.Code() {
	case sqlite3.SQLITE_IOERR_DATA:
		return said("a block of it does not have its checksum, as after damage on the disk, or when another program wrote it", err)
	case sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_FSYNC, sqlite3.SQLITE_IOERR_DIR_FSYNC, sqlite3.SQLITE_IOERR_TRUNCATE, sqlite3.SQLITE_IOERR_SHMSIZE:
		return said(fmt.Sprintf("the system does not let the file be written; look at its disk, and at limits of size and space (ulimit -f, quotas), then try again (SQLite's code %d)", e.Code()), err)
	}
	return said(fmt.Sprintf("the system cannot read the file; look whether it is still there, and at its disk, then try again (SQLite's code %d)", e.Code()), err)
}

// said is an error with other words.
func said(words string, err error) error { return &saidError{words, err} }

type saidError struct {
	words string
	err   error
}

func (e *saidError) Error() string { return e.words }
func (e *saidError) Unwrap() error { return e.err }

// hasCode reports whether err is an SQLite error with this primary code.
func hasCode(err error, code int) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && e.Code()&0xff == code
}
