package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	_ "modernc.org/sqlite" // the database/sql driver "sqlite"

	"github.com/webrag/webrag-tui/store"
)

// Options say how a corpus is opened. The zero value opens an existing corpus
// for everybody's documents, for writing if the file allows it.
type Options struct {
	// Owner is the user who reads and writes: the store shows this owner's
	// documents and nothing else. Without an owner it shows everybody's.
	Owner string
	// ReadOnly opens the file without ever changing it. A file or folder that
	// may not be written is opened so by itself.
	ReadOnly bool
	// Create makes the file, and its folder, if there is none.
	Create bool
	// BusyTimeout is how long a statement waits for another process's
	// transaction.
	//
	// Defaults to 5 seconds.
	BusyTimeout time.Duration
	// Memory is how many bytes searching the corpus may take: one that takes more is
	// refused with [ErrTooLarge] before it is loaded. Less than 0 is no bound.
	//
	// Defaults to half of the machine's memory, or of its control group's.
	Memory int64
}

// Store is a corpus in an SQLite file. It implements store.Store and
// store.Preloader, and may be used from several goroutines.
type Store struct {
	// lifted says that opening it brought the file up to date, empty if it did not.
	lifted string
	path   string
	// file is the file that was opened, to be told from others at its path.
	file     os.FileInfo
	owner    string
	readOnly bool
	timeout  time.Duration
	// memory is Options.Memory.
	memory int64
	// mostTail bounds the children that are in no segment of the keyword index,
	// beyond those of one document.
	mostTail int
	// readers is a pool of connections that cannot write, one for each open
	// view.
	readers *sql.DB
	meta    atomic.Pointer[store.Meta]
	// hasOwners is what Info says, read with meta.
	hasOwners atomic.Bool
	// current is the newest snapshot; refreshing holds a token while one is
	// being made, so that two are never made from the same one.
	current    atomic.Pointer[snapshot]
	refreshing chan struct{}
}

var (
	_ store.Store     = (*Store)(nil)
	_ store.Preloader = (*Store)(nil)
)

// Info answers from what was read when the store was opened or last read.
func (s *Store) Info() store.Info {
	name := filepath.Base(s.path)
	info := store.Info{
		Name:      strings.TrimSuffix(name, filepath.Ext(name)),
		Location:  s.path,
		Meta:      *s.meta.Load(),
		ReadOnly:  s.readOnly,
		Owner:     s.owner,
		HasOwners: s.hasOwners.Load(),
	}
	if s.lifted != "" {
		info.Warnings = []string{s.lifted}
	}
	return info
}

// Read opens a view of the newest version. It reads the change counter and, if
// another process or a writer of this one has moved it, what has changed.
func (s *Store) Read(ctx context.Context) (store.View, error) {
	v, err := s.read(ctx)
	if err != nil {
		return nil, err
	}
	return v, nil
}

func (s *Store) read(ctx context.Context) (*View, error) {
	for try := 1; ; try++ {
		v, err := s.newView(ctx)
		if gone := s.checkPlace(); gone != nil {
			if err == nil {
				err = v.Close()
			}
			return nil, fmt.Errorf("read corpus %s: %w", s.path, errors.Join(gone, err))
		}
		if err != nil {
			return nil, fail(ctx, "read", s.path, err)
		}
		err = v.refresh(ctx)
		if err == nil {
			return v, nil
		}
		_ = v.Close()
		if !errors.Is(err, errStale) {
			return nil, fail(ctx, "read", s.path, err)
		}
		// A transaction that begins now is not older than the snapshot, unless
		// the file was exchanged for an older one.
		if try == 3 {
			s.current.Store(nil)
		}
	}
}

// Load brings the vectors and the numbers of all chunks into memory, if they
// are not there yet. A search does the same when it finds them missing.
func (s *Store) Load(ctx context.Context, progress func(done, total int)) error {
	v, err := s.read(ctx)
	if err != nil {
		return err
	}
	defer v.Close()
	_, err = v.loaded(ctx, progress)
	return err
}

// Close releases the file. Views and writers are closed before it.
func (s *Store) Close() error {
	s.current.Store(nil)
	if err := s.readers.Close(); err != nil {
		return fmt.Errorf("close corpus %s: %w", s.path, err)
	}
	return nil
}

// sees reports whether the store shows what belongs to owner.
func (s *Store) sees(owner string) bool { return s.owner == "" || owner == s.owner }

// readMeta reads what the corpus remembers about itself, and whether any of its
// documents has an owner.
func readMeta(ctx context.Context, conn *sql.Conn) (m store.Meta, hasOwners bool, err error) {
	var calibration string
	err = conn.QueryRowContext(ctx, `
		SELECT schema_version, coalesce(embedder_id, ''), dimensions, coalesce(tokenizer, ''),
			coalesce(calibration, ''), coalesce(pipeline_fingerprint, ''), changed,
			EXISTS (SELECT 1 FROM documents WHERE owner IS NOT NULL)
		FROM corpus_meta`).Scan(&m.SchemaVersion, &m.EmbedderID, &m.Dimensions, &m.Tokenizer,
		&calibration, &m.Fingerprint, &m.Changed, &hasOwners)
	if err != nil {
		return store.Meta{}, false, err
	}
	if err := store.CheckMeta(&m); err != nil {
		return store.Meta{}, false, err
	}
	if err := store.CheckName("calibration", calibration); err != nil {
		return store.Meta{}, false, err
	}
	if calibration != "" {
		if err := json.Unmarshal([]byte(calibration), &m.Calibration); err != nil {
			return store.Meta{}, false, fmt.Errorf("calibration in corpus_meta: %w", err)
		}
	}
	return m, hasOwners, nil
}
