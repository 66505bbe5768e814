package session_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
)

func TestAChangeRanksAtOnce(t *testing.T) {
	s, c, _ := asked(t)
	before := ids(s)
	if work := s.Set(floor(s, .75), "similarity_floor"); len(work) != 0 {
		t.Errorf("what the evidence has is asked for: %+v", work)
	}
	if len(ids(s)) != 3 || s.Name() != "webrag*" || len(s.Difference().Left) != 5 {
		t.Errorf("%s shows %v, %d left", s.Name(), ids(s), len(s.Difference().Left))
	}
	want := session.ParamsChanged | session.Ranked | session.ResultChanged | session.Compared
	if got := s.Changed(); got != want {
		t.Errorf("told of %b, want %b", got, want)
	}
	if s.Set(s.Params(), "similarity_floor"); s.Changed() != 0 {
		t.Error("the same parameters are a change")
	}
	if _, ok := s.Undo(); !ok || !slices.Equal(ids(s), before) || s.Name() != "webrag" {
		t.Errorf("undone: %s, %v", s.Name(), ids(s))
	}
	if _, ok := s.Undo(); ok {
		t.Error("more can be undone than was done")
	}
	if _, ok := s.Redo(); !ok || len(ids(s)) != 3 {
		t.Errorf("done again: %v", ids(s))
	}
	s.Undo()
	s.Set(floor(s, .5), "similarity_floor")
	if _, ok := s.Redo(); ok || s.Params().SimilarityFloor != .5 {
		t.Errorf("a change that another took the place of was made again: %v", s.Params().SimilarityFloor)
	}
	if c.gathers != 0 {
		t.Errorf("the corpus was asked %d times", c.gathers)
	}
}

// The repeats of a key that is held down are undone at once; what is pressed twice, with a
// pause or with another parameter, is two changes.
func TestAGestureIsOneStep(t *testing.T) {
	for _, c := range []struct {
		pause time.Duration
		field string
		steps int
	}{{0, "similarity_floor", 1}, {400 * time.Millisecond, "similarity_floor", 1}, {401 * time.Millisecond, "similarity_floor", 3}, {0, "", 3}} {
		s, _, now := asked(t)
		for i := range 3 {
			s.Set(floor(s, .1*float64(i+1)), c.field)
			*now = now.Add(c.pause)
		}
		steps := 0
		for _, ok := s.Undo(); ok; _, ok = s.Undo() {
			steps++
		}
		if steps != c.steps || s.Params().SimilarityFloor != 0 {
			t.Errorf("pause %v, field %q: %d steps, want %d, to %v", c.pause, c.field, steps, c.steps, s.Params().SimilarityFloor)
		}
	}
}

// What is divided is undone by itself, however fast it came.
func TestADividedChangeIsAStep(t *testing.T) {
	s, _, _ := asked(t)
	s.Set(floor(s, .1), "similarity_floor")
	s.Set(floor(s, .2), "similarity_floor")
	s.Divide()
	s.Set(floor(s, .6), "similarity_floor")
	s.Divide()
	s.Set(floor(s, .7), "similarity_floor")
	for _, want := range []float64{.6, .2, 0} {
		if _, ok := s.Undo(); !ok || s.Params().SimilarityFloor != want {
			t.Errorf("undone to %v, want %v", s.Params().SimilarityFloor, want)
		}
	}
}

func TestBeyondTheEvidenceTheCorpusIsAsked(t *testing.T) {
	s, c, _ := asked(t)
	before := ids(s)
	work := s.Set(keywords(s, .5), "keyword_weight")
	if s.Pending() != "other keywords" || !slices.Equal(ids(s), before) || s.Changed().Has(session.ResultChanged) {
		t.Errorf("pending %q; what is shown must stay until the corpus was asked", s.Pending())
	}
	if len(work) != 1 || work[0].Kind != session.KindEvidence || work[0].Delay != session.Pause {
		t.Fatalf("a change beyond the evidence takes %+v", work)
	}
	// Another change takes the place of the first, before it was run.
	next := s.Set(keywords(s, .6), "keyword_weight")
	if s.Awaits(work[0].Kind, work[0].Gen) || len(next) != 1 || !s.Awaits(next[0].Kind, next[0].Gen) {
		t.Errorf("after %+v comes %+v", work, next)
	}
	more := s.Apply(next[0].Run(t.Context()))
	if s.Pending() != "" || s.Result().Items[0].ChunkID != "depth-7" || s.EvidenceID() != (session.EvidenceID{Answers: 1, Gathers: 1}) {
		t.Errorf("pending %q, first %s, %+v", s.Pending(), s.Result().Items[0].ChunkID, s.EvidenceID())
	}
	finish(t, s, more)
	if s.BaselineResult() == nil || len(s.Difference().Moved) != 8 || c.gathers > 2 {
		t.Errorf("compared with %v after %d questions: %+v", s.BaselineResult() != nil, c.gathers, s.Difference())
	}
}

