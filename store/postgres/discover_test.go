package postgres

import (
	"context"
	"errors"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

const (
	vectors3  = "; ALTER TABLE chunks ADD COLUMN embedding vector(3)"
	cosine    = "; CREATE INDEX chunks_embedding_hnsw_idx ON chunks USING hnsw (embedding vector_cosine_ops) WHERE chunk_level = 'child' AND embedding IS NOT NULL"
	aDocument = `; INSERT INTO documents (id, source_url, depth, token_count, parent_count, child_count, term_rows, term_length, changed, owner)
		VALUES ('00000000-0000-5000-8000-000000000001', 'https://a.example/', 0, 0, 0, 0, 0, 0, 1, 'ann')`
)

// ownSchema is the schema as a corpus of ours has it before anything is indexed.
func ownSchema() string { return strings.Join(steps(), ";") + ";" + setVersion(len(steps())) }

// made returns the DSN of a database in which statements were run.
func made(t *testing.T, statements string) string {
	t.Helper()
	dsn := pgtest.Database(t)
	pgtest.Exec(t, dsn, statements)
	return dsn
}

func open(t *testing.T, dsn string, opts Options) *Store {
	t.Helper()
	s, err := Open(context.Background(), dsn, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func TestAnOwnCorpusIsComplete(t *testing.T) {
	s := open(t, made(t, ownSchema()+vectors3+cosine+aDocument+
		`; UPDATE corpus_meta SET embedder_id = 'e/3', dimensions = 3, tokenizer = 'approx', changed = 7, calibration = '{"embedder_id":"e/3","p50":0.1,"p995":0.4,"chunks":9}'`),
		Options{Owner: "ann"})
	info, l := s.Info(), s.layout.Load()
	want := store.Meta{
		SchemaVersion: len(steps()), EmbedderID: "e/3", Dimensions: 3, Tokenizer: "approx", Changed: 7,
		Calibration: store.Calibration{EmbedderID: "e/3", P50: .1, P995: .4, Chunks: 9},
	}
	if info.Meta != want {
		t.Errorf("meta is %+v, want %+v", info.Meta, want)
	}
	if info.ReadOnly || info.Foreign || info.Unindexed || len(info.Missing) != 0 || !info.HasOwners || info.Owner != "ann" {
		t.Errorf("info is %+v", info)
	}
	if l.schema != `"public"` || !l.edges || !l.links || l.linkCandidates || !l.documents["owner"] || !l.chunks["embedding"] {
		t.Errorf("layout is %+v", l)
	}
	index := vectorIndex{
		name: "chunks_embedding_hnsw_idx", method: "hnsw", expression: "embedding", queryType: "vector",
		predicate: "((chunk_level = 'child'::text) AND (embedding IS NOT NULL))",
	}
	if l.vector.dims != 3 || l.vector.kind != "vector" || l.vector.index != index {
		t.Errorf("vectors are %+v", l.vector)
	}
	if l.server.version < 130000 || l.server.vector == "" || l.server.standby {
		t.Errorf("the server is %+v", l.server)
	}
}

func TestACorpusWithoutVectorsLacksNothing(t *testing.T) {
	s := open(t, made(t, ownSchema()), Options{})
	if info := s.Info(); len(info.Missing) != 0 || info.HasOwners || info.ReadOnly {
		t.Errorf("info is %+v", info)
	}
	if v := s.layout.Load().vector; v.dims != 0 || v.kind != "" || v.index.why == "" {
		t.Errorf("vectors are %+v", v)
	}
}

func TestTheSchemaIsWhatDiscoveryExpects(t *testing.T) {
	made := regexp.MustCompile(`CREATE TABLE (\w+)`).FindAllStringSubmatch(strings.Join(steps(), ";"), -1)
	var names []string
	for _, m := range made {
		names = append(names, m[1])
	}
	want := ownTables()
	slices.Sort(names)
	slices.Sort(want)
	if !slices.Equal(names, want) {
		t.Errorf("the schema makes %v, discovery looks for %v", names, want)
	}
}

// Vectors come and go while a store is open: the first page is indexed, the index
// fails, another model takes over.
func TestAViewFollowsItsTables(t *testing.T) {
	dsn := made(t, ownSchema())
	s := open(t, dsn, Options{})
	for _, step := range []struct {
		change string
		dims   int
		index  string
		why    string
	}{
		{"ALTER TABLE chunks ADD COLUMN embedding vector(3)", 3, "", "no index"},
		{cosine[1:], 3, "chunks_embedding_hnsw_idx", ""},
		{"UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'chunks_embedding_hnsw_idx'::regclass", 3, "", "REINDEX INDEX CONCURRENTLY"},
		{"DROP INDEX chunks_embedding_hnsw_idx; ALTER TABLE chunks ALTER COLUMN embedding TYPE halfvec(5)", 5, "", "halfvec_cosine_ops"},
		{"CREATE INDEX other ON chunks USING ivfflat (embedding halfvec_cosine_ops)", 5, "other", ""},
	} {
		pgtest.Exec(t, dsn, step.change)
		v, err := s.Read(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		_ = v.Close()
		got := s.layout.Load().vector
		if got.dims != step.dims || got.index.name != step.index || !strings.Contains(got.index.why, step.why) {
			t.Errorf("after %s: %+v", step.change, got)
		}
		if _, missing := s.Info().Missing[store.CapApprox]; missing != (step.index == "") {
			t.Errorf("after %s: missing %v", step.change, s.Info().Missing)
		}
	}
}

func TestARoleThatMayOnlyRead(t *testing.T) {
	dsn := made(t, ownSchema())
	role := newRole(t, dsn)
	pgtest.Exec(t, dsn, "GRANT SELECT ON ALL TABLES IN SCHEMA public TO "+role)
	as := withParameter(t, dsn, "role", role)
	s := open(t, as, Options{})
	if !s.Info().ReadOnly || !strings.Contains(s.layout.Load().readOnly, "GRANT INSERT") {
		t.Errorf("read-only is %v, because %q", s.Info().ReadOnly, s.layout.Load().readOnly)
	}
	if _, err := s.Write(context.Background()); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("Write gives %v", err)
	}
	pgtest.Exec(t, dsn, "REVOKE SELECT ON corpus_meta FROM "+role)
	if _, err := Open(context.Background(), as, Options{}); err == nil || !strings.Contains(err.Error(), "GRANT SELECT") {
		t.Errorf("without SELECT: %v", err)
	}
}

func TestVersionsOfTheSchema(t *testing.T) {
	dsn := made(t, ownSchema()+"; UPDATE corpus_meta SET schema_version = 99")
	if _, err := Open(context.Background(), dsn, Options{}); !errors.Is(err, store.ErrNewerSchema) || !strings.Contains(err.Error(), "version 99") {
		t.Errorf("a newer schema: %v", err)
	}
	pgtest.Exec(t, dsn, "UPDATE corpus_meta SET schema_version = 0")
	if _, err := Open(context.Background(), dsn, Options{}); err == nil || !strings.Contains(err.Error(), "webrag-tui migrate") {
		t.Errorf("an older schema: %v", err)
	}
	pgtest.Exec(t, dsn, "DELETE FROM corpus_meta")
	if _, err := Open(context.Background(), dsn, Options{}); !errors.Is(err, store.ErrNotCorpus) {
		t.Errorf("without a row: %v", err)
	}
}

func TestACorpusInAnotherSchema(t *testing.T) {
	const quoted = `"Odd ""one""; DROP"`
	dsn := made(t, "CREATE SCHEMA "+quoted+"; SET search_path = "+quoted+", public; "+ownSchema()+vectors3+cosine)
	_, err := Open(context.Background(), dsn, Options{})
	if !errors.Is(err, store.ErrNotCorpus) || !strings.Contains(err.Error(), "search_path="+url.QueryEscape(quoted)+",public") {
		t.Errorf("without the path: %v", err)
	}
	s := open(t, withParameter(t, dsn, "search_path", quoted+",public"), Options{})
	if l := s.layout.Load(); l.schema != quoted || l.vector.index.name == "" {
		t.Errorf("layout is %+v", l)
	}
	_, err = Open(context.Background(), withParameter(t, dsn, "search_path", quoted), Options{})
	if err == nil || !strings.Contains(err.Error(), "the extension vector is in the schema public") {
		t.Errorf("without the extension's schema: %v", err)
	}
}

// A schema before PostgreSQL's own could hold operators that take the place of its
// own: one that finds everything equal would show each owner everybody's pages.
func TestNothingComesBeforePostgreSQLsOwnOperators(t *testing.T) {
	dsn := made(t, ownSchema()+vectors3+cosine+`;
		CREATE FUNCTION texteq2(text, text) RETURNS bool LANGUAGE sql AS 'SELECT true';
		CREATE OPERATOR = (LEFTARG = text, RIGHTARG = text, FUNCTION = texteq2)`)
	for _, path := range []string{"public,pg_catalog", "public, PG_CATALOG", `public,"pg_catalog"`, `"$user",public,pg_catalog,other`} {
		_, err := Open(t.Context(), withParameter(t, dsn, "search_path", path), Options{Owner: "bob"})
		var wrong *AddressError
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), "leave pg_catalog out of it") {
			t.Errorf("with search_path=%s Open says %v", path, err)
		}
	}
	for _, path := range []string{"public", `"$user",public`, "public,pg_catalogs"} {
		_ = open(t, withParameter(t, dsn, "search_path", path), Options{Owner: "bob"})
	}
	pgtest.Exec(t, dsn, `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = public, pg_catalog', current_database()); END $$`)
	if _, err := Open(t.Context(), dsn, Options{}); err == nil || !strings.Contains(err.Error(), "ALTER DATABASE") {
		t.Errorf("where the database sets it Open says %v", err)
	}
	if _, err := Migrate(t.Context(), dsn, MigrateOptions{}); err == nil || !strings.Contains(err.Error(), "ALTER DATABASE") {
		t.Errorf("where the database sets it Migrate says %v", err)
	}
}

func TestWhatIsNoCorpus(t *testing.T) {
	for name, c := range map[string]struct {
		statements string
		want       []string
	}{
		"empty":             {"SELECT 1", []string{"no tables of a corpus", "webrag-tui index PATH"}},
		"something else":    {"CREATE TABLE documents (id int); CREATE TABLE chunks (id int, data bytea)", []string{"public.chunks, public.documents", "no documents.source_url", "documents.id is int4 and not uuid", "another database or schema"}},
		"an incomplete one": {ownSchema() + "; DROP TABLE term_stats", []string{"public.corpus_meta", "(no term_stats)", "another database or schema"}},
		"a table of vectors": {
			`CREATE TABLE "Weird ""t""" (id int, v halfvec(4)); CREATE TABLE langchain_pg_embedding (id int, embedding vector(2))`,
			[]string{"--table", "public.langchain_pg_embedding", `public.Weird "t"`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Open(context.Background(), made(t, c.statements), Options{})
			if !errors.Is(err, store.ErrNotCorpus) {
				t.Fatalf("error is %v", err)
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q is missing in: %v", want, err)
				}
			}
		})
	}
	_, err := Open(context.Background(), made(t, "CREATE SCHEMA of_ours; SET search_path = of_ours, public; "+ownSchema()+vectors3), Options{})
	if !errors.Is(err, store.ErrNotCorpus) || strings.Contains(err.Error(), "--table") || !strings.Contains(err.Error(), "search_path=of_ours,public") {
		t.Errorf("with a corpus in another schema: %v", err)
	}
	_, err = Open(context.Background(), pgtest.EmptyDatabase(t), Options{})
	if !errors.Is(err, store.ErrNotCorpus) || !strings.Contains(err.Error(), "which also creates the extension") {
		t.Errorf("without the extension: %v", err)
	}
}

