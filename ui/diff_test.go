package ui

import (
	"fmt"
	"regexp"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"
	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// Whatever is changed: rows marked new are those that entered, rows that are gone
// those that left, no section stands twice, and the selected one keeps its line
// unless the list begins or ends there. No line is empty while rows are hidden.
func TestRowsFollowTheComparison(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "t")
	rapid.Check(t, func(rt *rapid.T) {
		for range rapid.IntRange(0, 3).Draw(rt, "moves") {
			d.list().Pane().Move(widget.Verb(rapid.IntRange(int(widget.Up), int(widget.End)).Draw(rt, "move")))
		}
		if rapid.IntRange(0, 4).Draw(rt, "flat") == 0 {
			d.list().SetFlat(!d.list().IsFlat())
		}
		keep, line, found := d.at(), d.onLine(), d.sections() > 0
		params := d.session().Params()
		field := rapid.SampledFrom([]string{"similarity_floor", "depth_decay_rate", "context_budget", "top_k", "top_k_children_limit"}).Draw(rt, "field")
		value := rapid.SampledFrom([]string{"0", "0.1", "0.3", "0.35", "0.5", "1", "5", "30", "900", "5000"}).Draw(rt, "value")
		if params.Set(field, value) != nil {
			return
		}
		if rapid.IntRange(0, 5).Draw(rt, "pin") == 0 {
			d.push(d.pin())
		}
		d.push(d.set(params, field))
		d.settle()

		c := d.session().Difference()
		if c == nil {
			rt.Fatal("nothing is compared")
		}
		if keep != "" && d.list().Has(keep) && d.at() != keep {
			rt.Fatalf("%s is listed and no longer selected", keep)
		}
		above, below := d.list().Pane().(view.Pager).Hidden()
		begins, ends := above == 0, below == 0
		if now := d.onLine(); found && d.list().Section(keep) != nil && now != line && !(begins && now < line) && !(ends && now > line) {
			rt.Fatalf("the section on line %d is on line %d:\n%s", line, now, d.screen())
		}
		if d.sections() > 0 && (begins != (d.list().Top() == 0) || d.listed()[0] == "") {
			rt.Fatalf("row %d is the first, and %d are said to be above:\n%s", d.list().Top(), above, d.screen())
		}

		// On a screen that shows all rows they can be counted.
		d.send(tea.WindowSizeMsg{Width: 120, Height: 400})
		entered, gone := 0, 0
		for _, row := range d.listed() {
			switch {
			case isNew.MatchString(row):
				entered++
			case wasRank.MatchString(row):
				gone++
			}
		}
		if entered != len(c.Entered) || gone != len(c.Left) {
			rt.Fatalf("%d rows are new and %d gone, want %d and %d", entered, gone, len(c.Entered), len(c.Left))
		}
		d.send(tea.WindowSizeMsg{Width: 120, Height: 40})
	})
}

// isNew is the row of a section that entered: before its score, and a bar if it has one.
var isNew = regexp.MustCompile(` new( +[^ .\d]+)? +1?\.\d+$`)

// wasRank ends the row of a section that is gone.
var wasRank = regexp.MustCompile(` was \d+$`)

func TestTheSummaryOfAChange(t *testing.T) {
	d := openGuide(t, 150, 42, "webrag", depthQuestion, "")
	d.mustShow("against webrag   no change")
	d.change("similarity_floor", "0.35")
	d.mustShow("against webrag", "entered 0  left 1", "overlap@9", "left since webrag", "was 9")
	d.mustNotShow("RBO") // 1 for a list and its own beginning, whatever left
	d.press("s")
	d.mustShow("against earlier webrag*   no change")
	d.mustNotShow("entered 0", "left since")
	d.change("similarity_floor", "0.3")
	d.mustShow("against earlier webrag*", "entered 1  left 0", "new")
	d.press("s")
	d.change("depth_decay_rate", "0.3")
	d.mustNotShow("RBO") // 1 says no more than that no rank differs
	d.press("s")
	d.change("depth_floor", "0.1")
	c := d.session().Difference()
	if c.LengthA != c.LengthB || session.MovedRanks(c) == 0 {
		t.Fatalf("a depth floor of .1 moves nothing of the same length: %+v", c)
	}
	d.mustShow(fmt.Sprintf("moved %d", session.MovedRanks(c)), "RBO "+wording.Score(c.RBO))
}

