package retrieval_test

import (
	"math"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/store"
)

func embedderInfo(id string, dims int) embedder.Info { return embedder.Info{ID: id, Dims: dims} }

const tolerance = 1e-6

// worked is the corpus of the worked example: six sections on three pages,
// 52,500 tokens.
func worked(t testing.TB) *bench {
	b := newBench().set(t, "mode", "chunk")
	// Depth belongs to the page in the store, to the section in the example.
	b.page("a", 1)
	b.page("b", 3)
	b.page("c", 0)
	b.page("d", 0)
	b.section("P1", "b", 7, 12000, 0.90)
	b.section("P2", "d", 0, 15000, 0.72, 0.71)
	b.section("P3", "a", 0, 20000, 0.80)
	b.section("P4", "b", 2, 4000, 0.50)
	b.section("P5", "c", 0, 1000, 0.31)
	b.section("P6", "d", 1, 500, 0.30)
	return b
}

func TestChunkMode(t *testing.T) {
	scores := map[string]float64{"P1": .765, "P3": .76, "P2": .72, "P4": .425, "P5": .31}
	for _, c := range []struct {
		name           string
		set            []string
		items, ranks   string
		tokens         int
		dropped, below string
	}{
		{
			name: "stop", set: nil,
			items: "P1 P3", ranks: "1 2", tokens: 32000,
			dropped: "P2 over_budget 47000, P4 after_budget_stop 36000, P5 after_budget_stop 33000",
			below:   "P2 P4 P5 P6",
		},
		{
			name: "skip", set: []string{"budget_policy", "skip"},
			items: "P4 P1 P3 P5", ranks: "3 1 2 4", tokens: 37000,
			dropped: "P2 over_budget 47000",
			below:   "P2 P6",
		},
		{
			name: "not grouped", set: []string{"budget_policy", "skip", "group_by_source", "false"},
			items: "P1 P3 P4 P5", ranks: "1 2 3 4", tokens: 37000,
			dropped: "P2 over_budget 47000",
			below:   "P2 P6",
		},
		{
			name: "first one oversize, stop", set: []string{"context_budget", "10000"},
			items: "P1", ranks: "1", tokens: 12000,
			dropped: "P3 after_budget_stop 32000, P2 after_budget_stop 27000, P4 after_budget_stop 16000, P5 after_budget_stop 13000",
			below:   "P3 P2 P4 P5 P6",
		},
		{
			name: "first one oversize, skip", set: []string{"context_budget", "10000", "budget_policy", "skip"},
			items: "P1", ranks: "1", tokens: 12000,
			dropped: "P3 over_budget 32000, P2 over_budget 27000, P4 over_budget 16000, P5 over_budget 13000",
			below:   "P3 P2 P4 P5 P6",
		},
		{
			name: "room for all", set: []string{"context_budget", "100000"},
			items: "P4 P1 P3 P2 P5", ranks: "4 1 2 3 5", tokens: 52000,
			below: "P6",
		},
		{
			name: "floor below the last", set: []string{"context_budget", "100000", "similarity_floor", "0.29"},
			items: "P4 P1 P3 P2 P6 P5", ranks: "4 1 2 3 6 5", tokens: 52500,
		},
		{
			name: "limit", set: []string{"context_budget", "100000", "top_k_children_limit", "2"},
			items: "P1 P3", ranks: "1 2", tokens: 32000,
			below: "P2 P4 P5 P6",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := worked(t).set(t, c.set...).retrieve(t)
			if got := ids(r.Items); got != c.items {
				t.Errorf("items %s, want %s", got, c.items)
			}
			var ranks []string
			for _, it := range r.Items {
				ranks = append(ranks, shortest(float64(it.Rank)))
				if want, ok := scores[it.ChunkID]; ok && math.Abs(it.Score-want) > tolerance {
					t.Errorf("%s has score %v, want %v", it.ChunkID, it.Score, want)
				}
				if it.SelectedText() != "text of "+it.ChunkID {
					t.Errorf("%s has the text %q", it.ChunkID, it.SelectedText())
				}
			}
			if got := strings.Join(ranks, " "); got != c.ranks {
				t.Errorf("ranks %s, want %s", got, c.ranks)
			}
			if r.Tokens != c.tokens {
				t.Errorf("%d tokens, want %d", r.Tokens, c.tokens)
			}
			if got := dropped(stageOf(t, r, "budget")); got != c.dropped {
				t.Errorf("the budget dropped %s, want %s", got, c.dropped)
			}
			if got := ids(r.NearMisses); got != c.below {
				t.Errorf("below %s, want %s", got, c.below)
			}
		})
	}
}

