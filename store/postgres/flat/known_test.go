package flat

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

func TestACollectionOfLangChain(t *testing.T) {
	t.Parallel()
	dsn := made(t, langChain)
	s := open(t, dsn, "langchain_pg_embedding", "collection=docs")
	v := view(t, s)
	info := s.Info()
	if info.Name != "langchain_pg_embedding (docs)" || info.Meta.Dimensions != 3 || !info.ReadOnly || !info.Foreign || !info.Unindexed {
		t.Errorf("info is %+v", info)
	}
	stats, err := v.Stats(t.Context(), store.Scope{})
	if want := (store.Stats{Documents: 4, Parents: 4, Children: 4, Tokens: 10 + 9 + 8 + 8}); err != nil || stats != want {
		t.Errorf("stats are %+v, %v, want %+v", stats, err, want)
	}
	ids, found := nearest(t, v, store.Search{Vector: unit(1, 0.1, 0), VectorRows: 10, Policy: store.PolicySystem})
	if !slices.Equal(ids, []string{"a", "b", "c", "d"}) || !found.Exact || found.VectorScanned != 4 {
		t.Errorf("found %v: %+v", ids, found)
	}
	if row := found.Vector[3]; row.DocumentID != "(no source)" || row.ParentID != "" {
		t.Errorf("the row without a source is %+v", row)
	}
	documents, err := v.Documents(t.Context(), store.Scope{SourceURLs: []string{"boost.md"}}, store.Page{})
	if err != nil || len(documents) != 1 {
		t.Fatalf("documents %+v, %v", documents, err)
	}
	if d := documents[0]; d.ID != "boost.md" || d.ParentCount != 1 || d.TokenCount != 10 ||
		!reflect.DeepEqual(d.Metadata, map[string]string{"source": "boost.md", "page": "3", "topic": "trees"}) {
		t.Errorf("the document is %+v", d)
	}
	ids, _ = nearest(t, v, store.Search{Vector: unit(1, 0, 0), VectorRows: 10, Scope: store.Scope{
		Meta: []store.MetaFilter{{Key: "topic", Values: []string{"trees", "x"}}, {Key: "page", Values: []string{"1"}}},
	}})
	if !slices.Equal(ids, []string{"b"}) {
		t.Errorf("with metadata found %v", ids)
	}
}

func TestWhichCollectionIsMeant(t *testing.T) {
	t.Parallel()
	dsn := made(t, langChain)
	for _, c := range []struct{ mapping, want string }{
		{"", `holds several collections ("docs", "other \"one\""); choose one: --map collection=docs`},
		{"collection=none", `has no collection "none"; it has "docs"`},
	} {
		if err := fails(t, dsn, "langchain_pg_embedding", c.mapping); !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v", c.mapping, err)
		}
	}
	if s := open(t, dsn, "langchain_pg_embedding", `collection="other ""one"""`); s.Info().Meta.Dimensions != 2 {
		t.Errorf("the other collection is %+v", s.Info())
	}
	pgtest.Exec(t, dsn, "DELETE FROM langchain_pg_collection WHERE name <> 'docs'")
	// Without a name: the only table, and in it the only collection.
	if s := open(t, dsn, "", ""); s.Mapping().Collection != "docs" {
		t.Errorf("the only collection is %v", s.Mapping())
	}
	pgtest.Exec(t, dsn, "CREATE TABLE plain (id int PRIMARY KEY, text text, embedding vector(2))")
	if err := fails(t, dsn, "plain", "collection=docs"); !strings.Contains(err.Error(), "no collections of LangChain") {
		t.Error(err)
	}
}

// A column of json keeps escapes that no text can hold: such an object is none, and
// what is well formed beside it is read.
func TestJSONThatCannotBeRead(t *testing.T) {
	t.Parallel()
	v := view(t, open(t, made(t, olderLangChain), "", ""))
	rows, err := v.Parents(t.Context(), store.Scope{}, store.FieldText, store.Page{})
	if err != nil {
		t.Fatal(err)
	}
	sources := map[string]string{}
	for _, r := range rows {
		sources[r.ChunkText] = r.SourceURL
	}
	want := map[string]string{"One.": "one", "Two.": "(no source)", "Three.": "😀", "Four.": "(no source)"}
	if !reflect.DeepEqual(sources, want) {
		t.Errorf("sources are %v, want %v", sources, want)
	}
	chunks, err := v.Chunks(t.Context(), []string{"aaaaaaaa-0000-0000-0000-000000000003", "AAAAAAAA-0000-0000-0000-000000000001", "x"}, 0)
	if err != nil || !slices.Equal(chunkIDs(chunks), []string{"aaaaaaaa-0000-0000-0000-000000000003"}) {
		t.Errorf("chunks %+v, %v", chunks, err)
	}
	if _, err := v.Documents(t.Context(), store.Scope{Meta: []store.MetaFilter{{Key: "lone", Values: []string{"x"}}}}, store.Page{}); err != nil {
		t.Error(err)
	}
}

func TestATableOfLlamaIndex(t *testing.T) {
	t.Parallel()
	s := open(t, made(t, llamaIndex), "", "")
	v := view(t, s)
	if m := s.Mapping(); m.ID.Column != "id" || m.Text.Column != "text" || m.Metadata.Column != "metadata_" {
		t.Errorf("the mapping is %v", m)
	}
	documents, err := v.Documents(t.Context(), store.Scope{}, store.Page{})
	if err != nil || len(documents) != 2 || documents[0].ID != "/docs/boost.md" || documents[0].ParentCount != 2 || documents[1].ID != "r2" {
		t.Fatalf("documents are %+v, %v", documents, err)
	}
	x, err := v.VectorIndex(t.Context())
	if err != nil || x.Name != "data_guide_embedding_idx" || x.Method != "hnsw" || x.Rows != 3 ||
		!slices.Equal(x.Options, []store.Setting{{Name: "m", Value: "8"}, {Name: "ef_construction", Value: "32"}}) {
		t.Errorf("the index is %+v, %v", x, err)
	}
	ids, found := nearest(t, v, store.Search{Vector: unit(1, 0.1, 0), VectorRows: 3, OwnRows: 2, Policy: store.PolicySystem, EfSearch: 40, Explain: true})
	if !slices.Equal(ids, []string{"1", "2", "3"}) || found.EfSearch != 40 || found.Vectors.Index != "data_guide_embedding_idx" {
		t.Errorf("found %v: %+v", ids, found)
	}
}

func TestTablesOfKnownProgramsAreRecognised(t *testing.T) {
	t.Parallel()
	dsn := made(t, langChain+llamaIndex+`CREATE TABLE "odd.one" (v vector(2), a text, b text)`)
	openWith(t, dsn, Options{Table: "data_guide"})
	openWith(t, dsn, Options{Table: "langchain_pg_embedding", Map: Mapping{Collection: "docs"}})
	if err := fails(t, dsn, "", ""); !errors.Is(err, store.ErrNotCorpus) || !strings.Contains(err.Error(), "public.data_guide, public.langchain_pg_embedding, public.odd.one") {
		t.Errorf("without a name: %v", err)
	}
}
