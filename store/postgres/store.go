package postgres

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/db"
	"github.com/webrag/webrag-tui/store/postgres/internal/record"
	"github.com/webrag/webrag-tui/store/postgres/internal/sidecar"
)

// Options say how a database is opened. The zero value opens it for no owner.
type Options struct {
	// Owner binds the store to one owner.
	Owner string
	// Create makes the tables if the database has none, and lifts those of an
	// earlier version.
	Create bool
	// Conn are the settings of the connections.
	Conn db.Options
	// Sidecar is the folder in which facts about databases that may not be written
	// are kept; empty keeps none.
	Sidecar string
	Log     *slog.Logger // nil logs nothing
}

// Store is a corpus in a database. It implements store.Store.
type Store struct {
	db   *db.DB
	opts Options
	// layout is exchanged by a view that finds the tables changed.
	layout atomic.Pointer[layout]
	// sums are what the documents of a foreign database hold.
	sums sumCache
	// dated is the last version of a database of another program.
	dated atomic.Pointer[dated]
	// hidden is what no read of one version returns.
	hidden hiddenCache
	// stats are the sums of the scope that was asked for last.
	stats atomic.Pointer[statsCache]
	// facts are what is kept beside a database of another program, nil for one of
	// ours.
	facts atomic.Pointer[sidecar.Facts]
	// info is what was last read.
	info atomic.Pointer[store.Info]
	// counted is the scope that was counted last.
	counted atomic.Pointer[counted]
	// keywords bounds keyword searches and remembers for them.
	keywords keywordArm
}

var _ store.Store = (*Store)(nil)

// Open connects to the database of dsn and finds out what is in it.
//
// It fails with a store.ErrNotCorpus when the database has no tables of a corpus
// and Create is not set, with a store.ErrNewerSchema, or with a
// store.ErrUnavailable when the server cannot be reached.
func Open(ctx context.Context, dsn string, opts Options) (*Store, error) {
	if err := record.CheckText("the owner", opts.Owner); err != nil {
		return nil, err
	}
	conn, err := db.Open(ctx, dsn, opts.Conn)
	if err != nil {
		return nil, err
	}
	s := &Store{db: conn, opts: opts}
	s.keywords.limits = defaultKeywordLimits()
	if err := s.prepare(ctx); err != nil {
		conn.Close()
		return nil, err
	}
	return s, nil
}

// prepare makes or lifts the tables if it may, and reads the layout.
func (s *Store) prepare(ctx context.Context) error {
	if s.opts.Create {
		if err := migrate(ctx, s.db); err != nil {
			return err
		}
	}
	found, err := discover(ctx, s.db)
	if err != nil {
		return err
	}
	s.layout.Store(found)
	if found.foreign {
		s.loadFacts(ctx)
	}
	v, err := s.Read(ctx)
	if err != nil {
		return err
	}
	return v.Close()
}

// Info answers from what was read when the store was opened or last read.
func (s *Store) Info() store.Info { return *s.info.Load() }

// Read opens a view of the newest version.
func (s *Store) Read(ctx context.Context) (store.View, error) {
	v := &View{store: s, layout: s.layout.Load()}
	if err := v.begin(ctx); err != nil {
		return nil, s.db.Fail(ctx, "read", err)
	}
	return v, nil
}

// Write opens the one writer.
func (s *Store) Write(ctx context.Context) (store.Writer, error) {
	if s.layout.Load().readOnly == standbyOnly {
		// It may have become the primary since.
		if found, err := discover(ctx, s.db); err == nil {
			s.layout.Store(found)
		}
	}
	if why := s.layout.Load().readOnly; why != "" {
		return nil, fmt.Errorf("write corpus %s: %w: %s", s.db.Location(), store.ErrReadOnly, why)
	}
	w := &Writer{store: s}
	if err := w.begin(ctx); err != nil {
		return nil, errors.Join(s.db.FailWrite(ctx, "write", err), w.Close())
	}
	return w, nil
}

// Close closes all connections.
func (s *Store) Close() error {
	s.db.Close()
	return nil
}
