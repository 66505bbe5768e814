package postgres

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/webragtest"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

// vintage returns the DSN of a WebRAG database, changed by statements.
func vintage(t *testing.T, v webragtest.Vintage, statements ...string) string {
	t.Helper()
	dsn := pgtest.Database(t)
	webragtest.Load(t, dsn, v)
	for _, s := range statements {
		pgtest.Exec(t, dsn, s)
	}
	return dsn
}

// inSchema is like vintage, but in a new schema of a database, which is made sooner.
func inSchema(t *testing.T, dsn string, v webragtest.Vintage, statements string) string {
	t.Helper()
	name := "s" + strconv.Itoa(pgtest.Value[int](t, dsn, "SELECT count(*) FROM pg_namespace"))
	pgtest.Exec(t, dsn, "CREATE SCHEMA "+name)
	dsn = withParameter(t, dsn, "search_path", name+",public")
	webragtest.Load(t, dsn, v)
	pgtest.Exec(t, dsn, statements)
	return dsn
}

// view reads until the end of the test.
func view(t *testing.T, s *Store) *View {
	t.Helper()
	v, err := s.Read(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = v.Close() })
	return v.(*View)
}

func TestWhatEachVintageCanDo(t *testing.T) {
	for _, vt := range webragtest.Vintages() {
		t.Run(string(vt), func(t *testing.T) {
			s := open(t, vintage(t, vt), Options{})
			info, l := s.Info(), s.layout.Load()
			if !info.Foreign || !info.ReadOnly || !info.Unindexed || info.HasOwners {
				t.Errorf("info is %+v", info)
			}
			links, images := vt != webragtest.Plain, vt == webragtest.Images || vt == webragtest.Upgraded
			want := []store.Capability{store.CapKeyword, store.CapOwners, store.CapDeletion}
			if !links {
				want = append(want, store.CapEdges, store.CapLinks)
			}
			slices.Sort(want)
			if got := slices.Sorted(maps.Keys(info.Missing)); !slices.Equal(got, want) {
				t.Errorf("missing are %v, want %v", got, want)
			}
			if l.linkCandidates != links || l.edges || l.links || l.chunks["has_image"] != images || !l.chunks["depth"] || l.chunks["owner"] {
				t.Errorf("layout is %+v", l)
			}
			if info.Meta.Dimensions != webragtest.Dims || info.Meta.EmbedderID != "" || info.Meta.Changed == 0 {
				t.Errorf("meta is %+v", info.Meta)
			}
			if x := l.vector.index; x.name != "chunks_embedding_hnsw_idx" || x.expression != "embedding" || x.queryType != "vector" {
				t.Errorf("the index is %+v", x)
			}
			if _, err := s.Write(context.Background()); !errors.Is(err, store.ErrReadOnly) || !strings.Contains(err.Error(), "webrag-tui copy") {
				t.Errorf("Write gives %v", err)
			}
		})
	}
}