// Evidence that reaches far enough, but lacks edges, is completed and not gathered anew.
func TestWhatIsMissingIsFetched(t *testing.T) {
	s, c, _ := asked(t)
	work := s.Set(with(s, func(p *param.Params) { p.MaxHops = 2 }), "max_hops")
	if s.Pending() == "" || len(work) != 1 {
		t.Fatalf("pending %q, %+v", s.Pending(), work)
	}
	c.fails = func(string, param.Params) error { return errBroken } // of gathering only
	finish(t, s, work)
	if s.Pending() != "" || s.Unasked() != nil || s.EvidenceID().Gathers != 1 {
		t.Errorf("pending %q, unasked %v", s.Pending(), s.Unasked())
	}
}

func TestACorpusThatDoesNotGiveIt(t *testing.T) {
	s, c, _ := asked(t)
	before := ids(s)
	c.fails = func(_ string, p param.Params) error {
		if p.KeywordWeight > 0 {
			return fmt.Errorf("search: %w", store.ErrUnavailable)
		}
		return nil
	}
	finish(t, s, s.Set(keywords(s, .5), "keyword_weight"))
	if s.Unasked() == nil || s.Pending() != "" || !slices.Equal(ids(s), before) {
		t.Errorf("unasked %v, pending %q, %v", s.Unasked(), s.Pending(), ids(s))
	}
	c.fails = nil
	finish(t, s, s.Retry())
	if s.Unasked() != nil || s.Result().Items[0].ChunkID != "depth-7" {
		t.Errorf("tried again: unasked %v, %v", s.Unasked(), ids(s))
	}
}

// A baseline that the evidence does not reach is asked for once, whatever comes of it.
func TestTheBaselineIsAskedForOnce(t *testing.T) {
	for _, failing := range []bool{false, true} {
		s, c, _ := begin(t)
		s.Set(keywords(s, .5), "keyword_weight")
		c.fails = func(_ string, p param.Params) error {
			if failing && p.KeywordWeight == 0 {
				return errBroken
			}
			return nil
		}
		work := s.Apply(s.Ask("depth")[0].Run(t.Context()))
		if len(work) != 1 || work[0].Kind != session.KindBaseline {
			t.Fatalf("after the answer: %+v", work)
		}
		if more := s.Set(floor(s, .05), "similarity_floor"); len(more) != 0 || !s.Awaits(work[0].Kind, work[0].Gen) {
			t.Errorf("a step asks for the baseline again: %+v", more)
		}
		finish(t, s, work)
		if c.gathers != 2 {
			t.Errorf("failing %v: %d questions for an answer and a baseline", failing, c.gathers)
		}
		base := s.BaselineResult()
		for i := range 10 {
			finish(t, s, s.Set(floor(s, .1+.01*float64(i)), "similarity_floor"))
		}
		if c.gathers != 2 {
			t.Errorf("failing %v: ten steps asked the corpus %d times", failing, c.gathers-2)
		}
		if known := s.BaselineResult() != nil; known == failing {
			t.Errorf("failing %v: the baseline is known: %v", failing, known)
		}
		if s.BaselineResult() != base {
			t.Errorf("failing %v: there is another baseline", failing)
		}
	}
}

func TestPin(t *testing.T) {
	s, _, _ := asked(t)
	s.Set(floor(s, .75), "similarity_floor")
	s.Changed()
	if _, pinned := s.Pin(); !pinned || !s.IsPinned() || s.Baseline().Name != "earlier webrag*" || !s.Difference().IsIdentical() {
		t.Errorf("pinned %v: %q, %+v", pinned, s.Baseline().Name, s.Difference())
	}
	if !s.Changed().Has(session.Compared) {
		t.Error("nobody was told of the pin")
	}
	s.Set(floor(s, 0), "")
	if len(s.Difference().Entered) != 5 {
		t.Errorf("against what was pinned: %+v", s.Difference())
	}
	s.Undo()
	if _, pinned := s.Pin(); pinned || s.Baseline().Name != "webrag" || len(s.Difference().Left) != 5 {
		t.Errorf("let go: %v, %q, %+v", pinned, s.Baseline().Name, s.Difference())
	}
}

