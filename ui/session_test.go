package ui

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/ui/welcome"
)

// again drives a new explorer that goes on where another one was left.
func again(t *testing.T, left *driver, change func(*Options, *fakeCorpus), keys string) *driver {
	t.Helper()
	path := filepath.Join(t.TempDir(), "state.json")
	if err := saveState(path, left.state()); err != nil {
		t.Fatal(err)
	}
	d, _ := newDriver(t, 2, left.width(), left.height(), change)
	d.restore(loadState(path))
	d.settle()
	d.press(keys)
	return d
}

func placed(change func(*Options, *fakeCorpus), query string) func(*Options, *fakeCorpus) {
	return func(o *Options, f *fakeCorpus) {
		change(o, f)
		o.Place, o.Resume, o.Query = "place", true, query
	}
}

func TestSessionGoesOn(t *testing.T) {
	guide := onGuide(t, "webrag", "")
	first := drive(t, 1, 120, 40, placed(guide, depthQuestion), "t")
	first.change("depth_decay_rate", "0.3")
	first.tune().GoTo("similarity_floor")
	first.press("2")
	if first.session().Difference().IsIdentical() {
		t.Fatal("nothing was tuned")
	}
	shown := shownIDs(first)

	d := again(t, first, placed(guide, ""), "")
	if d.session().Query() != depthQuestion || d.view() != viewPipeline || !d.showsTune() {
		t.Errorf("query %q, view %v, tune %v", d.session().Query(), d.view(), d.showsTune())
	}
	if got := shownIDs(d); !slices.Equal(got, shown) || d.session().Name() != "webrag*" {
		t.Errorf("%s shows %v, want %v", d.session().Name(), got, shown)
	}
	if got := d.tune().Parameter(); got != "similarity_floor" {
		t.Errorf("the tune pane is at %q", got)
	}
	if d.typing() {
		t.Error("keys are typed into the line of a question that was answered")
	}
	d.mustShow("❯ "+depthQuestion, "against webrag")
	d.press("1")
	if d.query() != depthQuestion || d.view() != viewExplore {
		t.Errorf("after 1 there is %q in the line, and the view %v", d.query(), d.view())
	}
	d.press("u")
	if d.session().Name() != "webrag" {
		t.Error("the parameters of the start cannot be had back")
	}

	// A query of the command line is what is meant, and is ranked as the last one was;
	// another preset has other parameters; and a session that is not to go on does not.
	d = again(t, first, placed(guide, "budget"), "")
	if d.session().Query() != "budget" || d.view() != viewExplore || d.session().Name() != "webrag*" {
		t.Errorf("query %q, view %v, setting %s", d.session().Query(), d.view(), d.session().Name())
	}
	d = again(t, first, placed(onGuide(t, "hybrid", ""), ""), "")
	if d.session().Query() != depthQuestion || d.session().Name() != "hybrid" {
		t.Errorf("query %q, setting %s", d.session().Query(), d.session().Name())
	}
	d = again(t, first, func(o *Options, f *fakeCorpus) { placed(guide, "")(o, f); o.Resume = false }, "")
	if d.session().Query() != "" {
		t.Errorf("asked %q", d.session().Query())
	}
}

// A corpus whose embedding server costs money is not asked before enter.
func TestResumedQueryWaitsWhereAskingCosts(t *testing.T) {
	costly := func(o *Options, f *fakeCorpus) {
		o.Open = func(context.Context) (*session.Corpus, error) {
			return &session.Corpus{Name: "guide", Engine: answering{f}, Reader: f}, nil
		}
	}
	first := drive(t, 1, 120, 40, placed(costly, "decay"), "")
	d := again(t, first, placed(costly, ""), "")
	if d.session().Query() != "" || !d.atBeginning() {
		t.Fatalf("asked %q, the line holds %q", d.session().Query(), d.query())
	}
	d.mustShow("decay", "enter asks it")
	d.press("enter")
	if d.session().Query() != "decay" {
		t.Error("enter does not ask")
	}
}

