package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	sqlite3 "modernc.org/sqlite/lib"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/sqlite/internal/regular"
)

// magic starts every SQLite file.
const magic = "SQLite format 3\x00"

// Open opens the corpus at path. It fails with store.ErrNotCorpus for a file
// that is something else, with store.ErrNewerSchema for one of a later version
// of the program, and with fs.ErrNotExist if there is none and Create is not
// set. A corpus of an older version is migrated.
func Open(ctx context.Context, path string, opts Options) (*Store, error) {
	if opts.BusyTimeout == 0 {
		opts.BusyTimeout = 5 * time.Second
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("open corpus: %w", err)
	}
	s := &Store{
		path: path, owner: opts.Owner, readOnly: opts.ReadOnly, timeout: opts.BusyTimeout, memory: opts.Memory,
		mostTail: defaultTail, refreshing: make(chan struct{}, 1),
	}
	exists, err := probe(path)
	if err != nil {
		return nil, err
	}
	if !exists {
		if err := create(ctx, path, opts); err != nil {
			return nil, err
		}
	}
	if s.file, err = os.Stat(path); err != nil {
		return nil, fmt.Errorf("open corpus: %w", err)
	}
	err = s.open(ctx)
	if err != nil && s.isUnmade(ctx, err) {
		if err = create(ctx, path, opts); err == nil {
			err = s.open(ctx)
		}
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// probe looks at a file before SQLite does, for clearer words than "file is not
// a database". An empty file counts as none: SQLite leaves one behind when it is
// stopped before the first transaction. A loss of power within the first write may
// leave one without its beginning; the journal beside it has SQLite undo the rest.
func probe(path string) (exists bool, err error) {
	f, err := regular.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer f.Close()
	start := make([]byte, len(magic))
	n, err := io.ReadFull(f, start)
	if n == 0 && errors.Is(err, io.EOF) {
		return false, nil
	}
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false, fmt.Errorf("open corpus: %w", err)
	}
	_, unfinished := os.Stat(path + "-journal")
	isBlank := strings.Trim(string(start[:n]), "\x00") == ""
	if string(start[:n]) != magic && !(isBlank && unfinished == nil) {
		return false, fmt.Errorf("open %s: %w: it is not an SQLite file; choose another path or index into a new one", path, store.ErrNotCorpus)
	}
	return true, nil
}

// isUnmade reports whether opening failed because the file has no tables yet, as
// while another process makes it and after one that was stopped there, or because
// it had none a moment ago.
func (s *Store) isUnmade(ctx context.Context, err error) bool {
	if !hasCode(err, sqlite3.SQLITE_ERROR) {
		return false
	}
	db, err := sql.Open("sqlite", dsn(s.path, pragmas(s.timeout, "query_only(1)")))
	if err != nil {
		return false
	}
	defer db.Close()
	var tables, versions int
	err = db.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM sqlite_schema),
		(SELECT count(*) FROM pragma_table_info('corpus_meta') WHERE name = 'schema_version')`).Scan(&tables, &versions)
	return err == nil && (tables == 0 || versions > 0)
}

// create makes an empty corpus, under the lock of writers.
func create(ctx context.Context, path string, opts Options) error {
	if !opts.Create || opts.ReadOnly {
		return fmt.Errorf("open corpus %s: %w; index some pages into it first", path, fs.ErrNotExist)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("create corpus %s: %w", path, err)
	}
	return upgrade(ctx, path, opts.BusyTimeout)
}

// upgrade brings the file at path, which may be empty, to the present schema.
func upgrade(ctx context.Context, path string, timeout time.Duration) (err error) {
	held, err := lock(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, held.Release()) }()
	db, conn, err := openWriting(ctx, path, "rwc", timeout)
	if err != nil {
		return fail(ctx, "create", path, err)
	}
	defer db.Close()
	defer conn.Close()
	// Whoever held the lock before may have done the work.
	var tables, version int
	if err := conn.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema WHERE name = 'corpus_meta'`).Scan(&tables); err != nil {
		return fail(ctx, "create", path, err)
	}
	if tables > 0 {
		if err := conn.QueryRowContext(ctx, `SELECT schema_version FROM corpus_meta`).Scan(&version); err != nil {
			return fail(ctx, "migrate", path, err)
		}
	}
	if err := migrate(ctx, conn, version, migrations()); err != nil {
		return fail(ctx, "migrate", path, err)
	}
	return nil
}

