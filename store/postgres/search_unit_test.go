package postgres

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/store"
)

func onServer(x vectorIndex, citus string) *layout {
	return &layout{vector: vectorColumn{dims: 3, kind: "vector", index: x}, server: server{citus: citus}}
}

func TestSettings(t *testing.T) {
	hnsw := vectorIndex{name: "i", method: methodHNSW}
	for _, c := range []struct {
		set  indexSettings
		l    *layout
		want string
	}{
		{
			indexSettings{ef: 40, iterative: store.IterativeOff},
			onServer(hnsw, ""),
			"SET LOCAL hnsw.ef_search TO 40;SET LOCAL hnsw.iterative_scan TO off;",
		},
		{
			indexSettings{},
			onServer(hnsw, ""),
			"SET LOCAL hnsw.ef_search TO DEFAULT;SET LOCAL hnsw.iterative_scan TO off;",
		},
		{
			indexSettings{ef: 1000, iterative: store.IterativeStrict},
			onServer(hnsw, ""),
			"SET LOCAL hnsw.ef_search TO 1000;SET LOCAL hnsw.iterative_scan TO strict_order;SET LOCAL hnsw.max_scan_tuples TO DEFAULT;",
		},
		{
			indexSettings{ef: 400, iterative: store.IterativeRelaxed, bounded: true, forced: true},
			onServer(hnsw, "13.0"),
			"SET LOCAL citus.propagate_set_commands TO 'local';SET LOCAL plan_cache_mode TO force_custom_plan;SET LOCAL random_page_cost TO 1.1;" +
				"SET LOCAL enable_sort TO off;SET LOCAL hnsw.ef_search TO 400;SET LOCAL hnsw.iterative_scan TO relaxed_order;SET LOCAL hnsw.max_scan_tuples TO 20000;",
		},
		{
			indexSettings{ef: 40, iterative: store.IterativeRelaxed},
			onServer(vectorIndex{name: "i", method: methodIVFFlat}, ""),
			"SET LOCAL ivfflat.iterative_scan TO relaxed_order;",
		},
	} {
		settings, err := c.set.list(c.l)
		if got := statements(settings); err != nil || got != c.want {
			t.Errorf("%+v are\n%s, %v, want\n%s", c.set, got, err, c.want)
		}
		for _, s := range chosen(settings) {
			if s.Value == settingDefault || strings.Contains(s.Value, "'") {
				t.Errorf("%+v is told", s)
			}
		}
	}
}

// Whatever is asked for, what is sent are words of a fixed list and numbers in
// range.
func TestSettingsHoldNothingElse(t *testing.T) {
	words := []string{"off", "strict_order", "relaxed_order", settingDefault}
	rapid.Check(t, func(t *rapid.T) {
		set := indexSettings{
			ef:        rapid.IntRange(-2000, 2000).Draw(t, "ef"),
			iterative: store.Iterative(rapid.SampledFrom([]string{"", "off", "strict", "relaxed", "off;", "'"}).Draw(t, "iterative")),
			bounded:   rapid.Bool().Draw(t, "bounded"),
		}
		settings, err := set.list(onServer(vectorIndex{method: methodHNSW}, ""))
		if sound := set.ef >= 0 && set.ef <= 1000 && !strings.ContainsAny(string(set.iterative), ";'"); sound != (err == nil) {
			t.Fatalf("%+v: %v", set, err)
		}
		for _, s := range settings {
			if number := strings.Trim(s.Value, "0123456789") == ""; !number && !slices.Contains(words, s.Value) {
				t.Fatalf("%+v sets %+v", set, s)
			}
		}
	})
}

