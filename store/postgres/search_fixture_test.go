package postgres

import (
	"context"
	"crypto/md5"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

// The crowd is a corpus made by SQL: documents of one section each, whose passages
// have vectors around the direction of one of a few topics.
const (
	crowdDims     = 24
	crowdTopics   = 30
	crowdPassages = 40 // of each document
)

// crowdSQL makes documents numbered from $1 to $2.
const crowdSQL = `
WITH topics AS (
	SELECT k, (SELECT array_agg(sin((k + 1) * (i + 3) * 12.9898)) FROM generate_series(1, 24) i) AS v FROM generate_series(0, 29) k
), documents AS (
	INSERT INTO documents (id, source_url, current_ingestion_id, depth, token_count, parent_count, child_count, term_rows, term_length, changed)
	SELECT md5('d' || n)::uuid, 'https://crowd.example/' || n, 'i' || n, 0, 100, 1, 40, 0, 0, 1 FROM generate_series($1::int, $2::int) n
	RETURNING id
), rows AS (
	SELECT n, j FROM generate_series($1::int, $2::int) n, generate_series(0, 40) j
)
INSERT INTO chunks (id, document_id, parent_id, chunk_level, chunk_index, chunk_text,
	has_table, has_code, has_math, has_definition_list, has_admonition, has_steps, has_image, cont,
	char_start, char_end, token_start, token_end, depth, source_url, ingestion_id, embedding)
SELECT md5('c' || n || '.' || j)::uuid, md5('d' || n)::uuid, CASE WHEN j > 0 THEN md5('c' || n || '.0')::uuid END,
	CASE WHEN j > 0 THEN 'child' ELSE 'parent' END, j, 'some words of a passage',
	false, false, false, false, false, false, false, false, 0, 0, 0, 0, 0, 'https://crowd.example/' || n, 'i' || n,
	CASE WHEN j > 0 THEN (SELECT l2_normalize(array_agg(x + hashint4(((n * 50 + j) * 50 + i)::int) / 2147483648.0 * 1.6)::vector)
		FROM topics, unnest(v) WITH ORDINALITY t(x, i) WHERE k = n % 30) END
FROM rows`

// crowdIndex is the index of the crowd's vectors.
const crowdIndex = `SET max_parallel_maintenance_workers = 0; SET maintenance_work_mem = '256MB';
	CREATE INDEX chunks_embedding_hnsw_idx ON chunks USING hnsw (embedding vector_cosine_ops) WITH (m = 12, ef_construction = 40) WHERE chunk_level = 'child' AND embedding IS NOT NULL;
	ANALYZE`

// crowd returns the DSN of a corpus of so many documents.
func crowd(t *testing.T, documents int) string {
	t.Helper()
	dsn := made(t, ownSchema()+fmt.Sprintf(`; ALTER TABLE chunks ADD COLUMN embedding vector(%d);
		UPDATE corpus_meta SET embedder_id = 'crowd', dimensions = %d, tokenizer = 'approx'`, crowdDims, crowdDims))
	pgtest.Exec(t, dsn, crowdSQL, 1, documents)
	var documentIDs, keys []string
	for n := range documents {
		documentIDs = append(documentIDs, md5ID(fmt.Sprintf("d%d", n+1)))
		keys = append(keys, store.PageKey(fmt.Sprintf("https://crowd.example/%d", n+1)))
	}
	pgtest.Exec(t, dsn, "INSERT INTO addresses (document_id, key, rank) SELECT *, 0 FROM unnest($1::uuid[], $2::text[])", documentIDs, keys)
	pgtest.Exec(t, dsn, crowdIndex)
	return dsn
}

// vectorNear returns a unit vector a little away from a passage's.
func vectorNear(t *testing.T, dsn string, document, passage int, r *rand.Rand) []float32 {
	t.Helper()
	v := pgtest.Value[[]float32](t, dsn, fmt.Sprintf("SELECT embedding::real[] FROM chunks WHERE id = md5('c%d.%d')::uuid", document, passage))
	for i := range v {
		v[i] += float32(r.Float64()-.5) * 0.2
	}
	return normalised(v)
}

// inView runs do in a view of a corpus.
func inView(t *testing.T, s *Store, do func(v *View)) {
	t.Helper()
	view, err := s.Read(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer view.Close()
	do(view.(*View))
}

func mustSearch(t *testing.T, v *View, spec store.Search) store.Found {
	t.Helper()
	found, err := v.Search(context.Background(), spec)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// setting reads a setting in the transaction of a view.
func setting(t *testing.T, v *View, name string) (value string) {
	t.Helper()
	err := v.do(context.Background(), "ask", func(tx pgx.Tx) error {
		return tx.QueryRow(context.Background(), "SELECT current_setting($1)", name).Scan(&value)
	})
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// md5ID is md5(text)::uuid.
func md5ID(text string) string { return uuid.UUID(md5.Sum([]byte(text))).String() }