// open connects the readers and reads the corpus's own description.
func (s *Store) open(ctx context.Context) error {
	err := s.connect(ctx, false)
	if err != nil && s.mayNeedImmutable(err) {
		s.readOnly = true
		err = s.connect(ctx, true)
	}
	if err != nil {
		return s.refuse(ctx, err)
	}
	have := s.meta.Load().SchemaVersion
	steps, summed := stepsOf(have)
	want := versionOf(len(migrations()), summed)
	if summed && steps <= len(migrations()) {
		if err := s.mustHaveSums(); err != nil {
			_ = s.readers.Close()
			return err
		}
	}
	switch {
	case steps > len(migrations()):
		_ = s.readers.Close()
		return fmt.Errorf("open corpus %s: %w of the program: it has schema version %d, this program knows %d; update the program, or index into a new file", s.path, store.ErrNewerSchema, have, versionOf(len(migrations()), true))
	case s.readOnly && isRead(have):
	case steps < len(migrations()) && s.readOnly:
		_ = s.readers.Close()
		return fmt.Errorf("open corpus %s: it was made by an older version (schema version %d, now %d) and cannot be brought up to date where it may not be written; copy the file to where it may be, and open the copy: webrag-tui doctor --corpus COPY", s.path, have, want)
	case steps < len(migrations()):
		_ = s.readers.Close()
		if err := upgrade(ctx, s.path, s.timeout); err != nil {
			return err
		}
		s.lifted = fmt.Sprintf("the corpus was brought up to date, from schema version %d to %d; older versions of the program cannot open it any more", have, want)
		return s.connect(ctx, false)
	}
	return nil
}

// A reader keeps 16 MB of pages, and while it reads all packs, each of whose pages it
// comes by once, no more than what a processor has at hand.
const (
	readCache = "cache_size(-16384)"
	loadCache = "cache_size(-1024)"
)

// connect opens the pool of readers and tries it.
func (s *Store) connect(ctx context.Context, immutable bool) error {
	if !s.readOnly && !isWritable(s.path) {
		s.readOnly = true
	}
	// WAL is set by the connection that creates the file and stays with it.
	q := pragmas(s.timeout, "query_only(1)", readCache)
	switch {
	case immutable:
		q.Set("immutable", "1")
		fallthrough
	case s.readOnly:
		q.Set("mode", "ro")
	default:
		q.Set("mode", "rw")
	}
	db, err := sql.Open("sqlite", dsn(s.path, q))
	if err != nil {
		return err
	}
	db.SetMaxIdleConns(4)
	conn, err := db.Conn(ctx)
	if err == nil {
		defer conn.Close()
		// The version alone at first: another one may have other columns.
		var m store.Meta
		var hasOwners bool
		if err = limit(conn); err == nil {
			err = checkSchema(ctx, conn)
		}
		if err == nil {
			err = conn.QueryRowContext(ctx, `SELECT schema_version FROM corpus_meta`).Scan(&m.SchemaVersion)
		}
		if err == nil {
			err = store.CheckMeta(&m)
		}
		if err == nil && m.SchemaVersion == 0 {
			// The tables come with their version, or not at all.
			err = fmt.Errorf("corpus_meta says that it has schema version 0, as no corpus has: %w", store.ErrForeign)
		}
		if err == nil && isRead(m.SchemaVersion) {
			m, hasOwners, err = readMeta(ctx, conn)
		}
		if err == nil {
			s.readers = db
			s.meta.Store(&m)
			s.hasOwners.Store(hasOwners)
			return nil
		}
	}
	_ = db.Close()
	return err
}

