package postgres

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/jackc/pgx/v5"
	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/store"
)

// pages is the SQL of n pages of a corpus, each of two sections with two passages
// each: the i-th page is https://x.example/<i>.
func pages(n int) string {
	return fmt.Sprintf(`; INSERT INTO documents (id, source_url, url, url_aliases, source_type, title, metadata, tags, fetched_at, current_ingestion_id,
		depth, token_count, parent_count, child_count, term_rows, term_length, changed)
	SELECT ('00000000-0000-5000-8000-' || lpad(i::text, 12, '0'))::uuid, 'https://x.example/' || i, 'https://x.example/?page=' || i,
		ARRAY['https://alias.example/' || i %% 7], 'web', 'Page ' || i, jsonb_build_object('module', (i %% 3)::text), ARRAY['a', 'b' || i %% 2],
		timestamptz '2026-03-01 12:00:00.000001Z' + i * interval '1 day', 'one', i %% 3, 12, 2, 4, 0, 0, 1
	FROM generate_series(1, %d) i
	; INSERT INTO addresses (document_id, key, rank) SELECT id, source_url, 0 FROM documents
	; INSERT INTO addresses (document_id, key, rank) SELECT id, replace(url, '/?', '?'), 1 FROM documents
	; INSERT INTO addresses (document_id, key, rank) SELECT id, url_aliases[1], 2 FROM documents
	; INSERT INTO chunks (id, document_id, parent_id, chunk_level, chunk_index, section_heading, heading_path, chunk_text,
		has_table, has_code, has_math, has_definition_list, has_admonition, has_steps, has_image, cont,
		char_start, char_end, token_start, token_end, depth, source_url, ingestion_id)
	SELECT ('10000000-0000-5000-800' || s || '-' || right(d.id::text, 12))::uuid, d.id, NULL, 'parent', s, 'Part ' || s, ARRAY['Über', 'Part ' || s],
		repeat('text', 5), false, false, false, false, false, false, false, false, 20 * s, 20 * s + 20, 6 * s, 6 * s + 6, d.depth, d.source_url, 'one'
	FROM documents d, generate_series(0, 1) s
	; INSERT INTO chunks (id, document_id, parent_id, chunk_level, chunk_index, section_heading, chunk_text, html_text,
		has_table, has_code, has_math, has_definition_list, has_admonition, has_steps, has_image, cont,
		char_start, char_end, token_start, token_end, depth, source_url, ingestion_id, embedding)
	SELECT ('2000000' || k || '-0000-5000-' || right(p.id::text, 17))::uuid, p.document_id, p.id, 'child', k, 'Deeper', 'texttextte', repeat('x', 1000),
		false, false, false, false, false, false, false, false, p.char_start + 10 * k, p.char_start + 10 * k + 10, p.token_start + 3 * k, p.token_start + 3 * k + 3,
		p.depth, p.source_url, 'one', '[1,0,0]'
	FROM chunks p, generate_series(0, 1) k WHERE p.chunk_level = 'parent'
	; ANALYZE`, n)
}

// checkCounts checks that all reads agree on how many documents a scope has; each has
// two sections and four passages, or one and two below a heading.
func checkCounts(t *testing.T, v *View, scope store.Scope, documents int) {
	t.Helper()
	sections := 2
	if len(scope.Headings) > 0 {
		sections = 1
	}
	want := store.Stats{Documents: documents, Parents: sections * documents, Children: 2 * sections * documents, Tokens: 6 * sections * documents}
	if got, err := v.Stats(t.Context(), scope); err != nil || got != want {
		t.Errorf("Stats(%+v) = %+v, %v, want %+v", scope, got, err, want)
	}
	if got, err := v.Documents(t.Context(), scope, store.Page{}); err != nil || len(got) != documents {
		t.Errorf("Documents(%+v) are %d, %v, want %d", scope, len(got), err, documents)
	}
	parents, err := v.Parents(t.Context(), scope, 0, store.Page{})
	if err != nil || len(parents) != want.Parents {
		t.Errorf("Parents(%+v) are %d, %v, want %d", scope, len(parents), err, want.Parents)
	}
	children, err := v.Children(t.Context(), chunkIDs(parents), 0)
	if err != nil || len(children) != want.Children {
		t.Errorf("the children in %+v are %d, %v, want %d", scope, len(children), err, want.Children)
	}
	if got, err := v.Within(t.Context(), scope, chunkIDs(append(children, parents...))); err != nil || len(got) != want.Children+want.Parents {
		t.Errorf("Within(%+v) are %d, %v, want %d", scope, len(got), err, want.Children+want.Parents)
	}
	if _, _, err := v.Find(t.Context(), store.FindQuery{Quote: "nowhere", Scope: scope}); err != nil {
		t.Errorf("Find in %+v: %v", scope, err)
	}
	for _, most := range []int{want.Children + 1, want.Children, 1} {
		n, err := v.scopeCount(t.Context(), v.reading.Tx(), scope, most)
		if err != nil || n != min(most, want.Children) {
			t.Errorf("scopeCount(%+v, %d) = %d, %v, want %d", scope, most, n, err, min(most, want.Children))
		}
	}
}

