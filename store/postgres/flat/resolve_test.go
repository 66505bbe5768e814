package flat

import (
	"errors"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

const passages = `
CREATE TABLE passages (key uuid PRIMARY KEY, words text, n int, v vector(2), w vector(2), payload jsonb, "When" text);
INSERT INTO passages VALUES
	('00000000-0000-0000-0000-00000000000a', 'One.', 1, '[1,0]', '[0,1]', '{"page": {"url": "u1", "name": "first"}, "body": "In JSON."}', 'x'),
	('00000000-0000-0000-0000-00000000000b', 'Two.', 1, '[0,1]', '[1,0]', '{"page": {"url": "u1"}}', 'x');`

func TestMappingsThatDoNotFit(t *testing.T) {
	t.Parallel()
	dsn := made(t, passages)
	has := "it has key (uuid), words (text), n (int4), v (vector), w (vector), payload (jsonb), When (text)"
	for mapping, says := range map[string]string{
		"text=words":                                    "which column of public.passages has the vectors cannot be told; name it",
		"embedding=v":                                   "which column of public.passages has the texts cannot be told",
		"text=wrods,embedding=v":                        `the mapping of text: public.passages has no column "wrods"; ` + has,
		"text=n,embedding=v":                            "n of public.passages is of type int4, not text; " + has,
		"text=v,embedding=v":                            "is of type vector, not text",
		"text=words,embedding=words":                    "words of public.passages is of type text, which is not one that is searched by cosine",
		"text=words,embedding=v,source=words.x":         "which has no keys",
		"text=words,embedding=v,metadata=words":         "not json or jsonb",
		"text=words,embedding=v,created=when":           "When of public.passages is of type text, not a time",
		"text=words,embedding=v,id=w":                   "which cannot be read as text",
		"text=words,embedding=v,id=n":                   `the column n of public.passages does not tell its rows apart: several have "1"`,
		`text=words,embedding="v; DROP TABLE passages"`: `has no column "v; DROP TABLE passages"`,
	} {
		if err := fails(t, dsn, "passages", mapping); !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", mapping, err, says)
		}
	}
	for name, says := range map[string]string{
		"nowhere":           "the database has no table nowhere; the tables with vectors are public.passages",
		`public."Passages"`: "has no table",
		`x"y`:               "not the name of a table",
		"a.b.c":             "not the name of a table",
	} {
		if err := fails(t, dsn, name, "text=words,embedding=v"); !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", name, err, says)
		}
	}
	if err := fails(t, dsn, "nowhere", ""); !errors.Is(err, store.ErrNotCorpus) {
		t.Error(err)
	}
	if err := fails(t, pgtest.EmptyDatabase(t), "passages", ""); !errors.Is(err, store.ErrNotCorpus) || !strings.Contains(err.Error(), "no extension vector") {
		t.Error(err)
	}
}

func TestPathsInJSON(t *testing.T) {
	t.Parallel()
	s := open(t, made(t, passages), "Passages", `TEXT=payload.body,embedding=W,source=payload.page.url,title=payload."page".name`)
	v := view(t, s)
	documents, err := v.Documents(t.Context(), store.Scope{SourceURLs: []string{"u1"}}, store.Page{})
	if err != nil || len(documents) != 1 || documents[0].Title != "first" || documents[0].ParentCount != 2 {
		t.Errorf("documents are %+v, %v", documents, err)
	}
	chunks, err := v.Chunks(t.Context(), []string{"00000000-0000-0000-0000-00000000000b", "00000000-0000-0000-0000-00000000000a"}, store.FieldText)
	if err != nil || len(chunks) != 2 || chunks[0].ChunkText != "" || chunks[1].ChunkText != "In JSON." {
		t.Errorf("chunks are %+v, %v", chunks, err)
	}
	ids, _ := nearest(t, v, store.Search{Vector: unit(1, 0), VectorRows: 1})
	if !slices.Equal(ids, []string{"00000000-0000-0000-0000-00000000000b"}) {
		t.Errorf("by the other vectors found %v", ids)
	}
}

