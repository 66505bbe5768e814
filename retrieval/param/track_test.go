package param_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/param/paramtest"
)

func specOf(t testing.TB, field string) param.Spec {
	t.Helper()
	s, ok := param.SpecOf(field)
	if !ok {
		t.Fatalf("no parameter %s", field)
	}
	return s
}

// What differs, set, makes one of the other.
func TestDiffering(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		specs := param.Specs()
		from, _ := param.Preset(param.PresetWebRAG)
		p := from
		for range rapid.IntRange(0, 4).Draw(t, "changes") {
			p = paramtest.Draw(t, p, rapid.SampledFrom(specs).Draw(t, "parameter"))
		}
		differing := p.Differing(from)
		if (differing == nil) != (p == from) || len(differing) > 4 {
			t.Fatalf("%d differ: %v", len(differing), differing)
		}
		for field, value := range differing {
			if from.Get(field) == value {
				t.Errorf("%s does not differ", field)
			}
			if err := from.Set(field, value); err != nil {
				t.Fatal(err)
			}
		}
		if from != p {
			t.Errorf("with %v it is %+v, want %+v", differing, from, p)
		}
	})
}

func TestPositions(t *testing.T) {
	for _, c := range []struct{ field, starts, ends string }{
		{"similarity_floor", "-1 0 0.01 0.02", "0.99 1"},
		{"keyword_weight", "0 0.05 0.1", "0.95 1"},
		{"top_k_children_limit", "1 2 3 4 5 6 7 8 9 10 11 12 13 15 16", "800 900 1000 0"},
		{"context_budget", "250 500 750 1000 1250 1500 1750 2000 2250 2500 2750 3000 3500", "160000 180000 200000 2147483647"},
		{"dedup_threshold", "0.5 0.51", "1 0"},
		{"max_hops", "0 1 2 3 4", "4"},
		{"mode", "auto full_context chunk", "chunk"},
		{"bidirectional", "false true", "true"},
	} {
		s := specOf(t, c.field)
		got := strings.Join(s.Positions(), " ")
		if !strings.HasPrefix(got, c.starts) || !strings.HasSuffix(got, c.ends) {
			t.Errorf("%s: %s", c.field, got)
		}
	}
}

func TestWalk(t *testing.T) {
	for _, c := range []struct {
		field, from string
		by          int
		want        string
	}{
		{"similarity_floor", "0.3", 1, "0.31"},
		{"similarity_floor", "0.3", -1, "0.29"},
		{"similarity_floor", "0", -1, "-1"},
		{"similarity_floor", "-1", -1, "-1"},
		{"similarity_floor", "0.305", 1, "0.31"},
		{"similarity_floor", "0.305", -1, "0.3"},
		{"similarity_floor", "0.305", 2, "0.32"},
		{"similarity_floor", "-0.5", -1, "-1"},
		{"top_k", "100", 1, "0"},
		{"top_k", "0", 1, "0"},
		{"top_k", "0", -1, "100"},
		{"top_k", "500", -1, "100"},
		{"rrf_k", "500", 1, "500"},
		{"rrf_k", "0", -1, "0"},
		{"rrf_k", "0", 1, "1"},
		{"context_budget", "40000", 1, "45000"},
		{"context_budget", "40000", -100, "250"},
		{"mode", "auto", 1, "full_context"},
		{"mode", "auto", -1, "auto"},
		{"hop_decay", "0.3,0.2", 1, "1"},
		{"hop_decay", "0.3,0.2", -1, "1,1,1"},
		{"mode", "auto", 0, "auto"},
	} {
		p, _ := param.Preset(param.PresetWebRAG)
		if err := p.Set(c.field, c.from); err != nil {
			t.Fatal(err)
		}
		s := specOf(t, c.field)
		if got := s.Walk(p, c.by); got != c.want {
			t.Errorf("%s: %+d from %s is %s, want %s", c.field, c.by, c.from, got, c.want)
		}
	}
}

