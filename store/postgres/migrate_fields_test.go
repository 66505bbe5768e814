package postgres

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
	"github.com/webrag/webrag-tui/store/storetest"
)

// toVersion3 takes from a corpus what came after version 3.
const toVersion3 = `
	ALTER TABLE chunk_terms DROP CONSTRAINT chunk_terms_document_id_fkey;
	ALTER TABLE chunk_terms ADD FOREIGN KEY (document_id, id) REFERENCES chunks (document_id, id) ON DELETE CASCADE;
	ALTER TABLE chunks ADD FOREIGN KEY (document_id, parent_id) REFERENCES chunks (document_id, id) ON DELETE CASCADE;
	ALTER TABLE term_stats SET (fillfactor = 100);
	ALTER TABLE term_stats ALTER COLUMN term TYPE text;
	UPDATE corpus_meta SET schema_version = 3`

// toVersion1 takes from a corpus of version 3 what came after version 1.
const toVersion1 = `
	ALTER TABLE documents DROP COLUMN heading_length, DROP COLUMN title_length;
	ALTER TABLE chunk_terms DROP COLUMN heading_terms, DROP COLUMN title_terms;
	DELETE FROM chunk_terms WHERE length = 0;
	UPDATE chunk_terms SET ts = ts_filter(ts, '{d}');
	UPDATE documents d SET term_rows = (SELECT count(*) FROM chunk_terms t WHERE t.document_id = d.id);
	DELETE FROM term_stats;
	INSERT INTO term_stats SELECT term, coalesce(d.owner, ''), count(*) FROM chunk_terms t JOIN documents d ON d.id = t.document_id,
		unnest(tsvector_to_array(t.ts)) term WHERE d.deleted_at IS NULL GROUP BY 1, 2;
	UPDATE corpus_meta SET schema_version = 1`

// named is a page of an owner whose passages have headings and a title, one of them
// nothing else that words could find.
func named(n int, owner string) store.Bundle {
	url := fmt.Sprintf("https://example.org/%03d", n)
	b := leaf(url, 3, "boosting of trees", "of the", fmt.Sprint("passage ", n))
	var terms store.Analyzer
	b.Document.Owner, b.Document.Title = owner, fmt.Sprintf("The guide to trees, part %d", n)
	for i := range b.Chunks {
		c := &b.Chunks[i]
		c.Title, c.Owner = b.Document.Title, owner
		if n%3 > 0 {
			c.HeadingPath = []string{"Trees", fmt.Sprint("Forest ", n)}
		}
		if c.Level == store.Child {
			terms.Name(c)
		}
	}
	return b
}

// olderCorpus is a corpus of version 1 with more documents than are filled in at
// once, of two owners, one of them hidden, and what it held before.
func olderCorpus(t *testing.T, opts MigrateOptions) (dsn string, want state) {
	t.Helper()
	dsn = pgtest.EmptyDatabase(t)
	mustMigrate(t, dsn, opts, 0)
	_, w := writing(t, dsn, Options{})
	setDims(t, w, 3)
	for n := range fillBatch + 10 {
		mustPut(t, w, named(n, []string{"", "ann"}[n%2]), true)
	}
	if n, err := w.SoftDelete(t.Context(), storetest.ID("https://example.org/007")); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	want = stateOf(t, dsn)
	exec(t, dsn, toVersion3, toVersion1)
	if got := stateOf(t, dsn); maps.Equal(got.documents, want.documents) || got.between == want.between {
		t.Fatal("nothing is missing in the older version")
	}
	return dsn, want
}

func (got state) check(t *testing.T, dsn string, want state) {
	t.Helper()
	if n := got.eachWhole(t, state{}, want); n != len(want.documents) || got.between != want.between {
		t.Errorf("%d of %d documents, edges and counts of terms:\n%s\nwant\n%s", n, len(want.documents), got.between, want.between)
	}
	consistent(t, dsn)
}