func TestSavedIsNoStep(t *testing.T) {
	s, _, _ := asked(t)
	s.Set(floor(s, .75), "similarity_floor")
	s.Saved("mine")
	s.Saved("mine too")
	if s.Name() != "mine too" || s.Baseline().Name != "webrag" || len(s.Difference().Left) != 5 || len(ids(s)) != 3 {
		t.Errorf("saved: %s against %s, %+v", s.Name(), s.Baseline().Name, s.Difference())
	}
	s.Undo()
	if s.Name() != "webrag" || len(ids(s)) != 8 {
		t.Errorf("undone to %s with %v", s.Name(), ids(s))
	}
	if _, ok := s.Undo(); ok {
		t.Error("saving can be undone")
	}
	// Another baseline ends it.
	s.Set(floor(s, .6), "")
	s.Saved("again")
	s.Pin()
	if _, pinned := s.Pin(); pinned || s.Baseline().Name != "again" {
		t.Errorf("let go, and compared with %s", s.Baseline().Name)
	}
}

// Another preset is compared with the one before it, and so is the one after that, until
// somebody compares from there; what was changed can be taken back all the same.
func TestAnotherStartIsComparedWithTheFirst(t *testing.T) {
	s, _, _ := asked(t)
	steep, flat := session.Setting{Name: "steep", Params: floor(s, .75)}, session.Setting{Name: "flat", Params: floor(s, .6)}
	against := func(name, baseline string, left int) {
		t.Helper()
		if s.Name() != name || s.Baseline().Name != baseline || len(s.Difference().Left) != left {
			t.Errorf("%s against %s, %d left, want %s against %s, %d", s.Name(), s.Baseline().Name, len(s.Difference().Left), name, baseline, left)
		}
	}
	s.Changed()
	if s.StartFrom(steep); !s.Changed().Has(session.ComparisonsChanged) {
		t.Error("what it is compared with is not kept")
	}
	against("steep", "webrag", 5)
	s.StartFrom(flat)
	against("flat", "webrag", 3)
	s.Saved("mine")
	against("mine", "webrag", 3)
	s.Undo()
	against("steep", "webrag", 5)
	s.Pin()
	s.StartFrom(flat)
	against("flat", "earlier steep", 0)
	s.Pin()
	s.Pin()
	against("flat", "flat", 0)
	s.StartFrom(session.Setting{Name: "webrag"})
	if against("webrag", "flat", 0); len(s.Difference().Entered) != 3 {
		t.Errorf("%d entered", len(s.Difference().Entered))
	}
}

// Before there is a ranking there is nothing to compare with: what is chosen last is.
func TestBeforeTheFirstAnswerTheStartIsComparedWith(t *testing.T) {
	s, _, _ := begin(t)
	steep := session.Setting{Name: "steep", Params: floor(s, .75)}
	s.StartFrom(steep)
	if s.Undo(); s.Baseline().Name != "webrag" {
		t.Errorf("taken back, and compared with %s", s.Baseline().Name)
	}
	s.Redo()
	if finish(t, s, s.Ask("depth")); s.Baseline() != steep || !s.Difference().IsIdentical() {
		t.Errorf("compared with %s: %+v", s.Baseline().Name, s.Difference())
	}
}

// A corpus that is searched is compared with the start as if that searched it, too: against
// the order in which all of it is read, ranks say nothing.
func TestTheBaselineSearchesToo(t *testing.T) {
	s, _, _ := asked(t)
	s.Set(with(s, func(p *param.Params) { p.Mode = param.ModeChunk }), param.FieldMode)
	if b := s.Baseline(); b.Name != "webrag (chunk mode)" || b.Params != s.Params() || !s.DiffersByMode() {
		t.Errorf("compared with %s: %+v", b.Name, b.Params)
	}
	s.Pin()
	s.Set(floor(s, .5), "")
	if b := s.Baseline(); b.Name != "earlier webrag*" || b.Params.Mode != param.ModeChunk || s.DiffersByMode() {
		t.Errorf("compared with %s", b.Name)
	}
}