// Another preset is compared with the one before it, on another scale and by other units,
// and that goes on while parameters change and are taken back.
func TestAnotherPresetIsComparedWithTheFirst(t *testing.T) {
	for _, size := range [][2]int{{120, 40}, {80, 24}} {
		d := openGuide(t, size[0], size[1], "webrag", "what is depth decay", "*")
		d.startFrom("hybrid")
		d.mustShow("against webrag", "scores not comparable", "hybrid")
		d.mustNotShow("webrag (chunk mode)") // it searches as it is
		d.change("top_k", "4")
		d.mustShow("against webrag")
		d.startFrom("topk")
		d.mustShow("against webrag", "not compared")
		d.startFrom("webrag")
		d.mustShow("against webrag   no change")
		d.press("u u u")
		d.mustShow("hybrid", "against webrag", "scores not comparable")
		d.press("u")
		d.mustShow("against webrag   no change")
		// From the other preset on: pinned, and let go.
		d.startFrom("hybrid")
		d.press("s")
		d.mustShow("against earlier hybrid   no change")
		d.press("s")
		d.mustShow("compared with hybrid", "against hybrid   no change")
	}
}

// startFrom has the parameters start from a preset that is chosen from the list.
func (d *driver) startFrom(preset string) {
	d.t.Helper()
	p, _ := param.Preset(preset)
	p.FullContextThreshold = guideThreshold // as the guide wants it
	d.push(d.retuned(d.session().StartFrom(session.Setting{Name: preset, Params: p})))
	d.settle()
}

// What it is compared with does not cut the query where nothing differs, unless there is room.
func TestWithNoChangeTheQueryStays(t *testing.T) {
	long := depthQuestion + " of the sections that are far from the beginning"
	d := openGuide(t, 80, 24, "webrag", long, "")
	d.mustShow(long[:70])
	d.mustNotShow("against")
	d = openGuide(t, 120, 40, "webrag", long+" where a crawl begins", "")
	d.mustShow("against webrag   no change")
}

// A section that is gone can be read, and its score pane says why it was dropped.
func TestASectionThatIsGoneCanBeRead(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "")
	d.change("similarity_floor", "0.36")
	if left := d.session().Difference().Left; len(left) == 0 || !d.list().Select(left[0].ChunkID) {
		t.Fatalf("%d sections are gone, and the first has no row", len(left))
	}
	d.press("e e")
	if it := d.selected(); it == nil || it.ChunkText == "" {
		t.Fatalf("selected %+v", it)
	}
	d.mustShow("Below the floor")
}

// What fell under a cut of the budget, of top_k or of the limit is listed with
// its threshold, and can be selected.
func TestTheListGoesOnBelowTheCuts(t *testing.T) {
	for _, c := range []struct{ field, value, heading string }{
		{"similarity_floor", "0.36", "dropped: below floor "},
		{"context_budget", "900", "dropped: over the budget of 900 tokens"},
		{"top_k", "4", "dropped: top k 4"},
		{"top_k_children_limit", "8", "dropped: limit 8"},
		{"dedup_threshold", "0.1", "dropped: near-duplicates, above .100"},
	} {
		t.Run(c.field, func(t *testing.T) {
			d := openGuide(t, 120, 60, "webrag", depthQuestion, "")
			d.change(c.field, c.value)
			d.press("s") // what is gone would stand with the gone
			d.send(tea.WindowSizeMsg{Width: 120, Height: 400})
			at, s := d.lineOf("── "+c.heading), slotOf(d)
			if at < 0 {
				t.Fatalf("no heading %q:\n%s", c.heading, d.screen())
			}
			d.send(tea.MouseClickMsg{X: s.Body.Min.X + 5, Y: s.Body.Min.Y + at + 1, Button: tea.MouseLeft})
			if it := d.selected(); it == nil || it.Why == nil || d.onLine() != at+1 {
				t.Fatalf("no row under %q:\n%s", c.heading, d.screen())
			}
		})
	}
}

// slotOf is the place of the list.
func slotOf(d *driver) view.Slot {
	s, _ := d.place().Slot(paneResults)
	return s
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
			d.hush()
			golden.RequireEqual(t, d.screen())
		})
	}
}