// mayNeedImmutable reports whether opening failed for want of a place for the
// files that SQLite keeps beside a corpus in WAL mode. Nobody can write to such
// a file, so it may be read as one that never changes, unless it has changes
// that wait in a log.
func (s *Store) mayNeedImmutable(err error) bool {
	if !hasCode(err, sqlite3.SQLITE_CANTOPEN) && !hasCode(err, sqlite3.SQLITE_READONLY) {
		return false
	}
	wal, statErr := os.Stat(s.path + "-wal")
	return errors.Is(statErr, fs.ErrNotExist) || statErr == nil && wal.Size() == 0
}

// refuse finds the words for a file that cannot be read as a corpus.
func (s *Store) refuse(ctx context.Context, err error) error {
	if errors.Is(err, store.ErrNotCorpus) {
		return fmt.Errorf("open %s: %w", s.path, err)
	}
	if (hasCode(err, sqlite3.SQLITE_ERROR) || errors.Is(err, sql.ErrNoRows)) && ctx.Err() == nil {
		// There is no corpus_meta, or no row in it.
		return fmt.Errorf("open %s: %w: it is an SQLite file of something else; choose another path or index into a new one (%w)", s.path, store.ErrNotCorpus, err)
	}
	if hasCode(err, sqlite3.SQLITE_CANTOPEN) || hasCode(err, sqlite3.SQLITE_READONLY) {
		return fmt.Errorf("open corpus %s: changes wait in %s-wal and the folder may not be written; make it writable, or copy the corpus elsewhere (%w)", s.path, s.path, err)
	}
	return fail(ctx, "open", s.path, err)
}

// isWritable reports whether the file may be opened for writing.
func isWritable(path string) bool {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return false
	}
	_ = f.Close()
	return true
}

// openWriting opens the one connection of a writer, in mode "rw" or "rwc". It does
// not map the file into memory: what another program cuts off then would be a
// fault that ends the process, and not an error.
func openWriting(ctx context.Context, path, mode string, timeout time.Duration) (*sql.DB, *sql.Conn, error) {
	q := pragmas(timeout, "journal_mode(WAL)", "synchronous(NORMAL)", "foreign_keys(1)", "mmap_size(0)", "secure_delete(1)", "cache_size(-32768)", "wal_autocheckpoint(4096)")
	q.Set("mode", mode)
	db, err := sql.Open("sqlite", dsn(path, q))
	if err != nil {
		return nil, nil, err
	}
	db.SetMaxOpenConns(1)
	conn, err := db.Conn(ctx)
	if err == nil {
		err = limit(conn)
	}
	if err == nil {
		_, err = conn.ExecContext(ctx, fmt.Sprintf(`PRAGMA busy_timeout = %d`, (timeout/lockTries).Milliseconds()))
	}
	if err != nil {
		_ = db.Close()
		return nil, nil, err
	}
	return db, conn, nil
}

// pragmas returns the parameters that every connection of a pool starts with.
// The timeout comes first, as the others may have to wait too.
func pragmas(timeout time.Duration, values ...string) url.Values {
	q := url.Values{}
	q.Add("_pragma", "busy_timeout("+strconv.FormatInt(timeout.Milliseconds(), 10)+")")
	// A file may come from anybody: no function with an effect runs because its schema
	// says so, and a page that is no page is found before it is read.
	for _, v := range append([]string{"trusted_schema(0)", "cell_size_check(1)"}, values...) {
		q.Add("_pragma", v)
	}
	return q
}

// dsn names a file to the driver, whatever characters are in its path.
func dsn(path string, q url.Values) string {
	path = filepath.ToSlash(path)
	if path[0] != '/' { // a drive letter
		path = "/" + path
	}
	u := url.URL{Scheme: "file", Path: path, RawQuery: q.Encode()}
	return u.String()
}
