package results

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/view/viewtest"
	"github.com/webrag/webrag-tui/ui/widget"
)

// ranking is a result of sections named by their ids, best first, with scores
// that fall by .1 from .9.
func ranking(ids ...string) *retrieval.Result {
	r := &retrieval.Result{Mode: param.ModeChunk, ChildrenFound: 60}
	for i, id := range ids {
		r.Items = append(r.Items, retrieval.Item{
			ChunkID: id, Title: "Page", SourceURL: "https://guide.example/docs", HeadingPath: []string{"Section " + id}, Rank: i + 1, Score: .9 - .1*float64(i), Scale: "cosine",
		})
	}
	return r
}

// shownDiff draws the list of b as it differs from a.
func shownDiff(t *testing.T, w int, spoken bool, a, b *retrieval.Result) []string {
	t.Helper()
	s, err := theme.New("", theme.Options{Dark: true, Spoken: spoken})
	if err != nil {
		t.Fatal(err)
	}
	c := retrieval.Compare(*a, *b, session.OverlapDepth)
	p := list{w: w, List: widget.List{Pager: widget.Pager{Height: 12}, At: -1}, flat: true}
	p.change(b, changesOf(&c, a, "webrag"))
	p.put(groupsOf(b.Items), b, "")
	lines := p.lines(s, true)
	for i := range lines {
		lines[i] = strings.TrimRight(ansi.Strip(s.Line(lines[i], ansi.StringWidth(lines[i]))), " ")
	}
	return slices.DeleteFunc(lines, func(l string) bool { return l == "" })
}