func TestNothingIsWrittenToAForeignDatabase(t *testing.T) {
	for _, vt := range webragtest.Vintages() {
		t.Run(string(vt), func(t *testing.T) {
			dsn := vintage(t, vt)
			before := webragtest.State(t, dsn)
			s := open(t, dsn, Options{Sidecar: t.TempDir()})
			v := view(t, s)
			readEverything(t, v)
			_ = v.Close()
			if err := s.Remember(context.Background(), store.Meta{EmbedderID: "e/4", Dimensions: webragtest.Dims}); err != nil {
				t.Error(err)
			}
			var refused *pgconn.PgError
			for _, statement := range []string{"DELETE FROM chunks", "CREATE TABLE more (id int)", "DROP INDEX chunks_embedding_hnsw_idx"} {
				v := view(t, s)
				if _, err := v.reading.Tx().Exec(context.Background(), statement); !errors.As(err, &refused) || refused.Code != "25006" {
					t.Errorf("%s: %v, want it to be refused as read-only", statement, err)
				}
				_ = v.Close()
			}
			// Not even outside of a transaction of ours.
			tx, err := s.db.Read(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if _, err := tx.Exec(context.Background(), "COMMIT; DELETE FROM chunks"); !errors.As(err, &refused) || refused.Code != "25006" {
				t.Errorf("after the transaction: %v", err)
			}
			_ = tx.Rollback(context.Background())
			if webragtest.State(t, dsn) != before {
				t.Error("something was written")
			}
		})
	}
}

// A page that is indexed again has a new row with a new time; a page may come, or
// go, and an older transaction may end after a newer one.
func TestTheVersionOfAForeignDatabase(t *testing.T) {
	// The statement below replaces a page at once, which the index does not allow.
	dsn := vintage(t, webragtest.Links, "DROP INDEX documents_source_url_key")
	s := open(t, dsn, Options{})
	read := func() int64 {
		t.Helper()
		v := view(t, s)
		defer v.Close()
		return v.Version()
	}
	seen := map[int64]string{read(): "the beginning"}
	if _, same := seen[read()]; !same {
		t.Error("the version changed without a write")
	}
	const again = `WITH old AS (DELETE FROM documents WHERE source_url LIKE '%/shell' RETURNING *)
		INSERT INTO documents SELECT gen_random_uuid(), url, source_url, title, description, language, status_code,
			published_time, modified_time, doc_type, content_hash, fetched_at, indexed_at + $1::interval, depth FROM old`
	for _, change := range []struct{ name, sql, by string }{
		{"again", again, "1 millisecond"},
		{"long after", again, "1 year"},
		{"gone", "DELETE FROM documents WHERE source_url LIKE '%/limits' AND $1 <> ''", "x"},
		{"another", `INSERT INTO documents (id, source_url, content_hash, fetched_at, indexed_at, depth)
			VALUES (gen_random_uuid(), 'https://docs.example.com/new', '', now(), '2024-06-11T08:00:00Z'::timestamptz + $1::interval, 0)`, "0"},
	} {
		pgtest.Exec(t, dsn, change.sql, change.by)
		now := read()
		if was, same := seen[now]; same {
			t.Errorf("%s: the version is as at %s", change.name, was)
		}
		seen[now] = change.name
	}
}

// A transaction that was under way when the version was computed ends later.
func TestTheVersionSeesWhatEndsLate(t *testing.T) {
	ctx := context.Background()
	dsn := vintage(t, webragtest.Plain)
	s := open(t, dsn, Options{})
	early, late := pgtest.Connect(t, dsn), pgtest.Connect(t, dsn)
	insert := func(conn *pgx.Conn, n int) pgx.Tx {
		t.Helper()
		tx, err := conn.Begin(ctx)
		if err == nil {
			_, err = tx.Exec(ctx, `INSERT INTO documents (id, source_url, content_hash, fetched_at, depth)
				VALUES (gen_random_uuid(), 'https://docs.example.com/late/' || $1::int, '', now(), 0)`, n)
		}
		if err != nil {
			t.Fatal(err)
		}
		return tx
	}
	first, second := insert(early, 1), insert(late, 2)
	versions := []int64{view(t, s).Version()}
	for _, tx := range []pgx.Tx{second, first} {
		if err := tx.Commit(ctx); err != nil {
			t.Fatal(err)
		}
		versions = append(versions, view(t, s).Version())
	}
	if versions[0] >= versions[1] || versions[1] >= versions[2] {
		t.Errorf("the versions are %v", versions)
	}
}

// A later indexer adds tables and columns while the database is open.
func TestADatabaseIsUpgradedWhileItIsOpen(t *testing.T) {
	dsn := vintage(t, webragtest.Plain)
	s := open(t, dsn, Options{})
	pgtest.Exec(t, dsn, strings.TrimPrefix(webragtest.Schema(webragtest.Upgraded), webragtest.Schema(webragtest.Plain)))
	readEverything(t, view(t, s))
	l := s.layout.Load()
	if _, missing := s.Info().Missing[store.CapLinks]; missing || !l.linkCandidates || !l.chunks["has_image"] {
		t.Errorf("after the upgrade: missing %v, layout %+v", s.Info().Missing, l)
	}
}

func TestWhatIsRememberedAboutAForeignDatabase(t *testing.T) {
	dsn, dir := vintage(t, webragtest.Plain), t.TempDir()
	want := store.Meta{
		EmbedderID: "model/4", Dimensions: webragtest.Dims, Tokenizer: "approx",
		Calibration: store.Calibration{EmbedderID: "model/4", P50: .1, P995: .5, Chunks: 30},
	}
	s := open(t, dsn, Options{Sidecar: dir})
	if err := s.Remember(context.Background(), want); err != nil {
		t.Fatal(err)
	}
	check := func(s *Store, want store.Meta) {
		t.Helper()
		v := view(t, s)
		defer v.Close()
		for _, got := range []store.Meta{v.Meta(), s.Info().Meta} {
			got.Changed = 0
			if got != want {
				t.Errorf("meta is %+v, want %+v", got, want)
			}
		}
	}
	if got := s.Info().Meta; got.EmbedderID != "model/4" {
		t.Errorf("at once: %+v", got)
	}
	check(s, want)
	check(open(t, dsn, Options{Sidecar: dir}), want)
	check(open(t, dsn, Options{}), store.Meta{Dimensions: webragtest.Dims})

	// Another model has embedded all anew.
	pgtest.Exec(t, dsn, "ALTER TABLE chunks DROP COLUMN embedding; ALTER TABLE chunks ADD COLUMN embedding vector(5)")
	check(s, store.Meta{Dimensions: 5, Tokenizer: "approx"})

	ours := open(t, made(t, ownSchema()), Options{Sidecar: dir})
	if err := ours.Remember(context.Background(), want); err == nil {
		t.Error("a corpus of ours lets itself be told")
	}
}

func TestForeignVectorsThatAreNotAsExpected(t *testing.T) {
	database := pgtest.Database(t)
	const undeclared = "DROP INDEX chunks_embedding_hnsw_idx; ALTER TABLE chunks ALTER COLUMN embedding TYPE vector"
	for name, c := range map[string]struct {
		change  string
		dims    int
		why     string // of the index, empty for one that is used
		warning string
	}{
		"one without":           {"SELECT 1", 4, "", "1 of 80 passages have no vector"},
		"none at all":           {"UPDATE chunks SET embedding = NULL", 4, "", "none of 80 passages has a vector"},
		"empty":                 {"TRUNCATE documents CASCADE", 4, "", "no page was indexed"},
		"undeclared":            {undeclared, 4, "no index", "1 of"},
		"of two dimensions":     {undeclared + "; UPDATE chunks SET embedding = '[1,2,3]' WHERE chunk_index = 1 AND embedding IS NOT NULL", 0, "no index", "different dimensions (3, 4)"},
		"an expression":         {undeclared + "; CREATE INDEX ON chunks USING hnsw ((embedding::vector(4)) vector_cosine_ops)", 4, "", "1 of"},
		"half as an expression": {undeclared + "; CREATE INDEX ON chunks USING hnsw ((embedding::halfvec(4)) halfvec_cosine_ops) WHERE chunk_level IN ('child')", 4, "", "1 of"},
		"invalid":               {"UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'chunks_embedding_hnsw_idx'::regclass", 4, "REINDEX INDEX CONCURRENTLY", "1 of"},
		"another distance":      {"DROP INDEX chunks_embedding_hnsw_idx; CREATE INDEX l2 ON chunks USING hnsw (embedding vector_l2_ops)", 4, "l2 serves another distance (vector_l2_ops)", "1 of"},
		"of some rows":          {"DROP INDEX chunks_embedding_hnsw_idx; CREATE INDEX few ON chunks USING hnsw (embedding vector_cosine_ops) WHERE chunk_level = 'child' AND depth < 2", 4, "would miss the others", "1 of"},
		"no column":             {"ALTER TABLE chunks DROP COLUMN embedding", 0, "no column embedding", "no column embedding; nothing can be found"},
		"an array":              {"DROP INDEX chunks_embedding_hnsw_idx; ALTER TABLE chunks ALTER COLUMN embedding TYPE real[]", 0, "of type _float4", "nothing can be found by meaning"},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, inSchema(t, database, webragtest.Plain, c.change), Options{})
			info, got := s.Info(), s.layout.Load().vector
			if got.dims != c.dims || info.Meta.Dimensions != c.dims {
				t.Errorf("dimensions are %d, in meta %d, want %d", got.dims, info.Meta.Dimensions, c.dims)
			}
			if (got.index.name == "") != (c.why != "") || !strings.Contains(got.index.why, c.why) {
				t.Errorf("the index is %+v, want %q", got.index, c.why)
			}
			if why := info.Missing[store.CapApprox]; why != got.index.why && c.why != "" {
				t.Errorf("approximate search is missing because %q", why)
			}
			readEverything(t, view(t, s))
			if warnings := strings.Join(info.Warnings, "\n"); !strings.Contains(warnings, c.warning) {
				t.Errorf("warnings are %q, want %q", warnings, c.warning)
			}
		})
	}
}

