package judgment_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/retrieval"
)

// span judges the characters from start to end of a page that is as long as any.
type span struct {
	page              string
	start, end, grade int
}

// prepare makes ready what was judged for the query q.
func prepare(spans ...span) *judgment.Prepared {
	a := &judgment.Anchors{}
	for _, s := range spans {
		j := judgment.Anchored{Judgment: said(s.grade), Page: s.page, Start: s.start, End: s.end}
		j.Key = judgment.Key{QueryID: "q", SourceURL: s.page, CharStart: s.start, CharEnd: s.end}
		a.Judgments = append(a.Judgments, j)
	}
	return a.Prepare(nil)["q"]
}

func on(page string, start, end int) judgment.Ranked {
	return judgment.Ranked{Page: page, Section: page, Start: start, End: end}
}

func TestResultsEarnGrades(t *testing.T) {
	t.Parallel()
	const none = evaluation.Unjudged
	for _, c := range []struct {
		name    string
		spans   []span
		ranking []judgment.Ranked
		want    []int
	}{
		{"half of it, and less", []span{{"p", 100, 200, 3}}, []judgment.Ranked{on("p", 151, 300), on("p", 150, 300)}, []int{0, 3}},
		{"49 and 50 of 100, from before", []span{{"p", 100, 200, 3}}, []judgment.Ranked{on("p", 0, 149), on("p", 0, 150)}, []int{0, 3}},
		{"earned once", []span{{"p", 0, 10, 2}}, []judgment.Ranked{on("p", 0, 10), on("p", 0, 20)}, []int{2, 0}},
		{"beside it", []span{{"p", 10, 20, 2}}, []judgment.Ranked{on("p", 0, 10), on("p", 20, 30), on("o", 10, 20)}, []int{none, none, none}},
		{"the highest of several", []span{{"p", 0, 10, 1}, {"p", 20, 30, 3}, {"p", 40, 50, 2}}, []judgment.Ranked{on("p", 0, 60), on("p", 35, 60)}, []int{3, 0}},
		{"a part of one and all of another", []span{{"p", 0, 100, 3}, {"p", 90, 100, 1}}, []judgment.Ranked{on("p", 90, 120)}, []int{1}},
		{"not relevant", []span{{"p", 0, 10, 0}}, []judgment.Ranked{on("p", 0, 10)}, []int{0}},
		{"a whole page is no text", []span{{"p", 0, 0, 3}, {"p", 0, 10, 1}}, []judgment.Ranked{on("p", 20, 30), on("p", 0, 10)}, []int{none, 1}},
		{"without a place", []span{{"p", 0, 10, 1}}, []judgment.Ranked{on("p", 0, 0)}, []int{none}},
		{"nothing", []span{{"p", 0, 10, 1}}, nil, nil},
	} {
		if got := prepare(c.spans...).Grader(judgment.Passages).Grades(c.ranking); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestPagesEarnGrades(t *testing.T) {
	t.Parallel()
	const none = evaluation.Unjudged
	p := prepare(span{"a", 0, 10, 1}, span{"a", 20, 30, 3}, span{"b", 0, 0, 2}, span{"b", 5, 9, 3}, span{"c", 0, 9, 0})
	g := p.Grader(judgment.WholePages)
	// The page counts where its first result is, whichever of its texts that has.
	ranking := []judgment.Ranked{on("x", 0, 9), on("a", 50, 60), on("x", 9, 20), on("b", 0, 3), on("a", 0, 30), on("c", 50, 60), on("b", 0, 30)}
	for range 2 { // what one ranking earned, the next may earn, too
		if got, want := g.Grades(ranking), []int{none, 3, 2, 0}; !slices.Equal(got, want) {
			t.Errorf("the pages have %v, want %v", got, want)
		}
	}
	if pool := p.Grades(judgment.WholePages); !slices.Equal(pool, []int{3, 2, 0}) {
		t.Errorf("the pool of pages is %v", pool)
	}
	if pool := p.Grades(judgment.Passages); !slices.Equal(pool, []int{3, 3, 1, 0}) {
		t.Errorf("the pool of texts is %v", pool)
	}
	if spans, pages := p.Count(); spans != 4 || pages != 1 {
		t.Errorf("%d texts and %d pages were judged", spans, pages)
	}
}

func TestSkippedAndOtherJudgesDoNotCount(t *testing.T) {
	t.Parallel()
	s := newSet(t, "q", "r", "skipped")
	must(t, s,
		graded("q", "a", "one", 0, "ana", 3), graded("q", "a", "one", 0, judgment.ModelJudge("m"), 0),
		graded("q", "a", "two", 4, "ana", int(judgment.CannotTell)), graded("r", "a", "two", 4, judgment.ModelJudge("m"), 1),
		graded("skipped", "a", "two", 4, "ana", int(judgment.CannotTell)), graded("q", "a", "absent", 4, "ana", 3),
	)
	all := anchored(t, s, texts{"a": "one two"})
	people := all.Prepare(judgment.People)
	if pool := people["q"].Grades(judgment.Passages); len(people) != 1 || !slices.Equal(pool, []int{3}) {
		t.Errorf("people judged %d queries, and graded %v", len(people), pool)
	}
	if both := all.Prepare(nil); len(both) != 2 || !slices.Equal(both["q"].Grades(judgment.Passages), []int{0}) {
		t.Errorf("all judged %d queries", len(both))
	}
	if got := people["q"].Grader(judgment.Passages).Grades([]judgment.Ranked{on("a", 4, 7), on("a", 0, 3)}); !slices.Equal(got, []int{evaluation.Unjudged, 3}) {
		t.Errorf("the grades are %v", got)
	}
}

// In a table of passages all begin at 0, and only their ids tell them apart.
func TestSectionsWithoutOffsets(t *testing.T) {
	t.Parallel()
	a := &judgment.Anchors{Judgments: []judgment.Anchored{{Judgment: said(3), Page: "p", Section: "two", End: 10}}}
	a.Judgments[0].Key = judgment.Key{QueryID: "q", SourceURL: "p", CharEnd: 10}
	g := a.Prepare(nil)["q"].Grader(judgment.Passages)
	got := g.Grades([]judgment.Ranked{{Page: "p", Section: "one", End: 50}, {Page: "p", Section: "two", End: 50}})
	if !slices.Equal(got, []int{evaluation.Unjudged, 3}) {
		t.Errorf("the grades are %v", got)
	}
}

func TestRankingIsByRank(t *testing.T) {
	t.Parallel()
	r := &retrieval.Result{Items: []retrieval.Item{
		{Rank: 3, SourceURL: "a", ChunkID: "c", ParentID: "s", CharStart: 1, CharEnd: 2}, {Rank: 1, SourceURL: "b", ChunkID: "d"}, {Rank: 2, SourceURL: "c", ChunkID: "e"},
	}}
	for _, last := range []int{3, 30} { // with a gap, too
		r.Items[0].Rank = last
		got := judgment.Ranking([]judgment.Ranked{{Page: "first"}}, r)
		var pages []string
		for _, x := range got {
			pages = append(pages, x.Page+":"+x.Section)
		}
		if !slices.Equal(pages, []string{"first:", "b:d", "c:e", "a:s"}) || got[3].Start != 1 || got[3].End != 2 {
			t.Errorf("the ranking is %+v", got)
		}
	}
}

// TestMeasuresSeeWhatWasJudged is worked by hand: of texts with the grades 3 and 1 the
// second comes first, and the first after a result that nobody judged.
func TestMeasuresSeeWhatWasJudged(t *testing.T) {
	t.Parallel()
	p := prepare(span{"a", 0, 10, 3}, span{"a", 20, 30, 1}, span{"b", 0, 10, 0})
	ranking := []judgment.Ranked{on("a", 20, 30), on("x", 0, 10), on("a", 0, 10)}
	for _, c := range []struct {
		measure string
		level   judgment.Level
		want    float64
	}{
		{"nDCG@10", judgment.Passages, (1 + 3/2.) / (3 + 1/math.Log2(3))},
		{"Judged@3", judgment.Passages, 2 / 3.},
		{"R@1", judgment.Passages, 1 / 2.},
		{"nDCG@10", judgment.WholePages, 1},
		{"Judged@3", judgment.WholePages, 1 / 2.},
	} {
		m, err := evaluation.ParseMeasure(c.measure)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Of(p.Grader(c.level).Judged(ranking)); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s at level %d is %v, want %v", c.measure, c.level, got, c.want)
		}
	}
}

// naive grades as the definition reads.
func naive(spans []span, ranking []judgment.Ranked) []int {
	var grades []int
	earned := map[int]bool{}
	for _, r := range ranking {
		grade := evaluation.Unjudged
		for i, s := range spans {
			shared := 0
			for c := s.start; c < s.end; c++ {
				if s.page == r.Page && c >= r.Start && c < r.End {
					shared++
				}
			}
			if shared > 0 && grade < 0 {
				grade = 0
			}
			if shared > 0 && shared >= s.end-s.start-shared && !earned[i] {
				earned[i] = true
				grade = max(grade, s.grade)
			}
		}
		grades = append(grades, grade)
	}
	return grades
}

func TestGradesAreAsDefined(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		page := rapid.SampledFrom([]string{"a", "b"})
		seen := map[span]bool{}
		spans := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) span {
			start := rapid.IntRange(0, 30).Draw(t, "start")
			return span{page.Draw(t, "page"), start, start + rapid.IntRange(1, 12).Draw(t, "length"), rapid.IntRange(0, 3).Draw(t, "grade")}
		}), 1, 8).Draw(t, "spans")
		spans = slices.DeleteFunc(spans, func(s span) bool { defer func() { seen[s] = true }(); return seen[s] })
		g := prepare(spans...).Grader(judgment.Passages)
		for range 3 {
			var ranking []judgment.Ranked
			for range rapid.IntRange(0, 8).Draw(t, "results") {
				start := rapid.IntRange(0, 30).Draw(t, "from")
				ranking = append(ranking, on(page.Draw(t, "on"), start, start+rapid.IntRange(0, 20).Draw(t, "of")))
			}
			if got, want := g.Grades(ranking), naive(spans, ranking); !slices.Equal(got, want) {
				t.Fatalf("the grades are %v, want %v", got, want)
			}
		}
	})
}

