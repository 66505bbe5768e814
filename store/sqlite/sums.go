package sqlite

import (
	"context"
	"errors"
	"fmt"

	"github.com/webrag/webrag-tui/file"
	"github.com/webrag/webrag-tui/store/sqlite/internal/pagesum"
)

// summedSchema is the last version of the schema: the tables of the one before it,
// in a file every page of which has a checksum. Older versions of the program, which
// would write pages without, refuse it. A corpus gets there at its first indexing run
// and not when it is opened: the whole file is written anew.
const summedSchema = 5

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

// deniesSums is what is wrong with a corpus of summedSchema in a file without sums.
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
	if s.meta.Load().SchemaVersion != summedSchema {
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
	if s.meta.Load().SchemaVersion != summedSchema {
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
	if w.meta.SchemaVersion == summedSchema {
		return nil
	}
	has, err := pagesum.Add(ctx, w.store.path, w.store.timeout)
	if err != nil || !has {
		return err
	}
	if _, err := w.conn.ExecContext(ctx, `UPDATE corpus_meta SET schema_version = ?`, summedSchema); err != nil {
		return err
	}
	w.meta.SchemaVersion = summedSchema
	return nil
}
