package ui

import (
	"context"
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/pipeline"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/wording"
)

const searchPage = "file:guide/search.md"

// whyOf opens the guide and asks about a text.
func whyOf(t *testing.T, w, h int, target whynot.Target) *driver {
	t.Helper()
	d := openGuide(t, w, h, "webrag", depthQuestion, "esc")
	d.push(d.why().Ask(target))
	d.settle()
	return d
}

func (d *driver) mustSelect(name string) {
	d.t.Helper()
	if it := d.selected(); it == nil || wording.Heading(it) != name {
		d.t.Fatalf("selected is %+v, want %q\n%s", it, name, d.screen())
	}
}

func TestWhyOfARowBelowTheFloor(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "esc G")
	it := d.selected()
	if it == nil || it.Why == nil {
		t.Fatalf("the last row is %+v", it)
	}
	d.press("w")
	d.mustShow("Why is this not among the results?", wording.Heading(it), "Its cosine of", "is not above the floor's .150 (set as .300", "What lets it in")
	before := len(shownIDs(d))
	d.press("enter")
	d.mustNotShow("What lets it in")
	d.mustShow("applied; u takes it back")
	if got := d.selected(); got == nil || got.Why != nil || got.Rank == 0 {
		t.Fatalf("selected is %+v", got)
	}
	if len(shownIDs(d)) <= before {
		t.Errorf("%d sections, before %d", len(shownIDs(d)), before)
	}
	d.press("u")
	if got := len(shownIDs(d)); got != before || d.session().Name() != "webrag" {
		t.Errorf("undone: %d sections of %d, setting %q", got, before, d.session().Name())
	}
}

// Whatever is suggested and applied lets the section in, at the rank that was
// said.
func TestWhyKeepsItsWord(t *testing.T) {
	for _, preset := range []string{"webrag", "hybrid", "graph", "topk"} {
		for n := range 3 {
			d := openGuide(t, 120, 40, preset, depthQuestion, "esc")
			d.push(d.why().Ask(whynot.Target{SourceURL: searchPage}))
			d.settle()
			r := d.why().Report()
			if r == nil || n >= len(r.Suggestions) {
				continue
			}
			want := r.Suggestions[n].Rank
			d.press(strings.Repeat("j ", n) + "enter")
			it := d.selected()
			if it == nil || it.SourceURL != searchPage || it.Rank != want {
				t.Errorf("%s, suggestion %d: selected is %+v, want number %d of the page", preset, n, it, want)
			}
		}
	}
}

func TestWhyOfASectionByItsName(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "esc w")
	d.mustShow("Why is something not among the results?", "the selected section: why it is here", "type the name of a page or section")
	d.press("up enter")
	d.mustShow("Why this is among the results", "It is in the result, as number 1")
	d.press("w")
	d.press("'miss search'")
	d.mustShow("What a search can miss")
	d.press("enter")
	d.mustShow("What a search can miss", "lets it in as number")
	d.press("enter")
	d.mustSelect("What a search can miss")
}

func TestWhyOfLooseLetters(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "esc")
	d.push(d.why().Pick())
	d.settle()
	d.press("'fndg nrst'")
	d.mustShow("Finding the nearest")
}

func TestWhyOfAddresses(t *testing.T) {
	for typed, want := range map[string]string{
		searchPage:                             "Finding the nearest",
		"guide/search.md":                      "Finding the nearest",
		searchPage + "#what-a-search-can-miss": "What a search can miss",
		searchPage + "#no-such-place":          "Finding the nearest",
		"https://nobody.example/page":          "has no page with that address",
	} {
		d := openGuide(t, 120, 40, "webrag", depthQuestion, "esc")
		d.push(d.why().Pick())
		d.settle()
		d.send(tea.PasteMsg{Content: typed})
		d.settle()
		d.press("enter")
		d.mustShow(want)
		if d.why().Report() == nil {
			t.Errorf("%s: there is no report:\n%s", typed, d.screen())
		}
	}
}

