package results

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/view/viewtest"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// viewOf is a view of a result, before its session has one.
func viewOf(t *testing.T, r *retrieval.Result) (*View, *viewtest.Shell) {
	t.Helper()
	s := viewtest.New(t)
	v := New(s, Needs{
		Empty: func(int) []string { return []string{"nothing yet"} },
		Hint:  func() string { return "ask for another" },
	})
	v.Pane().SetSize(80, 30)
	if r != nil {
		v.list.put(groupsOf(r.Items), r, "")
	}
	return v, s
}

func TestGroups(t *testing.T) {
	items := []retrieval.Item{
		{ChunkID: "a", SourceURL: "file:one", Title: "One", Rank: 2, Score: .5, Depth: 1},
		{ChunkID: "b", SourceURL: "file:one", Title: "One", Rank: 1, Score: .612},
		{ChunkID: "c", SourceURL: "file:two", Title: "Two", Rank: 3, Score: .4},
	}
	groups := groupsOf(items)
	if len(groups) != 2 || groups[0].title != "One" || wording.Score(groups[0].best) != ".612" || len(groups[0].items) != 2 || groups[0].depth != 1 || groups[1].url != "file:two" {
		t.Errorf("got %+v", groups)
	}
	if !holds(groups, "c") || holds(groups, "d") || holds(nil, "c") {
		t.Error("a section is held where it is listed, and nowhere else")
	}
}

// A section that was opened stands above the others, unless the query found it.
func TestWhatIsOpenedIsListed(t *testing.T) {
	v, _ := viewOf(t, nil)
	if !v.IsEmpty() || v.Selected() != nil {
		t.Error("there are rows before anything was asked")
	}
	v.List(&retrieval.Item{ChunkID: "far", SourceURL: "file:far", Title: "Far away"}, true, "far")
	if it := v.Selected(); it == nil || it.ChunkID != "far" || v.Section("far") != it || !v.Has("far") || v.IsEmpty() {
		t.Errorf("selected %+v", it)
	}
	drawn := viewtest.Bare(v.Pane().Draw(80, 30, true))
	if !strings.Contains(drawn, "Far away") || !strings.Contains(drawn, "opened span") {
		t.Errorf("drawn is\n%s", drawn)
	}
	if got := v.Pane().Said(); got != "Far away, opened span" {
		t.Errorf("said is %q", got)
	}
	v.List(nil, false, "far")
	if got := viewtest.Bare(v.Pane().Draw(80, 1, true)); got != "nothing yet" || v.Has("far") {
		t.Errorf("drawn is\n%s", got)
	}
}

// Finding goes through the rows with the words, round the end, and leaves the marks when
// it ends.
func TestFindingInTheList(t *testing.T) {
	v, _ := viewOf(t, ranking("alpha", "beta", "gamma", "delta"))
	f := v.Pane().(view.Finder)
	if at, of := f.Found(); at != 0 || of != 0 || f.Stops() != 0 {
		t.Errorf("%d of %d before anything is searched for", at, of)
	}
	f.Search("TA")
	var seen []string
	for range 3 {
		at, of := f.Found()
		if of != 2 || at != len(seen)%2+1 {
			t.Errorf("on %d of %d", at, of)
		}
		seen = append(seen, v.Selected().ChunkID)
		f.Step(1)
	}
	if want := []string{"beta", "delta", "beta"}; !slices.Equal(seen, want) {
		t.Errorf("went to %v, want %v", seen, want)
	}
	f.Search("")
	f.Search("gam")
	if v.Selected().ChunkID != "gamma" {
		t.Errorf("on %s", v.Selected().ChunkID)
	}
	f.Search("gambit")
	if at, of := f.Found(); at != 0 || of != 0 || v.Selected().ChunkID != "delta" {
		t.Errorf("%d of %d, on %s", at, of, v.Selected().ChunkID)
	}
	f.Search("")
	if v.list.hit != "" || f.Stops() != 0 {
		t.Error("finding goes on")
	}
}

