package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/store"
)

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	write := func(content string) func(t *testing.T, path string) {
		return func(t *testing.T, path string) {
			if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	corpus := func(change string) func(t *testing.T, path string) {
		return func(t *testing.T, path string) {
			s := openTest(t, path, Options{Create: true})
			putTest(t, s, testPage("a", 1, 2))
			_ = s.Close()
			execTest(t, path, change)
		}
	}
	for _, c := range []struct {
		name string
		make func(t *testing.T, path string)
		opts Options
		is   error
		says string
	}{
		{"missing", func(*testing.T, string) {}, Options{}, fs.ErrNotExist, "index some pages into it first"},
		{"missing, read-only", func(*testing.T, string) {}, Options{Create: true, ReadOnly: true}, fs.ErrNotExist, "index some pages into it first"},
		{"empty", write(""), Options{}, fs.ErrNotExist, "index some pages into it first"},
		{"text", write("This is no database, and longer than a header."), Options{Create: true}, store.ErrNotCorpus, "it is not an SQLite file"},
		{"short text", write("x"), Options{Create: true}, store.ErrNotCorpus, "it is not an SQLite file"},
		{"zeros", write(strings.Repeat("\x00", 4096)), Options{Create: true}, store.ErrNotCorpus, "it is not an SQLite file"},
		{"torn before the first sync", tornCorpus, Options{}, fs.ErrNotExist, "index some pages into it first"},
		{"header only", write(magic), Options{}, store.ErrNotCorpus, "is not an SQLite file"},
		{"folder", func(t *testing.T, path string) { _ = os.Mkdir(path, 0o700) }, Options{}, store.ErrNotCorpus, "it is a folder"},
		{"another program's", func(t *testing.T, path string) { execTest(t, path, `CREATE TABLE notes (x)`) }, Options{}, store.ErrNotCorpus, "something else"},
		{"a table without row", corpus(`DELETE FROM corpus_meta`), Options{}, store.ErrNotCorpus, "something else"},
		{"newer, other columns", corpus(`UPDATE corpus_meta SET schema_version = 99; ALTER TABLE corpus_meta DROP COLUMN tokenizer`), Options{}, store.ErrNewerSchema, "schema version 99, this"},
		{"newer", corpus(`UPDATE corpus_meta SET schema_version = 99`), Options{}, store.ErrNewerSchema, fmt.Sprintf("schema version 99, this program knows %d; update the program", versionOf(len(migrations()), true))},
		{"no version", corpus(`UPDATE corpus_meta SET schema_version = 0`), Options{Create: true}, store.ErrForeign, "schema version 0, as no corpus has"},
		{"older, read-only", corpus(`UPDATE corpus_meta SET schema_version = 1`), Options{ReadOnly: true}, nil, "copy the file to where it may be"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "corpus.db")
			c.make(t, path)
			c.opts.BusyTimeout = time.Millisecond
			s, err := Open(context.Background(), path, c.opts)
			if err == nil {
				_ = s.Close()
				t.Fatal("it was opened")
			}
			if c.is != nil && !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), path) {
				t.Errorf("got %q, want %v and %q", err, c.is, c.says)
			}
		})
	}
}

func TestOpenCreates(t *testing.T) {
	t.Parallel()
	for name, path := range map[string]string{
		"new folder":          filepath.Join(t.TempDir(), "a", "b", "corpus.db"),
		"characters of a URI": filepath.Join(t.TempDir(), "a b?c=%20#d&mode=ro.db"),
		"beyond ASCII":        filepath.Join(t.TempDir(), "日本 🙂.db"),
	} {
		s := openTest(t, path, Options{Create: true})
		putTest(t, s, testPage("a", 1, 2))
		if got := generationOf(t, readTest(t, s), "a", 2); got != 1 {
			t.Errorf("%s: generation %d", name, got)
		}
		if _, err := os.Stat(path); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		info := s.Info()
		if want := strings.TrimSuffix(filepath.Base(path), ".db"); info.Name != want || info.Location != path {
			t.Errorf("%s: Info is %+v", name, info)
		}
	}
	// What a crash before the first transaction leaves.
	empty := filepath.Join(t.TempDir(), "empty.db")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	putTest(t, openTest(t, empty, Options{Create: true}), testPage("a", 1, 2))
	// And what a loss of power within it does.
	torn := filepath.Join(t.TempDir(), "torn.db")
	tornCorpus(t, torn)
	putTest(t, openTest(t, torn, Options{Create: true}), testPage("a", 1, 2))
}