// A corpus of the first version becomes what indexing it now would make of it. A
// migration that was interrupted goes on where it was, and until it is done nobody
// reads the corpus.
func TestOlderCorporaGetTheirFields(t *testing.T) {
	t.Parallel()
	dsn, want := olderCorpus(t, MigrateOptions{})
	refused := func(says string) {
		t.Helper()
		if _, err := Open(t.Context(), dsn, Options{}); err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), "webrag-tui migrate") {
			t.Errorf("Open: %v, want %q", err, says)
		}
	}
	refused("schema version 1, now 4")

	plan, err := Plan(t.Context(), dsn, MigrateOptions{})
	if err != nil || !slices.ContainsFunc(plan, func(s string) bool { return strings.HasPrefix(s, "--") }) {
		t.Errorf("the plan is %q, %v", plan, err)
	}

	busy := pgtest.Connect(t, dsn)
	if _, err := busy.Exec(t.Context(), `SELECT pg_advisory_lock(hashtextextended($1, 0))`, writerLock+`"public"`); err != nil {
		t.Fatal(err)
	}
	if _, err := Migrate(t.Context(), dsn, MigrateOptions{}); !errors.Is(err, store.ErrLocked) {
		t.Errorf("beside a writer: %v, want ErrLocked", err)
	}
	if err := busy.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	refused("schema version 1, now 4")

	ctx, cancel := context.WithCancel(t.Context())
	var at [][2]int
	_, err = Migrate(ctx, dsn, MigrateOptions{Filled: func(done, total int) {
		if at = append(at, [2]int{done, total}); len(at) == 2 {
			cancel()
		}
	}})
	if err == nil || !slices.Equal(at, [][2]int{{fillBatch, fillBatch + 10}, {fillBatch + 10, fillBatch + 10}}) {
		t.Errorf("interrupted at %v: %v", at, err)
	}
	refused("schema version 2, now 4")

	at = nil
	done := mustMigrate(t, dsn, MigrateOptions{Filled: func(done, total int) { at = append(at, [2]int{done, total}) }}, 2)
	if !slices.Equal(at, [][2]int{{10, 10}}) {
		t.Errorf("the rest is filled at %v, %+v", at, done)
	}
	stateOf(t, dsn).check(t, dsn, want)
}

// Opening for writing does the same.
func TestOlderCorporaAreLiftedWhenWritten(t *testing.T) {
	t.Parallel()
	dsn, want := olderCorpus(t, MigrateOptions{})
	_, w := writing(t, dsn, Options{})
	stateOf(t, dsn).check(t, dsn, want)
	mustPut(t, w, named(1, "ann"), false)
	b := named(2, "")
	b.Chunks[1].TitleTerms = "other"
	mustPut(t, w, b, true)
	consistent(t, dsn)
}

// Who may not change the tables is told who may.
func TestOlderCorporaOfAnotherRole(t *testing.T) {
	t.Parallel()
	dsn, _ := olderCorpus(t, MigrateOptions{})
	reader := inRole(t, dsn, `GRANT USAGE, CREATE ON SCHEMA public TO ROLE`, `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ROLE`)
	if _, err := Open(t.Context(), reader, Options{}); err == nil || !strings.Contains(err.Error(), "webrag-tui migrate") {
		t.Errorf("Open: %v", err)
	}
	_, err := Open(t.Context(), reader, Options{Create: true})
	if !errors.Is(err, store.ErrReadOnly) || !strings.Contains(err.Error(), "their owner") || !strings.Contains(err.Error(), "webrag-tui migrate") {
		t.Errorf("Open for writing: %v", err)
	}
}

// The owner of the tables migrates the rows of all owners, and is held to its own
// before and after.
func TestSecuredOlderCorpora(t *testing.T) {
	t.Parallel()
	dsn, want := olderCorpus(t, MigrateOptions{RowSecurity: true})
	grants := []string{`GRANT USAGE, CREATE ON SCHEMA public TO ROLE`}
	for _, table := range ownTables() {
		grants = append(grants, `ALTER TABLE IF EXISTS `+table+` OWNER TO ROLE`)
	}
	owner := inRole(t, dsn, grants...)
	mustMigrate(t, owner, MigrateOptions{}, 1)
	stateOf(t, dsn).check(t, dsn, want)
	if n := pgtest.Value[int](t, owner, `SELECT count(*)::int FROM documents`); n != 0 {
		t.Errorf("without an owner %d documents are seen", n)
	}
}