func TestForeignTablesThatAreNotWebRAGs(t *testing.T) {
	database := pgtest.Database(t)
	pgtest.Exec(t, database, "CREATE SCHEMA apart")
	for name, c := range map[string]struct{ change, want string }{
		"ids of another type":   {"ALTER TABLE link_candidates DROP COLUMN source_document_id; ALTER TABLE chunks DROP COLUMN parent_id; ALTER TABLE chunks ADD COLUMN parent_id int", "chunks.parent_id is int4 and not uuid"},
		"a column less":         {"ALTER TABLE chunks DROP COLUMN chunk_text", "no chunks.chunk_text"},
		"a table less":          {"DROP TABLE documents CASCADE", "no documents"},
		"tables in two schemas": {"ALTER TABLE documents SET SCHEMA apart", "different schemas"},
	} {
		t.Run(name, func(t *testing.T) {
			dsn := inSchema(t, database, webragtest.Links, c.change)
			path := pgtest.Value[string](t, dsn, "SELECT current_schema()") + ",public"
			if strings.Contains(c.change, "apart") { // the others must not see what this one puts there
				path += ",apart"
			}
			dsn = withParameter(t, dsn, "search_path", path)
			_, err := Open(context.Background(), dsn, Options{})
			if !errors.Is(err, store.ErrNotCorpus) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "--table") {
				t.Errorf("error is %v, want %q", err, c.want)
			}
		})
	}
}

func TestARoleWithoutTheLinks(t *testing.T) {
	dsn := vintage(t, webragtest.Links)
	role := newRole(t, dsn)
	pgtest.Exec(t, dsn, "GRANT SELECT ON documents, chunks TO "+role)
	s := open(t, withParameter(t, dsn, "role", role), Options{})
	if s.layout.Load().linkCandidates || !strings.Contains(s.Info().Missing[store.CapLinks], "may not read") {
		t.Error("links are there that may not be read")
	}
	readEverything(t, view(t, s))
}