func TestWhyOfAQuote(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "esc")
	d.push(d.why().Pick())
	d.settle()
	d.send(tea.PasteMsg{Content: "That is why the floor here\nis applied after the search"})
	d.settle()
	d.mustShow("find this text: That is why the floor here is applied")
	d.press("enter")
	d.mustShow("What a search can miss", "lets it")
	d.press("w")
	d.send(tea.PasteMsg{Content: "no page of this corpus has ever said zebra crossing"})
	d.settle()
	d.press("enter")
	d.mustShow("No page of this corpus holds that quote", "try a shorter piece")
	d.press("esc esc")
	if d.dialogs() > 0 {
		t.Error("esc does not lead out")
	}
}

// esc leads back one level at every stage, and nothing is left running.
func TestWhyIsLeftByEsc(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "esc w esc")
	d.mustNotShow("Why")
	d.press("w 'nearest' enter")
	d.mustShow("Why is this not")
	d.press("esc")
	if d.dialogs() > 0 || d.why().IsLooking() || d.why().Report() != nil {
		t.Error("the dialog is still there")
	}
}

func TestWhyBeforeAQuery(t *testing.T) {
	drive(t, 1, 120, 40, nil, "esc w").mustShow("ask a query first (/)")
}

// The passages that a page means are gone through one by one.
func TestWhyOfTheOtherPassages(t *testing.T) {
	d := whyOf(t, 120, 40, whynot.Target{SourceURL: searchPage})
	d.mustShow("the best of 10 passages")
	first := d.why().Report().Chunk.ChunkID
	d.press("n")
	d.mustShow("passage 2 of 10")
	if got := d.why().Report().Chunk.ChunkID; got == first {
		t.Error("n stays with the same passage")
	}
	d.press("N N")
	d.mustShow("passage 10 of 10")
	d.press("n")
	d.mustShow("the best of 10 passages")
}

// Each suggestion says what it does to the watched queries.
func TestWhyAsksTheWatchList(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "esc *")
	d.push(d.why().Ask(whynot.Target{SourceURL: searchPage}))
	d.settle()
	d.mustShow("watch list", "1/1")
	d.send(tea.WindowSizeMsg{Width: 50, Height: 30})
	d.mustShow("watch 1/1")
}

func TestWhyOfWhatFellInAStage(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "esc 2")
	for range 10 {
		if _, ok := d.panel(pipeline.Outcome).(view.Selector).Selected(); ok {
			break
		}
		d.press("right")
	}
	d.press("tab")
	fell, ok := d.panel(d.focus()).(view.Selector).Selected()
	if !ok || d.focus() != pipeline.Outcome {
		t.Fatalf("nothing is selected:\n%s", d.screen())
	}
	d.press("w")
	if r := d.why().Report(); r == nil || r.Target.ChunkID != fell.ID {
		t.Fatalf("asked about %+v, want %s", r, fell.ID)
	}
	d.press("esc")
	if d.view() != viewPipeline {
		t.Error("esc leads elsewhere")
	}
	d.press("tab w")
	d.mustShow("type the name of a page or section")
}

// From an empty result the screen leads to what lets something in.
func TestWhyFromAnEmptyResult(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "esc")
	d.change("similarity_floor", "0.95")
	d.mustShow("w says why another")
	d.press("w enter")
	if len(shownIDs(d)) == 0 {
		t.Errorf("still empty:\n%s", d.screen())
	}
}

func TestWhyByMouse(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "esc w 'nearest'")
	line := func(words string) int {
		for y, l := range strings.Split(d.screen(), "\n") {
			if strings.Contains(l, words) {
				return y
			}
		}
		t.Fatalf("no line has %q:\n%s", words, d.screen())
		return 0
	}
	click := func(words string) {
		d.send(tea.MouseClickMsg{X: 10, Y: line(words), Button: tea.MouseLeft})
		d.settle()
	}
	click("Finding the nearest")
	d.mustShow("the best of 10 passages")
	click("keyword weight .0")
	d.mustShow(d.styles().Signs.Marker + "keyword weight .0")
	d.send(tea.WindowSizeMsg{Width: 80, Height: 15})
	before := d.screen()
	d.send(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	if d.screen() == before {
		t.Error("the wheel does not scroll")
	}
}