// Every position is accepted and reads back as it is; they ascend on the track; a
// step leads from each to the next and back.
func TestPositionsAreValues(t *testing.T) {
	for _, s := range param.Specs() {
		p, _ := param.Preset(param.PresetWebRAG)
		list := s.Positions()
		last := -1.0
		for i, value := range list {
			if err := p.Set(s.Field, value); err != nil {
				t.Fatal(err)
			}
			if got := p.Get(s.Field); got != value {
				t.Errorf("%s: set %s, got %s", s.Field, value, got)
			}
			if want := list[min(i+1, len(list)-1)]; s.Walk(p, 1) != want {
				t.Errorf("%s: after %s comes %s, want %s", s.Field, value, s.Walk(p, 1), want)
			}
			if want := list[max(i-1, 0)]; s.Walk(p, -1) != want {
				t.Errorf("%s: before %s comes %s, want %s", s.Field, value, s.Walk(p, -1), want)
			}
			if place := s.Place(value); place < last || place < 0 || place > 1 {
				t.Errorf("%s: %s stands at %v after %v", s.Field, value, place, last)
			} else {
				last = place
			}
		}
		if n := len(list); s.Coarse() < 1 || s.Coarse() > n || n > 1 && slices.Compact(slices.Clone(list))[n-1] != list[n-1] {
			t.Errorf("%s: coarse %d of %d", s.Field, s.Coarse(), n)
		}
	}
}

// A step never leads out of the range, nor against its direction.
func TestWalkStaysOnTheTrack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.SampledFrom(param.Specs()).Draw(t, "field")
		p, _ := param.Preset(param.PresetWebRAG)
		p = paramtest.Draw(t, p, s)
		by := rapid.IntRange(-30, 30).Draw(t, "by")
		to := p
		if err := to.Set(s.Field, s.Walk(p, by)); err != nil {
			t.Fatal(err)
		}
		if s.Kind != param.KindFloat && s.Kind != param.KindInt {
			return
		}
		if a, b := s.Place(p.Get(s.Field)), s.Place(to.Get(s.Field)); by > 0 && b < a || by < 0 && b > a {
			t.Fatalf("%s: %+d leads from %s to %s", s.Field, by, p.Get(s.Field), to.Get(s.Field))
		}
	})
}

func TestAt(t *testing.T) {
	for _, c := range []struct {
		field string
		place float64
		want  string
	}{
		{"similarity_floor", 0.304, "0.3"},
		{"similarity_floor", 0, "-1"},
		{"top_k", 1, "100"},
		{"rrf_k", 0.5, "15"},
		{"mode", 0.6, "full_context"},
		{"bidirectional", 0.9, "true"},
	} {
		s := specOf(t, c.field)
		if got := s.At(c.place); got != c.want {
			t.Errorf("%s at %v is %s, want %s", c.field, c.place, got, c.want)
		}
	}
}

func usedIn(p param.Params, field string) bool {
	s, ok := param.SpecOf(field)
	return ok && s.UsedIn(&p)
}

func TestUses(t *testing.T) {
	for _, c := range []struct{ preset, uses, not string }{
		{"webrag", "similarity_floor depth_decay_rate depth_floor context_budget top_k_children_limit reach mode", "keyword_weight rrf_k max_hops dedup_threshold top_k recency_half_life overfetch"},
		{"hybrid", "keyword_weight rrf_k top_k overfetch", "depth_floor similarity_floor max_hops"},
		{"graph", "max_hops seed_top_k hop_decay", "keyword_match full_context_threshold"},
	} {
		p, _ := param.Preset(c.preset)
		for _, field := range strings.Fields(c.uses) {
			if !usedIn(p, field) {
				t.Errorf("%s does not use %s", c.preset, field)
			}
		}
		for _, field := range strings.Fields(c.not) {
			if usedIn(p, field) {
				t.Errorf("%s uses %s", c.preset, field)
			}
		}
	}
}
