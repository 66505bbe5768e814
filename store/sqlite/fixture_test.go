package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/webrag/webrag-tui/store"
)

// testDims is the dimension of the small corpora of the tests.
const testDims = 8

// openTest opens a corpus until the test ends. Waiting for locks would only
// delay the failures that the tests are about.
func openTest(t testing.TB, path string, opts Options) *Store {
	t.Helper()
	opts.BusyTimeout = time.Millisecond
	s, err := Open(context.Background(), path, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// newTest makes a corpus in a folder of the test.
func newTest(t testing.TB, bundles ...store.Bundle) *Store {
	t.Helper()
	s := openTest(t, filepath.Join(t.TempDir(), "corpus.db"), Options{Create: true})
	putTest(t, s, bundles...)
	return s
}

func writerTest(t testing.TB, s *Store) *Writer {
	t.Helper()
	w, err := s.Write(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	if err := w.SetMeta(context.Background(), store.Meta{EmbedderID: "test", Dimensions: testDims}); err != nil {
		t.Fatal(err)
	}
	return w.(*Writer)
}

func putTest(t testing.TB, s *Store, bundles ...store.Bundle) {
	t.Helper()
	w := writerTest(t, s)
	defer w.Close()
	for _, b := range bundles {
		if _, err := w.Put(context.Background(), b); err != nil {
			t.Fatal(err)
		}
	}
}

func readTest(t testing.TB, s *Store) *View {
	t.Helper()
	v, err := s.Read(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = v.Close() })
	return v.(*View)
}

func testID(name string) string { return uuid.NewSHA1(uuid.NameSpaceURL, []byte(name)).String() }

// testVector depends on n only; those of small n differ in all directions.
func testVector(n int) []float32 {
	v := make([]float32, testDims)
	for i := range v {
		v[i] = float32((n*(i+3)+i*i)%17) - 7.5
	}
	normalise(v)
	return v
}

// testPage is one generation of a document: children sections of one child, all
// of whose texts, terms, vectors and hashes name the generation.
func testPage(name string, generation, children int) store.Bundle {
	url := "https://example.org/" + name
	d := store.Document{
		ID: testID(url), URL: url, SourceURL: url, Title: name, CurrentIngestionID: testID(fmt.Sprint(url, generation)),
		ParentCount: children, TokenCount: 3 * children,
	}
	b := store.Bundle{Document: d}
	for i := range children {
		text := fmt.Sprintf("%s child%d gen%d ", name, i, generation)
		parent := store.Chunk{
			ID: testID(fmt.Sprint(url, " parent ", i)), DocumentID: d.ID, Level: store.Parent, Index: i, ChunkText: text,
			CharStart: i * len(text), CharEnd: (i + 1) * len(text), TokenStart: 3 * i, TokenEnd: 3 * (i + 1),
			Title: d.Title, SourceURL: url, IngestionID: d.CurrentIngestionID, SectionHeading: fmt.Sprint("Section ", i),
		}
		child := parent
		child.ID, child.ParentID, child.Level, child.Index = testID(fmt.Sprint(url, " child ", i)), parent.ID, store.Child, 0
		child.Terms = strings.Join(store.Terms(text), " ")
		child.Embedding = testVector(generation + 31*i)
		child.EmbedHash = testID(text)
		b.Chunks = append(b.Chunks, parent, child)
	}
	return b
}

// ownedTest returns b as a page of an owner.
func ownedTest(b store.Bundle, owner string) store.Bundle {
	b.Document.Owner = owner
	for i := range b.Chunks {
		b.Chunks[i].Owner = owner
	}
	return b
}

// rawTest opens the file as another program would.
func rawTest(t testing.TB, path string) *sql.Conn {
	t.Helper()
	db, err := sql.Open("sqlite", dsn(path, pragmas(time.Millisecond)))
	if err != nil {
		t.Fatal(err)
	}
	conn, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(); _ = db.Close() })
	return conn
}

// execTest changes the file behind the store's back.
func execTest(t testing.TB, path, query string, args ...any) {
	t.Helper()
	if _, err := rawTest(t, path).ExecContext(context.Background(), query, args...); err != nil {
		t.Fatal(err)
	}
}