func TestHistory(t *testing.T) {
	t.Parallel()
	first := drive(t, 1, 120, 40, placed(asking(""), ""), "'depth of it' enter / ctrl+u 'budget' enter")
	if got := first.session().History(); !slices.Equal(got, []string{"depth of it", "budget"}) {
		t.Errorf("history %q: what was only being typed does not belong there", got)
	}
	d := again(t, first, placed(asking(""), "floor"), "/ ctrl+r")
	d.mustShow("Queries asked before", "depth of it", "budget", "floor")
	d.press("'dep' enter")
	if d.session().Query() != "depth of it" {
		t.Errorf("asked %q", d.session().Query())
	}
	if got := d.session().History(); got[len(got)-1] != "depth of it" || len(got) != 3 {
		t.Errorf("history %q", got)
	}
	drive(t, 1, 120, 40, nil, "ctrl+r").mustShow("no query was asked yet")
}

func TestSwitchCorpus(t *testing.T) {
	t.Parallel()
	closed := []string{}
	var fake *fakeCorpus
	d := drive(t, 1, 120, 40, func(o *Options, f *fakeCorpus) {
		fake = f
		o.Query, o.Place, o.Corpora = "decay", "a", []welcome.Corpus{{Name: "guide", Place: "a"}, {Name: "second one", Place: "b"}}
		opening := func(_ context.Context, place string) (*session.Corpus, error) {
			if place == "gone" {
				return nil, errors.New("open corpus gone: there is no such file")
			}
			return &session.Corpus{Name: "corpus " + place, Engine: answering{f}, Reader: f, Live: true, Close: func() error {
				closed = append(closed, place)
				return nil
			}}, nil
		}
		o.Open = func(ctx context.Context) (*session.Corpus, error) { return opening(ctx, "a") }
		o.OpenPlace = opening
	}, ": 'switch to another' enter")
	d.mustShow("Switch to a corpus", "second one", "open now")
	d.press("'second' enter")
	d.mustShow("corpus b", "ask the corpus")
	if !slices.Equal(closed, []string{"a"}) || d.session().Result() != nil || len(fake.asked) != 1 {
		t.Errorf("closed %v, result %v, asked %q", closed, d.session().Result() != nil, fake.asked)
	}
	d.press("'budget' enter : 'switch to another' enter 'guide' enter")
	d.mustShow("corpus a")
	if d.session().Query() != "decay" {
		t.Errorf("back in a corpus, its query is %q", d.session().Query())
	}
	d.press(": 'open a file' enter enter")
	d.mustShow("type the path of a corpus")
	// The present corpus stays until the other one is open, and the place can be
	// mended where it was typed.
	d.press("'gone' enter")
	d.mustShow("Open a corpus", "gone", "no such file", "corpus a")
	if d.session().Corpus() == nil || d.session().Query() != "decay" || d.options().Place != "a" {
		t.Errorf("corpus %v, query %q, place %q", d.session().Corpus(), d.session().Query(), d.options().Place)
	}
	d.press("esc : 'switch to' enter 'second' enter")
	d.mustShow("corpus b")
	if d.session().Query() != "budget" || d.welcome().Failure() != nil {
		t.Errorf("query %q, failure %v", d.session().Query(), d.welcome().Failure())
	}
	d.press(": 'switch to' enter")
	d.mustShow(d.styles().Signs.Marker + " second one") // the cursor begins at the one that is open
}

// beside opens corpora of any place.
func beside(o *Options, f *fakeCorpus) {
	o.Query, o.Place, o.Corpora = "decay", "a", []welcome.Corpus{{Name: "guide", Place: "a"}, {Name: "second one", Place: "b"}}
	o.OpenPlace = func(_ context.Context, place string) (*session.Corpus, error) {
		return &session.Corpus{Name: "corpus " + place, Engine: answering{f}, Reader: f, Live: true}, nil
	}
}

