package sqlite

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/sqlite/internal/pagesum"
)

// A corpus without checksums is read as it is, also where it may not be written, and
// gets them from the first that writes.
func TestSumsComeWithTheNextWriter(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "corpus.db")
	conn := rawTest(t, path)
	if _, err := conn.ExecContext(t.Context(), `PRAGMA journal_mode = WAL`); err != nil {
		t.Fatal(err)
	}
	if err := migrate(t.Context(), conn, 0, migrations()); err != nil {
		t.Fatal(err)
	}
	s := openTest(t, path, Options{ReadOnly: true})
	if c := examined(t, s, "checksums"); c.State != store.CheckWarning || s.Info().Meta.SchemaVersion != versionOf(len(migrations()), false) {
		t.Errorf("before: %+v, %+v", c, s.Info())
	}
	s = openTest(t, path, Options{})
	putTest(t, s, testPage("a", 1, 20))
	generationOf(t, readTest(t, s), "a", 20)
	if has, err := pagesum.Has(path); !has || err != nil {
		t.Errorf("%v, %v", has, err)
	}
	_ = s.Close()
	s = openTest(t, path, Options{ReadOnly: true})
	if c := examined(t, s, "checksums"); c.State != store.CheckFine || s.Info().Meta.SchemaVersion != versionOf(len(migrations()), true) {
		t.Errorf("after: %+v, %+v", c, s.Info())
	}
	// Who was reading goes on, and what was open before writes sums too.
	execTest(t, path, `UPDATE chunk_texts SET chunk_text = chunk_text`)
	checkFile(t, path)
}

// A header that denies the sums, which one bit can do, takes none of them away.
func TestSumsAreNotTurnedOff(t *testing.T) {
	t.Parallel()
	s := newTest(t, testPage("a", 1, 20))
	_ = s.Close()
	content, err := os.ReadFile(s.path)
	if err != nil {
		t.Fatal(err)
	}
	content[20] = 0
	if err := os.WriteFile(s.path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), s.path, Options{}); !errors.Is(err, ErrDamaged) {
		t.Errorf("got %v", err)
	}
	if checks := CheckFile(t.Context(), s.path); len(checks) == 0 {
		t.Error("nothing is looked at")
	}
}

// A damaged log ends where the damage is: the corpus is as it was after one of its
// transactions, as when the machine had stopped then, and never between two.
func TestDamagedLog(t *testing.T) {
	t.Parallel()
	const generations = 6
	s := newTest(t, testPage("a", 0, 5))
	for i := range generations {
		putTest(t, s, testPage("a", i+1, 5))
	}
	execTest(t, s.path, `PRAGMA wal_checkpoint(TRUNCATE)`)
	w := writerTest(t, s)
	for i := range generations {
		if _, err := w.Put(t.Context(), testPage("a", 10+i, 5)); err != nil {
			t.Fatal(err)
		}
	}
	file, err := os.ReadFile(s.path)
	if err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(s.path + "-wal")
	if err != nil || len(log) < 10000 {
		t.Fatalf("a log of %d bytes, %v", len(log), err)
	}
	for at := 0; at < len(log); at += len(log)/40 + 1 {
		path := filepath.Join(t.TempDir(), "corpus.db")
		changed := bytes.Clone(log)
		changed[at] ^= 1
		if err := errors.Join(os.WriteFile(path, file, 0o600), os.WriteFile(path+"-wal", changed, 0o600)); err != nil {
			t.Fatal(err)
		}
		checkFile(t, path)
		texts := map[string]bool{}
		rows, err := rawTest(t, path).QueryContext(t.Context(), `SELECT chunk_text FROM chunk_texts`)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			var text string
			if err := rows.Scan(&text); err != nil {
				t.Fatal(err)
			}
			_, generation, _ := strings.Cut(text, "gen")
			texts[generation] = true
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		if len(texts) != 1 {
			t.Errorf("byte %d: generations %v", at, texts)
		}
	}
}

// Doctor goes on behind each damage and names what it hit.
func TestCheckReadsPastDamage(t *testing.T) {
	t.Parallel()
	var pages []store.Bundle
	for i := range 30 {
		pages = append(pages, testPage(fmt.Sprint("page", i), 1, 20))
	}
	s := newTest(t, pages...)
	_ = s.Close()
	content, err := os.ReadFile(s.path)
	if err != nil {
		t.Fatal(err)
	}
	var hit []int64
	for _, name := range []string{"page7 child3 gen1", "page21 child3 gen1"} {
		at := bytes.Index(content, []byte(name))
		content[at] ^= 1
		hit = append(hit, int64(at/4096+1))
	}
	if err := os.WriteFile(s.path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	s = openTest(t, s.path, Options{})
	if c := examined(t, s, "checksums"); c.State != store.CheckBroken || !strings.Contains(c.Found, fmt.Sprint(hit[0])) || !strings.HasPrefix(c.Found, "2 of") {
		t.Errorf("pages %v: %+v", hit, c)
	}
	c := examined(t, s, "rows")
	if c.State != store.CheckBroken || !strings.Contains(c.Found, "parts cannot be read of chunk_texts") || !strings.Contains(c.Found, "lack chunks, texts or vectors") {
		t.Errorf("%+v", c)
	}
	if c := examined(t, s, "vectors"); c.State != store.CheckFine {
		t.Errorf("what is whole: %+v", c)
	}
}

// A file may be longer than its database, and then by a terabyte.
func TestAFileThatGoesOnIsVerified(t *testing.T) {
	t.Parallel()
	s := newTest(t, testPage("a", 1, 3))
	_ = s.Close()
	was, err := os.Stat(s.path)
	if err == nil {
		err = os.Truncate(s.path, 1<<26)
	}
	if err != nil {
		t.Fatal(err)
	}
	s = openTest(t, s.path, Options{})
	if c := examined(t, s, "checksums"); c.State != store.CheckWarning || !strings.Contains(c.Found, fmt.Sprintf("goes on for %d bytes", 1<<26-was.Size())) {
		t.Errorf("%+v", c)
	}
	if err := s.Verify(t.Context()); err != nil {
		t.Errorf("it is whole, but: %v", err)
	}
}
