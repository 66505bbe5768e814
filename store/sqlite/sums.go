package sqlite

import (
	"context"
	"errors"
	"fmt"

	"github.com/webrag/webrag-tui/store/sqlite/internal/pagesum"
)

// summedSchema is the last version of the schema: the tables of the one before it,
// in a file every page of which has a checksum. Older versions of the program, which
// would write pages without, refuse it. A corpus gets there at its first indexing run
// and not when it is opened: the whole file is written anew.
const summedSchema = 5

// ErrDamaged is that a page of the file does not have its checksum, or that SQLite
// finds the file malformed.
var ErrDamaged = errors.New("the file is damaged; webrag-tui doctor says what of it; restore a copy, or remove it and index again")

// mustHaveSums refuses a corpus whose pages must have checksums and whose header
// says that they have none: with them goes what finds every other damage.
func (s *Store) mustHaveSums() error {
	has, err := pagesum.Has(s.path)
	if err == nil && !has {
		err = fmt.Errorf("open corpus %s: %w (its header denies the checksums that its pages have)", s.path, ErrDamaged)
	}
	return err
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
