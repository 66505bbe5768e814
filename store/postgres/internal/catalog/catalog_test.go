package catalog_test

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/store/postgres/internal/catalog"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// The definitions are those that the frameworks' own programs send.
const foreignTables = `
	CREATE TABLE langchain_pg_embedding (id varchar PRIMARY KEY, collection_id uuid, embedding vector, document varchar, cmetadata jsonb);
	CREATE TABLE data_pages (id bigserial PRIMARY KEY, text varchar NOT NULL, metadata_ json, node_id varchar, embedding vector(3));
	CREATE TABLE "Passages" (code int PRIMARY KEY, "Content" text, vec halfvec(5), "URL" text, meta jsonb);
	CREATE TABLE mute (id int, a text, b text, embedding vector(2));
	CREATE TABLE two (id int, body text, first vector(2), second vector(2));
	CREATE TABLE alone (words text, directions vector(2));
	CREATE TABLE no_vectors (id int, text text);
	CREATE TABLE "a""b" (); CREATE TABLE twins (); CREATE TABLE "Twins" ();
	CREATE VIEW looks AS SELECT text, embedding FROM data_pages;
	CREATE SCHEMA "else where"; CREATE TABLE "else where".docs (document text, embedding vector(2))`

func TestCandidates(t *testing.T) {
	dsn := pgtest.Database(t)
	pgtest.Exec(t, dsn, foreignTables)
	got, err := catalog.Candidates(context.Background(), pgtest.Connect(t, dsn), 100)
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		label   string
		mapping catalog.Mapping
	}{
		{"public.Passages", catalog.Mapping{ID: "code", Text: "Content", Embedding: "vec", Source: "URL", Metadata: "meta"}},
		{"public.alone", catalog.Mapping{Text: "words", Embedding: "directions"}},
		{"public.data_pages", catalog.Mapping{Maker: "LlamaIndex", ID: "node_id", Text: "text", Embedding: "embedding", Metadata: "metadata_"}},
		{"public.langchain_pg_embedding", catalog.Mapping{Maker: "LangChain", ID: "id", Text: "document", Embedding: "embedding", Metadata: "cmetadata"}},
		{"public.looks", catalog.Mapping{Text: "text", Embedding: "embedding"}},
		{"else where.docs", catalog.Mapping{Text: "document", Embedding: "embedding"}},
		{"public.mute", catalog.Mapping{ID: "id", Embedding: "embedding"}},
		{"public.two", catalog.Mapping{ID: "id", Text: "body"}},
	}
	if len(got) != len(want) {
		t.Fatalf("found %d tables, want %d: %+v", len(got), len(want), got)
	}
	for i, w := range want {
		m := got[i].Mapping
		if (m.Metadata != "") != (len(m.SourceKeys) > 0) {
			t.Errorf("%s: keys %v of metadata %q", w.label, m.SourceKeys, m.Metadata)
		}
		m.SourceKeys = nil
		if got[i].Table.Label() != w.label || !reflect.DeepEqual(m, w.mapping) {
			t.Errorf("table %d is %s with %+v, want %s with %+v", i, got[i].Table.Label(), m, w.label, w.mapping)
		}
	}
	few, err := catalog.Candidates(context.Background(), pgtest.Connect(t, dsn), 2)
	if err != nil || len(few) != 2 {
		t.Errorf("of at most two: %d, %v", len(few), err)
	}
}

func TestATableByItsName(t *testing.T) {
	dsn := pgtest.Database(t)
	pgtest.Exec(t, dsn, foreignTables)
	conn := pgtest.Connect(t, dsn)
	for name, want := range map[string]string{
		"data_pages": "public.data_pages", "public.two": "public.two", "PUBLIC.Two": "public.two",
		`"Passages"`: "public.Passages", "Passages": "public.Passages", `"public"."Passages"`: "public.Passages",
		`"else where".docs`: "else where.docs", "else where.docs": "else where.docs",
		"twins": "public.twins", "Twins": "public.Twins", "TWINS": "public.twins",
		"passages": "", `"Two"`: "", "no_such": "", "docs": "", "data_pages_pkey": "", `x"; DROP TABLE two; --`: "error", `x; DROP TABLE two`: "",
		"a.b.c": "error", "": "error", ".": "error", "a.": "error", `"two`: "error", `"two"x`: "error", `""`: "error", "two\x00": "error", `"a""b"`: `public.a"b`,
	} {
		got, found, err := catalog.Named(context.Background(), conn, name)
		switch {
		case want == "error":
			if err == nil || !strings.Contains(err.Error(), "SCHEMA.NAME") {
				t.Errorf("%q is %s, %v, %v; want an error", name, got.Label(), found, err)
			}
		case err != nil || found != (want != "") || found && got.Label() != want:
			t.Errorf("%q is %s, %v, %v; want %q", name, got.Label(), found, err, want)
		}
	}
	passages, _, err := catalog.Named(context.Background(), conn, `"Passages"`)
	if err != nil {
		t.Fatal(err)
	}
	if c := passages.Column("vec"); c == nil || c.Type != "halfvec" || c.Dims != 5 {
		t.Errorf("the column vec is %+v", c)
	}
	if passages.Quoted() != `"public"."Passages"` || !reflect.DeepEqual(passages.Primary, []string{"code"}) || !passages.MayWrite {
		t.Errorf("the table is %+v", passages)
	}
}

