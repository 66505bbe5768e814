package flat

import (
	"math"
	"testing"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

// langChain is what its vector store makes, with two collections of different
// dimensions, which the column does not declare.
const langChain = `
CREATE TABLE langchain_pg_collection (uuid uuid PRIMARY KEY, name varchar NOT NULL UNIQUE, cmetadata json);
CREATE TABLE langchain_pg_embedding (
	id varchar PRIMARY KEY,
	collection_id uuid REFERENCES langchain_pg_collection (uuid) ON DELETE CASCADE,
	embedding vector, document varchar, cmetadata jsonb);
CREATE INDEX ix_cmetadata_gin ON langchain_pg_embedding USING gin (cmetadata jsonb_path_ops);
CREATE UNIQUE INDEX ix_langchain_pg_embedding_id ON langchain_pg_embedding (id);
INSERT INTO langchain_pg_collection VALUES
	('11111111-1111-1111-1111-111111111111', 'docs', NULL), ('22222222-2222-2222-2222-222222222222', 'other "one"', '{}');
INSERT INTO langchain_pg_embedding VALUES
	('a', '11111111-1111-1111-1111-111111111111', '[1,0,0]', 'Gradient boosting adds shallow trees.', '{"source": "boost.md", "page": 3, "topic": "trees", "nested": {"x": 1}}'),
	('b', '11111111-1111-1111-1111-111111111111', '[0.8,0.6,0]', 'A random forest averages deep trees.', '{"source": "forest.md", "page": 1, "topic": "trees"}'),
	('c', '11111111-1111-1111-1111-111111111111', '[0,1,0]', 'A decorator returns a function.', '{"url": "glossary.md"}'),
	('d', '11111111-1111-1111-1111-111111111111', '[0,0,1]', 'Nobody knows where this is from.', NULL),
	('z', '22222222-2222-2222-2222-222222222222', '[1,0]', 'Another model.', '{"source": "elsewhere"}');`

// olderLangChain is the table of its earlier versions.
const olderLangChain = `
CREATE TABLE langchain_pg_collection (name varchar, cmetadata json, uuid uuid PRIMARY KEY);
CREATE TABLE langchain_pg_embedding (
	collection_id uuid REFERENCES langchain_pg_collection (uuid) ON DELETE CASCADE,
	embedding vector, document varchar, cmetadata json, custom_id varchar, uuid uuid PRIMARY KEY);
INSERT INTO langchain_pg_collection VALUES ('docs', NULL, '11111111-1111-1111-1111-111111111111');
INSERT INTO langchain_pg_embedding VALUES
	('11111111-1111-1111-1111-111111111111', '[1,0,0]', 'One.', '{"source": "one"}', NULL, 'aaaaaaaa-0000-0000-0000-000000000001'),
	('11111111-1111-1111-1111-111111111111', '[0,1,0]', 'Two.', '{"source": "\u0000"}', 'x', 'aaaaaaaa-0000-0000-0000-000000000002'),
	('11111111-1111-1111-1111-111111111111', '[0,0,1]', 'Three.', '{"source": "\ud83d\ude00", "lone": "x"}', NULL, 'aaaaaaaa-0000-0000-0000-000000000003'),
	('11111111-1111-1111-1111-111111111111', '[0,0.6,0.8]', 'Four.', '{"source": "four", "lone": "\ud83d"}', NULL, 'aaaaaaaa-0000-0000-0000-000000000004');`

// llamaIndex is what PGVectorStore makes.
const llamaIndex = `
CREATE TABLE data_guide (id bigserial PRIMARY KEY, text varchar NOT NULL, metadata_ json, node_id varchar, embedding vector(3));
CREATE INDEX guide_idx_1 ON data_guide ((metadata_->>'ref_doc_id'));
CREATE INDEX data_guide_embedding_idx ON data_guide USING hnsw (embedding vector_cosine_ops) WITH (m = 8, ef_construction = 32);
INSERT INTO data_guide (text, metadata_, node_id, embedding) VALUES
	('Gradient boosting adds shallow trees.', '{"file_path": "/docs/boost.md", "file_name": "boost.md", "_node_type": "TextNode", "ref_doc_id": "r1"}', 'n1', '[1,0,0]'),
	('A random forest averages deep trees.', '{"file_path": "/docs/boost.md", "file_name": "boost.md", "ref_doc_id": "r1"}', 'n2', '[0.8,0.6,0]'),
	('A decorator returns a function.', '{"ref_doc_id": "r2"}', 'n3', '[0,1,0]');`

// made is a database in which statements were run.
func made(t *testing.T, statements string) string {
	t.Helper()
	dsn := pgtest.Database(t)
	pgtest.Exec(t, dsn, statements)
	return dsn
}

// open opens a table, with its mapping as text.
func open(t *testing.T, dsn, name, mapping string) *Store {
	t.Helper()
	return openWith(t, dsn, Options{Table: name, Map: parsed(t, mapping)})
}

func parsed(t *testing.T, mapping string) Mapping {
	t.Helper()
	m, err := ParseMap(mapping)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func openWith(t *testing.T, dsn string, opts Options) *Store {
	t.Helper()
	s, err := Open(t.Context(), dsn, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// fails opens what cannot be opened, and returns why.
func fails(t *testing.T, dsn, name, mapping string) error {
	t.Helper()
	s, err := Open(t.Context(), dsn, Options{Table: name, Map: parsed(t, mapping)})
	if err == nil {
		_ = s.Close()
		t.Fatalf("%s with %s opens", name, mapping)
	}
	return err
}

func view(t *testing.T, s *Store) *View {
	t.Helper()
	v, err := s.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = v.Close() })
	return v.(*View)
}

// unit is a vector of length 1 in a direction.
func unit(v ...float32) []float32 {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	for i := range v {
		v[i] = float32(float64(v[i]) / math.Sqrt(sum))
	}
	return v
}

// nearest are the ids of a search, near misses marked with "*".
func nearest(t *testing.T, v *View, spec store.Search) (ids []string, found store.Found) {
	t.Helper()
	found, err := v.Search(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range found.Vector {
		id := r.ID
		if r.Missed {
			id += "*"
		}
		ids = append(ids, id)
	}
	return ids, found
}

func chunkIDs(chunks []store.Chunk) (ids []string) {
	for i := range chunks {
		ids = append(ids, chunks[i].ID)
	}
	return ids
}