// tornCorpus leaves what a loss of power may leave of the first page: all but its first
// sector, and the journal that says that there was no page before. Its header has the magic
// number, how many pages it holds, a nonce, how many pages there were, and the sizes of a
// sector and a page (SQLite's file format, section 3).
func tornCorpus(t *testing.T, path string) {
	t.Helper()
	page := append(make([]byte, sectorOfJournal), bytes.Repeat([]byte{1}, 4096-sectorOfJournal)...)
	journal := []byte{0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7}
	for _, n := range []uint32{0, 7, 0, sectorOfJournal, 4096} {
		journal = binary.BigEndian.AppendUint32(journal, n)
	}
	for name, raw := range map[string][]byte{path: page, path + "-journal": append(journal, make([]byte, sectorOfJournal-len(journal))...)} {
		if err := os.WriteFile(name, raw, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

const sectorOfJournal = 512

func TestReadOnlyOption(t *testing.T) {
	t.Parallel()
	path := newTest(t, testPage("a", 1, 2)).path
	s := openTest(t, path, Options{ReadOnly: true})
	if got := generationOf(t, readTest(t, s), "a", 2); got != 1 || !s.Info().ReadOnly {
		t.Errorf("generation %d, %+v", got, s.Info())
	}
	if w, err := s.Write(t.Context()); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("Write: %v, %v, want ErrReadOnly", w, err)
	}
}

// A reader's connection refuses to write, whatever statement reaches it.
func TestReadersCannotWrite(t *testing.T) {
	t.Parallel()
	v := readTest(t, newTest(t, testPage("a", 1, 2)))
	if _, err := v.conn.ExecContext(t.Context(), `DELETE FROM documents`); err == nil {
		t.Error("a reader deleted the documents")
	}
}

func TestLockedByAnotherProgram(t *testing.T) {
	t.Parallel()
	s := newTest(t, testPage("a", 1, 2))
	w := writerTest(t, s)
	other := rawTest(t, s.path)
	if _, err := other.ExecContext(t.Context(), `BEGIN IMMEDIATE`); err != nil {
		t.Fatal(err)
	}
	_, err := w.Put(t.Context(), testPage("a", 2, 2))
	if !errors.Is(err, store.ErrUnavailable) || !strings.Contains(err.Error(), "another process keeps it locked; try again when it is done") {
		t.Errorf("Put: %v, want ErrUnavailable", err)
	}
	if got := generationOf(t, readTest(t, s), "a", 2); got != 1 {
		t.Errorf("reading shows generation %d", got)
	}
	if _, err := other.ExecContext(t.Context(), `ROLLBACK`); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Put(t.Context(), testPage("a", 2, 2)); err != nil {
		t.Errorf("after the other is done: %v", err)
	}
}

func TestLockedForReading(t *testing.T) {
	t.Parallel()
	s := newTest(t, testPage("a", 1, 2))
	_ = s.Close()
	other := rawTest(t, s.path)
	for _, q := range []string{`PRAGMA locking_mode = EXCLUSIVE`, `UPDATE corpus_meta SET tokenizer = 'x'`} {
		if _, err := other.ExecContext(t.Context(), q); err != nil {
			t.Fatal(err)
		}
	}
	_, err := Open(t.Context(), s.path, Options{BusyTimeout: time.Millisecond})
	if !errors.Is(err, store.ErrUnavailable) || !strings.Contains(err.Error(), "another process keeps it locked") {
		t.Errorf("Open: %v, want ErrUnavailable", err)
	}
}

func TestMigrate(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "corpus.db")
	conn := rawTest(t, path)
	ctx := t.Context()
	steps := []migration{
		{schema: firstSchema},
		{schema: `ALTER TABLE documents ADD COLUMN colour TEXT`, fill: func(ctx context.Context, conn *sql.Conn) error {
			_, err := conn.ExecContext(ctx, `UPDATE documents SET colour = 'red'`)
			return err
		}},
		{schema: `CREATE TABLE more (x); INSERT INTO no_such_table VALUES (1)`},
	}
	if err := migrate(ctx, conn, 0, steps[:1]); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.ExecContext(ctx, `INSERT INTO documents
		(id, source_url, depth, token_count, parent_count, child_count, changed) VALUES ('a', 'u', 0, 0, 0, 0, 1)`); err != nil {
		t.Fatal(err)
	}
	err := migrate(ctx, conn, 1, steps)
	if err == nil || !strings.Contains(err.Error(), "from schema version 2 to 3") {
		t.Errorf("a failing step: %v", err)
	}
	var version, tables int
	var colour string
	if err := conn.QueryRowContext(ctx, `SELECT
		(SELECT schema_version FROM corpus_meta), (SELECT colour FROM documents),
		(SELECT count(*) FROM sqlite_schema WHERE name = 'more')`).Scan(&version, &colour, &tables); err != nil {
		t.Fatal(err)
	}
	if version != 2 || colour != "red" || tables != 0 {
		t.Errorf("version %d, colour %q, %d tables of the failed step; want 2, red, 0", version, colour, tables)
	}
}