func TestTheNearest(t *testing.T) {
	table := &catalog.Table{Schema: "public", Name: "t"}
	vec := &catalog.Column{Name: "v", Type: "vector", Dims: 3}
	undeclared := &catalog.Column{Name: "v", Type: "vector"}
	odd := &catalog.Column{Name: `V "1"`, Type: "halfvec"}
	hnsw := func(expression, class, predicate string) catalog.Index {
		return catalog.Index{Name: "i", Method: "hnsw", Class: class, Valid: true, Expression: expression, Predicate: predicate}
	}
	invalid := hnsw("v", "vector_cosine_ops", "")
	invalid.Valid = false
	inverted := hnsw("v", "vector_cosine_ops", "")
	inverted.Method, inverted.Name = "ivfflat", "lists"
	const child = "kind = 'child'"
	for name, c := range map[string]struct {
		column    *catalog.Column
		dims      int
		indexes   []catalog.Index
		name, why string
		queryType string
	}{
		"none":                  {vec, 3, nil, "", `CREATE INDEX CONCURRENTLY ON "public"."t" USING hnsw ("v" vector_cosine_ops) WHERE kind = 'child'`, "vector"},
		"none of undeclared":    {undeclared, 3, nil, "", `USING hnsw (("v"::vector(3)) vector_cosine_ops)`, "vector"},
		"of a length":           {undeclared, 3, []catalog.Index{hnsw("(v::vector(3))", "vector_cosine_ops", "((kind)::text = 'child'::text)")}, "i", "", "vector(3)"},
		"none of many":          {vec, 3072, nil, "", `(("v"::halfvec(3072)) halfvec_cosine_ops)`, "vector"},
		"plain":                 {vec, 3, []catalog.Index{hnsw("v", "vector_cosine_ops", "")}, "i", "", "vector"},
		"of another column":     {vec, 3, []catalog.Index{hnsw("w", "vector_cosine_ops", "")}, "", "has no index", "vector"},
		"of a quoted column":    {odd, 3, []catalog.Index{hnsw(`"V ""1"""`, "halfvec_cosine_ops", "")}, "i", "", "halfvec"},
		"half":                  {vec, 3, []catalog.Index{hnsw("(v::halfvec(3))", "halfvec_cosine_ops", "(kind = 'child'::text)")}, "i", "", "halfvec(3)"},
		"half in a schema":      {vec, 3, []catalog.Index{hnsw("(v::extensions.halfvec(3))", "halfvec_cosine_ops", "")}, "i", "", "halfvec(3)"},
		"of other dimensions":   {vec, 3, []catalog.Index{hnsw("(v::vector(4))", "vector_cosine_ops", "")}, "", "has no index", "vector"},
		"binary":                {vec, 3, []catalog.Index{hnsw("((binary_quantize(v))::bit(3))", "bit_hamming_ops", "")}, "", "has no index", "vector"},
		"another distance":      {vec, 3, []catalog.Index{hnsw("v", "vector_ip_ops", "")}, "", "vector_ip_ops", "vector"},
		"invalid":               {vec, 3, []catalog.Index{invalid}, "", `REINDEX INDEX CONCURRENTLY "public"."i"`, "vector"},
		"invalid, but another":  {vec, 3, []catalog.Index{invalid, inverted}, "lists", "", "vector"},
		"varchar":               {vec, 3, []catalog.Index{hnsw("v", "vector_cosine_ops", "((kind)::text = 'child'::text)")}, "i", "", "vector"},
		"of a part":             {vec, 3, []catalog.Index{hnsw("v", "vector_cosine_ops", "((kind = 'child'::text) AND (depth < 2))")}, "", "miss the others", "vector"},
		"of a part or children": {vec, 3, []catalog.Index{hnsw("v", "vector_cosine_ops", "((kind = 'child'::text) OR (depth < 2))")}, "", "miss the others", "vector"},
		"of no children":        {vec, 3, []catalog.Index{hnsw("v", "vector_cosine_ops", "(NOT (kind = 'child'::text))")}, "", "miss the others", "vector"},
	} {
		t.Run(name, func(t *testing.T) {
			got := catalog.FindNearest(table, c.column, c.dims, c.indexes, child)
			if got.Name != c.name || got.QueryType != c.queryType || (got.Why == "") != (c.why == "") || !strings.Contains(got.Why, c.why) {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestNamesInSentences(t *testing.T) {
	if got := catalog.Printable("a\x1b[2J\nb\xff é"); got != "a\uFFFD[2J\uFFFDb\uFFFD é" {
		t.Errorf("got %q", got)
	}
}
