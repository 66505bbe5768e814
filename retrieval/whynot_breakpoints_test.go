package retrieval_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/whynot"
)

// pointsOf are the breakpoints of a track, as they are met on the way up.
func pointsOf(track whynot.Breakpoints) string {
	var list []string
	for _, point := range track.Points {
		list = append(list, fmt.Sprintf("%s|%s %s", point.Below, point.Above, point.Cause(true).String()))
	}
	return strings.Join(list, "; ")
}

// P1 scores .9 × max(1 − 3r, .8), P3 .8 × (1 − r), P2 .72. The budget has room
// for P1 and P3, or for P1 and P2.
func TestBreakpoints(t *testing.T) {
	w := worked(t)
	ev := gather(t, w)
	for _, c := range []struct{ field, want string }{
		// P3 overtakes P1 from r = .1/1.9 on. At .1 it is worth as much as P1, whose
		// id comes first, beyond that less than P2, which takes its room.
		{"depth_decay_rate", "0.052|0.053 Page a › Section P3 passes Page b › Section P1; 0.099|0.1 Page b › Section P1 passes Page a › Section P3; 0.1|0.101 Page d › Section P2 enters, Page a › Section P3 leaves"},
		{"similarity_floor", "0.799|0.8 Page a › Section P3 leaves; 0.899|0.9 Page b › Section P1 leaves"},
		{"context_budget", "31999|32000 Page a › Section P3 enters; 46999|47000 Page d › Section P2 enters; 50999|51000 Page b › Section P4 enters; 51999|52000 Page c › Section P5 enters"},
		{"budget_policy", "stop|skip 2 enter"},
		{"top_k_children_limit", "1|2 Page a › Section P3 enters"},
		{"top_k", "1|2 Page a › Section P3 enters"},
		{"group_by_source", "false|true they are listed in another order"},
		{"rrf_k", ""},
		{"no such field", ""},
	} {
		p := w.params
		if c.field == "group_by_source" { // else one page has one section
			p.BudgetPolicy = param.BudgetSkip
		}
		track := whynot.FindBreakpoints(ev, p, c.field, nil)
		if got := pointsOf(track); got != c.want || !track.Complete {
			t.Errorf("%s: %s\nwant %s", c.field, got, c.want)
		}
	}
}