func TestBelowSaysWhy(t *testing.T) {
	r := worked(t).retrieve(t)
	last := r.NearMisses[len(r.NearMisses)-1]
	want := retrieval.Drop{ID: "P6.0", Arm: param.StageVector, Reason: phrase.ReasonBelowFloor, Value: .30, Threshold: .3, Rank: 7}
	if last.ChunkID != "P6" || last.Why == nil || *last.Why != want {
		t.Errorf("%s: %+v, want %+v", last.ChunkID, last.Why, want)
	}
	if last.Score != .30 || len(last.Matches) != 1 || last.Matches[0].ChunkID != "P6.0" || last.Matches[0].Rank != 7 {
		t.Errorf("lifted section %+v", last)
	}
	if last.ChunkText != "" {
		t.Error("a section below the cuts came with its text")
	}
}

func TestBelowCarriesTextsOnRequest(t *testing.T) {
	b := worked(t)
	ev, err := retrieval.Gather(t.Context(), b.deps(), retrieval.Query{Text: "question"}, b.params)
	if err != nil {
		t.Fatal(err)
	}
	more, err := retrieval.Extend(t.Context(), b.deps(), ev, retrieval.Needs{Texts: []string{"P6"}})
	if err != nil {
		t.Fatal(err)
	}
	with, _ := retrieval.Rank(more, b.params, retrieval.Options{})
	if got := with.NearMisses[len(with.NearMisses)-1].ChunkText; got != "text of P6" {
		t.Errorf("text %q", got)
	}
	again, err := retrieval.Extend(t.Context(), b.deps(), more, retrieval.Needs{Texts: []string{"P5"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		ev     retrieval.Evidence
		p5, p6 string
	}{{ev, "", ""}, {more, "", "text of P6"}, {again, "text of P5", "text of P6"}} {
		r, _ := retrieval.Rank(c.ev, b.params, retrieval.Options{})
		p5, p6 := r.NearMisses[len(r.NearMisses)-2], r.NearMisses[len(r.NearMisses)-1]
		if p5.ChunkText != c.p5 || p6.ChunkText != c.p6 {
			t.Errorf("%s %q, %s %q, want %q and %q", p5.ChunkID, p5.ChunkText, p6.ChunkID, p6.ChunkText, c.p5, c.p6)
		}
	}
}

func TestDepth(t *testing.T) {
	for depth, want := range []float64{1, .95, .90, .85, .80, .80, .80} {
		b := newBench().set(t, "mode", "chunk")
		b.page("a", depth)
		b.section("A", "a", 0, 1, 0.9)
		if got := b.retrieve(t).Items[0].Score; math.Abs(got-.9*want) > tolerance {
			t.Errorf("depth %d: score %v, want %v", depth, got, .9*want)
		}
	}
	t.Run("the deeper page can still win", func(t *testing.T) {
		b := newBench().set(t, "mode", "chunk")
		b.page("deep", 3)
		b.page("seed", 0)
		b.section("D", "deep", 0, 1, 0.9)
		b.section("S", "seed", 0, 1, 0.72)
		if r := b.retrieve(t); ids(r.Items) != "D S" || math.Abs(r.Items[0].Score-.765) > tolerance {
			t.Errorf("got %s, first %v", ids(r.Items), r.Items[0].Score)
		}
	})
	t.Run("off", func(t *testing.T) {
		r := worked(t).set(t, "depth_decay_rate", "0", "context_budget", "100000", "group_by_source", "false").retrieve(t)
		want := []float64{.90, .80, .72, .50, .31}
		for i, it := range r.Items {
			if it.Score != want[i] {
				t.Errorf("%s: %v, want %v", it.ChunkID, it.Score, want[i])
			}
		}
	})
	// At rate .10 the scores of P1 and P3 compute to a hair over .72, so that P2
	// does not overtake them; exact arithmetic would say otherwise.
	t.Run("compared exactly", func(t *testing.T) {
		r := worked(t).set(t, "depth_decay_rate", "0.1", "group_by_source", "false", "context_budget", "100000").retrieve(t)
		if got := r.Items[1]; got.ChunkID != "P3" || got.Score != .7200000000000001 {
			t.Errorf("second is %s with %v", got.ChunkID, got.Score)
		}
	})
}

func TestTiesGoToTheLowerID(t *testing.T) {
	b := newBench().set(t, "mode", "chunk", "group_by_source", "false")
	b.page("a", 0)
	for _, id := range []string{"C", "A", "D", "B"} {
		b.section(id, "a", 0, 1, 0.5, 0.5)
	}
	r := b.retrieve(t)
	if ids(r.Items) != "A B C D" {
		t.Errorf("items %s", ids(r.Items))
	}
	if m := r.Items[0].Matches; len(m) != 2 || m[0].ChunkID != "A.0" || m[0].Rank != 1 || m[1].Rank != 2 {
		t.Errorf("matches %+v", m)
	}
}

// Sections of equal score stand in the order of their own ids, not of those of
// the children that found them.
func TestTiesGoToTheLowerIDOfTheSection(t *testing.T) {
	b := newBench().set(t, "mode", "chunk", "group_by_source", "false")
	b.page("a", 0)
	for i, id := range []string{"A", "B", "C"} {
		b.section(id, "a", i, 1, 0.5)
	}
	for old, id := range map[string]string{"A.0": "3", "B.0": "2", "C.0": "1"} {
		b.chunk(old).ID = id
		b.similar[id] = 0.5
		delete(b.similar, old)
	}
	r := b.retrieve(t)
	if ids(r.Items) != "A B C" || r.Items[0].Matches[0].Rank != 3 {
		t.Errorf("items %s, matches %+v", ids(r.Items), r.Items[0].Matches)
	}
	if got := stageOf(t, r, "depth").Notes[0]; got != "0 moved" {
		t.Errorf("the trace says %q", got)
	}
}

func TestBelowIsBounded(t *testing.T) {
	b := large(t, 100).set(t, "mode", "chunk", "top_k_children_limit", "10", "similarity_floor", "0.8")
	r := b.retrieve(t)
	if len(r.NearMisses) != 20 {
		t.Errorf("%d sections below the cuts", len(r.NearMisses))
	}
	for i := 1; i < len(r.NearMisses); i++ {
		a, c := r.NearMisses[i-1], r.NearMisses[i]
		if a.Why.Reason == c.Why.Reason && a.Score < c.Score {
			t.Errorf("%s with %v stands above %s with %v", a.ChunkID, a.Score, c.ChunkID, c.Score)
		}
	}
}

func TestChildrenWithoutSection(t *testing.T) {
	b := newBench().set(t, "mode", "chunk")
	b.page("a", 0)
	b.section("A", "a", 0, 1, 0.9, 0.8)
	b.chunk("A.1").ParentID = "gone"
	r := b.retrieve(t)
	if ids(r.Items) != "A" || codes(r) != phrase.NoticeNoParents.Code {
		t.Errorf("items %s, notices %s", ids(r.Items), codes(r))
	}
	if got := dropped(stageOf(t, r, "parents")); got != "A.1 no_parent 0" {
		t.Errorf("dropped %s", got)
	}
}

func TestFullContext(t *testing.T) {
	build := func(t *testing.T, set ...string) *bench {
		b := newBench().set(t, append([]string{"mode", "full_context", "context_budget", "1000"}, set...)...)
		b.page("z-seed", 0)
		b.page("a-deep", 2)
		b.page("m-mid", 1)
		b.page("n-mid", 1)
		b.section("S1", "z-seed", 0, 300, 0.1)
		b.section("S2", "z-seed", 1, 200, 0.9, 0.8)
		b.section("D1", "a-deep", 0, 100, 0.95)
		b.section("M1", "m-mid", 0, 100, 0.2)
		b.section("N1", "n-mid", 0, 100, 0.2)
		return b
	}
	t.Run("everything in reading order", func(t *testing.T) {
		r := build(t).retrieve(t)
		if ids(r.Items) != "S1 S2 M1 N1 D1" {
			t.Errorf("items %s", ids(r.Items))
		}
		for i, it := range r.Items {
			if it.Score != 1 || it.HasRaw || it.Rank != i+1 {
				t.Errorf("%s: score %v, raw %v, rank %d", it.ChunkID, it.Score, it.HasRaw, it.Rank)
			}
			if it.Explanation.Op != retrieval.OpLeaf || it.Explanation.Recompute() != 1 {
				t.Errorf("%s: explanation %+v", it.ChunkID, it.Explanation)
			}
		}
		if m := r.Items[1].Matches; len(m) != 2 || m[0].ChunkID != "S2.0" || m[0].Rank != 2 || m[1].Rank != 3 {
			t.Errorf("near children are not marked: %+v", m)
		}
		if m := r.Items[0].Matches; len(m) != 0 {
			t.Errorf("a child under the floor is marked: %+v", m)
		}
	})
	for _, c := range []struct {
		name, items, below string
		set                []string
	}{
		{"the deepest page goes first", "S1 S2 M1 N1", "D1", []string{"context_budget", "799"}},
		{"then the greatest address", "S1 S2 M1", "D1 N1", []string{"context_budget", "650"}},
		{"a single page keeps its first section", "S1", "D1 N1 M1 S2", []string{"context_budget", "299"}},
		{"a single page loses its end", "S1", "D1 N1 M1 S2", []string{"context_budget", "499"}},
		{"skip goes on", "S1 M1", "S2 N1 D1", []string{"context_budget", "450", "full_context_overflow", "skip"}},
		{"skip leaves out what does not fit", "S2", "S1 M1 N1 D1", []string{"context_budget", "299", "full_context_overflow", "skip"}},
		{"skip keeps the first when none fits", "S1", "S2 M1 N1 D1", []string{"context_budget", "99", "full_context_overflow", "skip"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := build(t, c.set...)
			r := b.retrieve(t)
			if ids(r.Items) != c.items || ids(r.NearMisses) != c.below {
				t.Errorf("items %s below %s, want %s below %s", ids(r.Items), ids(r.NearMisses), c.items, c.below)
			}
			if !strings.Contains(codes(r), phrase.NoticeOverflow.Code) {
				t.Errorf("notices %s", codes(r))
			}
		})
	}
	t.Run("HTML that is too heavy", func(t *testing.T) {
		b := build(t, "mode", "auto", "budget_count", "surface", "full_context_threshold", "1000")
		table := b.chunk("S2")
		table.Flags, table.HTMLTokens, table.HTMLText = store.HasTable, 600, "<table>"
		r := b.retrieve(t)
		if r.Mode != param.ModeFullContext || ids(r.Items) != "S1 S2 M1" || r.SurfaceTokens != 1000 {
			t.Errorf("mode %s, items %s, %d tokens sent", r.Mode, ids(r.Items), r.SurfaceTokens)
		}
	})
}

func TestSurface(t *testing.T) {
	for _, c := range []struct {
		name  string
		flags store.Flags
		html  string
		want  retrieval.Surface
	}{
		{"math with HTML", store.HasMath, "<math>", retrieval.SurfaceHTML},
		{"table", store.HasTable, "<table>", retrieval.SurfaceHTML},
		{"code", store.HasCode, "<pre>", retrieval.SurfaceHTML},
		{"definition list", store.HasDefinitionList, "<dl>", retrieval.SurfaceHTML},
		{"admonition", store.HasAdmonition, "<aside>", retrieval.SurfaceHTML},
		{"table without HTML", store.HasTable, "", retrieval.SurfaceMarkdown},
		{"steps only", store.HasSteps, "<ol>", retrieval.SurfaceMarkdown},
		{"image only", store.HasImage, "<img>", retrieval.SurfaceMarkdown},
		{"no flag", 0, "<p>", retrieval.SurfaceMarkdown},
		{"steps beside code", store.HasSteps | store.HasCode, "<ol>", retrieval.SurfaceHTML},
	} {
		for _, mode := range []string{"chunk", "full_context"} {
			b := newBench().set(t, "mode", mode)
			b.page("a", 0)
			s := b.section("A", "a", 0, 10, 0.9)
			s.Flags, s.HTMLText = c.flags, c.html
			if c.html != "" {
				s.HTMLTokens = 5
			}
			it := b.retrieve(t).Items[0]
			text := "text of A"
			if c.want == retrieval.SurfaceHTML {
				text = c.html
			}
			if it.Surface != c.want || it.SelectedText() != text || it.ChunkText != "text of A" {
				t.Errorf("%s, %s: surface %s, selected %q, markdown %q", c.name, mode, it.Surface, it.SelectedText(), it.ChunkText)
			}
			b.set(t, "surface_policy", "markdown")
			if it := b.retrieve(t).Items[0]; it.Surface != retrieval.SurfaceMarkdown {
				t.Errorf("%s, %s: HTML in spite of the policy", c.name, mode)
			}
		}
	}
	t.Run("HTML that turns out to be missing", func(t *testing.T) {
		b := newBench().set(t, "mode", "chunk")
		b.page("a", 0)
		s := b.section("A", "a", 0, 10, 0.9)
		s.Flags, s.HTMLTokens = store.HasTable, 5
		if it := b.retrieve(t).Items[0]; it.Surface != retrieval.SurfaceMarkdown || it.SelectedText() == "" {
			t.Errorf("surface %s, text %q", it.Surface, it.SelectedText())
		}
	})
}

func TestBudgetCountsWhatIsAsked(t *testing.T) {
	b := newBench().set(t, "mode", "chunk", "context_budget", "100", "full_context_threshold", "0")
	b.page("a", 0)
	s := b.section("A", "a", 0, 60, 0.9)
	s.Flags, s.HTMLTokens, s.HTMLText = store.HasTable, 90, "<table>"
	b.section("B", "a", 1, 40, 0.8)
	r := b.retrieve(t)
	if ids(r.Items) != "A B" || r.Tokens != 100 || r.SurfaceTokens != 130 || codes(r) != phrase.NoticeSurfaceOver.Code {
		t.Errorf("markdown: items %s, %d and %d tokens, notices %s", ids(r.Items), r.Tokens, r.SurfaceTokens, codes(r))
	}
	if !strings.Contains(r.Notices[0].Text, "100 of 100 tokens are counted, as markdown; 130 are sent") {
		t.Errorf("notice %q", r.Notices[0].Text)
	}
	r = b.set(t, "budget_count", "surface").retrieve(t)
	if ids(r.Items) != "A" || r.Items[0].CumulativeTokens != 90 || codes(r) != "" {
		t.Errorf("surface: items %s, notices %s", ids(r.Items), codes(r))
	}
	r = b.set(t, "context_budget", "50").retrieve(t)
	if ids(r.Items) != "A" || codes(r) != phrase.NoticeOversize.Code {
		t.Errorf("oversize: items %s, notices %s", ids(r.Items), codes(r))
	}
}
