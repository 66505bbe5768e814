package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/ui/results"
	"github.com/webrag/webrag-tui/ui/wording"
)

// Whatever is changed: rows marked new are those that entered, rows that are gone
// those that left, no section stands twice, and the selected one keeps its line
// unless the list begins or ends there. No line is empty while rows are hidden.
func TestRowsFollowTheComparison(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "t")
	rapid.Check(t, func(rt *rapid.T) {
		d.m.results.MoveRows(rapid.IntRange(-60, 60).Draw(rt, "move"))
		if rapid.IntRange(0, 4).Draw(rt, "flat") == 0 {
			d.push(d.m.toggleFlat())
		}
		p := &d.m.results
		keep, line, found := "", p.At-p.Top, d.m.sections() > 0
		if it := p.Selected(); it != nil {
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
		for i := range p.Rows {
			r := &p.Rows[i]
			if r.Item == nil {
				continue
			}
			if seen[r.Item.ChunkID] {
				rt.Fatalf("%s stands in the list twice", r.Item.ChunkID)
			}
			seen[r.Item.ChunkID] = true
			if text, _ := wording.Movement(d.m.styles, p.Moved(r.Item.ChunkID)); r.Kind == results.Section && text == "new" {
				entered++
			}
			if r.Kind == results.Gone {
				gone++
			}
		}
		if entered != len(c.Entered) || gone != len(c.Left) {
			rt.Fatalf("%d rows are new and %d gone, want %d and %d", entered, gone, len(c.Entered), len(c.Left))
		}
		at := p.RowWith(keep)
		if at >= 0 && (p.Selected() == nil || p.Selected().ChunkID != keep) {
			rt.Fatalf("%s is listed and no longer selected", keep)
		}
		last := max(0, len(p.Rows)-p.Height)
		if at >= 0 && found && p.Rows[at].Kind == results.Section && p.At-p.Top != line && !(p.Top == 0 && p.At < line) && !(p.Top == last && p.At-last > line) {
			rt.Fatalf("the section on line %d is on line %d", line, p.At-p.Top)
		}
		if p.Top < 0 || p.Top > last {
			rt.Fatalf("row %d is the first of %d in %d lines", p.Top, len(p.Rows), p.Height)
		}
		if n := len(ansi.Strip(p.View(d.m.styles, true)[0])); n == 0 {
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
	for i := range p.Rows {
		if p.Rows[i].Kind == results.Gone {
			p.GoTo(i)
			break
		}
	}
	d.press("e e")
	if it := p.Selected(); it == nil || it.ChunkText == "" {
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
			at := slices.IndexFunc(p.Rows, func(r results.Row) bool { return r.Kind == results.Cut && strings.HasPrefix(r.Label, c.heading) })
			if at < 0 || at+1 >= len(p.Rows) || p.Rows[at+1].Kind != results.Below || !p.Stops(at+1) {
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
