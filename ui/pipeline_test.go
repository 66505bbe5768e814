package ui

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/ui/pipeline"
)

func stagesOf(d *driver) *pipeline.View { return d.views()[viewPipeline].View.(*pipeline.View) }

func TestPipelineWalk(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "2")
	// It begins where something fell.
	d.mustShow("Pipeline", "vector", "200", "Floor", "▸ 186 dropped")
	d.press("tab space")
	d.mustShow("▾ 186 dropped", "short")
	d.press("tab")
	d.press("right")
	if got := stagesOf(d).Stage(); got != param.StageLimit {
		t.Errorf("at %q", got)
	}
	d.press("right")
	d.mustShow("5 merged", "→ ", "9 through to the result")
	d.press("left left h h h h h")
	if got := stagesOf(d).Stage(); got != param.StageMode {
		t.Errorf("at %q", got)
	}
	d.press("G")
	if got := stagesOf(d).Stage(); got != param.StageSurface {
		t.Errorf("at %q", got)
	}
	d.press("esc")
	if d.view() != viewExplore {
		t.Error("esc does not lead back to the results")
	}
}

// Without a stage is what ranking with the stage off gives, and nothing else.
func TestPipelineWithoutAStage(t *testing.T) {
	d := openGuide(t, 120, 60, "webrag", depthQuestion, "2 x")
	off, _ := param.StageOff(d.session().Params(), param.StageFloor)
	want, _ := d.session().Evidence().Rank(off, retrieval.Options{})
	before := shownIDs(d)
	entered := 0
	for i := range want.Items {
		if !slices.Contains(before, want.Items[i].ChunkID) {
			entered++
		}
	}
	if entered == 0 {
		t.Fatal("nothing enters without the floor")
	}
	if rows := len(regexp.MustCompile(`rank +\d+  `).FindAllString(d.screen(), -1)); rows != entered {
		t.Errorf("%d rows enter, want %d:\n%s", rows, entered, d.screen())
	}
	d.mustShow("Without floor", "would enter")
	if !slices.Equal(shownIDs(d), before) {
		t.Error("looking has changed the result")
	}
	d.press("X")
	if got := shownIDs(d); len(got) != len(before)+entered {
		t.Errorf("applied, %d sections, want %d", len(got), len(before)+entered)
	}
	d.press("u")
	if got := shownIDs(d); !slices.Equal(got, before) {
		t.Errorf("undone: %d sections, want %d", len(got), len(before))
	}
	// x again shows what the stage did.
	d.press("x x")
	d.mustNotShow("Without floor")
}

func TestPipelineOpensACandidate(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "2 enter enter down enter")
	if d.view() != viewExplore || d.selected() == nil || d.selected().Why == nil {
		t.Errorf("view %v, selected %+v: want the nearest that fell", d.view(), d.selected())
	}
}

func TestPipelineOfTheWholeCorpus(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "")
	d.change("mode", "full_context")
	d.press("2")
	d.mustShow("full context", "load", "overflow", "not used")
	d.press("g x")
	d.mustShow("In chunk mode", "would leave")
	d.press("X")
	if d.session().Result().Mode != param.ModeChunk {
		t.Errorf("mode %s", d.session().Result().Mode)
	}
}

func TestPipelineBeforeAQuery(t *testing.T) {
	drive(t, 1, 120, 40, nil, "esc 2").mustShow("Ask a query first")
	drive(t, 1, 120, 40, nil, "esc 2 x").mustShow("ask a query first")
	drive(t, 1, 120, 40, nil, "esc 2 X enter").mustShow("ask a query first")
}

// A stage that cannot be left out says so.
func TestPipelineNeedsItsSearch(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "2 left")
	d.mustShow("The stage vector is always there, and cannot be left out.")
	d.mustNotShow("x without it")
	d.press("x")
	d.mustShow("── the stage vector is always there")
	d.press("right")
	d.mustShow("x without it")
	d.mustNotShow("cannot be left out")
}

