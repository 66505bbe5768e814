package session_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
)

// looked is what the evidence was looked into for since it was last asked.
func (c *corpus) since() string {
	text := strings.Join(c.looked, ", ")
	c.looked = nil
	return text
}

// One track is looked along exactly, the others roughly and after it, once the ranking has
// rested; what has no track is left out.
func TestTracksAreLookedAlong(t *testing.T) {
	s, c, _ := asked(t)
	fields := []string{"", param.FieldTopK, param.FieldSimilarityFloor, "mode"}
	work := s.LookAlong(param.FieldSimilarityFloor, fields, false)
	if len(work) != 1 || work[0].Kind != session.KindBreakpoints || work[0].Delay != session.Pause {
		t.Fatalf("looking takes %+v", work)
	}
	if _, ok := s.Breakpoints(param.FieldSimilarityFloor); ok {
		t.Error("it is known before anyone has looked")
	}
	if next := s.Apply(work[0].Run(t.Context())); len(next) != 1 || next[0].Delay != 0 || !s.Changed().Has(session.BreakpointsChanged) {
		t.Errorf("then %+v has to be done", next)
	} else {
		finish(t, s, next)
	}
	if got := c.since(); got != "exactly similarity_floor at 0, roughly top_k at 0" {
		t.Errorf("looked %s", got)
	}
	if b, ok := s.ExactBreakpoints(param.FieldSimilarityFloor); !ok || len(b.Points) != 10 {
		t.Errorf("exactly: %+v, %v", b, ok)
	}
	if _, ok := s.ExactBreakpoints(param.FieldTopK); ok {
		t.Error("what was looked at roughly is known exactly")
	}
	if b, ok := s.Breakpoints(param.FieldTopK); !ok || len(b.Points) != 24 {
		t.Errorf("roughly: %d points, %v", len(b.Points), ok)
	}
	// The cursor on the other: only that is not known.
	work = s.LookAlong(param.FieldTopK, fields, true)
	if len(work) != 1 || work[0].Delay != 0 {
		t.Fatalf("at once: %+v", work)
	}
	finish(t, s, work)
	if got := c.since(); got != "exactly top_k at 0" {
		t.Errorf("looked %s", got)
	}
	if work := s.LookAlong(param.FieldTopK, fields, false); len(work) != 0 {
		t.Errorf("all is known, and %+v has to be done", work)
	}
}

// A track does not depend on its own parameter. With another, what was known stays to be
// shown until the new one is found.
func TestTracksFollowTheParameters(t *testing.T) {
	s, c, _ := asked(t)
	fields := []string{param.FieldTopK, param.FieldSimilarityFloor}
	finish(t, s, s.LookAlong(param.FieldSimilarityFloor, fields, false))
	c.since()
	work := s.Set(floor(s, .5), param.FieldSimilarityFloor)
	if _, ok := s.ExactBreakpoints(param.FieldSimilarityFloor); !ok {
		t.Error("its own value makes a track another one")
	}
	if _, ok := s.Breakpoints(param.FieldTopK); !ok {
		t.Error("the old track is gone before there is a new one")
	}
	finish(t, s, work)
	if got := c.since(); got != "roughly top_k at 0.5" {
		t.Errorf("looked %s", got)
	}
	// What the evidence does not reach is gathered first.
	work = s.Set(keywords(s, .5), param.FieldKeywordWeight)
	if slices.ContainsFunc(work, func(w session.Work) bool { return w.Kind == session.KindBreakpoints }) {
		t.Errorf("looks along tracks beyond the evidence: %+v", work)
	}
	finish(t, s, work)
	if got := c.since(); got != "exactly similarity_floor at 0.5, roughly top_k at 0.5" {
		t.Errorf("looked %s", got)
	}
	// Where the corpus does not give it, the ranking is of earlier parameters: nothing is
	// looked into until it is of the present ones.
	c.fails = func(string, param.Params) error { return errBroken }
	finish(t, s, s.Set(keywords(s, .6), param.FieldKeywordWeight))
	if got := c.since(); got != "" {
		t.Errorf("after a failure it looked %s", got)
	}
	finish(t, s, s.LookAlong(param.FieldTopK, fields, true))
	if got := c.since(); got != "" {
		t.Errorf("after a failure somebody asks, and it looked %s", got)
	}
	finish(t, s, s.Set(keywords(s, .5), param.FieldKeywordWeight))
	if got := c.since(); !strings.HasPrefix(got, "exactly top_k") {
		t.Errorf("of the parameters of the ranking it looked %q", got)
	}
	c.fails = nil
	s.LookAlong(param.FieldSimilarityFloor, fields, false)
	// Another answer has other tracks, and none has none.
	finish(t, s, s.Ask("floor"))
	if got := c.since(); !strings.Contains(got, "exactly similarity_floor") {
		t.Errorf("of another answer it looked %q", got)
	}
	if s.Ask(""); true {
		if _, ok := s.Breakpoints(param.FieldTopK); ok {
			t.Error("what was forgotten has breakpoints")
		}
	}
	// Nobody wants to know.
	if work := s.LookAlong("", nil, false); work != nil {
		t.Errorf("nothing is looked for: %+v", work)
	}
	if finish(t, s, s.Ask("depth")); c.since() != "" {
		t.Error("it looks for nobody")
	}
}

// Looking is bounded: the larger the ranking, the fewer are made.
func TestLookingIsBounded(t *testing.T) {
	for sections, want := range map[int]string{8: "10 24", 1000: "10 24", 5000: "10 11", 100_000: "10 4"} {
		s, c, _ := begin(t)
		c.sections = sections
		finish(t, s, s.Ask("depth"))
		finish(t, s, s.LookAlong(param.FieldSimilarityFloor, []string{param.FieldTopK}, false))
		exact, _ := s.Breakpoints(param.FieldSimilarityFloor)
		coarse, _ := s.Breakpoints(param.FieldTopK)
		if got := fmt.Sprint(len(exact.Points), " ", len(coarse.Points)); got != want {
			t.Errorf("of %d sections %s points, want %s", sections, got, want)
		}
	}
}

// What leaving out each stage would change is found out once for each result.
func TestAblations(t *testing.T) {
	s, c, _ := begin(t)
	if s.Ablate() != nil {
		t.Error("nothing was answered, and something is left out of it")
	}
	finish(t, s, s.Ask("depth"))
	work := s.Ablate()
	if len(work) != 1 || work[0].Kind != session.KindAblations || s.Ablations() != nil || s.Ablate() != nil {
		t.Fatalf("it takes %+v", work)
	}
	s.Changed()
	finish(t, s, work)
	if a := s.Ablations(); len(a) != 1 || a[0].Stage != "floor" || s.Changed() != 0 || s.Ablate() != nil {
		t.Errorf("found: %+v", a)
	}
	late := s.Ablate()
	s.Set(floor(s, .5), "")
	if s.Ablations() != nil {
		t.Error("another result has the ablations of the last")
	}
	finish(t, s, append(late, s.Ablate()...))
	if got := c.since(); got != "ablations at 0, ablations at 0.5" || s.Ablations() == nil {
		t.Errorf("looked %s", got)
	}
	// What a newer ranking takes the place of is not worked on to its end.
	s.Set(floor(s, .6), "")
	early := s.Ablate()[0]
	s.Set(floor(s, .7), "")
	s.Ablate()
	if early.Run(t.Context()); c.since() != "" {
		t.Error("stages are left out of a ranking that nobody sees any more")
	}
	if s.Ask(""); s.Ablate() != nil || s.Ablations() != nil {
		t.Error("what was forgotten has ablations")
	}
}
