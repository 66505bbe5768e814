package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/file"
	"github.com/webrag/webrag-tui/remote"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres"
	"github.com/webrag/webrag-tui/store/postgres/flat"
	"github.com/webrag/webrag-tui/store/sqlite"
)

// place is where a corpus is: in a file, or in a database of a server.
type place struct {
	// path is the file, or the database's address with all its secrets.
	path       string
	isDatabase bool
	// ofFolder says that the .env file of a folder named it: an address gets none of
	// the user's own secrets then, and is not remembered.
	ofFolder bool
	// table is one of another program in the database, and mapping what its columns
	// mean, both as they are written; empty for a corpus with tables of its own.
	table, mapping string
	// memory is how many bytes a file may take, 0 for half of the machine's.
	memory int64
}

// corpusPlace is where the configured corpus is.
func corpusPlace(c *config.Config) place {
	p := placeOf(c.Text("corpus.path")).within(c)
	p.ofFolder = c.Value("corpus.path").Origin.IsDotEnv()
	return p
}

// conn is how to connect to a database.
func (p place) conn() (o postgres.ConnOptions) {
	o.Isolated, o.Waiting = p.ofFolder, p.wait
	return o
}

// within is the configured table in a database.
func (p place) within(c *config.Config) place {
	p.table, p.mapping = c.Text("corpus.table"), c.Text("corpus.map")
	if c.IsSet("corpus.memory") {
		p.memory = int64(c.Int("corpus.memory")) << 20
	}
	return p
}

// placeOf reads a path or an address; empty stands for the default corpus.
func placeOf(text string) place {
	if text == "" {
		return place{path: defaultCorpus()}
	}
	return place{path: text, isDatabase: postgres.IsAddress(text)}
}

// String names the place without secrets.
func (p place) String() string {
	// An address whose scheme is missing is taken for a path.
	return postgres.Redact(p.path)
}

// id tells the place from others, without secrets, so that it can be opened again;
// empty for a table of another program, which takes more than a place to open, and
// for a database that a folder named: in another folder it would get the user's
// password.
func (p place) id() string {
	switch {
	case p.table != "" || p.mapping != "", p.isDatabase && p.ofFolder:
		return ""
	case p.isDatabase:
		return postgres.WithoutPassword(p.path)
	}
	if abs, err := filepath.Abs(p.path); err == nil {
		return abs
	}
	return p.path
}

// argument is the place in a command that is printed to be run again.
func (p place) argument() string {
	if p.isDatabase {
		return file.ShellWord(postgres.WithoutPassword(p.path))
	}
	return file.ShellWord(p.path)
}

// name is short, for a header.
func (p place) name() string {
	return strings.TrimSuffix(filepath.Base(p.String()), filepath.Ext(p.path))
}

// open opens a corpus that must exist, for one owner, or with none for all.
func (p place) open(ctx context.Context, owner string) (store.Store, error) {
	if p.isDatabase {
		return p.openDatabase(ctx, owner)
	}
	if p.table != "" || p.mapping != "" {
		return nil, fmt.Errorf("--table and --map name what is in a database, and %s is a file; --corpus postgres://USER@HOST/DATABASE names a database", p)
	}
	defer p.wait(ctx)()
	st, err := sqlite.Open(ctx, p.path, sqlite.Options{Owner: owner, Memory: p.memory})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, noCorpus(p.path)
	}
	return opened(st, err)
}

// openDatabase opens the corpus of a database, or the table that is meant. A
// database without a corpus may have a table of a program whose tables are known.
func (p place) openDatabase(ctx context.Context, owner string) (store.Store, error) {
	if p.table == "" && p.mapping == "" {
		st, err := p.openOwn(ctx, owner)
		if !errors.Is(err, store.ErrNotCorpus) {
			return st, err
		}
		table, flatErr := p.openTable(ctx, owner)
		if errors.Is(flatErr, store.ErrNotCorpus) {
			return nil, err
		}
		return table, flatErr
	}
	return p.openTable(ctx, owner)
}