// What is tuned in one corpus stays with it: another one begins with what it was left with,
// or with the preset of the settings, and with nothing to undo.
func TestEachCorpusHasItsOwnParameters(t *testing.T) {
	t.Parallel()
	d := drive(t, 1, 120, 40, func(o *Options, f *fakeCorpus) {
		beside(o, f)
		o.Resume, o.Preset = true, "webrag"
		o.Params, _ = param.Preset("webrag")
		o.StartAt = func(last string) session.Profile {
			p := session.Profile{Name: cmp.Or(last, "hybrid")}
			p.Params, _ = param.Preset(p.Name)
			return p
		}
	}, "")
	d.change("top_k", "9")
	d.press("s")
	d.push(d.welcome().SwitchTo("b", nil))
	d.settle()
	hybrid, _ := param.Preset("hybrid")
	if d.session().Name() != "hybrid" || d.session().Params() != hybrid || d.session().IsPinned() {
		t.Errorf("a new corpus begins with %s, pinned %v", d.session().Name(), d.session().IsPinned())
	}
	d.press("esc u")
	d.mustShow("nothing to undo")
	d.change("top_k", "3")
	d.push(d.welcome().SwitchTo("a", nil))
	d.settle()
	if d.session().Name() != "webrag*" || d.session().Params().TopK != 9 {
		t.Errorf("back in the first, %s returns %d", d.session().Name(), d.session().Params().TopK)
	}
}

// Who leaves the prompt of a corpus whose server hangs has it waited for no longer, and it
// is not opened.
func TestLeavingThePromptEndsTheOpening(t *testing.T) {
	t.Parallel()
	hangs, closed := true, 0
	var cause error
	d := drive(t, 1, 120, 40, func(o *Options, f *fakeCorpus) {
		beside(o, f)
		o.OpenPlace = func(ctx context.Context, place string) (*session.Corpus, error) {
			if cause = ctx.Err(); cause != nil && hangs {
				return nil, cause
			}
			return &session.Corpus{Name: "corpus " + place, Engine: answering{f}, Reader: f, Live: true, Close: func() error { closed++; return nil }}, nil
		}
	}, "esc")
	for _, hangs = range []bool{true, false} {
		d.press(": 'open a file' enter 'b'")
		_, cmd := d.update(keyOf("enter"))
		d.press("esc")
		d.push(cmd)
		d.settle()
		if cause == nil || d.options().Place != "a" || d.dialogs() != 0 {
			t.Errorf("hangs %v: ended with %v at %s, %d dialogs", hangs, cause, d.options().Place, d.dialogs())
		}
	}
	if closed != 1 {
		t.Errorf("%d closed that were opened in vain", closed)
	}
	// One that is opened from the list is not its business.
	opening := d.welcome().SwitchTo("b", nil)
	d.press(": 'open a file' enter 'c' esc")
	d.push(opening)
	d.settle()
	d.mustShow("corpus b")
}

// So does one that comes while two rankings stand side by side, or the watch list is shown,
// with what is chosen for them.
func TestSwitchingClosesWhatCompares(t *testing.T) {
	t.Parallel()
	for _, keys := range []string{"D", "D a", "* # p", "S", ": 'snapshot delete' enter"} {
		d := drive(t, 1, 120, 40, beside, "S 'mine' enter")
		opening := d.welcome().SwitchTo("b", nil)
		if d.press(keys); d.dialogs() == 0 {
			t.Fatalf("%s opens no dialog:\n%s", keys, d.screen())
		}
		d.push(opening)
		d.settle()
		if d.dialogs() != 0 {
			t.Errorf("%s: %d dialogs of the corpus that was left:\n%s", keys, d.dialogs(), d.screen())
		}
		d.mustShow("corpus b")
	}
}

