package flat

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/webragtest"
	"github.com/webrag/webrag-tui/store/postgres/pgtest"
)

// odd is a table whose names need quotes everywhere, and whose rows are hostile.
const odd = `
CREATE SCHEMA "My ""Schema""";
CREATE TABLE "My ""Schema"""."My Table; DROP TABLE x; --" (
	"the id" bigint PRIMARY KEY, "the.text" text, "my vec" halfvec(3), "where's it" text, "Head" varchar(40),
	"who" text, "at" timestamp, extra jsonb);
INSERT INTO "My ""Schema"""."My Table; DROP TABLE x; --" VALUES
	(2, 'Second of a.', '[0.8,0.6,0]', 'a', 'Über', 'ann', '2024-01-02 00:00', '{"n": 1, "s": "x", "o": {"deep": "y"}, "list": [1], "none": null, "t": true}'),
	(10, 'Tenth of a.', '[1,0,0]', 'a', NULL, 'ann', '2024-01-03 00:00', '"no object"'),
	(3, NULL, '[0,1,0]', NULL, '', 'bob', 'infinity', '[1,2]'),
	(4, '', NULL, '', '', NULL, NULL, NULL),
	(5, E'\x01\x1b[31mred\u202e \t\n', '[0,0,1]', E'b\x1b]0;x\x07', E'\x07', 'ann', '-infinity', '{"\u001b": "\u001b[31m"}'),
	(6, repeat('many words ', 100000), '[0.6,0,0.8]', 'c', 'h', 'ann', NULL, '{}'),
	(7, 'No direction.', '[0,0,0]', 'c', 'h', '', NULL, '{}');`

const (
	oddName = `"My ""Schema"""."My Table; DROP TABLE x; --"`
	oddMap  = `text="the.text",embedding="my vec",source="where's it",heading=head,created=at,metadata=extra`
)