func TestTheFormOfAnIndex(t *testing.T) {
	v := &View{store: &Store{}, layout: &layout{schema: "public", foreign: true}}
	for _, c := range []struct {
		vector vectorColumn
		want   string
	}{
		{
			vectorColumn{dims: 3, kind: "vector", index: vectorIndex{expression: "embedding", queryType: "vector", predicate: "(chunk_level = 'child'::text)"}},
			"SELECT c.id::text, coalesce(c.parent_id::text, ''), c.document_id::text, c.embedding <=> $1::vector, true FROM public.chunks c" +
				" WHERE c.chunk_level = 'child' AND c.embedding IS NOT NULL AND (chunk_level = 'child'::text) AND CASE WHEN true AND true THEN true ELSE false END" +
				" ORDER BY c.embedding <=> $1::vector LIMIT $2",
		},
		{
			vectorColumn{dims: 3, kind: "vector", index: vectorIndex{expression: "(embedding::halfvec(3))", queryType: "halfvec(3)"}},
			"SELECT c.id::text, coalesce(c.parent_id::text, ''), c.document_id::text, c.embedding <=> $1::vector, true FROM public.chunks c" +
				" WHERE c.chunk_level = 'child' AND c.embedding IS NOT NULL AND CASE WHEN true AND true THEN true ELSE false END" +
				" ORDER BY (embedding::halfvec(3)) <=> $1::vector::halfvec(3) LIMIT $2",
		},
		{
			vectorColumn{dims: 3, kind: "halfvec", index: vectorIndex{expression: "embedding", queryType: "halfvec"}},
			"SELECT c.id::text, coalesce(c.parent_id::text, ''), c.document_id::text, c.embedding <=> $1::vector::halfvec(3), true FROM public.chunks c" +
				" WHERE c.chunk_level = 'child' AND c.embedding IS NOT NULL AND CASE WHEN true AND true THEN true ELSE false END" +
				" ORDER BY c.embedding <=> $1::vector::halfvec LIMIT $2",
		},
	} {
		v.layout.vector = c.vector
		q := v.nearest([]float32{1, 0, 0}, store.Scope{}, 60, false)
		if q.sql != c.want || len(q.args) != 2 || q.args[1] != 60 {
			t.Errorf("%+v\nis asked\n%s\nwant\n%s", c.vector, q.sql, c.want)
		}
	}
}

// An index that is to be used is asked with nothing beside the conditions of its
// own that the planner could estimate.
func TestAForcedSearchHidesTheScope(t *testing.T) {
	v := &View{store: &Store{opts: Options{Owner: "ann"}}, layout: &layout{schema: "public", vector: vectorColumn{dims: 3, kind: "vector"}}}
	scope := store.Scope{DocumentIDs: []string{"00000000-0000-0000-0000-000000000001"}}
	for forced, want := range map[bool]string{
		true:  "c.embedding IS NOT NULL AND CASE WHEN d.owner = $2 AND ",
		false: "c.embedding IS NOT NULL AND d.owner = $2 AND ",
	} {
		q := v.nearest([]float32{1, 0, 0}, scope, 10, forced)
		if !strings.Contains(q.sql, want) {
			t.Errorf("forced: %v\n%s", forced, q.sql)
		}
		if inside := strings.Index(q.sql, "c.document_id = ANY") > strings.Index(q.sql, "CASE"); inside != forced {
			t.Errorf("forced: %v, the scope is hidden: %v\n%s", forced, inside, q.sql)
		}
	}
}

// Every table of chunks that a search names is joined by its document.
func TestEveryStatementCarriesTheDocument(t *testing.T) {
	v := &View{store: &Store{opts: Options{Owner: "ann"}}, layout: &layout{
		schema: "public", vector: vectorColumn{dims: 3, kind: "vector"},
		documents: map[string]bool{"url": true, "tags": true}, chunks: map[string]bool{"heading_path": true},
	}}
	q := []float32{1, 0, 0}
	scope := store.Scope{SourceURLs: []string{"'; DROP TABLE chunks; --"}, Headings: []string{`"'`}, Tags: []string{"$1"}}
	for name, s := range map[string]statement{
		"nearest": v.nearest(q, scope, 10, false), "forced": v.nearest(q, scope, 10, true),
		"exactly": v.exactly(q, scope, 10), "whole": v.exactlyWhole(q, scope, 10), "count": v.count(scope),
		"before": v.before(&store.Search{Vector: q, Scope: scope}, .5, "00000000-0000-0000-0000-000000000001"),
	} {
		for i, part := range strings.Split(s.sql, "chunks ")[1:] {
			if !strings.Contains(part, "document_id") {
				t.Errorf("%s: chunks %d without a document in\n%s", name, i, s.sql)
			}
		}
		if strings.Contains(s.sql, "DROP") || strings.Contains(s.sql, "ann'") || strings.Contains(s.sql, `"'`) {
			t.Errorf("%s holds a value:\n%s", name, s.sql)
		}
	}
}

