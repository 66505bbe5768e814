package flat

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/db"
	"github.com/webrag/webrag-tui/store/postgres/internal/sidecar"
)

// Options say which table is opened, and how.
type Options struct {
	// Table is NAME or SCHEMA.NAME as in a statement, odd names in double quotes.
	// Empty, it is the only table of the database that a known program made.
	Table string
	// Map says what the columns mean, as far as that cannot be told by itself.
	Map Mapping
	// Owner shows only the rows of one owner, where the mapping names a column for
	// that. Elsewhere everybody sees every row.
	Owner string
	// Sidecar is the folder in which facts about tables are kept; empty keeps none.
	Sidecar string
	// Conn are the settings of the connections.
	Conn db.Options
	Log  *slog.Logger // nil logs nothing
}

// Store is a table of passages, read-only. It implements store.Store and
// store.NoteKeeper.
type Store struct {
	db   *db.DB
	opts Options
	// table is exchanged by a view that finds it changed.
	table atomic.Pointer[table]
	// facts are what is kept beside the table.
	facts atomic.Pointer[sidecar.Facts]
	info  atomic.Pointer[store.Info]
	sums  sums
	// analyzer makes the terms of texts.
	analyzer store.Analyzer
	// mostRead is the most texts that a search by words reads.
	mostRead int
}

var (
	_ store.Store      = (*Store)(nil)
	_ store.NoteKeeper = (*Store)(nil)
)

// mostRead is the most texts that are read one by one.
const mostRead = 20_000

// Open connects to the database of dsn and finds out what the table holds.
//
// It fails with a store.ErrNotCorpus when there is no such table, with an error
// that lists the columns when the mapping does not fit them, and with a
// store.ErrUnavailable when the server cannot be reached.
func Open(ctx context.Context, dsn string, opts Options) (*Store, error) {
	conn, err := db.Open(ctx, dsn, opts.Conn)
	if err != nil {
		return nil, err
	}
	s := &Store{db: conn, opts: opts, mostRead: mostRead}
	if err := s.prepare(ctx); err != nil {
		conn.Close()
		return nil, err
	}
	return s, nil
}

func (s *Store) prepare(ctx context.Context) error {
	tx, err := s.db.Read(ctx)
	if err != nil {
		return s.db.Fail(ctx, "open", err)
	}
	t, err := inspect(ctx, tx, s.opts.Table, s.opts.Map)
	// A transaction that only read has nothing to lose.
	_ = tx.Rollback(context.WithoutCancel(ctx))
	if err != nil {
		return s.db.Fail(ctx, "open", err)
	}
	s.table.Store(t)
	// From now on it is this table that is meant, whatever others there will be.
	s.opts.Table, s.opts.Map.Collection = t.Quoted(), t.mapping.Collection
	s.loadFacts(ctx)
	v, err := s.Read(ctx)
	if err != nil {
		return err
	}
	return v.Close()
}

// Mapping is what the columns of the table are taken for.
func (s *Store) Mapping() Mapping { return s.table.Load().mapping }

// Info answers from what was read when the store was opened or last read.
func (s *Store) Info() store.Info { return *s.info.Load() }

// Read opens a view of the newest version.
func (s *Store) Read(ctx context.Context) (store.View, error) {
	v := &View{store: s, table: s.table.Load()}
	if err := v.begin(ctx); err != nil {
		return nil, s.db.Fail(ctx, "read", err)
	}
	return v, nil
}

// Write fails: the table is another program's.
func (s *Store) Write(context.Context) (store.Writer, error) {
	return nil, fmt.Errorf("write corpus %s: %w: the table %s is another program's; to have a corpus that can be changed, copy it: webrag-tui copy",
		s.location(), store.ErrReadOnly, s.table.Load().Label())
}

// Close closes all connections.
func (s *Store) Close() error {
	s.db.Close()
	return nil
}

// location names the database and the table in it.
func (s *Store) location() string { return s.db.Location() + "#" + s.table.Load().Label() }

// Remember keeps what was found out about the table beside it on this machine:
// embedder, agreement, tokenizer and calibration of m. Views that are opened from now on have
// it in their Meta, as long as the vectors have the dimensions of m; where it
// cannot be kept, which is an error, until the store is closed.
func (s *Store) Remember(ctx context.Context, m store.Meta) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	facts := sidecar.Facts{
		EmbedderID: m.EmbedderID, Dimensions: m.Dimensions, Agreement: m.Agreement, Version: m.AgreementAt,
		Tokenizer: m.Tokenizer, Calibration: m.Calibration,
	}
	s.facts.Store(&facts)
	info := *s.info.Load()
	info.Meta = s.remembered(info.Meta, s.table.Load().dims)
	s.info.Store(&info)
	return sidecar.Save(s.opts.Sidecar, s.sidecarKey(), facts)
}

func (s *Store) sidecarKey() sidecar.Key {
	t := s.table.Load()
	key := sidecar.Key{Location: s.db.Location(), Table: t.Quoted()}
	if name := t.mapping.Collection; name != "" {
		key.Table += " " + quoteWord(name)
	}
	return key
}

// loadFacts reads what is kept beside the table. Without it the table is as good as
// new.
func (s *Store) loadFacts(ctx context.Context) {
	facts, err := sidecar.Load(s.opts.Sidecar, s.sidecarKey())
	if err != nil && s.opts.Log != nil {
		s.opts.Log.WarnContext(ctx, "read what is kept beside the table", "error", err)
	}
	s.facts.Store(&facts)
}

// remembered adds to a meta what is kept beside the table. Of vectors that have
// other dimensions by now it knows nothing any more.
func (s *Store) remembered(m store.Meta, dims int) store.Meta {
	facts := s.facts.Load()
	if facts == nil {
		return m
	}
	m.Tokenizer = facts.Tokenizer
	if facts.EmbedderID == "" || facts.Dimensions != dims {
		return m
	}
	m.EmbedderID, m.Agreement, m.AgreementAt = facts.EmbedderID, facts.Agreement, facts.Version
	if facts.Calibration.EmbedderID == facts.EmbedderID {
		m.Calibration = facts.Calibration
	}
	return m
}