func TestATableWithOddNames(t *testing.T) {
	t.Parallel()
	s := open(t, made(t, odd), oddName, oddMap)
	v := view(t, s)
	ctx := t.Context()
	rows, err := v.Parents(ctx, store.Scope{}, store.FieldText|store.FieldEmbedding, store.Page{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range rows {
		got = append(got, fmt.Sprintf("%s %q %d %d %d", r.ID, r.SourceURL, r.Index, r.CharEnd, r.TokenEnd))
		if r.Level != store.Parent || r.ParentID != "" || r.DocumentID != r.SourceURL || len([]rune(r.ChunkText)) != r.CharEnd {
			t.Errorf("row %s is %+v", r.ID, r)
		}
	}
	want := []string{
		`3 "(no source)" 0 0 0`, `4 "(no source)" 1 0 0`, `2 "a" 0 12 3`, `10 "a" 1 11 3`,
		`5 "b\x1b]0;x\a" 0 13 4`, `6 "c" 0 1100000 275000`, `7 "c" 1 13 4`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("rows are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if r := rows[2]; r.SectionHeading != "Über" || !r.FetchedAt.Equal(time.Date(2024, 1, 2, 0, 0, 0, 0, time.UTC)) || len(r.Embedding) != 3 {
		t.Errorf("row 2 is %+v", r)
	}
	if !rows[0].FetchedAt.IsZero() || rows[1].Embedding != nil {
		t.Errorf("rows without a time and a vector are %+v, %+v", rows[0], rows[1])
	}
	stats, err := v.Stats(ctx, store.Scope{})
	if want := (store.Stats{Documents: 4, Parents: 7, Children: 7, Tokens: 275014}); err != nil || stats != want {
		t.Errorf("stats are %+v, %v, want %+v", stats, err, want)
	}
	page, err := v.Parents(ctx, store.Scope{}, 0, store.Page{Offset: 2, Limit: 2})
	if err != nil || !slices.Equal(chunkIDs(page), []string{"2", "10"}) || page[1].Index != 1 || page[0].ChunkText != "" {
		t.Errorf("the page is %+v, %v", page, err)
	}
	documents, err := v.Documents(ctx, store.Scope{}, store.Page{Offset: 1, Limit: 2})
	if err != nil || len(documents) != 2 || documents[0].ID != "a" || documents[0].ParentCount != 2 ||
		!documents[0].FetchedAt.Equal(time.Date(2024, 1, 3, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("documents are %+v, %v", documents, err)
	}
	chunks, err := v.Chunks(ctx, []string{"10", "010", "x", "", "2", "99", "10", "\xff", "1e1", "92233720368547758070"}, 0)
	if err != nil || !slices.Equal(chunkIDs(chunks), []string{"10", "2"}) {
		t.Errorf("chunks are %v, %v", chunkIDs(chunks), err)
	}
	ids, found := nearest(t, v, store.Search{Vector: unit(1, 0, 0), VectorRows: 10})
	if !slices.Equal(ids, []string{"10", "2", "6", "3", "5"}) || found.VectorScanned != 6 {
		t.Errorf("found %v: %+v", ids, found)
	}
}

// What a scope leaves is the same for every way to ask.
func TestScopes(t *testing.T) {
	t.Parallel()
	v := view(t, open(t, made(t, odd), oddName, oddMap))
	ctx := t.Context()
	depth := -1
	everything := []string{"2", "3", "4", "5", "6", "7", "10"}
	for i, c := range []struct {
		scope store.Scope
		want  []string
	}{
		{store.Scope{}, everything},
		{store.Scope{SourceURLs: []string{"a", "zz", "\x00", "\xff"}}, []string{"2", "10"}},
		{store.Scope{SourceURLs: []string{"(no source)", "c"}}, []string{"3", "4", "6", "7"}},
		{store.Scope{SourceURLs: []string{}}, everything},
		{store.Scope{DocumentIDs: []string{}}, everything},
		{store.Scope{Tags: []string{}, SourceTypes: []string{}}, everything},
		{store.Scope{DocumentIDs: []string{"c' OR true --"}}, nil},
		{store.Scope{DocumentIDs: []string{"c"}}, []string{"6", "7"}},
		{store.Scope{ExcludeDocumentIDs: []string{"a", "(no source)"}}, []string{"5", "6", "7"}},
		{store.Scope{Tags: []string{""}}, nil},
		{store.Scope{SourceTypes: []string{"web"}}, nil},
		{store.Scope{SourceTypes: []string{"web", ""}}, everything},
		{store.Scope{MaxDepth: new(int)}, everything},
		{store.Scope{MaxDepth: &depth}, nil},
		{store.Scope{Headings: []string{"ÜBER", ""}}, []string{"2"}},
		{store.Scope{Headings: []string{}}, everything},
		{store.Scope{CreatedAfter: time.Date(2024, 1, 2, 0, 0, 0, 0, time.UTC)}, []string{"3", "10"}},
		{store.Scope{CreatedAfter: time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC), CreatedBefore: time.Date(2024, 1, 2, 0, 0, 0, 1, time.UTC)}, []string{"2"}},
		{store.Scope{Meta: []store.MetaFilter{{Key: "n", Values: []string{"1"}}, {Key: "s", Values: []string{"y", "x"}}}}, []string{"2"}},
		{store.Scope{Meta: []store.MetaFilter{{Key: "n", Values: nil}, {Key: "\x00", Values: []string{}}}}, everything},
		{store.Scope{Meta: []store.MetaFilter{{Key: "none", Values: []string{"null", ""}}}}, nil},
		{store.Scope{Meta: []store.MetaFilter{{Key: "' ->> 'n", Values: []string{"1"}}}}, nil},
		{store.Scope{Meta: []store.MetaFilter{{Key: "\x1b", Values: []string{"\x1b[31m"}}}}, []string{"5"}},
	} {
		rows, err := v.Parents(ctx, c.scope, 0, store.Page{})
		ids := chunkIDs(rows)
		slices.SortFunc(ids, func(a, b string) int { return slices.Index(everything, a) - slices.Index(everything, b) })
		if err != nil || !slices.Equal(ids, c.want) {
			t.Errorf("%d: %+v leaves %v, %v, want %v", i, c.scope, ids, err, c.want)
		}
		stats, err := v.Stats(ctx, c.scope)
		if err != nil || stats.Parents != len(c.want) {
			t.Errorf("%d: %+v has %+v, %v", i, c.scope, stats, err)
		}
		within, err := v.Within(ctx, c.scope, append([]string{"99"}, everything...))
		if err != nil || len(within) != len(c.want) {
			t.Errorf("%d: within %+v are %v, %v", i, c.scope, within, err)
		}
		found, err := v.Search(ctx, store.Search{Vector: unit(1, 1, 1), VectorRows: 10, Scope: c.scope, Exact: true})
		if err != nil {
			t.Errorf("%d: %v", i, err)
		}
		var near []string
		for _, r := range found.Vector {
			near = append(near, r.ID)
		}
		for _, id := range everything {
			p, err := v.Place(ctx, store.Search{Vector: unit(1, 1, 1), Scope: c.scope}, id)
			if err != nil || (p.Absence == store.AbsentNone) != slices.Contains(c.want, id) || (p.Absence != store.AbsentNone) == (p.Condition == "") {
				t.Errorf("%d: %s is placed %+v, %v", i, id, p, err)
			}
			if at := slices.Index(near, id); at+1 != p.VectorRank && id != "7" { // 7 has no direction
				t.Errorf("%d: %s is found at %d and placed at %d", i, id, at+1, p.VectorRank)
			}
		}
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	v := view(t, open(t, made(t, odd+`INSERT INTO "My ""Schema"""."My Table; DROP TABLE x; --" ("the id", "the.text", "where's it")
		VALUES (20, 'KELVIN  ist groß', 'https://Example.org/a/#x')`), oddName, oddMap))
	for i, c := range []struct {
		q    store.FindQuery
		want []string
	}{
		{store.FindQuery{ChunkID: "10"}, []string{"10"}},
		{store.FindQuery{ChunkID: "10", Level: store.Parent}, []string{"10"}},
		{store.FindQuery{ChunkID: "10", Level: store.Child}, nil},
		{store.FindQuery{ChunkID: "ten"}, nil},
		{store.FindQuery{SourceURL: "a"}, []string{"2", "10"}},
		{store.FindQuery{SourceURL: "a#fragment"}, []string{"2", "10"}},
		{store.FindQuery{SourceURL: "http://example.org/a"}, []string{"20"}},
		{store.FindQuery{SourceURL: "http://example.org/a", Scope: store.Scope{DocumentIDs: []string{"a"}}}, nil},
		{store.FindQuery{Quote: " OF  a."}, []string{"2", "10"}},
		{store.FindQuery{Quote: "of a.", Limit: 1}, []string{"2"}},
		{store.FindQuery{Quote: "\u212aelvin ist GROß"}, []string{"20"}},
		{store.FindQuery{Quote: "%"}, nil},
		{store.FindQuery{Quote: "\x00"}, nil},
		{store.FindQuery{Quote: "words many", Scope: store.Scope{SourceURLs: []string{"c"}}}, []string{"6"}},
	} {
		chunks, total, err := v.Find(t.Context(), c.q)
		if err != nil || !slices.Equal(chunkIDs(chunks), c.want) || total < len(c.want) {
			t.Errorf("%d: %+v means %v of %d, %v, want %v", i, c.q, chunkIDs(chunks), total, err, c.want)
		}
	}
	if _, _, err := v.Find(t.Context(), store.FindQuery{ChunkID: "1", Quote: "x"}); err == nil {
		t.Error("two things can be looked for at once")
	}
}

func TestOwners(t *testing.T) {
	t.Parallel()
	dsn := made(t, odd)
	for owner, want := range map[string]int{"ann": 4, "bob": 1, "": 7, "nobody": 0, "\x00": 0, "ann' OR true --": 0} {
		s := openWith(t, dsn, Options{Table: oddName, Map: parsed(t, oddMap+",owner=who"), Owner: owner})
		stats, err := view(t, s).Stats(t.Context(), store.Scope{})
		if err != nil || stats.Parents != want {
			t.Errorf("%q sees %+v, %v, want %d rows", owner, stats, err, want)
		}
		if info := s.Info(); !info.HasOwners || info.Missing[store.CapOwners] != "" {
			t.Errorf("info is %+v", info)
		}
	}
	s := openWith(t, dsn, Options{Table: oddName, Map: parsed(t, oddMap), Owner: "ann"})
	stats, err := view(t, s).Stats(t.Context(), store.Scope{})
	if err != nil || stats.Parents != 7 || s.Info().Missing[store.CapOwners] == "" {
		t.Errorf("without a column of owners ann sees %+v, %v", stats, err)
	}
}

// Everything is asked of a table, and neither the catalog nor a row has changed.
func TestNothingIsWritten(t *testing.T) {
	t.Parallel()
	dsn := made(t, odd)
	before := webragtest.State(t, dsn)
	s := openWith(t, dsn, Options{Table: oddName, Map: parsed(t, oddMap), Sidecar: t.TempDir()})
	v := view(t, s)
	ctx := t.Context()
	for name, ask := range map[string]func() error{
		"search": func() error {
			_, err := v.Search(ctx, store.Search{Vector: unit(1, 0, 0), VectorRows: 3, Terms: []string{"word"}, KeywordRows: 5, Unindexed: true, Explain: true})
			return err
		},
		"place": func() error {
			_, err := v.Place(ctx, store.Search{Vector: unit(1, 0, 0), Terms: []string{"word"}, Unindexed: true}, "6")
			return err
		},
		"edges":    func() error { _, err := v.Edges(ctx, store.EdgeQuery{}); return err },
		"links":    func() error { _, err := v.Links(ctx, "a"); return err },
		"deleted":  func() error { _, err := v.Deleted(ctx); return err },
		"hidden":   func() error { _, err := v.Hidden(ctx); return err },
		"children": func() error { _, err := v.Children(ctx, []string{"2"}, 0); return err },
		"index":    func() error { _, err := v.VectorIndex(ctx); return err },
		"remember": func() error { return s.Remember(ctx, store.Meta{EmbedderID: "m", Dimensions: 3, Tokenizer: "w"}) },
	} {
		if err := ask(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := s.Write(ctx); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("write: %v", err)
	}
	if after := webragtest.State(t, dsn); after != before {
		t.Error("the database has changed")
	}
	// What was found out is kept beside the table, and not for another.
	again := openWith(t, dsn, Options{Table: oddName, Map: parsed(t, oddMap), Sidecar: s.opts.Sidecar})
	if m := again.Info().Meta; m.EmbedderID != "m" || m.Tokenizer != "w" {
		t.Errorf("remembered %+v", m)
	}
	if !reflect.DeepEqual(s.Info().Meta.EmbedderID, "m") {
		t.Error("the store itself forgets")
	}
}

// A view sees one state, the next one what was written and made meanwhile.
func TestChanges(t *testing.T) {
	t.Parallel()
	dsn := made(t, llamaIndex+`;DROP INDEX data_guide_embedding_idx`)
	s := open(t, dsn, "data_guide", "")
	first := view(t, s)
	if s.Info().Missing[store.CapApprox] == "" {
		t.Error("there is an index already")
	}
	pgtest.Exec(t, dsn, `INSERT INTO data_guide (text, embedding) VALUES ('New.', '[0,0,1]');
		CREATE INDEX later ON data_guide USING hnsw (embedding vector_cosine_ops)`)
	if stats, err := first.Stats(t.Context(), store.Scope{}); err != nil || stats.Parents != 3 {
		t.Errorf("the view sees %+v, %v", stats, err)
	}
	// The server counts what was written when the session that did it ends.
	counted := "SELECT pg_stat_get_tuples_inserted('data_guide'::regclass)"
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for pgtest.Value[int](t, dsn, counted) < 4 && ctx.Err() == nil {
	}
	second := view(t, s)
	if x, err := second.VectorIndex(t.Context()); err != nil || x.Name != "later" || s.Info().Missing[store.CapApprox] != "" {
		t.Errorf("the index is %+v, %v", x, err)
	}
	if stats, err := second.Stats(t.Context(), store.Scope{}); err != nil || stats.Parents != 4 || first.Version() == second.Version() {
		t.Errorf("the next view sees %+v, %v, version %d after %d", stats, err, second.Version(), first.Version())
	}
}

func TestFirstWords(t *testing.T) {
	long := strings.Repeat("word ", 30)
	for text, want := range map[string]string{
		"":                              "",
		" \n\t":                         "",
		"## Depth  decay\n\nEvery page": "“Depth decay Every page”",
		"a\xffb":                        "“ab”",
		long:                            "“" + strings.TrimSpace(long[:59]) + "…”",
	} {
		if got := firstWords(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