// openOwn opens tables of a corpus, of this program's or of a WebRAG indexer's.
func (p place) openOwn(ctx context.Context, owner string) (store.Store, error) {
	defer p.wait(ctx)()
	return opened(postgres.Open(ctx, p.path, postgres.Options{Owner: owner, Sidecar: corpusNotesFolder(), Conn: p.conn()}))
}

func (p place) openTable(ctx context.Context, owner string) (store.Store, error) {
	mapping, err := flat.ParseMap(p.mapping)
	if err != nil {
		return nil, fmt.Errorf("--map: %w", err)
	}
	defer p.wait(ctx)()
	return opened(flat.Open(ctx, p.path, flat.Options{Table: p.table, Map: mapping, Owner: owner, Sidecar: corpusNotesFolder(), Conn: p.conn()}))
}

// create opens a corpus for writing and makes it if need be. A file is looked through for
// damage if whole is set, which takes as long as reading it.
func (p place) create(ctx context.Context, owner string, whole bool) (store.Store, error) {
	if p.isDatabase {
		defer p.wait(ctx)()
		return opened(postgres.Open(ctx, p.path, postgres.Options{Owner: owner, Create: true, Sidecar: corpusNotesFolder(), Conn: p.conn()}))
	}
	if err := os.MkdirAll(filepath.Dir(p.path), 0o755); err != nil {
		return nil, fmt.Errorf("make the corpus's folder: %w", err)
	}
	done := p.wait(ctx)
	st, err := sqlite.Open(ctx, p.path, sqlite.Options{Owner: owner, Create: true, Memory: p.memory})
	done()
	if err == nil && whole {
		// Most of what is already there is left alone, damaged or not, and nothing is
		// to be paid for vectors that a damaged file gets.
		done := p.verifying(ctx, st.Blocks())
		err = st.Verify(ctx)
		done()
		if err != nil {
			_ = st.Close()
		}
	}
	return opened(st, err)
}

// wait tells of a corpus that does not open or answer, until it is called off.
func (p place) wait(ctx context.Context) (done func()) {
	if p.isDatabase {
		return remote.While(ctx, "the database "+p.String())
	}
	return remote.While(ctx, "the corpus "+p.path+": another program may be writing to it")
}

// verifying tells of a corpus of so many bytes whose checksums are read, until it is
// called off.
func (p place) verifying(ctx context.Context, size int64) (done func()) {
	return remote.While(ctx, fmt.Sprintf("the check of the %s of %s for damage", byteSize(size), p))
}

// opened returns a nil interface on an error, and refuses an owner for a store that
// does not separate owners: it would show them everything.
func opened[S store.Store](st S, err error) (store.Store, error) {
	if err != nil {
		return nil, err
	}
	if info := st.Info(); info.Owner != "" && info.Missing[store.CapOwners] != "" {
		err := fmt.Errorf("open %s for owner %q: %s, so nothing is shown; leave out the owner (--owner, WEBRAG_OWNER) to see all of it",
			info.Location, info.Owner, info.Missing[store.CapOwners])
		return nil, errors.Join(err, st.Close())
	}
	return st, nil
}

// check says whether there is a corpus to open. An empty file is as good as none:
// SQLite leaves it behind when it is stopped early. Only a database may fail, also
// because another program made it, which is never written.
func (p place) check(ctx context.Context) (exists bool, err error) {
	if !p.isDatabase {
		return corpusExists(p.path), nil
	}
	open := p.openDatabase
	if p.table == "" && p.mapping == "" {
		// A table of another program is no corpus that could be written.
		open = p.openOwn
	}
	st, err := open(ctx, "")
	if errors.Is(err, store.ErrNotCorpus) {
		return false, p.hidesNothing(ctx)
	}
	if err != nil {
		return false, err
	}
	if st.Info().Foreign {
		// Opening it for writing reports the reason.
		_, err = st.Write(ctx)
	}
	return true, errors.Join(err, st.Close())
}

// hidesNothing refuses to make a corpus in a database whose address shows a table of
// another program: from then on it would show the corpus, and that table only to
// who names it.
func (p place) hidesNothing(ctx context.Context) error {
	shown, ok, err := flat.Shown(ctx, p.path, p.conn())
	if err != nil || !ok {
		return err
	}
	return fmt.Errorf("make a corpus in %s: %w: until now this address shows the table %s of %s, which a corpus beside it would hide; choose another database, or a schema of its own: CREATE SCHEMA corpus, and search_path=corpus,public in the address",
		p, store.ErrReadOnly, shown.Label, shown.Maker)
}