func TestBreakpointsDownwards(t *testing.T) {
	w := worked(t)
	points := whynot.FindBreakpoints(gather(t, w), w.params, "depth_decay_rate", nil).Points
	var got []string
	for _, point := range points {
		got = append(got, point.Cause(false).String())
	}
	want := []string{"Page b › Section P1 passes Page a › Section P3", "Page a › Section P3 passes Page b › Section P1", "Page a › Section P3 enters, Page d › Section P2 leaves"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// An item that jumps over several is named, however many make room for it.
func TestBreakpointPassesSeveral(t *testing.T) {
	b := newBench().set(t, "mode", "chunk", "depth_floor", "0", "depth_decay_rate", "0", "similarity_floor", "-1")
	b.page("deep", 1)
	b.page("seed", 0)
	b.section("D", "deep", 0, 10, 0.9)
	for i, id := range []string{"A", "B", "C"} {
		b.section(id, "seed", i, 10, 0.45)
	}
	points := whynot.FindBreakpoints(gather(t, b), b.params, "depth_decay_rate", nil).Points
	// .9 × (1 − r) is .45 at r = .5, where the id decides: D after all of them.
	if len(points) != 1 || points[0].Below != "0.499" || points[0].Cause(true).String() != "Page deep › Section D falls behind 3" || points[0].Cause(false).String() != "Page deep › Section D passes 3" {
		t.Errorf("got %+v", points)
	}
}

// Sections of one name are told apart by their pages.
func TestBreakpointsTellSectionsApart(t *testing.T) {
	w := worked(t)
	for _, id := range []string{"P1", "P3"} {
		w.chunk(id).HeadingPath = []string{"OPTIONS"}
	}
	track := whynot.FindBreakpoints(gather(t, w), w.params, "depth_decay_rate", nil)
	const want = "0.052|0.053 Page a › OPTIONS passes Page b › OPTIONS; 0.099|0.1 Page b › OPTIONS passes Page a › OPTIONS; 0.1|0.101 Page d › Section P2 enters, Page a › OPTIONS leaves"
	if got := pointsOf(track); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// Places that are kept for what edges find stand empty where they find nothing. Of one
// section and three places it falls where all three are kept, and comes back where there
// are more: beyond the number of sections there still is something to count.
func TestBreakpointsOfPlacesThatStandEmpty(t *testing.T) {
	b := newBench().set(t, "mode", "chunk", "similarity_floor", "-1", "max_hops", "1", "graph_scoring", "oasis-code", "top_k", "3", "graph_top_k", "2")
	b.page("a", 0)
	b.section("A", "a", 0, 10, 0.9)
	ev, err := retrieval.Complete(t.Context(), b.deps(), gather(t, b), b.params)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := pointsOf(whynot.FindBreakpoints(ev, b.params, "graph_top_k", nil)), "2|3 Page a › Section A leaves"; got != want {
		t.Errorf("kept for edges: %s\nwant %s", got, want)
	}
	b.set(t, "graph_top_k", "4", "top_k", "3")
	if got, want := pointsOf(whynot.FindBreakpoints(ev, b.params, "top_k", nil)), "4|5 Page a › Section A enters"; got != want {
		t.Errorf("top k: %s\nwant %s", got, want)
	}
}

func TestBreakpointsStop(t *testing.T) {
	w := worked(t)
	ev := gather(t, w)
	n := 0
	track := whynot.FindBreakpoints(ev, w.params, "depth_decay_rate", func() bool { n++; return n > 10 })
	if track.Complete || track.Rankings != 10 {
		t.Errorf("stopped after 10 rankings: %+v", track)
	}
	// The nearest point is found first.
	if got := pointsOf(track); got != "0.052|0.053 Page a › Section P3 passes Page b › Section P1" {
		t.Errorf("got %s", got)
	}
}

// What the evidence does not reach is said, not guessed.
func TestBreakpointsUnknown(t *testing.T) {
	w := worked(t)
	ev := gather(t, w)
	for _, c := range []struct{ field, from, to string }{
		{"max_hops", "1", "4"},
		{"dedup_threshold", "0.5", "1"},
	} {
		track := whynot.FindBreakpoints(ev, w.params, c.field, nil)
		if len(track.Unknown) != 1 || track.Unknown[0].From != c.from || track.Unknown[0].To != c.to || track.Unknown[0].Why == "" || len(track.Points) != 0 {
			t.Errorf("%s asks %+v, points %s", c.field, track.Unknown, pointsOf(track))
		}
	}
}

// The rankings on both sides of a breakpoint differ; where none stands between two
// neighbouring steps of the track, they do not.
func TestBreakpointsAreAllThereAre(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := drawBench(t)
		ev, err := retrieval.Gather(t.Context(), b.deps(), retrieval.Query{Text: "question"}, b.params)
		if err != nil {
			t.Fatal(err)
		}
		if ev, err = retrieval.Complete(t.Context(), b.deps(), ev, b.params); err != nil {
			t.Fatal(err)
		}
		spec := rapid.SampledFrom(param.Specs()).Draw(t, "field")
		at := func(value string) (order string, asks bool) {
			p := b.params
			if err := p.Set(spec.Field, value); err != nil {
				t.Fatal(err)
			}
			result, needs := retrieval.Rank(ev, p, retrieval.Options{})
			for _, it := range result.Items {
				order += fmt.Sprintf("%s:%d ", it.ChunkID, it.Rank)
			}
			covers, _ := ev.Covers(p)
			return order, !covers || needs.IsProvisional()
		}
		track := whynot.FindBreakpoints(ev, b.params, spec.Field, nil)
		if !track.Complete {
			t.Fatal("not complete")
		}
		for _, point := range track.Points {
			below, asksBelow := at(point.Below)
			above, asksAbove := at(point.Above)
			if asksBelow || asksAbove {
				t.Fatalf("%s: %s is said to differ from %s, which nobody knows", spec.Field, point.Below, point.Above)
			}
			if below == above {
				t.Fatalf("%s: %s both at %s and at %s", spec.Field, below, point.Below, point.Above)
			}
			if point.Cause(true).String() == "" || point.Cause(false).String() == "" {
				t.Fatalf("%+v has no cause", point)
			}
		}
		positions := spec.Positions()
		for i := 1; i < len(positions); i++ {
			a, asksA := at(positions[i-1])
			b, asksB := at(positions[i])
			if asksA || asksB {
				continue
			}
			if a != b && !slices.ContainsFunc(track.Points, func(point whynot.Breakpoint) bool { return between(spec, positions, point, i) }) {
				t.Fatalf("%s: no point between %s (%s) and %s (%s): %s", spec.Field, positions[i-1], a, positions[i], b, pointsOf(track))
			}
		}
	})
}

// between says that a breakpoint stands between the positions i-1 and i.
func between(spec param.Spec, positions []string, point whynot.Breakpoint, i int) bool {
	if point.Below == positions[i-1] || point.Above == positions[i] {
		return true
	}
	low, errLow := strconv.ParseFloat(positions[i-1], 64)
	high, errHigh := strconv.ParseFloat(positions[i], 64)
	above, err := strconv.ParseFloat(point.Above, 64)
	if errLow != nil || errHigh != nil || err != nil {
		return spec.Kind == param.KindList || spec.Kind == param.KindSet
	}
	special := high < low // stands for no bound
	return above > low && (above <= high || special)
}

func TestRankBreakpoints(t *testing.T) {
	w := worked(t)
	ev := gather(t, w)
	var got []string
	for _, point := range whynot.RankBreakpoints(ev, w.params, "P2", nil) {
		got = append(got, fmt.Sprintf("%s %s→%s %d→%d", point.Change.Field, point.Change.From, point.Change.To, point.From, point.To))
	}
	// P2 is the first that the budget stops at, and comes in beyond r = .1.
	want := "context_budget 40000→47000 0→3; depth_decay_rate 0.05→0.11 0→2; mode chunk→full_context 0→2"
	if joined := strings.Join(got, "; "); joined != want {
		t.Errorf("got %s\nwant %s", joined, want)
	}
	if list := whynot.RankBreakpoints(ev, w.params, "nowhere", nil); list != nil {
		t.Errorf("an unknown item has %v", list)
	}
	if list := whynot.RankBreakpoints(ev, w.params, "P2", func() bool { return true }); len(list) != 0 {
		t.Errorf("stopped at once: %v", list)
	}
}

// A breakpoint of an item's rank is what it says, and nothing nearer on the track's
// steps is one.
func TestRankBreakpointsAreTheNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := drawBench(t)
		ev, err := retrieval.Gather(t.Context(), b.deps(), retrieval.Query{Text: "question"}, b.params)
		if err != nil {
			t.Fatal(err)
		}
		if ev, err = retrieval.Complete(t.Context(), b.deps(), ev, b.params); err != nil {
			t.Fatal(err)
		}
		present, _ := retrieval.Rank(ev, b.params, retrieval.Options{})
		if len(present.Items) == 0 {
			t.Skip("nothing came")
		}
		item := rapid.SampledFrom(present.Items).Draw(t, "item")
		rank := func(field, value string) int {
			p := b.params
			if err := p.Set(field, value); err != nil {
				t.Fatal(err)
			}
			changed, _ := retrieval.Rank(ev, p, retrieval.Options{})
			at := slices.IndexFunc(changed.Items, func(it retrieval.Item) bool { return it.ChunkID == item.ChunkID })
			if at < 0 {
				return 0
			}
			return changed.Items[at].Rank
		}
		rankings := rapid.IntRange(1, 600).Draw(t, "rankings")
		for _, point := range whynot.RankBreakpoints(ev, b.params, item.ChunkID, func() bool { rankings--; return rankings < 0 }) {
			if point.From != item.Rank || point.To == point.From || rank(point.Change.Field, point.Change.To) != point.To {
				t.Fatalf("%+v: rank %d, with the change %d", point, item.Rank, rank(point.Change.Field, point.Change.To))
			}
			if point.Change.From != b.params.Get(point.Change.Field) || point.Size < 0 || point.Size > 1 {
				t.Fatalf("%+v", point)
			}
			changed, floor := b.params, param.Floor{}
			if err := changed.Set(point.Change.Field, point.Change.To); err != nil {
				t.Fatal(err)
			}
			if r, _ := retrieval.Rank(ev, changed, retrieval.Options{}); point.Change.MovesFloor() && r.Floor.Scale == param.FloorCalibrated {
				floor = r.Floor
			}
			if point.Floor != floor {
				t.Fatalf("%+v: with the change the floor is %+v", point, floor)
			}
		}
	})
}