// bench is a query with 20 judged texts on 15 pages, and a ranking of 20 sections.
func bench() (*judgment.Prepared, *retrieval.Result) {
	var spans []span
	r := &retrieval.Result{}
	address := func(i int) string {
		return fmt.Sprintf("https://docs.example.org/%s/page-%d.html", strings.Repeat("part/", 5), i)
	}
	for i := range 20 {
		spans = append(spans, span{address(i % 15), 100 * i, 100*i + 80, i % 4})
		r.Items = append(r.Items, retrieval.Item{ChunkID: fmt.Sprint(i), SourceURL: address(i), CharStart: 100 * i, CharEnd: 100*i + 500, Rank: 20 - i})
	}
	return prepare(spans...), r
}

func TestGradingAllocatesNothing(t *testing.T) {
	p, r := bench()
	ranking := judgment.Ranking(nil, r)
	for _, level := range []judgment.Level{judgment.Passages, judgment.WholePages} {
		g := p.Grader(level)
		g.Grades(ranking)
		if n := testing.AllocsPerRun(100, func() {
			ranking = judgment.Ranking(ranking[:0], r)
			g.Grades(ranking)
		}); n != 0 {
			t.Errorf("level %d: %v allocations", level, n)
		}
	}
}

func BenchmarkGrades(b *testing.B) {
	for name, level := range map[string]judgment.Level{"passages": judgment.Passages, "pages": judgment.WholePages} {
		b.Run(name, func(b *testing.B) {
			p, r := bench()
			g, ranking := p.Grader(level), []judgment.Ranked(nil)
			b.ReportAllocs()
			for b.Loop() {
				ranking = judgment.Ranking(ranking[:0], r)
				g.Grades(ranking)
			}
		})
	}
}
