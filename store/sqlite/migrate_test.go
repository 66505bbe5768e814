package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/internal/linking"
)

// toVersion5 takes from a file with checksums what came after version 5.
const toVersion5 = `
	DROP TABLE packs;
	DROP TABLE source_notes;
	DROP INDEX documents_counts;
	DROP INDEX documents_unfinished;
	UPDATE corpus_meta SET schema_version = 5;`

// toVersion1 takes from a file what came after version 1.
const toVersion1 = toVersion5 + `
	DELETE FROM chunk_edges;
	DROP TABLE addresses;
	DROP INDEX documents_owner;
	DROP INDEX links_target;
	ALTER TABLE links DROP COLUMN target_key;
	CREATE INDEX links_target ON links (target_url);
	DROP INDEX chunk_edges_source;
	CREATE INDEX chunk_edges_source ON chunk_edges (source_id);
	ALTER TABLE chunk_texts DROP COLUMN anchors;
	ALTER TABLE chunk_texts DROP COLUMN heading_terms;
	ALTER TABLE chunk_texts DROP COLUMN title_terms;
	DROP TABLE term_segments;
	DROP TABLE term_blocks;
	UPDATE chunks SET term_count = (SELECT CASE WHEN terms IS NULL THEN 0 ELSE 1 + length(terms) - length(replace(terms, ' ', '')) END
		FROM chunk_texts t WHERE t.seq = chunks.seq);
	CREATE VIRTUAL TABLE fts USING fts5 (terms, content = '', contentless_delete = 1, tokenize = "ascii tokenchars '_'");
	CREATE VIRTUAL TABLE fts_terms USING fts5vocab (fts, 'row');
	INSERT INTO fts (rowid, terms) SELECT seq, terms FROM chunk_texts WHERE terms IS NOT NULL;
	UPDATE corpus_meta SET schema_version = 1;`

// linkedTest is a page with headings and links to others.
func linkedTest(name string, links ...store.Link) store.Bundle {
	b := testPage(name, 1, 3)
	var terms store.Analyzer
	for i := range b.Chunks {
		c := &b.Chunks[i]
		c.Anchor, c.HeadingPath = c.SectionHeading, []string{name, c.SectionHeading}
		if c.Level == store.Child {
			terms.Name(c)
		}
	}
	for i, l := range links {
		l.ChunkID = b.Chunks[2*i].ID
		b.Links = append(b.Links, l)
	}
	return b
}

// A corpus of the first version is brought to the present one with all that is
// derived from its links, and is written on.
func TestMigrateFromVersion1(t *testing.T) {
	t.Parallel()
	a := linkedTest("a", store.Link{TargetURL: "https://example.org/b/", Anchor: "Section 1", Text: "to b"}, store.Link{TargetURL: "https://example.org/alias", Text: "to c"})
	b := linkedTest("b", store.Link{TargetURL: "http://example.org/a#", Text: "back"}, store.Link{TargetURL: "https://example.org/later"}, store.Link{TargetURL: "https://example.org/b", Anchor: "Section 0"})
	c := linkedTest("c")
	c.Document.URLAliases = []string{"https://example.org/alias"}
	owned := ownedTest(linkedTest("d", store.Link{TargetURL: "https://example.org/a"}), "alice") // not hers
	s := newTest(t, a, b, c, owned)
	before := contentOf(t, readTest(t, s))
	edges := edgesTest(t, readTest(t, s))
	if len(edges) != 4 {
		t.Fatalf("%d edges, want 4", len(edges))
	}
	_ = s.Close()
	execTest(t, s.path, toVersion1)

	// The file is now what the first version made.
	first := filepath.Join(t.TempDir(), "first.db")
	conn := rawTest(t, first)
	if err := migrate(t.Context(), conn, 0, migrations()[:1]); err != nil {
		t.Fatal(err)
	}
	if got, want := schemaTest(t, rawTest(t, s.path)), schemaTest(t, conn); !slices.Equal(got, want) {
		t.Fatalf("the schema is\n%q, of version 1 it is\n%q", got, want)
	}
	if _, err := Open(t.Context(), s.path, Options{ReadOnly: true}); err == nil || !strings.Contains(err.Error(), "schema version 1, now 8") {
		t.Errorf("read-only: %v", err)
	}

	s = openTest(t, s.path, Options{})
	if v := s.Info().Meta.SchemaVersion; v != versionOf(len(migrations()), false) || !s.Info().HasOwners {
		t.Errorf("after migration: %+v", s.Info())
	}
	if w := s.Info().Warnings; len(w) != 1 || !strings.Contains(w[0], "from schema version 1 to 8") {
		t.Errorf("after migration it warns of %q", w)
	}
	if again := openTest(t, s.path, Options{}); again.Info().Warnings != nil {
		t.Errorf("it warns again: %q", again.Info().Warnings)
	}
	checkFile(t, s.path)
	if got := edgesTest(t, readTest(t, s)); !slices.Equal(got, edges) {
		t.Errorf("the edges are\n%+v, want\n%+v", got, edges)
	}
	if after := contentOf(t, readTest(t, s)); !reflect.DeepEqual(after, before) {
		t.Errorf("the corpus shows\n%+v, before it was\n%+v", after, before)
	}
	// A page that a link waited for.
	later := linkedTest("later")
	putTest(t, s, a, b, c, owned, later)
	want := store.EdgeID(b.Chunks[2].ID, later.Chunks[0].ID, store.References)
	if got := edgesTest(t, readTest(t, s)); len(got) != 5 || !slices.ContainsFunc(got, func(e store.Edge) bool { return e.ID == want }) {
		t.Errorf("with the page that a link waited for: %+v", got)
	}
	checkFile(t, s.path)
}