// A suggestion beyond the evidence asks the corpus, and selects what it brings
// then.
func TestWhyBeyondTheEvidence(t *testing.T) {
	d := whyOf(t, 120, 40, whynot.Target{SourceURL: searchPage})
	p, beyond := d.session().Params(), -1
	for i := range d.why().Report().Suggestions {
		with := p
		for _, c := range d.why().Report().Suggestions[i].Changes {
			if err := with.Set(c.Field, c.To); err != nil {
				t.Fatal(err)
			}
		}
		if ok, _ := d.session().Evidence().Covers(with); !ok {
			beyond = i
		}
	}
	if beyond < 0 {
		t.Fatal("the evidence reaches as far as all suggestions: nothing is tested")
	}
	d.press(strings.Repeat("j ", beyond) + "enter")
	if it := d.selected(); it == nil || it.SourceURL != searchPage {
		t.Errorf("selected is %+v", it)
	}
}

// pondering answers why as it is told to.
type pondering struct {
	answering
	why func(context.Context, whynot.Target) (whynot.Report, error)
}

func (p pondering) WhyNot(ctx context.Context, _ retrieval.Query, _ param.Params, t whynot.Target) (whynot.Report, error) {
	return p.why(ctx, t)
}

func ponder(why func(context.Context, whynot.Target) (whynot.Report, error)) func(*Options, *fakeCorpus) {
	return func(o *Options, f *fakeCorpus) {
		o.Query = "decay"
		o.Open = func(context.Context) (*session.Corpus, error) {
			return &session.Corpus{Name: "guide", Engine: pondering{answering{f}, why}, Reader: f, Live: true}, nil
		}
	}
}

func TestWhyFails(t *testing.T) {
	d := drive(t, 1, 100, 30, ponder(func(context.Context, whynot.Target) (whynot.Report, error) {
		return whynot.Report{}, errors.New("read corpus: the disk is gone\nsecond line\x1b[31m")
	}), "esc w enter")
	d.mustShow("! read corpus: the disk is gone", "w another one")
	d.mustNotShow("second line")
	d.press("enter n N j k space G g esc esc")
	if d.dialogs() > 0 {
		t.Error("esc does not lead out")
	}
}

// A slow answer says so, is cancelled by esc, and an answer that comes late is of
// no one.
func TestWhyTakesItsTime(t *testing.T) {
	var cancelled bool
	d := drive(t, 1, 100, 30, ponder(func(ctx context.Context, t whynot.Target) (whynot.Report, error) {
		cancelled = ctx.Err() != nil
		return whynot.Report{Target: t, Verdict: "late"}, nil
	}), "esc")
	cmd := d.why().Ask(whynot.Target{ChunkID: "far"})
	var look tea.Cmd
	for _, c := range cmd().(tea.BatchMsg) {
		// The answer is kept back, the clock is not.
		if msg, ok := c().(timerSet); ok {
			d.send(msg)
		} else {
			look = c
		}
	}
	d.mustNotShow("looking for what lets it in")
	d.pass(view.SpinnerDelay + view.SpinnerStep)
	d.mustShow("looking for what lets it in")
	d.press("esc")
	if d.dialogs() > 0 {
		t.Fatal("esc does not lead out")
	}
	d.push(d.why().Pick())
	d.settle()
	d.send(look())
	d.settle()
	if !cancelled {
		t.Error("the work was not cancelled")
	}
	d.mustNotShow("late")
}

func TestWhyOfHostileTitles(t *testing.T) {
	d := drive(t, 1, 120, 40, ponder(func(_ context.Context, t whynot.Target) (whynot.Report, error) {
		return hostileReport(t), nil
	}), "esc w")
	for _, keys := range []string{"", "'" + "red" + "'", "enter", "space", "esc"} {
		d.press(keys)
		if s := d.frame().Content; strings.ContainsAny(ansi.Strip(s), "\x00\x07\u009b\u202e") {
			t.Fatalf("after %q a control character is on the screen", keys)
		}
	}
}

