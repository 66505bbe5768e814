package pagesum

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite" // the database/sql driver "sqlite"
)

// fileTest makes a file with a table of 500 texts, in WAL mode, with sums.
func fileTest(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.db")
	db := dbTest(t, path)
	for _, q := range []string{
		`PRAGMA journal_mode = WAL`, `CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT)`,
		`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) INSERT INTO t SELECT i, 'text ' || i || hex(zeroblob(200)) FROM n`,
	} {
		if _, err := db.Exec(q); err != nil {
			t.Fatal(err)
		}
	}
	if has, err := Add(t.Context(), path, time.Second); err != nil || !has {
		t.Fatalf("%v, %v", has, err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func dbTest(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// Whatever byte of a file changes, reading all of it fails.
func TestEveryByteCounts(t *testing.T) {
	t.Parallel()
	path := fileTest(t)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	read := func() error {
		db := dbTest(t, path)
		defer db.Close()
		var n, length int
		return db.QueryRow(`SELECT count(*), sum(length(text)) FROM t`).Scan(&n, &length)
	}
	if err := read(); err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(content); at += 389 {
		if at == reservedAt {
			continue
		}
		content[at] ^= 4
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		content[at] ^= 4
		if err := read(); err == nil || at >= 100 && !strings.Contains(err.Error(), "8202") {
			t.Errorf("byte %d changed: %v", at, err)
		}
	}
}

// BenchmarkSum is the price of a page that is read.
func BenchmarkSum(b *testing.B) {
	page := make([]byte, 4096)
	set(page, 7)
	b.SetBytes(int64(len(page)))
	for b.Loop() {
		if !holds(page, 7) {
			b.Fatal("it does not hold")
		}
	}
}

// What another program appended is no page of the database, and holds nobody up.
func TestAFileThatGoesOnIsScannedToItsLastPage(t *testing.T) {
	t.Parallel()
	path := fileTest(t)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	pages := int64(len(content) / 4096)
	if err := os.Truncate(path, 1<<26); err != nil {
		t.Fatal(err)
	}
	got, behind, wrong, err := Scan(t.Context(), path)
	if err != nil || got != pages || behind != 1<<26-int64(len(content)) || len(wrong) > 0 {
		t.Errorf("%d of %d pages, %d bytes behind them, %d wrong: %v", got, pages, behind, len(wrong), err)
	}
	if n, err := Pages(path); err != nil || n != int64(len(content)) {
		t.Errorf("it has %d bytes of pages: %v", n, err)
	}
	// A header of another writer, or a damaged one, counts for nothing.
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteAt([]byte{content[validAt] + 1}, validAt)
	if err := errors.Join(err, f.Truncate(int64(len(content))+3*4096), f.Close()); err != nil {
		t.Fatal(err)
	}
	got, behind, wrong, err = Scan(t.Context(), path)
	if err != nil || got != pages+3 || behind != 0 || len(wrong) != 4 {
		t.Errorf("%d of %d pages, %d bytes behind them, wrong are %d: %v", got, pages+3, behind, wrong, err)
	}
}

// Of a file that has no end to its damage a scan tells the first pages.
func TestAScanEndsAmongDamage(t *testing.T) {
	t.Parallel()
	path := fileTest(t)
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteAt([]byte{0xff, 0xff, 0xff, 0xff}, countAt)
	if err := errors.Join(err, f.Truncate(1<<29), f.Close()); err != nil {
		t.Fatal(err)
	}
	got, _, wrong, err := Scan(t.Context(), path)
	if err != nil || len(wrong) != mostSuspect || got > mostSuspect+1000 {
		t.Errorf("%d pages, %d of them wrong: %v", got, len(wrong), err)
	}
}