// A corpus with checksums keeps them on the way to the present version, and says so by
// its number. Where a step is interrupted it stays what it was.
func TestMigrateFromVersion5(t *testing.T) {
	t.Parallel()
	s := newTest(t, linkedTest("a", store.Link{TargetURL: "https://example.org/b"}), linkedTest("b"))
	before := contentOf(t, readTest(t, s))
	_ = s.Close()
	execTest(t, s.path, toVersion5)
	stopped := errors.New("stopped")
	steps := migrations()
	steps[4].fill = func(context.Context, *sql.Conn) error { return stopped }
	conn := rawTest(t, s.path)
	old := schemaTest(t, conn)
	if err := migrate(t.Context(), conn, 5, steps); !errors.Is(err, stopped) || !strings.Contains(err.Error(), "from schema version 5 to 7") {
		t.Errorf("interrupted: %v", err)
	}
	if now := schemaTest(t, conn); !slices.Equal(now, old) {
		t.Errorf("an interrupted step left %q", now)
	}
	if read := openTest(t, s.path, Options{ReadOnly: true}); read.Info().Meta.SchemaVersion != 5 {
		t.Errorf("where it may not be written it has version %d", read.Info().Meta.SchemaVersion)
	}
	s = openTest(t, s.path, Options{})
	if v := s.Info().Meta.SchemaVersion; v != 9 {
		t.Errorf("version %d", v)
	}
	if after := contentOf(t, readTest(t, s)); !reflect.DeepEqual(after, before) {
		t.Errorf("the corpus shows\n%+v, before it was\n%+v", after, before)
	}
	if c := examined(t, s, "checksums"); c.State != store.CheckFine {
		t.Errorf("%+v", c)
	}
	putTest(t, s, linkedTest("later"))
	checkFile(t, s.path)
}

// The number of a version tells how many steps led to it and whether pages have sums.
func TestVersions(t *testing.T) {
	t.Parallel()
	for steps, want := range [][2]int{{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 5}, {6, 7}, {8, 9}} {
		if got := [2]int{versionOf(steps, false), versionOf(steps, steps >= firstSummed)}; got != want {
			t.Errorf("after %d steps: %v, want %v", steps, got, want)
		}
		for i, version := range want {
			if got, summed := stepsOf(version); got != steps || summed != (i == 1 && steps >= firstSummed) {
				t.Errorf("version %d: %d steps, %t", version, got, summed)
			}
		}
	}
}

func edgesTest(t *testing.T, v *View) []store.Edge {
	t.Helper()
	edges, err := v.Edges(t.Context(), store.EdgeQuery{})
	if err != nil {
		t.Fatal(err)
	}
	return edges
}

// schemaTest lists tables, columns and indexes of a file.
func schemaTest(t *testing.T, conn *sql.Conn) []string {
	t.Helper()
	rows, err := conn.QueryContext(context.Background(), `
		SELECT s.type || ' ' || s.name || ' of ' || s.tbl_name || coalesce(' has ' || c.name, '')
		FROM sqlite_schema s LEFT JOIN pragma_table_xinfo(s.name) c ON s.type = 'table'
		UNION SELECT 'index ' || s.name || ' on ' || c.name FROM sqlite_schema s JOIN pragma_index_info(s.name) c WHERE s.type = 'index'
		ORDER BY 1`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			t.Fatal(err)
		}
		out = append(out, line)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// A writer whose cache of pages is empty or full links as well as another.
func TestLinkerCacheIsBounded(t *testing.T) {
	t.Parallel()
	s := newTest(t)
	w := writerTest(t, s)
	from := testPage("from", 1, 1)
	for i := range 30 {
		url := testPage("to"+string(rune('a'+i)), 1, 1).Document.SourceURL
		from.Links = append(from.Links, store.Link{ChunkID: from.Chunks[0].ID, TargetURL: url})
	}
	w.links = linking.New(w.tables, 4)
	for i := range 30 {
		if _, err := w.Put(t.Context(), testPage("to"+string(rune('a'+i)), 1, 1)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Put(t.Context(), from); err != nil {
		t.Fatal(err)
	}
	if got := edgesTest(t, readTest(t, s)); len(got) != 30 {
		t.Errorf("%d edges, want 30", len(got))
	}
	if _, err := w.Put(t.Context(), testPage("toa", 2, 2)); err != nil {
		t.Fatal(err)
	}
	if n := w.links.Cached(); n > 5 {
		t.Errorf("the cache holds %d pages, more than 4 and those in use", n)
	}
	checkFile(t, s.path)
}