// Rows are told apart by whatever the table has for that.
func TestKeys(t *testing.T) {
	t.Parallel()
	dsn := made(t, `
		CREATE TABLE bare (text text, embedding vector(2)); INSERT INTO bare VALUES ('a', '[1,0]'), ('b', '[0,1]');
		CREATE VIEW seen AS SELECT text AS name, text, embedding FROM bare;
		CREATE TABLE numbers (id numeric PRIMARY KEY, text text, embedding vector(2)); INSERT INTO numbers VALUES (1.50, 'a', '[1,0]'), (2, 'b', '[0,1]');
		CREATE TABLE years (id bigint, text text, embedding vector(2), year int, PRIMARY KEY (id, year)) PARTITION BY RANGE (year);
		CREATE TABLE years_1 PARTITION OF years FOR VALUES FROM (0) TO (10);
		CREATE TABLE years_2 PARTITION OF years FOR VALUES FROM (10) TO (20);
		INSERT INTO years VALUES (1, 'a', '[1,0]', 5), (2, 'b', '[0,1]', 15);
		CREATE TABLE loose (id text, text text, embedding vector(2)); INSERT INTO loose VALUES ('x', 'a', '[1,0]'), ('y''', 'b', '[0,1]'), (NULL, 'hidden', '[1,1]');
		CREATE `+"MATERIALIZED"+` VIEW kept AS SELECT * FROM loose;`)
	for _, c := range []struct {
		table, mapping string
		ids            []string
	}{
		{"bare", "", []string{"(0,1)", "(0,2)"}},
		{"seen", "id=name", []string{"a", "b"}},
		{"numbers", "", []string{"1.50", "2"}},
		{"years", "", []string{"1", "2"}},
		{"loose", "", []string{"x", "y'"}},
		{"kept", "id=id", []string{"x", "y'"}},
	} {
		s := open(t, dsn, c.table, c.mapping)
		v := view(t, s)
		ids, found := nearest(t, v, store.Search{Vector: unit(1, 0.1), VectorRows: 5})
		if !slices.Equal(ids, c.ids) {
			t.Errorf("%s has %v, want %v", c.table, ids, c.ids)
			continue
		}
		if doc := found.Vector[0].DocumentID; doc != "public."+c.table {
			t.Errorf("%s: the document is %q", c.table, doc)
		}
		chunks, err := v.Chunks(t.Context(), append(ids, "(0,0)", "(99999999,1)", "(1,1", "3"), store.FieldText)
		if err != nil || !slices.Equal(chunkIDs(chunks), c.ids) || chunks[1].ChunkText != "b" {
			t.Errorf("%s: chunks are %+v, %v", c.table, chunks, err)
		}
		if p, err := v.Place(t.Context(), store.Search{Vector: unit(1, 0.1)}, ids[1]); err != nil || p.VectorRank != 2 || !p.HasVector {
			t.Errorf("%s: the second is placed %+v, %v", c.table, p, err)
		}
	}
	if err := fails(t, dsn, "seen", ""); !strings.Contains(err.Error(), "no key that tells its rows apart") {
		t.Error(err)
	}
	if w := open(t, dsn, "bare", "").Info().Warnings; len(w) != 1 || !strings.Contains(w[0], "has no key") {
		t.Errorf("warnings are %q", w)
	}
}

func TestARoleThatMayNotRead(t *testing.T) {
	t.Parallel()
	dsn := made(t, passages)
	role := pgtest.Value[string](t, dsn, "SELECT 'reader_' || current_database()")
	pgtest.Exec(t, dsn, "CREATE ROLE "+role)
	t.Cleanup(func() { pgtest.Exec(t, dsn, "DROP OWNED BY "+role+"; DROP ROLE "+role) })
	as := dsn + " role=" + role
	if u, err := url.Parse(dsn); err == nil && u.Scheme != "" {
		q := u.Query()
		q.Set("role", role)
		u.RawQuery = q.Encode()
		as = u.String()
	}
	if err := fails(t, as, "passages", ""); !strings.Contains(err.Error(), "GRANT SELECT ON") {
		t.Error(err)
	}
	pgtest.Exec(t, dsn, "GRANT SELECT ON passages TO "+role)
	open(t, as, "passages", "embedding=v,text=words")
}