// A worked example. By the baseline the order is a b c d; now it is c a e b: c
// rose by two, a and b fell by one each, e is new, and d fell under the floor.
func TestRowsShowHowTheyMoved(t *testing.T) {
	before, after := ranking("a", "b", "c", "d"), ranking("c", "a", "e", "b")
	after.NearMisses = ranking("d", "x").Items
	for i := range after.NearMisses {
		after.NearMisses[i].Why = &retrieval.Drop{Reason: phrase.ReasonBelowFloor, Value: .29, Threshold: .3}
	}
	for _, c := range []struct {
		w      int
		spoken bool
		want   []string
	}{
		{72, false, []string{
			"▌ 1 Page › Section c                           +.200   ▲2  ██████  .900",
			"  2 Page › Section a                           −.100   ▼1  █████▍  .800",
			"  3 Page › Section e                                  new  ████▋   .700",
			"  4 Page › Section b                           −.200   ▼2  ████    .600",
			"── left since webrag ──────────────────────────────────────────────────",
			"    Page › Section d                             .290 floor .300  was 4",
			"── dropped: below floor .300 ──────────────────────────────────────────",
			"    Page › Section x                                               .290",
		}},
		{44, false, []string{
			"▌ 1 Page › Section c         +.200  ▲2 .900",
			"  2 Page › Section a         −.100  ▼1 .800",
			"  3 Page › Section e               new .700",
			"  4 Page › Section b         −.200  ▼2 .600",
			"── left since webrag ──────────────────────",
			"    Page › Section d .290 floor .300  was 4",
			"── dropped: below floor .300 ──────────────",
			"    Page › Section x                   .290",
		}},
		{30, false, []string{
			"▌ 1 Page › Section c  ▲2 .900",
			"  2 Page › Section a  ▼1 .800",
			"  3 Page › Section e new .700",
			"  4 Page › Section b  ▼2 .600",
			"── left since webrag ────────",
			"    Page › Section d    was 4",
			"── dropped: below floor .300",
			"    Page › Section x     .290",
		}},
		{50, true, []string{
			"> 1 Page, Section c           +.200    up 2  .900",
			"  2 Page, Section a           -.100  down 1  .800",
			"  3 Page, Section e                     new  .700",
			"  4 Page, Section b           -.200  down 2  .600",
			"   left since webrag",
			"    Page, Section d        .290 floor .300  was 4",
			"   dropped: below floor .300",
			"    Page, Section x                          .290",
		}},
	} {
		t.Run(fmt.Sprintf("%d spoken %v", c.w, c.spoken), func(t *testing.T) {
			if got := shownDiff(t, c.w, c.spoken, before, after); !slices.Equal(got, c.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

func TestOtherScalesShowRanksOnly(t *testing.T) {
	before, after := ranking("a", "b"), ranking("b", "a")
	for i := range after.Items {
		after.Items[i].Scale = "rrf"
	}
	got := strings.Join(shownDiff(t, 72, false, before, after), "\n")
	if strings.Contains(got, "+.") || !strings.Contains(got, "▲1") {
		t.Errorf("got\n%s", got)
	}
}

func TestNothingIsShownWhileNothingDiffers(t *testing.T) {
	got := shownDiff(t, 44, false, ranking("a", "b"), ranking("a", "b"))
	want := []string{"▌ 1 Page › Section a                   .900", "  2 Page › Section b                   .800"}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

// A drop's rows stand under one line for each stage.
func TestBelowIsGroupedByStage(t *testing.T) {
	below := ranking("a", "b", "c").Items
	for i := range below {
		below[i].Why = &retrieval.Drop{Reason: phrase.ReasonBelowFloor, Value: .29, Threshold: .3}
	}
	below[2].Why = &retrieval.Drop{Reason: "over_budget", Value: 900, Threshold: 800}
	var kinds []rowKind
	for _, r := range rowsOf(nil, below, listing{}) {
		kinds = append(kinds, r.kind)
	}
	want := []rowKind{cutRow, belowRow, belowRow, cutRow, belowRow}
	if len(kinds) != len(want) {
		t.Fatalf("got %v", kinds)
	}
	for i := range want {
		if kinds[i] != want[i] {
			t.Errorf("row %d is %v, want %v", i, kinds[i], want[i])
		}
	}
}

// Beside ranks of the result, the rank in an arm is named, also where there is
// one arm only.
func TestRanksInAnArmAreNamedBesideThoseOfTheResult(t *testing.T) {
	limit := retrieval.Item{ChunkID: "a", SectionHeading: "A", Why: &retrieval.Drop{Reason: "beyond_limit", Threshold: 10, Value: 12, Arm: "vector"}}
	topK := retrieval.Item{ChunkID: "b", SectionHeading: "B", Why: &retrieval.Drop{Reason: "beyond_topk", Threshold: 5, Value: 6}}
	for _, c := range []struct {
		below []retrieval.Item
		want  string
	}{
		{[]retrieval.Item{limit}, " rank 12"},
		{[]retrieval.Item{topK, limit}, "vector rank 12"},
	} {
		var p list
		p.setSize(60, 20)
		p.put(nil, &retrieval.Result{NearMisses: c.below}, "")
		if got := viewtest.Bare(p.lines(stylesOf(t, theme.Options{Dark: true}), true)); !strings.Contains(got, c.want) || strings.Contains(got, "vector") != strings.Contains(c.want, "vector") {
			t.Errorf("%q is missing in\n%s", c.want, got)
		}
	}
}

// What a score gained gives way before its section's name is cut, and everything else stands
// below what it stands below in the other rows: arrows, bars, scores. Whether there are bars is
// a matter of the width alone.
func TestColumnsStandBelowEachOther(t *testing.T) {
	long := func(r *retrieval.Result, only string) *retrieval.Result {
		for i := range r.Items {
			if it := &r.Items[i]; only == "" || it.ChunkID == only {
				it.HeadingPath = []string{"A rather long heading " + it.ChunkID}
			}
		}
		return r
	}
	for w, bar := range map[int]string{78: "██████████", 72: "██████", 66: "██████", 54: "████", 48: ""} {
		for _, only := range []string{"", "a", "none"} {
			got := shownDiff(t, w, false, long(ranking("a", "b", "c", "d", "f"), only), long(ranking("c", "a", "e", "b", "f"), only))
			rows, arrow := got[:5], -1
			for i, row := range rows {
				if i == 0 && strings.Contains(row, "█") != (bar != "") || !strings.Contains(rows[0], bar) {
					t.Errorf("%d %q: not all bars are %q:\n%s", w, only, bar, strings.Join(got, "\n"))
				}
				at := strings.IndexAny(row, "▲▼")
				if at < 0 {
					continue
				}
				if at = ansi.StringWidth(row[:at]); arrow >= 0 && at != arrow {
					t.Errorf("%d %q: the arrows are not below each other:\n%s", w, only, strings.Join(got, "\n"))
				}
				arrow = at
			}
			if only == "a" && w == 50 && (strings.Contains(rows[1], "−.1") || !strings.Contains(rows[3], "−.2") || !strings.Contains(rows[1], "█")) {
				t.Errorf("%d: a long name takes something else than what its score gained:\n%s", w, strings.Join(got, "\n"))
			}
		}
	}
}

// What moved takes the room of its own row: all others look as they do where nothing moved, and
// the best section has a bar where any has.
func TestMovesCostOthersNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, err := theme.New("", theme.Options{Dark: true})
		if err != nil {
			t.Fatal(err)
		}
		r := ranking("a", "b", "c", "d", "e", "f")
		for i := range r.Items {
			r.Items[i].HeadingPath = []string{strings.Repeat("x", rapid.IntRange(1, 40).Draw(t, "name"))}
		}
		p := list{w: rapid.IntRange(30, 120).Draw(t, "width"), List: widget.List{Pager: widget.Pager{Height: 12}, At: -1}, flat: true}
		p.put(groupsOf(r.Items), r, "")
		before := slices.Clone(p.lines(s, true))
		p.change(r, changes{shifts: map[string]*retrieval.Shift{"c": {RankB: 3}}})
		for i, after := range p.lines(s, true) {
			if after != before[i] && r.Items[min(i, 5)].ChunkID != "c" {
				t.Fatalf("row %d of %d cells was\n%s\nand is\n%s", i, p.w, ansi.Strip(before[i]), ansi.Strip(after))
			}
		}
		if all := ansi.Strip(strings.Join(before, "")); strings.Contains(all, "█") && !strings.Contains(ansi.Strip(before[0]), "█") {
			t.Fatalf("the best section has no bar in\n%s", ansi.Strip(strings.Join(before, "\n")))
		}
	})
}

// A page with one section is one line; above several stand their page, and that they are in
// the order of the page where their ranks are not.
func TestPagesAndTheirSections(t *testing.T) {
	r := ranking("a", "b", "c", "d")
	for i, page := range []string{"One", "Two", "Two", "Two"} {
		r.Items[i].Title, r.Items[i].SourceURL, r.Items[i].Depth = page, page, 1
	}
	r.Items[1].Rank, r.Items[3].Rank = 4, 2
	r.Items[1].Score, r.Items[3].Score = .6, .8
	r.Items[2].Part, r.Items[2].Parts, r.Items[3].HeadingPath = 1, 2, r.Items[2].HeadingPath
	r.Items[3].Part, r.Items[3].Parts = 2, 2
	var p list
	p.setSize(60, 5)
	p.put(groupsOf(r.Items), r, "")
	want := []string{
		"▌ 1 One › Section a                              ████  .900",
		"  ▾ Two                          depth 1 · 3 sections  .800",
		"  4   Section b                                  ██▋   .600",
		"  3   Section c 1/2                              ███▏  .700",
		"  2   Section c 2/2                              ███▌  .800",
	}
	if got := viewtest.Bare(p.lines(stylesOf(t, theme.Options{Dark: true}), true)); got != strings.Join(want, "\n") {
		t.Errorf("got\n%s", got)
	}
	if p.rows[0].kind != sectionRow || p.fold() {
		t.Error("a page with one section folds")
	}
	p.moveBy(1)
	if !p.fold() || !p.onPage() {
		t.Error("a page with several does not")
	}
}

// The depths of all pages stand beside their titles, or those of none.
func TestDepthsStandAtAllPages(t *testing.T) {
	r := ranking("a", "b", "c", "d")
	for i, page := range []string{"One", "One", "A page of a rather long name", "A page of a rather long name"} {
		r.Items[i].Title, r.Items[i].SourceURL, r.Items[i].Depth = page, page, 1+i/2
	}
	var p list
	p.put(groupsOf(r.Items), r, "")
	for w := 30; w < 90; w++ {
		p.setSize(w, 10)
		if n := strings.Count(viewtest.Bare(p.lines(stylesOf(t, theme.Options{Dark: true}), true)), "depth"); n == 1 {
			t.Errorf("in %d cells one of two depths is said", w)
		}
	}
}

// Two pages of one title have their addresses beside it.
func TestPagesThatLookAlike(t *testing.T) {
	r := ranking("a", "b")
	r.Items[1].SourceURL = "https://guide.example/other"
	var p list
	p.setSize(90, 5)
	p.put(groupsOf(r.Items), r, "")
	got := viewtest.Bare(p.lines(stylesOf(t, theme.Options{Dark: true}), true))
	for _, name := range []string{"Page (docs) › Section a", "Page (other) › Section b"} {
		if !strings.Contains(got, name) {
			t.Errorf("%q is missing in\n%s", name, got)
		}
	}
}

// Where the title has no room for the order, it leaves it out, and not what is hidden.
func TestTheTitleLeavesRoom(t *testing.T) {
	r := ranking("a", "b")
	r.Items[1].SourceURL = "https://guide.example/other"
	var p list
	p.put(groupsOf(r.Items), r, "")
	for w, want := range map[int]string{60: "2 in 2 pages, best first", 43: "2 in 2 pages, best first", 42: "2 in 2 pages", 30: "2 in 2 pages"} {
		p.setSize(w, 1)
		if got := p.title(); got != want {
			t.Errorf("in %d cells %q, want %q", w, got, want)
		}
	}
	r.Items = append(r.Items, retrieval.Item{ChunkID: "c", SourceURL: r.Items[0].SourceURL, Rank: 0})
	r.Items[0].Rank, r.Items[2].Rank = 3, 1 // the row that stands first is not the best
	p.put(groupsOf(r.Items), r, "")
	for w, want := range map[int]string{
		88: "3 in 2 pages, best page first, sections in reading order", 87: "3 in 2 pages, best first, each in reading order",
		65: "3 in 2 pages, each in page order", 48: "3 in 2 pages, page order", 42: "3 in 2 pages",
	} {
		p.setSize(w, 1)
		if got := p.title(); got != want {
			t.Errorf("in %d cells %q, want %q", w, got, want)
		}
	}
	if p.setSize(60, 10); p.title() != "3 in 2 pages, best first, each in reading order" {
		t.Errorf("where nothing is hidden, %q", p.title())
	}
}

// The head of what a cut dropped does not end the list while its rows are out of sight.
func TestNoHeadStandsWithoutRows(t *testing.T) {
	r := ranking("a", "b")
	r.NearMisses = ranking("c", "d").Items
	for i := range r.NearMisses {
		r.NearMisses[i].Why = &retrieval.Drop{Reason: phrase.ReasonBelowFloor, Value: .29, Threshold: .3}
	}
	p := list{flat: true}
	p.setSize(60, 3)
	p.put(groupsOf(r.Items), r, "")
	v := pane{&View{list: p}}
	got := viewtest.Bare(v.list.lines(stylesOf(t, theme.Options{Dark: true}), true))
	if _, below := v.Hidden(); strings.Contains(got, "dropped") || !strings.HasSuffix(got, "…") || below != 3 {
		t.Errorf("%d are below\n%s", below, got)
	}
	v.list.setSize(60, 4)
	if got = viewtest.Bare(v.list.lines(stylesOf(t, theme.Options{Dark: true}), true)); !strings.Contains(got, "dropped: below floor .300") {
		t.Errorf("with a row below, it is\n%s", got)
	}
}