// A corpus that comes while one asks why a text is missing closes that dialog: its report
// is of the corpus that was left.
func TestSwitchingClosesTheWhyDialog(t *testing.T) {
	t.Parallel()
	d := drive(t, 1, 120, 40, beside, "esc")
	opening := d.welcome().SwitchTo("b", nil)
	d.press("w")
	if d.dialogs() != 1 || d.why().Report() != nil {
		t.Fatalf("%d dialogs", d.dialogs())
	}
	d.press("'batches' enter")
	d.push(opening)
	d.settle()
	d.mustShow("corpus b", "ask the corpus")
	if d.dialogs() != 0 || d.why().Report() != nil {
		t.Errorf("%d dialogs of the corpus that was left, report %v", d.dialogs(), d.why().Report())
	}
	d.press("'decay' enter w")
	d.mustShow("Why is something not among the results?")
}

// Pages go on being indexed while another corpus is looked at: the header says so, and when
// that ends, nothing is asked again of the corpus that they are not in.
func TestIndexingGoesOnBesideAnotherCorpus(t *testing.T) {
	t.Parallel()
	for _, broken := range []error{nil, errors.New("the disk is full")} {
		var places []string
		d, f := newDriver(t, 1, 120, 40, func(o *Options, f *fakeCorpus) {
			beside(o, f)
			o.Index = func(_ context.Context, place, _ string, progress func(indexing.Progress)) (string, error) {
				places = append(places, place)
				progress(indexing.Progress{PagesDone: 1, PagesTotal: 3})
				return "3 pages added", broken
			}
		})
		d.settle()
		filling := d.welcome().Index("docs")
		d.push(d.welcome().SwitchTo("b", nil))
		d.settle()
		d.mustShow("corpus b", "Ask in your own words")
		d.press("'budget' enter")
		if d.session().Indexing() != "docs" {
			t.Error("another corpus ends the indexing")
		}
		asked := len(f.asked)
		d.push(filling)
		d.settle()
		if broken == nil {
			d.mustShow("a: 3 pages added", "(budget)")
		} else {
			d.mustShow("The pages could not be indexed", "disk is full")
			d.press("esc")
			d.mustShow("(budget)")
		}
		if len(f.asked) != asked || d.session().Indexing() != "" || d.dialogs() != 0 {
			t.Errorf("asked %d times more; indexing %q; %d dialogs", len(f.asked)-asked, d.session().Indexing(), d.dialogs())
		}
		// In its own corpus it is shown as before.
		d.push(d.welcome().Index("docs"))
		d.settle()
		if len(f.asked) == asked && broken == nil {
			t.Error("in the corpus that has new pages nothing is asked again")
		}
		if !slices.Equal(places, []string{"a", "b"}) {
			t.Errorf("indexed into %q", places)
		}
	}
}

// Which corpus was opened is said before what its first answer has to say, and until the next
// key.
func TestTheLastCorpusIsSaidFirst(t *testing.T) {
	guide := onGuide(t, "webrag", depthQuestion)
	d := drive(t, 1, 120, 40, func(o *Options, f *fakeCorpus) {
		guide(o, f)
		o.Notices = []retrieval.Notice{{Code: "sends", Text: "queries are sent away", Warning: true}, {Code: LastCorpus, Text: "guide is the corpus of the last session"}}
	}, "")
	d.mustShow("i guide is the corpus of the last session")
	d.press("j")
	d.mustNotShow("the corpus of the last session")
	d.mustShow("! queries are sent away")
}

func TestLastPlace(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state.json")
	if got := LastPlace(path, func(string) bool { return true }); got != "" {
		t.Errorf("without a state %q", got)
	}
	m := New(Options{Place: "b"})
	m.noteCorpus(welcome.Corpus{Name: "a", Place: "a"})
	m.noteCorpus(welcome.Corpus{Name: "b", Place: "b"})
	m.noteCorpus(welcome.Corpus{Name: "", Place: ""})
	if err := saveState(path, m.state()); err != nil {
		t.Fatal(err)
	}
	if got := LastPlace(path, func(string) bool { return true }); got != "b" {
		t.Errorf("last was %q", got)
	}
	if got := LastPlace(path, func(p string) bool { return p != "b" }); got != "a" {
		t.Errorf("b is gone: %q", got)
	}
}

