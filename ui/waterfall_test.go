package ui

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/ui/score"
	"github.com/webrag/webrag-tui/ui/wording"
)

// The steps follow each other without a gap and end at the score, for every preset.
func TestTheStepsOfRealScoresEndAtTheScore(t *testing.T) {
	for _, preset := range param.Presets() {
		d := openGuide(t, 150, 42, preset, "how does depth decay change the ranking", "")
		named := map[string]bool{}
		more := 0
		for i := range d.session().Result().Items {
			e := d.session().Result().Items[i].Explanation
			steps := score.Steps(e)
			if len(steps) > 1 {
				more++
			}
			if steps[0].From != 0 || math.Abs(steps[len(steps)-1].To-e.Value) > 1e-9 {
				t.Fatalf("%s: steps %+v for %v", preset, steps, e.Value)
			}
			for j := 1; j < len(steps); j++ {
				if steps[j].From != steps[j-1].To {
					t.Fatalf("%s: a gap in %+v", preset, steps)
				}
			}
			eachField(e, named)
		}
		p := d.session().Params()
		for field := range named {
			if _, ok := param.SpecOf(field); !ok {
				t.Errorf("%s: a tree names the parameter %q", preset, field)
			}
		}
		if d.session().Result().Mode != param.ModeChunk {
			continue
		}
		for _, c := range []struct {
			on    bool
			field string
		}{
			{p.DepthDecayRate > 0, "depth_decay_rate"},
			{p.DepthDecayRate > 0, "depth_floor"},
			{p.KeywordWeight > 0, "keyword_weight"},
			{p.KeywordWeight > 0 && p.Fusion == param.FusionRRF, "rrf_k"},
			{p.MaxHops > 0, "vector_weight"},
			{p.MaxHops > 0, "graph_weight"},
			{p.MaxHops > 0, "hop_decay"},
		} {
			if c.on != named[c.field] {
				t.Errorf("%s: %s enters %t, but the trees name %v", preset, c.field, c.on, named)
			}
		}
		if p.DepthDecayRate > 0 && more == 0 {
			t.Errorf("%s: no score has steps", preset)
		}
	}
}

func eachField(e *retrieval.Explanation, named map[string]bool) {
	for f := range strings.SplitSeq(e.Fields, ",") {
		if f != "" {
			named[f] = true
		}
	}
	for _, c := range e.Children {
		eachField(c, named)
	}
}

// Nothing is wider than the pane, at any width, in any preset, plain or not.
func TestTheScorePaneFitsEveryWidth(t *testing.T) {
	for _, preset := range param.Presets() {
		d := openGuide(t, 150, 42, preset, "how does depth decay change the ranking?", "")
		for _, w := range []int{34, 35, 40, 48, 56, 80} {
			d.score().SetSize(w, 40)
			for _, l := range d.score().Lines() {
				if n := ansi.StringWidth(l); n > w {
					t.Errorf("%s at %d: %d cells in %q", preset, w, n, ansi.Strip(l))
				}
			}
		}
	}
}

// What is said to change a rank does: set so, the section stands there.
func TestWhatWouldChangeARankIsTrue(t *testing.T) {
	d := openGuide(t, 150, 42, "webrag", "how does depth decay change the ranking", "r down down down down down down down")
	d.mustShow("what would change its rank")
	x := d.session().Examination()
	picked := score.Nearest(x.RankBreakpoints)
	if !slices.ContainsFunc(picked, func(t whynot.RankBreakpoint) bool { return t.To > 0 && t.To < t.From }) || len(picked) < 2 {
		t.Fatalf("only %+v", x.RankBreakpoints)
	}
	for _, turn := range picked {
		p := d.session().Params()
		if err := p.Set(turn.Change.Field, turn.Change.To); err != nil {
			t.Fatal(err)
		}
		r, _ := d.session().Evidence().Rank(p, retrieval.Options{})
		at := slices.IndexFunc(r.Items, func(it retrieval.Item) bool { return it.ChunkID == x.Item.ChunkID })
		rank := 0
		if at >= 0 {
			rank = r.Items[at].Rank
		}
		if turn.From != x.Item.Rank || turn.To != rank {
			t.Errorf("%+v, but it stands at %d", turn, rank)
		}
		d.mustShow(wording.SettingName(turn.Change.Field) + " ")
	}
	// A new ranking is looked into anew.
	d.press("down")
	if x.Stale || x.Item != d.selected() {
		t.Error("what is shown is of another section")
	}
}