func TestInfoIsOnesOwn(t *testing.T) {
	s := open(t, made(t, ownSchema()+vectors3), Options{})
	clear(s.Info().Missing)
	v, err := s.Read(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	if maps.Equal(s.Info().Missing, map[store.Capability]string{}) {
		t.Error("a caller has emptied what is missing for all")
	}
}

// newRole makes a role that may do nothing, named after the test's database.
func newRole(t *testing.T, dsn string) string {
	t.Helper()
	role := pgtest.Value[string](t, dsn, "SELECT 'reader_' || current_database()")
	pgtest.Exec(t, dsn, "CREATE ROLE "+role)
	t.Cleanup(func() { pgtest.Exec(t, dsn, "DROP OWNED BY "+role+"; DROP ROLE "+role) })
	return role
}

// withParameter adds a parameter of the connection to a DSN that is a URL.
func withParameter(t *testing.T, dsn, name, value string) string {
	t.Helper()
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	q.Set(name, value)
	u.RawQuery = strings.ReplaceAll(q.Encode(), "+", "%20") // what reads DSNs leaves a plus as it is
	return u.String()
}

// The tables have the columns of the indexing specification under its names, and
// those that its retrieval asks chunks for.
func TestTheTablesHaveTheSpecificationsColumns(t *testing.T) {
	t.Parallel()
	dsn := made(t, ownSchema()+vectors3)
	for table, columns := range map[string]string{
		"documents": "id url source_url title description language status_code published_time modified_time doc_type content_hash fetched_at indexed_at depth",
		"chunks": "id document_id parent_id chunk_level chunk_index section_heading chunk_text html_text has_table has_code has_math has_definition_list " +
			"has_admonition has_steps char_start char_end token_start token_end embedding source_url fetched_at depth title",
	} {
		for name := range strings.FieldsSeq(columns) {
			if n := pgtest.Value[int](t, dsn, "SELECT count(*)::int FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1 AND column_name = $2", table, name); n != 1 {
				t.Errorf("%s has no column %s", table, name)
			}
		}
	}
}
