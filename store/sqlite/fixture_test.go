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
	"github.com/webrag/webrag-tui/store/internal/keyword"
	"github.com/webrag/webrag-tui/store/sqlite/internal/pagesum"
	"github.com/webrag/webrag-tui/store/sqlite/internal/postings"
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

// foreignTest is execTest for a change of what packs are made of, by another program
// that knows to drop them.
func foreignTest(t testing.TB, path, query string, args ...any) {
	t.Helper()
	execTest(t, path, query, args...)
	execTest(t, path, `DELETE FROM packs`)
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
	} {
		var n int
		if err := conn.QueryRowContext(ctx, c.query).Scan(&n); err != nil {
			t.Fatalf("%s: %v", c.what, err)
		}
		if n != 0 {
			t.Errorf("%s: %d", c.what, n)
		}
	}
	if wrong, err := examineSegments(ctx, conn); err != nil || wrong != "" {
		t.Errorf("the keyword index: %q, %v", wrong, err)
	}
	checkKeywords(t, conn)
	if wrong, err := examinePacks(ctx, conn); err != nil || wrong != nil {
		t.Errorf("the packs: %+v, %v", wrong, err)
	}
	if has, err := pagesum.Has(path); err != nil || !has {
		return
	}
	if _, _, wrong, err := pagesum.Scan(ctx, path); err != nil || len(unreadable(ctx, conn, wrong)) > 0 {
		t.Errorf("pages without their checksum: %v, %v", wrong, err)
	}
}

// checkKeywords compares the keyword index, word by word, with the texts.
func checkKeywords(t testing.TB, conn *sql.Conn) {
	t.Helper()
	ctx := context.Background()
	type word struct {
		seq  int64
		term string
	}
	left := make(map[word]store.FieldCounts)
	lengths := make(map[int64]store.FieldCounts)
	segments, err := readSegments(ctx, conn, true)
	if err != nil {
		t.Fatal(err)
	}
	tail := 0
	err = eachTerms(ctx, conn, `ORDER BY seq`, func(seq int64, f *keyword.Fields) {
		if seq > covered(segments) {
			tail++ // readers count it themselves
			return
		}
		for _, term := range strings.Fields(string(f.Body)) {
			left[word{seq, term}] = sumCounts(left[word{seq, term}], store.FieldCounts{Body: 1})
		}
		for _, term := range strings.Fields(string(f.Heading)) {
			left[word{seq, term}] = sumCounts(left[word{seq, term}], store.FieldCounts{Heading: 1})
		}
		for _, term := range strings.Fields(string(f.Title)) {
			left[word{seq, term}] = sumCounts(left[word{seq, term}], store.FieldCounts{Title: 1})
		}
		lengths[seq] = f.Lengths()
	})
	if err != nil {
		t.Fatal(err)
	}
	if tail > 2*defaultTail {
		t.Errorf("%d chunks are in no segment", tail)
	}
	for i := range segments {
		s := &segments[i]
		next := segmentWriter{conn}.blocks(ctx, s.id)
		for b, err := next(); b != nil || err != nil; b, err = next() {
			if err != nil {
				t.Fatal(err)
			}
			_ = b.Each(func(term string, l postings.List) error {
				for c := l.Cursor(); c.Next(); {
					w := word{s.members[c.Child].Seq, term}
					if got, ok := left[w]; ok && got != c.Counts || !ok && lengths[w.seq].Sum() > 0 {
						t.Errorf("the keyword index has %+v %+v times, the text %+v", w, c.Counts, got)
					}
					delete(left, w)
				}
				return nil
			})
		}
	}
	if len(left) > 0 {
		t.Errorf("the keyword index lacks %d words: %v", len(left), left)
	}
}
