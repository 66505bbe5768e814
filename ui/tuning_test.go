package ui

import (
	"context"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
)

const depthQuestion = "how does depth decay change the ranking"

func shownIDs(d *driver) []string {
	var ids []string
	if r := d.session().Result(); r != nil {
		for i := range r.Items {
			ids = append(ids, r.Items[i].ChunkID)
		}
	}
	return ids
}

// change sets a field of the parameters, as a handle does.
func (d *driver) change(field, value string) {
	d.t.Helper()
	p := d.session().Params()
	if err := p.Set(field, value); err != nil {
		d.t.Fatal(err)
	}
	d.push(d.set(p, field))
	d.settle()
}

func TestAChangeRanksAtOnce(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "")
	before := shownIDs(d)
	if len(before) < 5 {
		t.Fatalf("only %d sections", len(before))
	}
	p := d.session().Params()
	p.SimilarityFloor = .9
	_ = d.set(p, "similarity_floor") // what it returns is not run: nothing is asked
	if len(shownIDs(d)) != 0 || d.session().Name() != "webrag*" {
		t.Errorf("%d sections above a floor of .9, setting %q", len(shownIDs(d)), d.session().Name())
	}
	if d.session().Difference() == nil || len(d.session().Difference().Left) != len(before) {
		t.Errorf("the difference is %+v, want %d that left", d.session().Difference(), len(before))
	}
	d.undoChange()
	if got := shownIDs(d); !slices.Equal(got, before) || d.session().Name() != "webrag" {
		t.Errorf("undone: %v, want %v", got, before)
	}
	d.redoChange()
	if len(shownIDs(d)) != 0 {
		t.Error("the change was not made again")
	}
}

func TestAParameterBeyondTheEvidenceAsksTheCorpus(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "")
	before := shownIDs(d)
	p := d.session().Params()
	p.KeywordWeight = .5
	if ok, _ := d.session().Evidence().Covers(p); ok {
		t.Fatal("the evidence has keywords already")
	}
	d.push(d.set(p, "keyword_weight"))
	if d.session().Pending() == "" || !slices.Equal(shownIDs(d), before) {
		t.Errorf("pending %q; what is shown must stay until the corpus was asked", d.session().Pending())
	}
	d.settle()
	if d.session().Pending() != "" || d.session().Result().KeywordFound == 0 {
		t.Errorf("pending %q, %d rows of the keyword arm", d.session().Pending(), d.session().Result().KeywordFound)
	}
	// The baseline is still that of the preset.
	if c := d.session().Difference(); c == nil || c.LengthA != len(before) {
		t.Errorf("compared with %+v, want a baseline of %d sections", c, len(before))
	}
}

func TestPin(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "")
	d.change("depth_decay_rate", "0.3")
	if d.session().Difference().IsIdentical() {
		t.Fatal("a depth decay of 0.3 changes nothing")
	}
	d.press("s")
	if !d.session().Difference().IsIdentical() {
		t.Error("pinned, and still different")
	}
	d.change("depth_decay_rate", "0.05")
	if d.session().Difference().IsIdentical() {
		t.Error("the profile's own value is no change against what was pinned")
	}
	d.press("u s s")
	if got := d.session().Baseline().Name; got != "webrag" {
		t.Errorf("compared with %q", got)
	}
}

// Whatever is changed and undone, undoing everything gives the start.
func TestUndoLeadsBack(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "")
	start, shown := d.session().Params(), shownIDs(d)
	fields := []string{"similarity_floor", "depth_decay_rate", "context_budget"}
	rapid.Check(t, func(rt *rapid.T) {
		for range rapid.IntRange(1, 10).Draw(rt, "changes") {
			field := rapid.SampledFrom(fields).Draw(rt, "field")
			value := rapid.SampledFrom([]string{"0.1", "0.2", "0.4", "300", "5000"}).Draw(rt, "value")
			p := d.session().Params()
			if p.Set(field, value) == nil {
				d.push(d.set(p, field))
			}
			if rapid.IntRange(0, 3).Draw(rt, "undo") == 0 {
				d.push(d.undoChange())
			}
		}
		for work, ok := d.session().Undo(); ok; work, ok = d.session().Undo() {
			d.push(d.retuned(work))
		}
		d.settle()
		if d.session().Params() != start || !slices.Equal(shownIDs(d), shown) {
			rt.Fatalf("undone: %+v", d.session().Params())
		}
	})
}

// A long list is ranked at once and explained when the parameter rests.
func TestALongListIsExplainedAfterwards(t *testing.T) {
	d := drive(t, 1, 120, 40, func(o *Options, f *fakeCorpus) {
		o.Query = "many"
		o.Open = func(context.Context) (*session.Corpus, error) {
			return &session.Corpus{Name: "guide", Engine: recording{answering{f}}, Reader: f, Live: true}, nil
		}
	}, "esc j j")
	if d.session().Result().Items[0].Explanation == nil {
		t.Fatal("the first answer is not explained")
	}
	selected := d.selected().ChunkID
	p := d.session().Params()
	p.SimilarityFloor = .25
	d.push(d.set(p, "similarity_floor"))
	if d.session().Result().Items[0].Explanation != nil {
		t.Error("ten thousand sections were explained within a frame")
	}
	d.settle()
	if d.session().Result().Items[0].Explanation == nil || d.selected().ChunkID != selected {
		t.Errorf("at rest: explained %v, selected %s, want %s", d.session().Result().Items[0].Explanation != nil, d.selected().ChunkID, selected)
	}
}