// mayMake refuses to make a corpus where there is none and none should be.
func (p place) mayMake(ctx context.Context) error {
	if !p.isDatabase {
		return nil
	}
	st, err := p.openOwn(ctx, "")
	if errors.Is(err, store.ErrNotCorpus) {
		return p.hidesNothing(ctx)
	}
	if err == nil {
		return st.Close()
	}
	// Opening it for writing reports what is wrong with an existing corpus.
	return nil
}

// missing is the error for a corpus that was never made.
func (p place) missing() error {
	if p.isDatabase {
		return &noCorpusError{path: p.String(), argument: p.argument(), isDatabase: true}
	}
	return noCorpus(p.path)
}

// corpusNotesFolder holds what must be remembered about databases that are not ours.
func corpusNotesFolder() string { return filepath.Join(stateFolder(), "databases") }

// openCorpus opens a corpus that must exist, for the configured owner.
func openCorpus(ctx context.Context, c *config.Config) (store.Store, error) {
	return corpusPlace(c).opener(c)(ctx)
}

// opener opens the place for the configured owner.
func (p place) opener(c *config.Config) opener {
	return func(ctx context.Context) (store.Store, error) { return p.open(ctx, c.Text("corpus.owner")) }
}

// corpusView is the configured corpus, looked at once.
type corpusView struct {
	store.View
	corpus store.Store
	config *config.Config
}

// openView opens the configured corpus, which must exist, to look at it once.
func (a *app) openView(ctx context.Context) (*corpusView, error) {
	c, err := a.loadConfig()
	if err != nil {
		return nil, err
	}
	a.narrate(corpusPlaceNotices(c))
	st, err := openCorpus(ctx, c)
	if err != nil {
		return nil, err
	}
	a.narrate(corpusNotices(st.Info()))
	v, err := st.Read(ctx)
	if err != nil {
		_ = st.Close()
		return nil, err
	}
	return &corpusView{v, st, c}, nil
}

// Close closes the view, and then the corpus.
func (v *corpusView) Close() error { return errors.Join(v.View.Close(), v.corpus.Close()) }

// lacks says why the corpus is unable to do something, empty if it can.
func (v *corpusView) lacks(what store.Capability) string { return v.corpus.Info().Missing[what] }

// noCorpusError reports a corpus that was never made: there is no file, or an
// empty one, or a database without its tables. It is an fs.ErrNotExist.
type noCorpusError struct {
	path                string
	argument            string // the path in a command
	isEmpty, isDatabase bool
}

func noCorpus(path string) error {
	_, err := os.Stat(path)
	e := &noCorpusError{path: path, argument: file.ShellWord(path), isEmpty: err == nil}
	if shown := postgres.Redact(path); shown != path {
		e.path, e.argument = shown+", which may hold a password", "postgres://USER@HOST/DATABASE"
	}
	return e
}

// Missing is the error without what to do about it.
func (e *noCorpusError) Missing() string {
	switch {
	case e.isDatabase:
		return "the database " + e.path + " holds no corpus"
	case e.isEmpty:
		return e.path + " is an empty file, not a corpus"
	}
	return "there is no corpus at " + e.path
}

func (e *noCorpusError) Error() string {
	corpus := ""
	if e.path != defaultCorpus() {
		corpus = " --corpus " + e.argument
	}
	return e.Missing() + "; make one with 'webrag-tui index FOLDER" + corpus + "', or try 'webrag-tui demo'"
}

// Is makes the explorer offer to make a corpus.
func (e *noCorpusError) Is(target error) bool { return target == session.ErrNoCorpus }

func (e *noCorpusError) Unwrap() error { return fs.ErrNotExist }

// corpusExists says that there is a file to open, or what is none and is refused
// when it is opened.
func corpusExists(path string) bool {
	info, err := os.Stat(path)
	return err == nil && (info.Size() > 0 || !info.Mode().IsRegular())
}