func hostileReport(t whynot.Target) whynot.Report {
	shift := retrieval.Shift{Name: hostile, Title: hostile}
	return whynot.Report{
		Target: t, Meant: 2, Verdict: hostile,
		Chunk:     whynot.TargetChunk{ChunkID: "evil", DocumentID: "d", SourceURL: hostile, Title: hostile, Heading: hostile, Name: hostile},
		Others:    []whynot.TargetChunk{{ChunkID: "other"}},
		Vector:    &whynot.ArmPosition{Name: hostile, Used: true, Found: true, Rank: 3, Score: .2, Cuts: []whynot.Cut{{Stage: param.StageFloor, Value: .2, Threshold: .3}}},
		Keyword:   &whynot.ArmPosition{Name: hostile, Reason: phrase.ReasonKeywordNoMatch, LacksWords: []string{hostile}},
		DroppedBy: &whynot.DroppedBy{Stage: param.StageFloor, Name: hostile},
		Graph:     &whynot.GraphPath{Hops: 1, Steps: []whynot.GraphStep{{FromName: hostile, ToName: hostile, Relation: hostile, Weight: 1}}},
		Suggestions: []whynot.Suggestion{{
			Changes: []whynot.Adjustment{{Change: param.Change{Field: "similarity_floor", From: "0.3", To: "0.2"}}},
			Rank:    3, Enters: []retrieval.Shift{shift}, Leaves: []retrieval.Shift{shift},
		}},
		Notices: []retrieval.Notice{{Text: hostile}},
	}
}

// crawlingReport is on the first row below the floor of the hand-made results.
func crawlingReport(t whynot.Target) whynot.Report {
	change := func(field, from, to string) whynot.Adjustment {
		return whynot.Adjustment{Change: param.Change{Field: field, From: from, To: to}}
	}
	shift := func(name string) retrieval.Shift { return retrieval.Shift{ChunkID: name, Name: name} }
	if t.ChunkID == "decay" {
		return whynot.Report{
			Target: t, Meant: 1, Present: true, Item: "decay", Rank: 1, Score: .612, Mode: param.ModeChunk,
			Verdict: "It is in the result, as number 1 with a score of .612.",
			Chunk:   whynot.TargetChunk{ChunkID: "decay", DocumentID: "ranking", SourceURL: guideURL + "ranking", Title: "Ranking and depth", Heading: "Depth decay"},
			Vector: &whynot.ArmPosition{Used: true, Found: true, Rank: 1, Score: .644, Cuts: []whynot.Cut{
				{Stage: param.StageFloor, Value: .644, Threshold: .3, Passes: true}, {Stage: param.StageLimit, Value: 1, Threshold: 60, Passes: true},
			}},
		}
	}
	return whynot.Report{
		Target: t, Meant: 3, Mode: param.ModeChunk, Runs: 1427,
		Chunk:   whynot.TargetChunk{ChunkID: "far.0", ParentID: "far", DocumentID: "crawling", SourceURL: guideURL + "crawling", Title: "Crawling", Heading: "How far to go"},
		Others:  []whynot.TargetChunk{{ChunkID: "polite.0"}, {ChunkID: "robots.0"}},
		Verdict: "Its cosine of .297 is not above the floor of .300. Keyword weight .12 lets it in as number 7 of 20.",
		Vector: &whynot.ArmPosition{Used: true, Found: true, Rank: 23, Score: .297, Cuts: []whynot.Cut{
			{Stage: param.StageFloor, Value: .297, Threshold: .3}, {Stage: param.StageLimit, Value: 23, Threshold: 60, Passes: true},
		}},
		Keyword: &whynot.ArmPosition{
			Name: "Politeness", ChunkID: "polite.0", Found: true, Rank: 4, Score: 3.355,
			Has: []string{"depth"}, LacksWords: []string{"decay", "work"},
		},
		DroppedBy: &whynot.DroppedBy{Stage: param.StageFloor},
		Graph: &whynot.GraphPath{Hops: 2, Steps: []whynot.GraphStep{
			{FromName: "Depth decay", ToName: "Politeness", Relation: "references", Weight: 1},
			{FromName: "Politeness", ToName: "How far to go", Relation: "sequence", Weight: .5, Reversed: true},
		}},
		Suggestions: []whynot.Suggestion{
			{Changes: []whynot.Adjustment{change("keyword_weight", "0", "0.12")}, Rank: 7, Items: 20, Rows: 15},
			{Changes: []whynot.Adjustment{change("similarity_floor", "0.3", "0.296")}, Rank: 15, Items: 21, Enters: []retrieval.Shift{shift("Batches and workers")}, Moved: 2},
			{
				Changes: []whynot.Adjustment{change("context_budget", "40000", "42500"), change("depth_decay_rate", "0.05", "0")}, Rank: 9, Items: 22,
				Enters: []retrieval.Shift{shift("Exact search"), shift("検索の深さと順位"), shift("What a floor is"), shift("Batches and workers")},
				Leaves: []retrieval.Shift{shift("The depth knobs")}, Moved: 4,
			},
		},
		Notices: []retrieval.Notice{{Text: "not everything was tried: only some values of rrf_k"}},
	}
}