// Whatever a scope's values are, they are values: none ends a literal, stands for
// others, or makes a statement fail.
func TestHostileScopes(t *testing.T) {
	t.Parallel()
	v := view(t, open(t, made(t, ownSchema()+vectors3+pages(6)), Options{}))
	checkCounts(t, v, store.Scope{}, 6)
	for _, hostile := range []string{
		"'", "''", `"`, `\`, `\'`, "%", "_", "https://x.example/_", "https://x.example/%", "$1", "$2::text", "x' OR true --", "/*", ";", "{}", "{a,b}", "NULL", "null",
		"\x00", "a\x00", "https://x.example/1\x00", "\xff", "\xc3\x28", "\ufffd", "\U0010ffff", "\u202e", strings.Repeat("x", 10000), " ", "\n",
	} {
		for _, scope := range []store.Scope{
			{SourceURLs: []string{hostile}},
			{DocumentIDs: []string{hostile}},
			{Tags: []string{hostile}},
			{Meta: []store.MetaFilter{{Key: store.MetaModule, Values: []string{hostile}}}},
			{Meta: []store.MetaFilter{{Key: hostile, Values: []string{"", "1", hostile}}}},
			{SourceTypes: []string{hostile}},
			{Headings: []string{hostile}},
		} {
			checkCounts(t, v, scope, 0)
		}
		checkCounts(t, v, store.Scope{ExcludeDocumentIDs: []string{hostile}}, 6)
		for _, q := range []store.FindQuery{{ChunkID: hostile}, {SourceURL: hostile}, {SourceURL: "https://x.example/1#" + hostile, Scope: store.Scope{Tags: []string{hostile}}}, {Quote: hostile}} {
			if got, n, err := v.Find(t.Context(), q); err != nil || n != 0 {
				t.Errorf("Find(%+v) = %v, %d, %v", q, got, n, err)
			}
		}
		if got, err := v.Chunks(t.Context(), []string{hostile}, 0); err != nil || len(got) != 0 {
			t.Errorf("Chunks(%q) = %v, %v", hostile, got, err)
		}
		if got, err := v.Links(t.Context(), hostile); err != nil || len(got) != 0 {
			t.Errorf("Links(%q) = %v, %v", hostile, got, err)
		}
		v.store.opts.Owner = hostile
		checkCounts(t, v, store.Scope{}, 0)
		v.store.opts.Owner = ""
	}
}

func TestExtremeScopes(t *testing.T) {
	t.Parallel()
	v := view(t, open(t, made(t, ownSchema()+vectors3+pages(6)+"; UPDATE documents SET url = NULL, source_type = NULL WHERE depth = 0"), Options{}))
	depth := func(n int) *int { return &n }
	first := time.Date(2026, 3, 2, 12, 0, 0, 1000, time.UTC)
	for _, c := range []struct {
		scope     store.Scope
		documents int
	}{
		{store.Scope{MaxDepth: depth(math.MaxInt)}, 6},
		{store.Scope{MaxDepth: depth(math.MinInt)}, 0},
		{store.Scope{MaxDepth: depth(0)}, 2},
		{store.Scope{CreatedAfter: time.Unix(math.MaxInt64>>2, 0)}, 0},
		{store.Scope{CreatedBefore: time.Unix(math.MaxInt64>>2, 0)}, 6},
		{store.Scope{CreatedAfter: time.Unix(math.MinInt64>>2, 0)}, 6},
		{store.Scope{CreatedBefore: time.Unix(math.MinInt64>>2, 0)}, 0},
		{store.Scope{CreatedBefore: first}, 0},
		{store.Scope{CreatedBefore: first.Add(time.Nanosecond)}, 1},
		{store.Scope{CreatedAfter: first.Add(-time.Nanosecond)}, 6},
		{store.Scope{CreatedAfter: first}, 5},
		{store.Scope{SourceURLs: []string{""}}, 2},
		{store.Scope{SourceURLs: []string{"", "https://x.example/1"}}, 3},
		{store.Scope{SourceURLs: []string{"https://x.example/1", "https://x.example/?page=2", "https://alias.example/4"}}, 3},
		{store.Scope{SourceURLs: []string{"https://X.example/1", "http://x.example/1", "https://x.example/1/"}}, 0},
		{store.Scope{SourceTypes: []string{""}}, 2},
		{store.Scope{SourceTypes: []string{"", "web"}}, 6},
		{store.Scope{Headings: []string{"ÜBER"}}, 6},
		{store.Scope{Headings: []string{"pART 1", "nothing"}}, 6},
		{store.Scope{Headings: []string{"deeper"}}, 0},
	} {
		if len(c.scope.Headings) > 0 && strings.EqualFold(c.scope.Headings[0], "über") {
			got, err := v.Stats(t.Context(), c.scope)
			if want := (store.Stats{Documents: 6, Parents: 12, Children: 24, Tokens: 72}); err != nil || got != want {
				t.Errorf("Stats(%+v) = %+v, %v, want %+v", c.scope, got, err, want)
			}
			continue
		}
		checkCounts(t, v, c.scope, c.documents)
	}
}

// A letter is written small exactly as strings.ToLower does it.
func TestCapitals(t *testing.T) {
	t.Parallel()
	if from, to := capitals([]string{"bä"}); from != "BÄ" || to != "bä" {
		t.Errorf("capitals = %q, %q", from, to)
	}
	all := make([]rune, 0, 2000)
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if l := unicode.ToLower(r); l != r {
			all = append(all, l)
			if unicode.ToLower(l) != l {
				t.Errorf("%c becomes %c, which becomes %c", r, l, unicode.ToLower(l))
			}
		}
	}
	from, to := capitals([]string{string(all)})
	small := make(map[rune]rune)
	for i, r := range []rune(from) {
		small[r] = []rune(to)[i]
	}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if l, ok := small[r]; ok != (unicode.ToLower(r) != r) || ok && l != unicode.ToLower(r) {
			t.Fatalf("%U becomes %U, want %U", r, l, unicode.ToLower(r))
		}
	}
}

func TestHeadingsCompareAsInGo(t *testing.T) {
	t.Parallel()
	v := view(t, open(t, made(t, ownSchema()+vectors3), Options{}))
	letters := rapid.StringOfN(rapid.RuneFrom([]rune("aAbBkKKiIİıüÜßẞǅǆǄσςΣ日'\\ ")), 1, 4, -1)
	rapid.Check(t, func(rt *rapid.T) {
		heading, wanted := letters.Draw(rt, "heading"), letters.Draw(rt, "wanted")
		if rapid.Bool().Draw(rt, "same") {
			wanted = strings.ToUpper(heading)
		}
		var p params
		condition := v.underHeading(&p, "s", []string{wanted})
		var got bool
		err := v.reading.Tx().QueryRow(t.Context(), "SELECT coalesce("+condition+", false) FROM (SELECT NULL::text AS section_heading, ARRAY[NULL, "+p.add(heading)+"::text] AS heading_path) s", p...).Scan(&got)
		// Not strings.EqualFold, which takes more letters for the same.
		is, asked := strings.ToLower(heading), strings.ToLower(wanted)
		if err != nil || got != (is == asked) {
			rt.Fatalf("%q is under %q: %v, %v, want %v", heading, wanted, got, err, is == asked)
		}
	})
}

// plan returns how a statement would be run.
func plan(t *testing.T, v *View, query string, p params) string {
	t.Helper()
	rows, err := v.reading.Tx().Query(t.Context(), "EXPLAIN (COSTS OFF) "+query, p...)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}

// What names pages reads those pages, not the corpus.
func TestPlansOfScopes(t *testing.T) {
	t.Parallel()
	v := view(t, open(t, made(t, ownSchema()+vectors3+pages(2000)), Options{}))
	urls := make([]string, 100)
	for i := range urls {
		urls[i] = fmt.Sprintf("https://x.example/%d", 20*i+1)
	}
	for name, scope := range map[string]store.Scope{
		"one page": {SourceURLs: urls[:1]}, "5 % of the pages": {SourceURLs: urls}, "an alias": {SourceURLs: []string{"https://x.example/?page=7"}},
	} {
		if err := v.settle(t.Context(), v.reading.Tx(), scope); err != nil {
			t.Fatal(err)
		}
		var p params
		conditions := append(v.visibleChunk(&p), v.scopedChunk(&p, scope)...)
		conditions = append(conditions, "c.chunk_level = 'child'")
		got := plan(t, v, "SELECT count(*) FROM "+v.layout.chunksFrom()+" WHERE "+all(conditions), p)
		if strings.Contains(got, "Seq Scan on chunks") {
			t.Errorf("%s:\n%.2000s", name, got)
		}
		p = nil
		got = plan(t, v, "SELECT sum(d.child_count) FROM documents d WHERE "+v.inScope(&p, scope), p)
		if strings.Contains(got, "Seq Scan") {
			t.Errorf("counting %s:\n%.2000s", name, got)
		}
	}
	var p params
	if got := plan(t, v, "SELECT "+v.layout.chunkColumns(0)+" FROM "+v.layout.chunksFrom()+" WHERE c.chunk_level = 'parent' ORDER BY "+readingOrder+bounds(store.Page{Limit: 50}), p); !strings.Contains(got, "chunks_order_idx") {
		t.Errorf("a listing of sections:\n%s", got)
	}
	if got := plan(t, v, "SELECT "+v.layout.documentColumns()+" FROM documents d ORDER BY "+listingOrder+bounds(store.Page{Limit: 50}), p); !strings.Contains(got, "documents_order_idx") {
		t.Errorf("a listing of documents:\n%s", got)
	}
}
