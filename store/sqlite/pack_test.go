package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/store"
)

// beforePacks takes from a file what came with packs.
func beforePacks(summed bool) string {
	return fmt.Sprintf(`DROP TABLE packs; UPDATE corpus_meta SET schema_version = %d`, versionOf(packingStep(), summed))
}

// corpusBefore is a corpus with checksums as the version before packs left it, of some
// pages.
func corpusBefore(t *testing.T, pages int) (path string, shows content) {
	t.Helper()
	var bundles []store.Bundle
	for i := range pages {
		bundles = append(bundles, testPage(fmt.Sprint("page", i), 1, 6))
	}
	s := newTest(t, bundles...)
	shows = contentOf(t, readTest(t, s))
	_ = s.Close()
	execTest(t, s.path, beforePacks(true))
	return s.path, shows
}

// A corpus of any version before packs is lifted with all that it shows; one that has
// checksums keeps them.
func TestMigrateToPacks(t *testing.T) {
	t.Parallel()
	for name, down := range map[string]string{
		"the first": toVersion1, "without checksums": beforePacks(false), "with checksums": beforePacks(true),
		"one that an older program has written to": fmt.Sprintf(`UPDATE corpus_meta SET schema_version = %d`, versionOf(packingStep(), true)),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, b := linkedTest("a"), ownedTest(linkedTest("b"), "alice")
			s := newTest(t, a, b, testPage("gone", 1, 2))
			w := writerTest(t, s)
			if _, err := w.SoftDelete(t.Context(), testPage("gone", 0, 0).Document.ID); err != nil {
				t.Fatal(err)
			}
			_ = w.Close()
			before := contentOf(t, readTest(t, s))
			_ = s.Close()
			execTest(t, s.path, down)
			s = openTest(t, s.path, Options{})
			summed := name == "with checksums" || strings.HasPrefix(name, "one")
			if want := versionOf(len(migrations()), summed); s.Info().Meta.SchemaVersion != want {
				t.Errorf("it has version %d, want %d", s.Info().Meta.SchemaVersion, want)
			}
			checkFile(t, s.path)
			after := contentOf(t, readTest(t, s))
			if !reflect.DeepEqual(after, before) {
				t.Errorf("the corpus shows\n%+v, before it was\n%+v", after, before)
			}
			// The page that was hidden then has its pack, too.
			w = writerTest(t, s)
			if _, err := w.Restore(t.Context(), testPage("gone", 0, 0).Document.ID); err != nil {
				t.Fatal(err)
			}
			generationOf(t, readTest(t, s), "gone", 2)
		})
	}
}

// A corpus of a version without packs that may not be written is read as it is.
func TestOlderCorpusIsReadAsItIs(t *testing.T) {
	t.Parallel()
	path, want := corpusBefore(t, 3)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := openTest(t, path, Options{ReadOnly: true})
	if got := contentOf(t, readTest(t, s)); !reflect.DeepEqual(got, want) || s.Info().Meta.SchemaVersion != versionOf(packingStep(), true) {
		t.Errorf("version %d shows\n%+v, want\n%+v", s.Info().Meta.SchemaVersion, got, want)
	}
	if c := examined(t, s, "vectors"); c.State != store.CheckFine {
		t.Errorf("%+v", c)
	}
	if now, err := os.ReadFile(path); err != nil || string(now) != string(content) {
		t.Errorf("the file was changed: %v", err)
	}
}

// A migration that fails or is interrupted leaves the version before it, and the next
// one begins anew. So does one whose table an older program has left behind.
func TestInterruptedMigrationToPacks(t *testing.T) {
	t.Parallel()
	path, want := corpusBefore(t, 150)
	ctx, cancel := context.WithCancel(t.Context())
	conn := rawTest(t, path)
	steps := migrations()
	n := 0
	steps[packingStep()].fill = func(context.Context, *sql.Conn) error {
		return eachPack(ctx, conn, func(p pack, _ *document) error {
			if n++; n == 120 {
				cancel()
			}
			return p.write(ctx, conn)
		})
	}
	if err := migrate(t.Context(), conn, versionOf(packingStep(), true), steps); !errors.Is(err, context.Canceled) {
		t.Fatalf("an interrupted migration: %v", err)
	}
	var version, tables int
	err := conn.QueryRowContext(t.Context(), `SELECT schema_version, (SELECT count(*) FROM sqlite_schema WHERE name = 'packs') FROM corpus_meta`).Scan(&version, &tables)
	if err != nil || version != versionOf(packingStep(), true) || tables != 0 {
		t.Errorf("version %d, %d tables of packs, %v", version, tables, err)
	}
	execTest(t, path, `CREATE TABLE packs (document_id TEXT, rows BLOB, codes BLOB); INSERT INTO packs SELECT id, x'01', x'' FROM documents`)
	s := openTest(t, path, Options{})
	if got := contentOf(t, readTest(t, s)); !reflect.DeepEqual(got, want) {
		t.Error("afterwards the corpus shows something else")
	}
	checkFile(t, path)
}