// recording explains only on request, as the real engine does.
type recording struct{ answering }

func (r recording) Gather(ctx context.Context, q retrieval.Query, p param.Params) (session.Evidence, error) {
	ev, err := r.answering.Gather(ctx, q, p)
	if err != nil {
		return nil, err
	}
	return unexplained{ev.(fixed)}, nil
}

type unexplained struct{ fixed }

func (b unexplained) Rank(p param.Params, o retrieval.Options) (retrieval.Result, retrieval.Needs) {
	r, needs := b.fixed.Rank(p, o)
	r.Items = slices.Clone(r.Items)
	if !o.Explain {
		for i := range r.Items {
			r.Items[i].Explanation = nil
		}
	}
	return r, needs
}

// counting counts how often the corpus is asked for evidence, and fails for the
// parameters that it is told to.
type counting struct {
	session.Engine
	gathers *int
	fails   func(param.Params) error
}

func (c counting) Gather(ctx context.Context, q retrieval.Query, p param.Params) (session.Evidence, error) {
	*c.gathers++
	if err := c.fails(p); err != nil {
		return nil, err
	}
	ev, err := c.Engine.Gather(ctx, q, p)
	if err != nil {
		return nil, err
	}
	return narrow{ev, p}, nil
}

// narrow covers only the keyword weight that it was gathered for.
type narrow struct {
	session.Evidence
	of param.Params
}

func (n narrow) Covers(p param.Params) (bool, string) {
	if p.KeywordWeight != n.of.KeywordWeight {
		return false, "other keywords"
	}
	return true, ""
}

func onCounting(gathers *int, fails func(param.Params) error) func(*Options, *fakeCorpus) {
	return func(o *Options, f *fakeCorpus) {
		o.Query = "decay"
		o.Open = func(context.Context) (*session.Corpus, error) {
			return &session.Corpus{Name: "guide", Engine: counting{answering{f}, gathers, fails}, Reader: f, Live: true}, nil
		}
	}
}

// A baseline that the evidence does not reach is asked for once, however often a
// slider moves in the meantime; and not again when the corpus does not answer.
func TestTheBaselineIsAskedForOnce(t *testing.T) {
	for _, failing := range []bool{false, true} {
		gathers := 0
		d := drive(t, 1, 120, 40, onCounting(&gathers, func(p param.Params) error {
			if failing && gathers > 1 && p.KeywordWeight == 0 {
				return errBroken
			}
			return nil
		}), "esc")
		d.change("keyword_weight", "0.5")
		gathers = 1
		d.press("/ ctrl+u 'budget' enter") // its answer, and the baseline's
		before := gathers
		for i := range 10 {
			p := d.session().Params()
			p.SimilarityFloor = .1 + .01*float64(i)
			d.push(d.set(p, "similarity_floor"))
		}
		d.settle()
		if gathers != before {
			t.Errorf("failing %v: ten steps asked the corpus %d times", failing, gathers-before)
		}
		if before > 3 {
			t.Errorf("failing %v: %d questions for an answer, a change and a baseline", failing, before)
		}
		if known := d.session().BaselineResult() != nil; known == failing {
			t.Errorf("failing %v: the baseline is known: %v", failing, known)
		}
	}
}

// What is recorded is the ranking that is shown, with its own parameters, also while the
// corpus does not give what others need.
func TestTheMovesAreOfTheShownRanking(t *testing.T) {
	gathers := 0
	var moves []Move
	d := drive(t, 1, 120, 40, func(o *Options, f *fakeCorpus) {
		onCounting(&gathers, func(p param.Params) error {
			if p.KeywordWeight > 0 {
				return errBroken
			}
			return nil
		})(o, f)
		o.Moved = func(m Move) { moves = append(moves, m) }
	}, "esc")
	d.change("similarity_floor", "0.2")
	d.change("keyword_weight", "0.5")
	d.press("j j")
	last := moves[len(moves)-1]
	if last.Section != d.selected().ChunkID || last.Params.SimilarityFloor != .2 {
		t.Errorf("the last move is %+v", last)
	}
	for _, m := range moves {
		if m.Params.KeywordWeight > 0 {
			t.Errorf("moved to parameters that were refused: %+v", m)
		}
	}
}