func TestWhyScreens(t *testing.T) {
	explained := ponder(func(_ context.Context, t whynot.Target) (whynot.Report, error) { return crawlingReport(t), nil })
	open := func(o *Options, f *fakeCorpus) {
		explained(o, f)
		o.Query = "how does depth decay work"
	}
	for _, c := range []struct {
		name string
		w, h int
	}{{"200x60", 200, 60}, {"120x40", 120, 40}, {"80x24", 80, 24}, {"50x15", 50, 15}} {
		for name, keys := range map[string]string{"picker": "esc w", "found": "esc w 'depth'", "report": "esc G k k w j j space", "present": "esc w up enter"} {
			t.Run(name+" "+c.name, func(t *testing.T) {
				golden.RequireEqual(t, drive(t, 1, c.w, c.h, open, keys).screen())
			})
		}
	}
}

// What of a report is hidden is said in the line of its title.
func TestAReportSaysHowMuchIsBelow(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {50, 15}} {
		d := openGuide(t, size[0], size[1], "webrag", depthQuestion, "w 'embedding with a model' enter")
		below := "more below"
		if size[0] < 80 {
			below = " below"
		}
		if d.mustShow(below); !strings.Contains(strings.Split(d.screen(), "\n")[2], below) {
			t.Errorf("at %d cells it is not in the title:\n%s", size[0], d.screen())
		}
		for range 20 {
			d.press("pgdown")
		}
		d.mustNotShow(below)
	}
}

// The best passage of a page need not be in the section that a change lets in: the report
// says which section each is in, and by its part where it was cut into several.
func TestWhyNamesSections(t *testing.T) {
	d := whyOf(t, 140, 40, whynot.Target{SourceURL: searchPage})
	r := d.why().Report()
	if len(r.Suggestions) == 0 {
		t.Fatalf("nothing lets it in:\n%s", d.screen())
	}
	in := &r.Suggestions[0]
	d.mustShow("in “"+wording.Line(r.Vector.Name)+"”", "“"+wording.Line(in.ItemName)+"” is what comes in")
	d.session().Summary().Parts = map[string]session.SectionPart{in.Item: {Part: 2, Of: 3}, r.Vector.Section: {Part: 2, Of: 3}}
	d.mustShow("in “"+wording.Line(r.Vector.Name)+" 2/3”", "“"+wording.Line(in.ItemName)+" 2/3” is what comes in")
	in.ItemName = ""
	d.mustShow("Part 2/3 is what comes in")
	d.press("enter")
	if got := d.selected(); got == nil || got.SectionID() != in.Item {
		t.Errorf("%q came in, and %q was named", got.SectionID(), in.Item)
	}
}