// Coarsely nothing is found that is not there: what it says lies between two steps,
// some breakpoint does.
func TestCoarseBreakpoints(t *testing.T) {
	w := worked(t)
	ev := gather(t, w)
	track := whynot.CoarseBreakpoints(ev, w.params, "depth_decay_rate", 10, nil)
	// At .1 the order is that of the present value again.
	if got := pointsOf(track); got != "0.1|0.2 Page d › Section P2 enters, Page a › Section P3 leaves" {
		t.Errorf("got %s", got)
	}
	if track.Rankings > 13 || !track.Complete {
		t.Errorf("%d rankings", track.Rankings)
	}
	for _, s := range param.Specs() {
		sketch, all := whynot.CoarseBreakpoints(ev, w.params, s.Field, 16, nil), whynot.FindBreakpoints(ev, w.params, s.Field, nil)
		if len(sketch.Points) > len(all.Points) {
			t.Errorf("%s: sketched %s\nof %s", s.Field, pointsOf(sketch), pointsOf(all))
		}
	}
}

func TestNextBreakpoint(t *testing.T) {
	w := worked(t)
	track := whynot.FindBreakpoints(gather(t, w), w.params, "depth_decay_rate", nil)
	for _, c := range []struct {
		from string
		up   bool
		want string
	}{
		{"0.05", true, "0.053"},
		{"0.052", true, "0.053"},
		{"0.053", true, "0.1"},
		{"0.1", true, "0.101"},
		{"0.101", true, ""},
		{"0.5", false, "0.1"},
		{"0.101", false, "0.1"},
		{"0.1", false, "0.099"},
		{"0.053", false, "0.052"},
		{"0.052", false, ""},
		{"1", true, ""},
	} {
		_, at, ok := track.Next(c.from, c.up)
		if at != c.want || ok != (c.want != "") {
			t.Errorf("from %s, up %v: %q, %v, want %q", c.from, c.up, at, ok, c.want)
		}
	}
	track = whynot.FindBreakpoints(gather(t, w), w.params, "budget_policy", nil)
	if _, at, ok := track.Next("stop", true); at != "skip" || !ok {
		t.Errorf("after stop comes %q", at)
	}
}