// Killed at any moment of a migration, a process leaves the old version or the new one.
func TestKilledMigration(t *testing.T) {
	t.Parallel()
	path, want := corpusBefore(t, 60)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for round := range 5 {
		path := filepath.Join(t.TempDir(), "corpus.db")
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		c := startChild(t, "lift", path)
		for range 1 + 14*round {
			c.expect("packed")
		}
		c.kill()
		checkFile(t, path)
		s := openTest(t, path, Options{})
		if got := contentOf(t, readTest(t, s)); !reflect.DeepEqual(got, want) || s.Info().Meta.SchemaVersion != versionOf(len(migrations()), true) {
			t.Errorf("round %d: version %d shows something else", round, s.Info().Meta.SchemaVersion)
		}
		checkFile(t, path)
	}
}

// lift lifts a corpus as opening does, and says when a document is packed.
func lift(ctx context.Context, path string) error {
	_, conn, err := openWriting(ctx, path, "rw", 0)
	if err != nil {
		return err
	}
	steps := migrations()
	steps[packingStep()].fill = func(ctx context.Context, conn *sql.Conn) error {
		return eachPack(ctx, conn, func(p pack, _ *document) error {
			fmt.Println("packed")
			return p.write(ctx, conn)
		})
	}
	return migrate(ctx, conn, versionOf(packingStep(), true), steps)
}

// A pack of another owner or ingestion than its document's, or one that cannot be read,
// is none: the rows count.
func TestPacksThatDoNotCount(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]string{
		"none":                 `DELETE FROM packs WHERE document_id = ?`,
		"cut off":              `UPDATE packs SET rows = substr(rows, 1, length(rows) - 1) WHERE document_id = ?`,
		"no rows":              `UPDATE packs SET rows = x'' WHERE document_id = ?`,
		"bytes too many":       `UPDATE packs SET codes = CAST(codes || x'00' AS BLOB) WHERE document_id = ?`,
		"of another document":  `UPDATE packs SET rows = (SELECT rows FROM packs p WHERE p.document_id <> packs.document_id) WHERE document_id = ?`,
		"lengths that are not": `UPDATE packs SET codes = CAST(x'ffffffff' || substr(codes, 5) AS BLOB) WHERE document_id = ?`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := testPage("a", 1, 4)
			s := newTest(t, a, testPage("b", 1, 3))
			want := contentOf(t, readTest(t, s))
			_ = s.Close()
			execTest(t, s.path, change, a.Document.ID)
			s = openTest(t, s.path, Options{})
			if got := contentOf(t, readTest(t, s)); !reflect.DeepEqual(got, want) {
				t.Errorf("the corpus shows\n%+v, before it was\n%+v", got, want)
			}
			if c := examined(t, s, "packs"); c.State == store.CheckFine || c.Fix == "" || name != "none" && !strings.Contains(c.Found, "https://example.org/a") {
				t.Errorf("doctor says %+v", c)
			}
			// Whoever writes the page again mends it.
			putTest(t, s, testPage("a", 2, 4))
			checkFile(t, s.path)
		})
	}
}

// A vector that is damaged where only its bytes were compared is found when it is read.
func TestDamagedVectorOfAPack(t *testing.T) {
	t.Parallel()
	for name, c := range map[string][2]string{
		"cut short": {`UPDATE vectors SET v = x'00'`, "is damaged"},
		"gone":      {`DELETE FROM vectors`, "is missing"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := testPage("a", 1, 3)
			s := newTest(t, b)
			execTest(t, s.path, c[0])
			v := readTest(t, s)
			_, err := v.Search(t.Context(), store.Search{Vector: testVector(1), VectorRows: 1})
			if err == nil || !strings.Contains(err.Error(), c[1]) {
				t.Errorf("a search: %v", err)
			}
			if _, err := v.Chunks(t.Context(), []string{b.Chunks[1].ID}, store.FieldEmbedding); err == nil || !strings.Contains(err.Error(), c[1]) {
				t.Errorf("the vector itself: %v", err)
			}
		})
	}
}