func TestUnlikeResults(t *testing.T) {
	result := func(mode param.Mode, level store.Level) *retrieval.Result {
		return &retrieval.Result{Mode: mode, Items: []retrieval.Item{{ChunkID: "a", Level: level}}}
	}
	parent, child := store.Parent, store.Child
	for _, c := range []struct {
		a, b *retrieval.Result
		want session.Unlike
	}{
		{result(param.ModeChunk, parent), result(param.ModeChunk, parent), session.Alike},
		{result(param.ModeChunk, parent), result(param.ModeChunk, child), session.UnlikeUnits},
		{result(param.ModeFullContext, parent), result(param.ModeChunk, parent), session.UnlikeOrder},
		{result(param.ModeFullContext, parent), result(param.ModeFullContext, parent), session.Alike},
		{result(param.ModeFullContext, parent), &retrieval.Result{Mode: param.ModeChunk}, session.Alike},
	} {
		if got := session.UnlikeOf(c.a, c.b); got != c.want {
			t.Errorf("%+v and %+v: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

// Another corpus begins as if nothing had been tuned before.
func TestStartingAnew(t *testing.T) {
	s, _, _ := asked(t)
	s.Set(floor(s, .75), "similarity_floor")
	s.Pin()
	s.Set(floor(s, .5), "")
	s.StartAnew(session.Setting{Name: "hybrid", Params: param.Params{KeywordWeight: .5}})
	if _, ok := s.Undo(); ok || s.IsPinned() || s.Name() != "hybrid" || s.Baseline().Name != "hybrid" || s.Params() != (param.Params{KeywordWeight: .5}) {
		t.Errorf("it begins with %s against %s: %+v", s.Name(), s.Baseline().Name, s.Params())
	}
}

// A long list is ranked at once, and explained when the parameters rest.
func TestALongListIsExplainedAfterwards(t *testing.T) {
	s, c, _ := begin(t)
	c.sections = 2001
	finish(t, s, s.Ask("many"))
	if s.Result().Items[0].Explanation == nil {
		t.Fatal("the first answer is not explained")
	}
	work := s.Set(floor(s, .1), "similarity_floor")
	if s.Result().Items[0].Explanation != nil || len(work) != 1 || work[0].Kind != session.KindExplanation {
		t.Fatalf("two thousand sections were explained at once; then %+v", work)
	}
	s.Changed()
	finish(t, s, work)
	if s.Result().Items[0].Explanation == nil || s.Changed() != session.ResultChanged {
		t.Error("at rest they are not explained")
	}
}

// Whatever is changed and undone, whether its work was done or not, undoing everything
// gives the start and its result.
func TestUndoLeadsBack(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s, _, now := asked(t)
		before := ids(s)
		var work []session.Work
		for range rapid.IntRange(1, 12).Draw(rt, "changes") {
			value := rapid.Float64Range(0, 1).Draw(rt, "value")
			switch rapid.IntRange(0, 5).Draw(rt, "what") {
			case 0:
				work = append(work, s.Set(keywords(s, value), "keyword_weight")...)
			case 1:
				more, _ := s.Undo()
				work = append(work, more...)
			case 2:
				more, _ := s.Redo()
				work = append(work, more...)
			case 3:
				*now = now.Add(2 * time.Second)
			case 4:
				finish(t, s, work)
				work = nil
			default:
				work = append(work, s.Set(floor(s, value), "similarity_floor")...)
			}
		}
		for more, ok := s.Undo(); ok; more, ok = s.Undo() {
			work = append(work, more...)
		}
		finish(t, s, work)
		if s.Params() != (param.Params{}) || s.Name() != "webrag" || s.Pending() != "" || !slices.Equal(ids(s), before) {
			rt.Fatalf("undone: %s, %v, pending %q", s.Name(), ids(s), s.Pending())
		}
	})
}

// A corpus that wants other values moves what nobody has changed, and what can be undone.
func TestAdapting(t *testing.T) {
	s := session.New(session.Setting{Name: "webrag", Params: param.Params{SimilarityFloor: .3}}, nil)
	s.Set(with(s, func(p *param.Params) { p.KeywordWeight = .5 }), "keyword_weight")
	s.Restore(with(s, func(p *param.Params) { p.MaxHops = 2 }))
	s.Adapt(func(name string) (param.Params, bool) { return param.Params{SimilarityFloor: .4}, name == "webrag" })
	if want := (param.Params{SimilarityFloor: .4, KeywordWeight: .5, MaxHops: 2}); s.Params() != want || !s.IsRestored() {
		t.Errorf("adapted: %+v", s.Params())
	}
	for _, ok := s.Undo(); ok; _, ok = s.Undo() {
		if s.Params().SimilarityFloor != .4 {
			t.Errorf("undone to a floor of %v", s.Params().SimilarityFloor)
		}
	}
	if s.Name() != "webrag" || s.IsRestored() {
		t.Errorf("undone to %s", s.Name())
	}
	s.Set(floor(s, .1), "")
	s.Adapt(func(string) (param.Params, bool) { return param.Params{SimilarityFloor: .6}, true })
	if s.Params().SimilarityFloor != .1 || s.Start().Params.SimilarityFloor != .6 {
		t.Errorf("what was changed by hand: %v of %v", s.Params().SimilarityFloor, s.Start().Params.SimilarityFloor)
	}
}