// checkFile holds the tables of a corpus to each other.
func checkFile(t testing.TB, path string) {
	t.Helper()
	conn := rawTest(t, path)
	ctx := context.Background()
	for _, c := range []struct{ what, query string }{
		{"integrity_check", `SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'`},
		{"foreign keys", `SELECT count(*) FROM pragma_foreign_key_check`},
		{"chunks without text", `SELECT count(*) FROM chunks WHERE seq NOT IN (SELECT seq FROM chunk_texts)`},
		{"chunks without vector", `SELECT count(*) FROM chunks WHERE embedded AND seq NOT IN (SELECT seq FROM vectors)`},
		{"vectors without chunk", `SELECT count(*) FROM vectors WHERE seq NOT IN (SELECT seq FROM chunks WHERE embedded)`},
		{"chunks of another ingestion", `SELECT count(*) FROM chunks c JOIN documents d ON d.id = c.document_id WHERE c.ingestion_id IS NOT d.current_ingestion_id`},
		{"edges of links without an end", `SELECT count(*) FROM chunk_edges WHERE origin IN ('link', 'structure')
			AND (source_id NOT IN (SELECT id FROM chunks) OR target_id NOT IN (SELECT id FROM chunks))`},
		{"edges of another document than their source", `SELECT count(*) FROM chunk_edges e JOIN chunks c ON c.id = e.source_id WHERE c.document_id <> e.document_id`},
		{"documents without address", `SELECT count(*) FROM documents WHERE id NOT IN (SELECT document_id FROM addresses)`},
		{"links without key", `SELECT count(*) FROM links WHERE target_key IS NULL`},
		{"documents beyond the counter", `SELECT count(*) FROM documents, corpus_meta m WHERE documents.changed > m.changed`},
		{"wrong sums", `SELECT count(*) FROM documents d WHERE parent_count + child_count <> (SELECT count(*) FROM chunks WHERE document_id = d.id)`},
		{"wrong term counts", `SELECT count(*) FROM chunks JOIN chunk_texts USING (seq)
			WHERE term_count <> CASE WHEN terms IS NULL THEN 0 ELSE 1 + length(terms) - length(replace(terms, ' ', '')) END`},
	} {
		var n int
		if err := conn.QueryRowContext(ctx, c.query).Scan(&n); err != nil {
			t.Fatalf("%s: %v", c.what, err)
		}
		if n != 0 {
			t.Errorf("%s: %d", c.what, n)
		}
	}
	if _, err := conn.ExecContext(ctx, `INSERT INTO fts (fts) VALUES ('integrity-check')`); err != nil {
		t.Errorf("integrity-check of the keyword index: %v", err)
	}
	checkKeywords(t, conn)
}

// checkKeywords compares the keyword index, word by word, with the texts.
func checkKeywords(t testing.TB, conn *sql.Conn) {
	t.Helper()
	ctx := context.Background()
	if _, err := conn.ExecContext(ctx, `CREATE VIRTUAL TABLE IF NOT EXISTS temp.words USING fts5vocab (main, fts, 'instance')`); err != nil {
		t.Fatal(err)
	}
	words := func(query string, each func(rows *sql.Rows) error) {
		t.Helper()
		rows, err := conn.QueryContext(ctx, query)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			if err := each(rows); err != nil {
				t.Fatal(err)
			}
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
	}
	type word struct {
		seq    int64
		field  string
		offset int
		term   string
	}
	left := make(map[word]bool)
	words(`SELECT t.seq, t.terms, t.heading_terms, t.title_terms FROM documents d JOIN chunks c ON c.document_id = d.id JOIN chunk_texts t ON t.seq = c.seq
		WHERE d.deleted_at IS NULL`, func(rows *sql.Rows) error {
		var seq int64
		var terms [3]sql.NullString
		err := rows.Scan(&seq, &terms[0], &terms[1], &terms[2])
		for field, name := range []string{"terms", "heading_terms", "title_terms"} {
			for i, term := range strings.Fields(terms[field].String) {
				left[word{seq, name, i, term}] = true
			}
		}
		return err
	})
	words(`SELECT doc, col, offset, term FROM temp.words`, func(rows *sql.Rows) error {
		var w word
		err := rows.Scan(&w.seq, &w.field, &w.offset, &w.term)
		if !left[w] {
			t.Errorf("the keyword index has %+v, which no text has", w)
		}
		delete(left, w)
		return err
	})
	if len(left) > 0 {
		t.Errorf("the keyword index lacks %d words: %v", len(left), left)
	}
}