// What is on a folded page is found by its id, and its page unfolded.
func TestSelectingUnfolds(t *testing.T) {
	v, _ := viewOf(t, ranking("a", "b"))
	v.fold()
	if !v.OnPage() || v.Selected() != nil || v.Has("b") || len(slices.Collect(v.Matched())) != 0 {
		t.Fatal("the page is not folded")
	}
	if url, title := v.SelectedPage(); url != "https://guide.example/docs" || title != "Page" {
		t.Errorf("on %q, %q", url, title)
	}
	if got := v.Pane().Said(); got != "folded, Page, depth 0 · 2 sections, .900" {
		t.Errorf("said is %q", got)
	}
	if _, ok := v.Pane().(view.Selector).Selected(); ok {
		t.Error("a chunk is selected on a folded page")
	}
	if v.Select("c") || !v.OnPage() {
		t.Error("what is not listed is selected")
	}
	if !v.Select("b") || v.Selected().ChunkID != "b" {
		t.Errorf("on %+v", v.Selected())
	}
	if chunk, ok := v.Pane().(view.Selector).Selected(); !ok || chunk.ID != "b" {
		t.Errorf("the chunk is %+v", chunk)
	}
	v.SetFlat(true)
	before := viewtest.Bare(v.Pane().Draw(80, 30, true))
	v.fold()
	if after := viewtest.Bare(v.Pane().Draw(80, 30, true)); after != before {
		t.Errorf("a page folds in the list by rank:\n%s", after)
	}
}

// Where nothing is left, it says why above what was dropped, of which the selected row is
// in sight, and said.
func TestWhatFellStandsBelowTheReason(t *testing.T) {
	r := ranking("a", "b", "c", "d", "e", "f", "g", "h", "i")
	r.NearMisses, r.Items = r.Items, nil
	for i := range r.NearMisses {
		r.NearMisses[i].Rank, r.NearMisses[i].Why = 0, &retrieval.Drop{Reason: phrase.ReasonBelowFloor, Value: .29, Threshold: .3}
	}
	v, _ := viewOf(t, r)
	p := v.Pane()
	for _, h := range []int{30, 9} {
		p.SetSize(80, h)
		for _, c := range []struct {
			move widget.Verb
			said string
		}{{widget.Home, "Page › Section a, .290"}, {widget.End, "Page › Section i, .290"}} {
			p.Move(c.move)
			drawn := viewtest.Bare(p.Draw(80, h, true))
			name, _, _ := strings.Cut(c.said, ",")
			if !strings.Contains(drawn, "ask for another") || !strings.Contains(drawn, "▌   "+name) || strings.Count(drawn, "\n") != h-1 {
				t.Errorf("in %d lines %q is not selected below the reason:\n%s", h, name, drawn)
			}
			if got := p.Said(); got != c.said {
				t.Errorf("said is %q, want %q", got, c.said)
			}
		}
	}
}

// The bars of others have the width that they keep when a section moves.
func TestBarsStayWhenTheFirstStepMovesSections(t *testing.T) {
	for w := 30; w < 120; w++ {
		r := &retrieval.Result{}
		for i := range 8 {
			r.Items = append(r.Items, retrieval.Item{ChunkID: strconv.Itoa(i), SourceURL: "file:one", Title: "One", HeadingPath: []string{strings.Repeat("h", 10+2*i)}, Rank: i + 1, Score: .9 - float64(i)/10})
		}
		v, s := viewOf(t, r)
		v.Pane().SetSize(w, 30)
		d := drawing{list: &v.list, s: s.Styles()}
		before := d.columns()
		v.list.changes = changes{scores: true, shifts: map[string]*retrieval.Shift{"1": {RankA: 1, RankB: 2, ScoreA: .9, ScoreB: .8}}}
		if after := d.columns(); after.bar != before.bar {
			t.Fatalf("%d cells: bars of %d become %d", w, before.bar, after.bar)
		}
	}
}

// Above what a cut dropped stands what cut, whole where there is room for it.
func TestTheNameOfACutIsCutLast(t *testing.T) {
	v, s := viewOf(t, ranking("alpha"))
	const label = "dropped: below floor .418 (set as .300)"
	for w, want := range map[int]string{60: "── " + label + " ──", 46: "── " + label + " ──", 40: "── below floor .418 (set as .300) ──", 30: "── below floor .418 (set … "} {
		v.list.w = w
		got := ansi.Strip(drawing{list: &v.list, s: s.Look}.cutLine(label))
		if !strings.HasPrefix(got, want) || ansi.StringWidth(got) > w {
			t.Errorf("in %d cells it is %q", w, got)
		}
	}
}
