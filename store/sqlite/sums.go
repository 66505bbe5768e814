package sqlite

import (
	"context"
	"errors"
	"fmt"

	"github.com/webrag/webrag-tui/file"
	"github.com/webrag/webrag-tui/store/sqlite/internal/pagesum"
)

// firstSummed is the number of steps from which on a schema has two versions: the even
// one, and the odd one after it for a file every page of which has a checksum. Versions
// of the program that would write pages without refuse that. A corpus gets sums at its
// first indexing run and not when it is opened: the whole file is written anew.
const firstSummed = 4

// versionOf is the version of a corpus after so many steps.
func versionOf(steps int, summed bool) int {
	version := max(steps, 2*steps-firstSummed)
	if summed {
		version++
	}
	return version
}

// stepsOf is the inverse of versionOf.
func stepsOf(version int) (steps int, summed bool) {
	if version <= firstSummed {
		return version, false
	}
	return (version + firstSummed) / 2, version%2 == 1
}

// isSummed says that the pages of a corpus have sums by its version.
func isSummed(version int) bool {
	_, summed := stepsOf(version)
	return summed
}

// ErrDamaged is that a page of the file does not have its checksum, or that SQLite
// finds the file malformed.
var ErrDamaged = errors.New("the file is damaged")

// DamagedError is an [ErrDamaged] with what is wrong, and what to do about it.
type DamagedError struct {
	// Found is what was being done, and what is wrong.
	Found error
	path  string
}

func (e *DamagedError) Error() string {
	return e.Found.Error() + "; webrag-tui doctor --corpus " + file.ShellWord(e.path) + " says more; restore a copy, or index the pages into a new file"
}

func (e *DamagedError) Unwrap() error { return e.Found }

func damagedError(doing, path string, what error) error {
	return &DamagedError{fmt.Errorf("%s corpus %s: %w (%w)", doing, path, ErrDamaged, what), path}
}

// deniesSums is what is wrong with a corpus of a summed version in a file without sums.
const deniesSums = "its header denies the checksums that it was made with, as after damage there, or when another program wrote the file"

// mustHaveSums refuses a corpus whose pages must have checksums and whose header
// says that they have none: with them goes what finds every other damage.
func (s *Store) mustHaveSums() error {
	has, err := pagesum.Has(s.path)
	if err == nil && !has {
		err = damagedError("open", s.path, errors.New(deniesSums))
	}
	return err
}

// Blocks is how many bytes [Store.Verify] reads, 0 where it has nothing to verify.
func (s *Store) Blocks() int64 {
	if !isSummed(s.meta.Load().SchemaVersion) {
		return 0
	}
	size, err := pagesum.Pages(s.path)
	if err != nil {
		return 0 // Verify says why
	}
	return size
}

// Verify reads the whole file and fails with an [ErrDamaged] if a page does not have
// its checksum. Reading and writing come only by some of the pages.
func (s *Store) Verify(ctx context.Context) error {
	if !isSummed(s.meta.Load().SchemaVersion) {
		return nil
	}
	conn, err := s.readers.Conn(ctx)
	if err != nil {
		return fail(ctx, "verify", s.path, err)
	}
	defer conn.Close()
	blocks, _, wrong, err := pagesum.Scan(ctx, s.path)
	if err != nil {
		return fail(ctx, "verify", s.path, err)
	}
	if wrong = unreadable(ctx, conn, wrong); len(wrong) > 0 {
		return damagedError("verify", s.path, fmt.Errorf("%d of its %d blocks without their checksum, the first of them %d", len(wrong), blocks, wrong[0]))
	}
	return nil
}

// addSums gives the pages of the corpus checksums, unless they have some.
func (w *Writer) addSums(ctx context.Context) error {
	if isSummed(w.meta.SchemaVersion) {
		return nil
	}
	has, err := pagesum.Add(ctx, w.store.path, w.store.timeout)
	if err != nil || !has {
		return err
	}
	summed := versionOf(len(migrations()), true)
	if _, err := w.conn.ExecContext(ctx, `UPDATE corpus_meta SET schema_version = ?`, summed); err != nil {
		return err
	}
	w.meta.SchemaVersion = summed
	return nil
}