// What is watched survives a crash: it is written at once.
func TestWatchListIsKeptAtOnce(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state.json")
	d := drive(t, 1, 120, 40, func(o *Options, _ *fakeCorpus) { o.Query, o.StatePath = "decay", path }, "*")
	if got := loadState(path).Watch["guide"]; len(got) != 1 || got[0].Query != "decay" {
		t.Errorf("kept %+v", got)
	}
	d.press("*")
	if got := loadState(path).Watch["guide"]; len(got) != 0 {
		t.Errorf("kept %+v after it was taken off", got)
	}
}

// Pages that came while the explorer is open are asked, listed and watched.
func TestIndexingWhileACorpusIsOpen(t *testing.T) {
	t.Parallel()
	indexed := false
	d, f := newDriver(t, 1, 120, 40, func(o *Options, _ *fakeCorpus) {
		o.Query = "decay"
		o.Index = func(context.Context, string, string, func(indexing.Progress)) (string, error) {
			indexed = true
			return "1 page added", nil
		}
	})
	d.settle()
	d.press("* / ctrl+u 'budget' enter 3")
	f.asked = nil
	f.entries = append(f.pages(), session.PageEntry{ID: "new", URL: guideURL + "new", Title: "What was added"})
	d.press(": 'corpus: index a folder' enter 'docs' enter")
	if !indexed {
		t.Fatal("nothing was indexed")
	}
	d.mustShow("1 page added", "What was added")
	if !slices.Contains(f.asked, "budget") || !slices.Contains(f.asked, "decay") {
		t.Errorf("asked %q: the query and the watched one are to be asked again", f.asked)
	}
}

func TestWhyNotFromTheCorpus(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "3 g w")
	d.mustShow("A guide to retrieval")
	d.mustShow("another one", "esc close") // not "esc back", which leads to the picker
	d.press("esc tab g j w")
	d.mustShow("another one", "esc close")
}

// A corpus whose opening is overtaken by another one is closed again, and what it
// brings late changes nothing.
func TestAnOpeningThatIsOvertaken(t *testing.T) {
	t.Parallel()
	closed := []string{}
	d, _ := newDriver(t, 1, 120, 40, func(o *Options, f *fakeCorpus) {
		open := func(_ context.Context, place string) (*session.Corpus, error) {
			return &session.Corpus{Name: "corpus " + place, Engine: answering{f}, Reader: f, Live: true, Close: func() error {
				closed = append(closed, place)
				return nil
			}}, nil
		}
		o.Place, o.Query, o.OpenPlace = "a", "decay", open
		o.Open = func(ctx context.Context) (*session.Corpus, error) { return open(ctx, "a") }
	})
	// Both openings are under way when the first one answers.
	first := d.session().Generation(session.KindOpen)
	d.push(d.welcome().SwitchTo("b", nil))
	d.settle()
	d.mustShow("corpus b")
	if !slices.Equal(closed, []string{"a"}) {
		t.Errorf("closed %q, want the one that was overtaken", closed)
	}
	for _, late := range []tea.Msg{
		workDone{session.Done{Kind: session.KindLoad, Gen: first, Err: errBroken}},
		workDone{session.Done{Kind: session.KindSummary, Gen: first, Read: session.Read{Summary: &session.CorpusSummary{Stats: store.Stats{Documents: 77}}}}},
		workDone{session.Done{Kind: session.KindOpen, Gen: first, Err: errBroken}},
	} {
		d.send(late)
	}
	d.settle()
	d.mustShow("corpus b", "9 pages")
	d.mustNotShow("could not be", "77 pages")
}
