package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// ranking is a result of sections named by their ids, best first, with scores
// that fall by .1 from .9.
func ranking(ids ...string) *retrieval.Result {
	r := &retrieval.Result{Mode: param.ModeChunk, ChildrenFound: 60}
	for i, id := range ids {
		r.Items = append(r.Items, retrieval.Item{
			ChunkID: id, Title: "Page", SourceURL: guideURL, HeadingPath: []string{"Section " + id}, Rank: i + 1, Score: .9 - .1*float64(i), Scale: "cosine",
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
	p := resultsPane{w: w, List: widget.List{Pager: widget.Pager{Height: 12}, At: -1}, flat: true}
	p.change(b, changesOf(&c, a, "webrag"))
	p.show(groupsOf(b.Items), b, "")
	lines := p.draw(s, true)
	for i := range lines {
		lines[i] = strings.TrimRight(ansi.Strip(lines[i]), " ")
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
			"▌1 Section c  Page                         ██████████  .900  ▲2   +.200",
			" 2 Section a  Page                         ████████▉   .800  ▼1   −.100",
			" 3 Section e  Page                         ███████▊    .700  new",
			" 4 Section b  Page                         ██████▋     .600  ▼2   −.200",
			"── gone, against webrag ───────────────────────────────────────────────",
			"   Section d ‹ Page                              .290 floor .300  was 4",
			"── dropped: floor .300 ────────────────────────────────────────────────",
			"   Section x ‹ Page                                    .290",
		}},
		{44, false, []string{
			"▌1 Section c  Page         .900  ▲2   +.200",
			" 2 Section a  Page         .800  ▼1   −.100",
			" 3 Section e  Page         .700  new",
			" 4 Section b  Page         .600  ▼2   −.200",
			"── gone, against webrag ───────────────────",
			"   Section d ‹ Page                   was 4",
			"── dropped: floor .300 ────────────────────",
			"   Section x ‹ Page        .290",
		}},
		{30, false, []string{
			"▌1 Section c        .900  ▲2",
			" 2 Section a        .800  ▼1",
			" 3 Section e        .700  new",
			" 4 Section b        .600  ▼2",
			"── gone, against webrag ─────",
			"   Section d ‹ Page     was 4",
			"── dropped: floor .300 ──────",
			"   Section x ‹ P…   .290",
		}},
		{50, true, []string{
			">1 Section c  Page   ██████  .900  up 2     +.200",
			" 2 Section a  Page   █████▍  .800  down 1   -.100",
			" 3 Section e  Page   ████▋   .700  new",
			" 4 Section b  Page   ████    .600  down 2   -.200",
			"   gone, against webrag",
			"   Section d ‹ Page        .290 floor .300  was 4",
			"   dropped: floor .300",
			"   Section x ‹ Page          .290",
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
	got := shownDiff(t, 40, false, ranking("a", "b"), ranking("a", "b"))
	want := []string{"▌1 Section a  Page         ██████  .900", " 2 Section b  Page         █████▍  .800"}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

// Whatever is changed: rows marked new are those that entered, rows that are gone
// those that left, no section stands twice, and the selected one keeps its line
// unless the list begins or ends there. No line is empty while rows are hidden.
func TestRowsFollowTheComparison(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "t")
	rapid.Check(t, func(rt *rapid.T) {
		d.m.results.moveRows(rapid.IntRange(-60, 60).Draw(rt, "move"))
		if rapid.IntRange(0, 4).Draw(rt, "flat") == 0 {
			d.push(d.m.toggleFlat())
		}
		p := &d.m.results
		keep, line, found := "", p.At-p.Top, p.sections > 0
		if it := p.selected(); it != nil {
			keep = it.ChunkID
		}
		params := d.m.session.Params()
		field := rapid.SampledFrom([]string{"similarity_floor", "depth_decay_rate", "context_budget", "top_k", "top_k_children_limit"}).Draw(rt, "field")
		value := rapid.SampledFrom([]string{"0", "0.1", "0.3", "0.35", "0.5", "1", "5", "30", "900", "5000"}).Draw(rt, "value")
		if params.Set(field, value) != nil {
			return
		}
		if rapid.IntRange(0, 5).Draw(rt, "pin") == 0 {
			d.push(d.m.pin())
		}
		d.push(d.m.setParams(params, field))
		d.settle()

		c := d.m.session.Difference()
		if c == nil {
			rt.Fatal("nothing is compared")
		}
		entered, gone := 0, 0
		seen := map[string]bool{}
		for i := range p.rows {
			r := &p.rows[i]
			if r.item == nil {
				continue
			}
			if seen[r.item.ChunkID] {
				rt.Fatalf("%s stands in the list twice", r.item.ChunkID)
			}
			seen[r.item.ChunkID] = true
			if text, _ := wording.Movement(d.m.styles, p.changes.shifts[r.item.ChunkID]); r.kind == rowSection && text == "new" {
				entered++
			}
			if r.kind == rowGone {
				gone++
			}
		}
		if entered != len(c.Entered) || gone != len(c.Left) {
			rt.Fatalf("%d rows are new and %d gone, want %d and %d", entered, gone, len(c.Entered), len(c.Left))
		}
		at := p.rowOf(keep)
		if at >= 0 && (p.selected() == nil || p.selected().ChunkID != keep) {
			rt.Fatalf("%s is listed and no longer selected", keep)
		}
		last := max(0, len(p.rows)-p.Height)
		if at >= 0 && found && p.rows[at].kind == rowSection && p.At-p.Top != line && !(p.Top == 0 && p.At < line) && !(p.Top == last && p.At-last > line) {
			rt.Fatalf("the section on line %d is on line %d", line, p.At-p.Top)
		}
		if p.Top < 0 || p.Top > last {
			rt.Fatalf("row %d is the first of %d in %d lines", p.Top, len(p.rows), p.Height)
		}
		if n := len(ansi.Strip(p.draw(d.m.styles, true)[0])); n == 0 {
			rt.Fatal("nothing is drawn")
		}
	})
}

func TestTheSummaryOfAChange(t *testing.T) {
	d := openGuide(t, 150, 42, "webrag", depthQuestion, "")
	d.mustNotShow("against webrag")
	d.change("similarity_floor", "0.35")
	d.mustShow("against webrag", "entered 0  left 1", "overlap@10", "gone, against webrag", "was 9")
	d.mustNotShow("RBO") // 1 for a list and its own beginning, whatever left
	d.press("s")
	d.mustNotShow("entered 0", "gone, against")
	d.change("similarity_floor", "0.3")
	d.mustShow("against pinned webrag*", "entered 1  left 0", "new")
	d.press("s")
	d.change("depth_decay_rate", "0.3")
	d.mustShow("RBO")
}

// A section that is gone can be read, and its score pane says why it fell.
func TestASectionThatIsGoneCanBeRead(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "")
	d.change("similarity_floor", "0.36")
	p := &d.m.results
	for i := range p.rows {
		if p.rows[i].kind == rowGone {
			p.goTo(i)
			break
		}
	}
	d.press("e e")
	if it := p.selected(); it == nil || it.ChunkText == "" {
		t.Fatalf("selected %+v", it)
	}
	d.mustShow("Below the floor")
}

// What fell under a cut of the budget, of top_k or of the limit is listed with
// its threshold, and can be selected.
func TestTheListGoesOnBelowTheCuts(t *testing.T) {
	for _, c := range []struct{ field, value, heading string }{
		{"similarity_floor", "0.36", "dropped: floor .360"},
		{"context_budget", "900", "dropped: budget 900 tokens"},
		{"top_k", "4", "dropped: top_k 4"},
		{"top_k_children_limit", "8", "dropped: limit 8"},
		{"dedup_threshold", "0.1", "dropped: near-duplicates, above .100"},
	} {
		t.Run(c.field, func(t *testing.T) {
			d := openGuide(t, 120, 60, "webrag", depthQuestion, "")
			d.change(c.field, c.value)
			d.press("s") // what is gone would stand with the gone
			p := &d.m.results
			at := slices.IndexFunc(p.rows, func(r row) bool { return r.kind == rowCut && strings.HasPrefix(r.label, c.heading) })
			if at < 0 || at+1 >= len(p.rows) || p.rows[at+1].kind != rowBelow || !p.stops(at+1) {
				t.Fatalf("no row under %q:\n%s", c.heading, d.screen())
			}
		})
	}
}

func TestDiffScreens(t *testing.T) {
	for _, size := range [][2]int{{200, 60}, {120, 40}, {80, 24}, {50, 15}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			d := openGuide(t, size[0], size[1], "webrag", depthQuestion, "*")
			d.ask("what is a similarity floor")
			d.press("*")
			d.ask(depthQuestion)
			d.press("j j")
			d.change("depth_decay_rate", "0.2")
			d.change("similarity_floor", "0.36")
			d.press("j k")
			d.m.status.text = ""
			golden.RequireEqual(t, d.screen())
		})
	}
}
