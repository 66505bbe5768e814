package pipeline

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/ui/view/viewtest"
)

// The stream is as high as there are candidates that leave a stage.
func TestStreamHeight(t *testing.T) {
	height := func(n, rows int) int {
		sum := 0
		for _, cell := range streamCells(&retrieval.Stage{In: 1, Out: n}, 100, rows, false) {
			sum += slices.Index(levels[:], cell)
		}
		return sum
	}
	if got := []int{height(0, 2), height(1, 2), height(25, 2), height(100, 2), height(50, 3)}; !slices.Equal(got, []int{0, 1, 4, 16, 12}) {
		t.Errorf("heights %v", got)
	}
	rapid.Check(t, func(rt *rapid.T) {
		a, b := rapid.IntRange(0, 100).Draw(rt, "a"), rapid.IntRange(0, 100).Draw(rt, "b")
		rows := rapid.IntRange(1, 5).Draw(rt, "rows")
		if a <= b && height(a, rows) > height(b, rows) {
			rt.Errorf("%d candidates stand higher than %d", a, b)
		}
	})
}

// What a stage dropped stands above what leaves it in another shape, so that the two are told
// apart without colours.
func TestWhatWasDroppedHasAShape(t *testing.T) {
	st := &retrieval.Stage{In: 100, Out: 50, Dropped: make([]retrieval.Drop, 50)}
	for plain, want := range map[bool]string{false: "░░██", true: "..##"} {
		if got := strings.Join(streamCells(st, 100, 4, plain), ""); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for want, st := range map[string]retrieval.Stage{
		"██": {In: 100, Out: 100}, "░█": {In: 100, Out: 58, Dropped: make([]retrieval.Drop, 42)}, "░▁": {In: 100, Out: 1, Dropped: make([]retrieval.Drop, 99)},
	} {
		if got := strings.Join(streamCells(&st, 100, 2, false), ""); got != want {
			t.Errorf("%d kept and %d dropped are %q, want %q", st.Out, len(st.Dropped), got, want)
		}
	}
}

// flowing has a result with stages of which some dropped, merged and added candidates.
func flowing(t *testing.T) (*View, *retrieval.Result) {
	t.Helper()
	v := New(viewtest.New(t))
	drops := func(n int) []retrieval.Drop { return make([]retrieval.Drop, n) }
	return v, &retrieval.Result{Trace: &retrieval.Trace{Stages: []retrieval.Stage{
		{Name: "mode", Notes: []string{"chunk"}},
		{Name: "vector", Out: 1200, Added: 1200},
		{Name: "keyword", In: 1200, Out: 1400, Added: 200},
		{Name: "fusion", In: 1400, Out: 1300, Merged: make([]retrieval.Merge, 100)},
		{Name: "floor", In: 1300, Out: 300, Dropped: drops(1000)},
		{Name: "topk", In: 300, Out: 20, Dropped: drops(280)},
		{Name: "grouping", In: 20, Out: 20, Notes: []string{"15 pages"}},
	}}}
}

// Columns never run together: between two of them there is a blank in every row, however
// narrow it is, and the stage that is looked at has one.
func TestColumnsStandApart(t *testing.T) {
	_, r := flowing(t)
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.IntRange(0, len(r.Trace.Stages)-1).Draw(t, "at")
		room := rapid.IntRange(12, 180).Draw(t, "room")
		f := flow{columns: columnsOf(r.Trace.Stages, briefs(rapid.IntRange(0, int(allBriefs)).Draw(t, "brief")), "·")}
		f.cut(room, at)
		f.spread(room)
		if at < f.Top || at >= f.Until() || len(f.columns) != f.Height {
			t.Fatalf("stage %d is not among %d to %d", at, f.Top, f.Until())
		}
		if n := wideOf(f.columns); n > room && len(f.columns) > 1 {
			t.Fatalf("%d cells in %d", n, room)
		}
		for i := range f.columns {
			for _, cell := range f.columns[i].cells {
				if ansi.StringWidth(cell)+2 > f.columns[i].wide {
					t.Fatalf("%q has no blank beside it in %d cells", cell, f.columns[i].wide)
				}
			}
			for _, x := range []int{0, f.columns[i].wide - 1} {
				if got := f.columnAt(headWidth + wideOf(f.columns[:i]) + x); got != f.Top+i {
					t.Fatalf("cell %d of column %d is that of %d", x, f.Top+i, got)
				}
			}
		}
		if f.columnAt(0) >= 0 || f.columnAt(headWidth+wideOf(f.columns)) >= 0 {
			t.Fatal("beside the columns there is another one")
		}
	})
}

// Before a query there are no columns, and nothing panics.
func TestNoColumnsBeforeAQuery(t *testing.T) {
	v := New(viewtest.New(t))
	pane := stagesPane{v}
	pane.SetSize(120, 9)
	pane.Click(30, 2)
	if drawn := viewtest.Bare(pane.Draw(120, 9, true)); !strings.Contains(drawn, "Ask a query first") {
		t.Errorf("drawn\n%s", drawn)
	}
}

// What has little room keeps what was dropped and lets go of the rest, from the times on.
func TestRowsOfTheFlow(t *testing.T) {
	v, r := flowing(t)
	v.of = r
	for h, want := range map[int][]string{
		9: {"added", "merged", "dropped", "time"}, 7: {"added", "merged", "dropped", "time"},
		6: {"added", "merged", "dropped"}, 5: {"merged", "dropped"}, 4: {"dropped"},
	} {
		f := flow{columns: columnsOf(r.Trace.Stages, allBriefs, "·")}
		f.cut(180, 0)
		lines := stagesPane{v}.levelFlow(f, h, true)
		var heads []string
		for _, l := range lines[3:] {
			if head := strings.TrimSpace(ansi.Cut(ansi.Strip(l), 0, headWidth)); head != "" && head != "0" {
				heads = append(heads, head)
			}
		}
		if !slices.Equal(heads, want) || len(lines) != h {
			t.Errorf("%d lines of %d with %v, want %v", len(lines), h, heads, want)
		}
	}
}
