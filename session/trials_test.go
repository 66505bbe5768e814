package session_test

import (
	"context"
	"errors"
	"testing"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/evaluation/experiment"
	"github.com/webrag/webrag-tui/evaluation/judgment/pending"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
)

// counting counts what is measured, and fails for some parameters.
type counting struct {
	session.SetMeasurer
	measured int
	inherits bool // of the set that was read last
	fails    func(param.Params) error
}

func (c *counting) Measure(ctx context.Context, j *session.Judged, p param.Params, measures []evaluation.Measure) (*experiment.Measurement, error) {
	if c.fails != nil && c.fails(p) != nil {
		return nil, c.fails(p)
	}
	c.measured++
	return c.SetMeasurer.Measure(ctx, j, p, measures)
}

func (c *counting) OpenSet(ctx context.Context, sets, name string, write pending.Writing, before *session.Judged) (*session.Judged, error) {
	c.inherits = before != nil
	return c.SetMeasurer.OpenSet(ctx, sets, name, write, before)
}

// trying is a session with a set of one judged query, and what counts its measurements.
func trying(t *testing.T) (*session.Session, *counting) {
	t.Helper()
	s := judgedLibrary(t)
	finish(t, s, s.Grade(itemOf(s, "Tea"), "", 0, 3))
	c := &counting{SetMeasurer: s.Corpus().Measurer}
	s.Corpus().Measurer = c
	return s, c
}

// Settings are measured once each, behind what the present ones are worth, and compared with
// the first as an evaluation compares them.
func TestTrials(t *testing.T) {
	s, c := trying(t)
	none := with(s, func(p *param.Params) { p.MinScore = 2 })
	one := with(s, func(p *param.Params) { p.TopK = 1 })
	finish(t, s, s.Try(s.Params(), none, one))
	if c.measured != 2 {
		t.Errorf("%d settings were measured, and the present one was known", c.measured)
	}
	now, _ := s.Trial(s.Params())
	other, err := s.Trial(none)
	if now != s.Measured().Now || other == nil || err != nil {
		t.Fatalf("known is %+v and %+v, %v", now, other, err)
	}
	got, want := s.Contest(none), evaluation.Compare(other.Report, now.Report, 0)
	if got == nil || got.Difference != want.Difference || got.Losses != 1 || got.Moved.Queries != 1 || got.Moved.Changed != 1 || got.Moved.Churn != 1 {
		t.Errorf("compared is %+v, want %+v", got, want)
	}
	if same := s.Contest(s.Params()); same == nil || same.Ties != 1 || same.Moved.Changed != 0 || same.Moved.RBO != 1 {
		t.Errorf("the first against itself is %+v", same)
	}
	if work := s.Try(s.Params(), none, one); work != nil {
		t.Errorf("what is known begins %v", kinds(work))
	}
	// Another first one compares anew, and measures nothing.
	finish(t, s, s.Try(none, s.Params(), one))
	if c.measured != 2 || s.Contest(s.Params()) == nil || s.Contest(s.Params()).Wins != 1 || s.Contest(one) == nil {
		t.Errorf("%d settings were measured, and compared is %+v", c.measured, s.Contest(s.Params()))
	}
	s.Try()
	if s.Contest(one) != nil {
		t.Error("nothing is tried, and something compared")
	}
}

// A step of a slider measures the present parameters alone, before what is still to be tried;
// older work is dropped.
func TestTrialsWaitForTheSlider(t *testing.T) {
	s, c := trying(t)
	base, one := s.Params(), with(s, func(p *param.Params) { p.TopK = 1 })
	work := s.Try(base, one, s.Params())
	if len(work) != 1 || work[0].Kind != session.KindTrial {
		t.Fatalf("the work is %v", kinds(work))
	}
	step := s.Set(with(s, func(p *param.Params) { p.TopK = 2 }), param.FieldTopK)
	if s.Awaits(work[0].Kind, work[0].Gen) {
		t.Error("the trial goes on beside the slider")
	}
	more := s.Try(base, one, s.Params())
	if len(more) != 0 {
		t.Errorf("before the slider is measured, %v begins", kinds(more))
	}
	c.measured = 0
	finish(t, s, step)
	if m, _ := s.Trial(one); m == nil || c.measured != 2 || s.Contest(s.Params()) == nil || s.Contest(one) == nil {
		t.Errorf("after %d measurements, %+v and %+v", c.measured, s.Contest(s.Params()), s.Contest(one))
	}
}