// While the corpus does not give what a handle needs, the screen says so, and a key
// tries again.
func TestAParameterThatCouldNotBeAsked(t *testing.T) {
	gathers, down := 0, true
	d := drive(t, 1, 150, 42, onCounting(&gathers, func(p param.Params) error {
		if down && p.KeywordWeight > 0 {
			return errBroken
		}
		return nil
	}), "esc")
	d.change("keyword_weight", "0.5")
	d.pass(statusTime * 2) // what fades has faded
	d.mustShow("not of these parameters", "R tries again")
	// Where the ranking changes is not looked for, and no jump waits for it.
	d.press("t")
	d.tune().GoTo("top_k")
	d.settle()
	d.mustShow("the ranking is not of these parameters")
	d.mustNotShow("looking for changes")
	d.press("]")
	d.mustShow("the ranking is not of these parameters: R tries again")
	topK := d.session().Params().TopK
	down = false
	d.press("esc R")
	d.pass(statusTime * 2)
	d.mustNotShow("not of these parameters")
	if d.session().Params().TopK != topK {
		t.Error("a jump waited for the ranking")
	}
	if ok, _ := d.session().Evidence().Covers(d.session().Params()); !ok {
		t.Error("R did not ask again")
	}
}

// untold lists a third section, but not its text.
type untold struct{ session.Evidence }

func (e untold) Rank(p param.Params, o retrieval.Options) (r retrieval.Result, needs retrieval.Needs) {
	if r, needs = e.Evidence.Rank(p, o); p.TopK == 3 {
		needs.Texts = []string{"third"}
	}
	return r, needs
}

type untelling struct{ session.Engine }

func (e untelling) Gather(ctx context.Context, q retrieval.Query, p param.Params) (session.Evidence, error) {
	ev, err := e.Engine.Gather(ctx, q, p)
	return untold{ev}, err
}

func (untelling) Complete(context.Context, session.Evidence, param.Params) (session.Evidence, error) {
	return nil, errBroken
}

// A ranking that lacks a text only is of the parameters: it says what is missing, and is
// looked into.
func TestATextThatCouldNotBeFetched(t *testing.T) {
	d := drive(t, 1, 150, 42, func(o *Options, f *fakeCorpus) {
		o.Query = "decay"
		o.Open = func(context.Context) (*session.Corpus, error) {
			return &session.Corpus{Name: "guide", Engine: untelling{answering{f}}, Reader: f, Live: true}, nil
		}
	}, "esc")
	d.change("top_k", "3")
	d.pass(statusTime * 2)
	d.mustShow("texts are missing", "R tries again")
	d.press("t")
	d.tune().GoTo("top_k")
	d.press("]")
	d.mustShow("no further change to the right", "no value changes this ranking")
	d.mustNotShow("not of these parameters")
}

// A jump that waits for the corpus is given up when that refuses, or when there are other
// parameters or another answer: nothing is changed later that nobody asked for.
func TestAJumpDoesNotComeLate(t *testing.T) {
	for name, then := range map[string]func(d *driver){
		"refused": func(d *driver) {
			d.settle()
			d.press("esc")
			d.push(d.undoChange())
		},
		"undone": func(d *driver) { d.push(d.undoChange()) },
		"another query": func(d *driver) {
			d.setQuery("budget")
			d.push(d.sendQuery(true))
		},
	} {
		gathers := 0
		d := drive(t, 1, 150, 42, onCounting(&gathers, func(p param.Params) error {
			if name == "refused" && p.KeywordWeight > 0 {
				return errBroken
			}
			return nil
		}), "esc t")
		d.tune().GoTo("top_k")
		d.settle()
		p := d.session().Params()
		p.KeywordWeight = .5
		d.push(d.set(p, "keyword_weight"))
		d.send(keyOf("]"))
		if d.session().Pending() == "" {
			t.Fatal("the jump does not wait")
		}
		then(d)
		d.settle()
		if d.session().Pending() != "" {
			t.Errorf("%s: the corpus is still asked", name)
		}
		if strings.Contains(d.screen(), "no further change") {
			t.Errorf("%s: the jump is made late:\n%s", name, d.screen())
		}
	}
	// What is not refused is jumped to.
	gathers := 0
	d := drive(t, 1, 150, 42, onCounting(&gathers, func(param.Params) error { return nil }), "esc t")
	d.tune().GoTo("top_k")
	d.settle()
	p := d.session().Params()
	p.KeywordWeight = .5
	d.push(d.set(p, "keyword_weight"))
	d.send(keyOf("]"))
	d.settle()
	d.mustShow("no further change to the right")
}

// Where the query has failed, a change of parameters asks it again, and does what else
// follows: the watched queries are gathered.
func TestAChangeAfterAFailure(t *testing.T) {
	gathers := 0
	d, _ := newDriver(t, 1, 150, 42, func(o *Options, f *fakeCorpus) {
		onCounting(&gathers, func(param.Params) error { return nil })(o, f)
		o.Query = "fail"
	})
	d.session().KeepWatchLists(map[string][]session.WatchedQuery{"guide": {{Query: "decay"}}})
	d.settle()
	if d.session().Failure() == nil || d.session().WatchedQuery("decay").Now.Known {
		t.Fatalf("failure %v, watched %+v", d.session().Failure(), d.session().Watched())
	}
	before := gathers
	d.push(d.retuned(d.session().Saved("mine")))
	d.settle()
	if !d.session().WatchedQuery("decay").Now.Known || gathers != before+2 {
		t.Errorf("asked %d times: %+v", gathers-before, d.session().WatchedQuery("decay").Now)
	}
}
