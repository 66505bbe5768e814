package postgres

import (
	"errors"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

// readAll opens a corpus and reads everything in it.
func readAll(t *testing.T, dsn string) error {
	t.Helper()
	s, err := Open(t.Context(), dsn, Options{})
	if err != nil {
		return err
	}
	defer s.Close()
	v, err := s.Read(t.Context())
	if err != nil {
		return err
	}
	defer v.Close()
	const all = store.FieldText | store.FieldHTML | store.FieldTerms | store.FieldEmbedding
	_, err = v.Documents(t.Context(), store.Scope{}, store.Page{})
	parents, failed := v.Parents(t.Context(), store.Scope{}, all, store.Page{})
	err = errors.Join(err, failed)
	_, failed = v.Children(t.Context(), chunkIDs(parents), all)
	err = errors.Join(err, failed)
	_, failed = v.Search(t.Context(), store.Search{Vector: []float32{1, 0, 0}, VectorRows: 5})
	return errors.Join(err, failed)
}

// What no indexer writes is refused by one sentence, in a corpus of ours.
func TestCraftedDatabases(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Database(t)
	_, w := writing(t, dsn, Options{})
	setDims(t, w, 3)
	mustPut(t, w, leaf("https://example.org/a", 3, "one", "two"), true)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := readAll(t, dsn); err != nil {
		t.Fatal(err)
	}
	for _, what := range []struct{ do, undo, want string }{
		{"UPDATE corpus_meta SET schema_version = -schema_version", "UPDATE corpus_meta SET schema_version = -schema_version", "schema version -"},
		{"UPDATE corpus_meta SET dimensions = -1024", "UPDATE corpus_meta SET dimensions = 3", "-1024 dimensions"},
		{"UPDATE corpus_meta SET dimensions = 2147483647", "UPDATE corpus_meta SET dimensions = 3", "2147483647 dimensions"},
		{"UPDATE corpus_meta SET tokenizer = repeat('x', 100000)", "UPDATE corpus_meta SET tokenizer = NULL", "tokenizer in corpus_meta has 100000 bytes"},
		{"UPDATE corpus_meta SET calibration = jsonb_build_object('embedder_id', repeat('x', 100000))", "UPDATE corpus_meta SET calibration = NULL", "calibration in corpus_meta has"},
		{"UPDATE chunks SET char_end = -5", "UPDATE chunks SET char_end = 10", "out of range"},
		{"UPDATE chunks SET char_start = char_end + 1", "UPDATE chunks SET char_start = 0", "ends before it starts"},
		{"UPDATE chunks SET token_start = 2147483647", "UPDATE chunks SET token_start = 0", "out of range"},
		{"UPDATE chunks SET token_end = 9000000", "UPDATE chunks SET token_end = 5", "longer than any text"},
		{"ALTER TABLE chunks ALTER char_end TYPE bigint; UPDATE chunks SET char_end = 9223372036854775807", "UPDATE chunks SET char_end = 10; ALTER TABLE chunks ALTER char_end TYPE int", "out of range"},
		{"UPDATE chunks SET html_tokens = -1", "UPDATE chunks SET html_tokens = 0", "out of range"},
		{"UPDATE chunks SET html_text = repeat('the retries ', 1000000)", "UPDATE chunks SET html_text = NULL", "the HTML of chunk"},
		{"UPDATE chunks SET html_text = repeat('the retries ', 4000000)", "UPDATE chunks SET html_text = NULL", "a row of it has 45 MB"},
		{"UPDATE documents SET source_url = repeat('x', 70000)", "UPDATE documents SET source_url = 'https://example.org/a'", "its address has 70000 bytes"},
		{"UPDATE documents SET title = repeat('the retries ', 4000000)", "UPDATE documents SET title = ''", "a row of it has 45 MB"},
	} {
		pgtest.Exec(t, dsn, what.do)
		err := readAll(t, dsn)
		if !errors.Is(err, store.ErrForeign) || errors.Is(err, store.ErrUnavailable) || !strings.Contains(err.Error(), what.want) || strings.Contains(err.Error(), "connection") {
			t.Errorf("%s: %v", what.do, err)
		}
		pgtest.Exec(t, dsn, what.undo)
	}
	if err := readAll(t, dsn); err != nil {
		t.Fatal(err)
	}
}

// Edges that no writer would have written are counted, and left out.
func TestCheckOfEdges(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Database(t)
	_, w := writing(t, dsn, Options{})
	setDims(t, w, 3)
	a, b := leaf("https://example.org/a", 3, "one"), leaf("https://example.org/b", 3, "two")
	mustPut(t, w, a, true)
	mustPut(t, w, b, true)
	edges := []store.Edge{
		{SourceID: a.Chunks[0].ID, TargetID: b.Chunks[0].ID, Relation: store.References, Weight: 0.5},
		{SourceID: b.Chunks[0].ID, TargetID: a.Chunks[0].ID, Relation: store.References, Weight: 0.5},
	}
	if _, err := w.PutEdges(t.Context(), edges); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if c, ok := examined(t, dsn)["edges"]; ok {
		t.Errorf("of good edges: %+v", c)
	}
	pgtest.Exec(t, dsn, `DO $$ DECLARE c record; BEGIN
		FOR c IN SELECT conname FROM pg_constraint WHERE conrelid = 'chunk_edges'::regclass AND contype = 'c' LOOP
			EXECUTE format('ALTER TABLE chunk_edges DROP CONSTRAINT %I', c.conname);
		END LOOP; END $$`)
	for _, set := range []string{"relation = 'likes'", "weight = 'NaN'", "weight = 2", "weight = 0", "origin = 'rumour'"} {
		pgtest.Exec(t, dsn, `BEGIN; CREATE TABLE kept AS TABLE chunk_edges; UPDATE chunk_edges SET `+set+` WHERE source_id = '`+a.Chunks[0].ID+`'; COMMIT`)
		holds(t, examined(t, dsn)["edges"], store.CheckWarning, "1 edge is left out", "of your own")
		s := open(t, dsn, Options{})
		if got, err := view(t, s).Edges(t.Context(), store.EdgeQuery{}); err != nil || len(got) != 1 || got[0].SourceID != b.Chunks[0].ID {
			t.Errorf("%s: %v, %v", set, got, err)
		}
		pgtest.Exec(t, dsn, `DELETE FROM chunk_edges; INSERT INTO chunk_edges SELECT * FROM kept; DROP TABLE kept`)
	}
}