func TestWithMissed(t *testing.T) {
	row := func(id string, similarity float64) store.VectorRow {
		return store.VectorRow{ID: id, Similarity: similarity}
	}
	got := withMissed(
		[]store.VectorRow{row("b", .8), row("e", .5), row("f", .1)},
		[]store.VectorRow{row("a", .9), row("b", .8), row("c", .8), row("d", .7), row("e", .5)}, 5)
	var names []string
	for _, r := range got {
		name := r.ID
		if r.Missed {
			name += "!"
		}
		names = append(names, name)
	}
	if want := "a! b c! e f"; strings.Join(names, " ") != want {
		t.Errorf("rows are %v, want %s", names, want)
	}
}

func TestRecall(t *testing.T) {
	rows := func(similarities ...float64) (rows []store.VectorRow) {
		for _, s := range similarities {
			rows = append(rows, store.VectorRow{Similarity: s})
		}
		return rows
	}
	for _, c := range []struct {
		found, exact []store.VectorRow
		want         float64
	}{
		{rows(.9, .7, .5, .4), rows(.9, .8, .7, .5), .75},
		{rows(.9, .5, .5, .5), rows(.9, .5), 1}, // as near as the last
		{rows(), rows(.9), 0},
		{rows(), rows(), 1},
	} {
		if got := recall(c.found, c.exact); got != c.want {
			t.Errorf("recall is %v, want %v", got, c.want)
		}
	}
}

func TestUsedIndex(t *testing.T) {
	for _, c := range []struct{ name, citus, line, want string }{
		{"i", "", "  ->  Index Scan using i on chunks c  (cost=1..2 rows=1)", "i"},
		{"i", "", "  ->  Index Scan using i_102 on chunks c", ""},
		{"i", "13", "  ->  Index Scan using i_102 on chunks_102 c", "i_102"},
		{"i", "13", "  ->  Index Scan using i_old on chunks_102 c", ""},
		{`odd "name" on`, "", `Index Scan using "odd ""name"" on" on chunks`, `odd "name" on`},
		{"i", "", "  Filter: (x = 'Index Scan using i')", ""},
		{"i", "", "Seq Scan on i", ""},
		{"", "", "Index Scan using chunks_pkey on chunks", ""},
	} {
		if got := onServer(vectorIndex{name: c.name}, c.citus).usedIndex([]string{"Limit", c.line}); got != c.want {
			t.Errorf("%q uses %q, want %q", c.line, got, c.want)
		}
	}
}

func TestPlanLine(t *testing.T) {
	for line, want := range map[string]string{
		"Order By: (embedding <=> '[0.1,-2e-05]'::vector)": "Order By: (embedding <=> '[…]'::vector)",
		"Filter: (url = '\x1b[31m\u202e')":                 "Filter: (url = '\uFFFD[31m\uFFFD')",
		strings.Repeat("é", 301):                           strings.Repeat("é", 300) + "…",
	} {
		if got := planLine(line); got != want {
			t.Errorf("%q becomes %q, want %q", line, got, want)
		}
	}
}

func TestBuildOptions(t *testing.T) {
	for _, c := range []struct {
		method string
		given  []string
		want   []store.Setting
	}{
		{methodHNSW, nil, []store.Setting{{Name: "m", Value: "16"}, {Name: "ef_construction", Value: "64"}}},
		{methodHNSW, []string{"ef_construction=200", "fillfactor=90"}, []store.Setting{{Name: "m", Value: "16"}, {Name: "ef_construction", Value: "200"}}},
		{methodIVFFlat, []string{"lists=7"}, []store.Setting{{Name: "lists", Value: "7"}}},
	} {
		if got := buildOptions(c.method, c.given); !slices.Equal(got, c.want) {
			t.Errorf("%s %v has %v, want %v", c.method, c.given, got, c.want)
		}
	}
}