// What was measured of a setting is not measured again when it is no more the present one, or
// is so again.
func TestTrialsAreKept(t *testing.T) {
	s, c := trying(t)
	finish(t, s, s.Set(with(s, func(p *param.Params) { p.TopK = 3 }), param.FieldTopK))
	was := s.Params()
	finish(t, s, s.Try(s.Baseline().Params, was))
	c.measured = 0
	finish(t, s, s.Set(with(s, func(p *param.Params) { p.TopK = 2 }), param.FieldTopK))
	if m, _ := s.Trial(was); m == nil || c.measured != 1 {
		t.Errorf("after %d measurements, what was tried is %+v", c.measured, m)
	}
	finish(t, s, s.Set(was, param.FieldTopK))
	if c.measured != 1 || s.Measured().Of != was {
		t.Errorf("gone back to, it is measured again: %d", c.measured)
	}
}

// What cannot be measured is known of the one setting, and the others are measured.
func TestATrialThatFails(t *testing.T) {
	s, c := trying(t)
	one, two := with(s, func(p *param.Params) { p.TopK = 1 }), with(s, func(p *param.Params) { p.TopK = 2 })
	away := errors.New("the reranker is away")
	c.fails = func(p param.Params) error {
		if p == one {
			return away
		}
		return nil
	}
	finish(t, s, s.Try(s.Params(), one, two))
	if m, err := s.Trial(one); m != nil || !errors.Is(err, away) {
		t.Errorf("what fails is %+v, %v", m, err)
	}
	if s.Contest(two) == nil || s.Contest(one) != nil || s.JudgingFailed() != nil {
		t.Errorf("the other is %+v, and all have failed: %v", s.Contest(two), s.JudgingFailed())
	}
}

// Another measure measures all anew, and a judgment does.
func TestTrialsAreOfOneMeasureAndSet(t *testing.T) {
	s, _ := trying(t)
	none := with(s, func(p *param.Params) { p.MinScore = 2 })
	finish(t, s, s.Try(s.Params(), none))
	work := s.MeasureBy(evaluation.MustMeasure("P@5"))
	if m, _ := s.Trial(none); m != nil || s.Measured() != nil {
		t.Error("values of the measure before are still known")
	}
	finish(t, s, work)
	if m, _ := s.Trial(s.Params()); m == nil || m.Set.Scores[0].Mean != .2 || s.Contest(none) == nil || s.Contest(none).Measure.String() != "P@5" {
		t.Errorf("by P@5 it is %+v, and the other %+v", m, s.Contest(none))
	}
	finish(t, s, s.Grade(itemOf(s, "Coffee"), "", 0, 3))
	if m, _ := s.Trial(s.Params()); m == nil || m.Set.Scores[0].Mean != .4 || s.Contest(none) == nil {
		t.Errorf("after a judgment it is %+v", m)
	}
}

// A setting becomes the baseline, and what the present ones are worth is compared with it.
func TestCompareWith(t *testing.T) {
	s, _ := trying(t)
	one := session.Setting{Name: "one", Params: with(s, func(p *param.Params) { p.MinScore = 2 })}
	finish(t, s, s.CompareWith(one))
	if s.Baseline() != one || !s.IsPinned() || s.Measured().Difference.Wins != 1 {
		t.Errorf("the baseline is %s, measured is %+v", s.Baseline().Name, s.Measured())
	}
	if work := s.CompareWith(one); work != nil {
		t.Errorf("again it begins %v", kinds(work))
	}
	finish(t, s, s.CompareWith(s.Start()))
	if s.IsPinned() || s.Baseline() != s.Start() {
		t.Error("what the session started from is pinned")
	}
}

// What was gathered is used on after a judgment, and not where the corpus has other pages.
func TestOtherPagesAreAskedAgain(t *testing.T) {
	s, c := trying(t)
	finish(t, s, s.Grade(itemOf(s, "Coffee"), "", 0, 3))
	if !c.inherits {
		t.Error("after a judgment all is asked again")
	}
	finish(t, s, s.Reindexed())
	if c.inherits {
		t.Error("after indexing nothing is asked again")
	}
}