// In every preset, the rows of a stage are the candidates that fell in it.
func TestPipelineListsEveryDrop(t *testing.T) {
	for _, preset := range param.Presets() {
		d := openGuide(t, 120, 40, preset, depthQuestion, "2 g")
		result := d.session().Result()
		for i := range result.Trace.Stages {
			st := &result.Trace.Stages[i]
			if got := stagesOf(d).Stage(); got != st.Name {
				t.Fatalf("%s: at %s, want %s", preset, got, st.Name)
			}
			rows := stagesOf(d).Listed()
			if st.In > 0 || st.Out > 0 {
				rows = rows[:max(0, len(rows)-len(result.Items))] // those that came through
			}
			if want := len(st.Dropped) + len(st.Merged); len(rows) != want {
				t.Errorf("%s, %s: %d rows, want %d", preset, st.Name, len(rows), want)
			}
			for k := range st.Dropped {
				if k < len(rows) && rows[k].ID != st.Dropped[k].ID {
					t.Errorf("%s, %s: row %d is %s, want %s", preset, st.Name, k, rows[k].ID, st.Dropped[k].ID)
				}
			}
			d.press("right")
		}
	}
}

func TestPipelineScreens(t *testing.T) {
	for _, c := range []struct {
		name, preset, keys string
		w, h               int
	}{
		{"wide", "hybrid", "2", 200, 60},
		{"floor", "webrag", "2", 120, 40},
		{"without", "webrag", "2 x", 120, 40},
		{"small", "hybrid", "2 right", 80, 24},
		{"single", "graph", "2", 50, 15},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := openGuide(t, c.w, c.h, c.preset, depthQuestion, c.keys)
			d.session().Result().Timing = retrieval.Timing{}
			stages := d.session().Result().Trace.Stages
			for i := range stages {
				stages[i].Duration = 0
			}
			golden.RequireEqual(t, d.screen())
		})
	}
}

// Without the choice of surfaces the same sections come in another form.
func TestPipelineWithoutSurfaces(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "2 G")
	d.mustShow("without it: 3 sections would be sent as markdown, not as HTML")
	d.press("x")
	d.mustShow("3 sections would be sent as markdown", "X applies it")
	d.mustNotShow("changes nothing")
}

// Of a hundred rows that were dropped the one that is looked for is found by its words, from
// either pane, and the next stage is searched for the same.
func TestFindingWhatWasDropped(t *testing.T) {
	for _, pane := range []string{"", "tab "} {
		d := openGuide(t, 120, 40, "webrag", depthQuestion, "2 "+pane+"f 'depth'")
		d.mustShow("find", "1/")
		_, of := d.finder().Found()
		d.press("enter n")
		at, again := d.finder().Found()
		if of < 2 || at != 2 || again != of || d.finder().Stops() != of {
			t.Errorf("pane %q: %d of %d, at first of %d", pane, at, again, of)
		}
		if said := d.panel(pipeline.Outcome).Said(); !strings.Contains(strings.ToLower(said), "depth") {
			t.Errorf("it stands on %q", said)
		}
		for range of {
			slot, _ := d.place().Slot(pipeline.Outcome)
			shown := strings.Split(d.screen(), "\n")[slot.Body.Min.Y:slot.Body.Max.Y]
			if !slices.ContainsFunc(shown, func(l string) bool {
				return strings.HasPrefix(l, d.styles().Signs.Marker) && strings.Contains(strings.ToLower(l), "depth")
			}) {
				t.Errorf("what is found cannot be seen:\n%s", strings.Join(shown, "\n"))
			}
			d.press("n")
		}
		d.press("esc")
		if d.finding() {
			t.Error("esc does not end it")
		}
	}
	// What has nothing to find says so.
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "t f")
	d.mustShow("nothing is found in this pane; tab leads to lists and texts")
	if d.typing() {
		t.Error("something is typed into")
	}
}
