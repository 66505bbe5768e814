package ann

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/store"
)

func TestSettings(t *testing.T) {
	for _, c := range []struct {
		set  indexSettings
		x    *Index
		want string
	}{
		{
			indexSettings{ef: 40, iterative: store.IterativeOff},
			&Index{Name: "i", Method: MethodHNSW},
			"SET LOCAL hnsw.ef_search TO 40;SET LOCAL hnsw.iterative_scan TO off;",
		},
		{
			indexSettings{},
			&Index{Name: "i", Method: MethodHNSW},
			"SET LOCAL hnsw.ef_search TO DEFAULT;SET LOCAL hnsw.iterative_scan TO off;",
		},
		{
			indexSettings{ef: 1000, iterative: store.IterativeStrict},
			&Index{Name: "i", Method: MethodHNSW},
			"SET LOCAL hnsw.ef_search TO 1000;SET LOCAL hnsw.iterative_scan TO strict_order;SET LOCAL hnsw.max_scan_tuples TO DEFAULT;",
		},
		{
			indexSettings{ef: 400, iterative: store.IterativeRelaxed, bounded: true, forced: true},
			&Index{Name: "i", Method: MethodHNSW, Distributed: true},
			"SET LOCAL citus.propagate_set_commands TO 'local';SET LOCAL plan_cache_mode TO force_custom_plan;SET LOCAL random_page_cost TO 1.1;" +
				"SET LOCAL enable_sort TO off;SET LOCAL hnsw.ef_search TO 400;SET LOCAL hnsw.iterative_scan TO relaxed_order;SET LOCAL hnsw.max_scan_tuples TO 20000;",
		},
		{
			indexSettings{ef: 40, iterative: store.IterativeRelaxed},
			&Index{Name: "i", Method: MethodIVFFlat},
			"SET LOCAL ivfflat.iterative_scan TO relaxed_order;",
		},
	} {
		settings, err := c.set.list(c.x)
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
		settings, err := set.list(&Index{Method: MethodHNSW})
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
	for _, c := range []struct {
		name        string
		distributed bool
		line, want  string
	}{
		{"i", false, "  ->  Index Scan using i on chunks c  (cost=1..2 rows=1)", "i"},
		{"i", false, "  ->  Index Scan using i_102 on chunks c", ""},
		{"i", true, "  ->  Index Scan using i_102 on chunks_102 c", "i_102"},
		{"i", true, "  ->  Index Scan using i_old on chunks_102 c", ""},
		{`odd "name" on`, false, `Index Scan using "odd ""name"" on" on chunks`, `odd "name" on`},
		{"i", false, "  Filter: (x = 'Index Scan using i')", ""},
		{"i", false, "Seq Scan on i", ""},
		{"", false, "Index Scan using chunks_pkey on chunks", ""},
	} {
		x := Index{Name: c.name, Distributed: c.distributed}
		if got := x.used([]string{"Limit", c.line}); got != c.want {
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
		{MethodHNSW, nil, []store.Setting{{Name: "m", Value: "16"}, {Name: "ef_construction", Value: "64"}}},
		{MethodHNSW, []string{"ef_construction=200", "fillfactor=90"}, []store.Setting{{Name: "m", Value: "16"}, {Name: "ef_construction", Value: "200"}}},
		{MethodIVFFlat, []string{"lists=7"}, []store.Setting{{Name: "lists", Value: "7"}}},
	} {
		if got := buildOptions(c.method, c.given); !slices.Equal(got, c.want) {
			t.Errorf("%s %v has %v, want %v", c.method, c.given, got, c.want)
		}
	}
}
