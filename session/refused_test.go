package session_test

import (
	"context"
	"testing"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
)

// refused is a session with an answer by a floor of .5, whose corpus then refuses what
// keywords of .5 need: the ranking stays that without keywords.
func refused(t *testing.T) (*session.Session, *corpus) {
	t.Helper()
	s, c := examining(t, &knife{})
	finish(t, s, s.Set(floor(s, .5), param.FieldSimilarityFloor))
	c.fails = func(_ string, p param.Params) error {
		if p.KeywordWeight > 0 {
			return errBroken
		}
		return nil
	}
	finish(t, s, s.Set(keywords(s, .5), param.FieldKeywordWeight))
	if s.Unasked() == nil || s.Params().KeywordWeight != .5 {
		t.Fatalf("unasked %v at %v", s.Unasked(), s.Params().KeywordWeight)
	}
	c.since()
	return s, c
}

// What is kept of a ranking has the parameters that it is by, not those that the corpus
// has refused.
func TestARankingIsKeptWithItsParameters(t *testing.T) {
	s, _ := refused(t)
	s.Keep("kept")
	for _, one := range []*session.Snapshot{s.Present("now"), s.Snapshot("kept")} {
		if p := one.Setting.Params; p.KeywordWeight != 0 || p.SimilarityFloor != .5 || one.Setting.Name != "webrag*" {
			t.Errorf("%s is of %s, keywords %v, floor %v", one.Name, one.Setting.Name, p.KeywordWeight, p.SimilarityFloor)
		}
	}
	if start, p := s.RankedBy(); p.KeywordWeight != 0 || start.Name != "webrag" {
		t.Errorf("ranked by %s, keywords %v", start.Name, p.KeywordWeight)
	}
	// The name that is proposed is that of the ranking, too.
	finish(t, s, s.StartFrom(session.Setting{Name: "other", Params: s.Params()}))
	if name, err := s.SnapshotName(""); name != "webrag*" || err != nil {
		t.Errorf("a snapshot would be called %q, %v", name, err)
	}
	s.Undo()
	finish(t, s, s.Set(keywords(s, 0), param.FieldKeywordWeight))
	s.Saved("mine")
	if start, _ := s.RankedBy(); start.Name != "mine" || s.Present("now").Setting.Name != "mine" {
		t.Errorf("saved, the ranking is of %s", start.Name)
	}
}

// While a ranking is not by the present parameters, nobody looks what would change a rank
// in it, and what leaving out a stage does is found out by its own.
func TestARankingIsExaminedByItsOwnParameters(t *testing.T) {
	s, c := refused(t)
	finish(t, s, s.Examine(item(s, 0)))
	if got := c.since(); got != "" {
		t.Errorf("by parameters that were refused it looked for the %s", got)
	}
	work := s.Ablate()
	if len(work) != 1 {
		t.Fatalf("leaving out takes %v", kinds(work))
	}
	if d := work[0].Run(t.Context()); d.Params.KeywordWeight != 0 || d.Params.SimilarityFloor != .5 {
		t.Errorf("stages are left out at keywords %v, floor %v", d.Params.KeywordWeight, d.Params.SimilarityFloor)
	}
}

// An answer that comes when the parameters need more already takes the place of that of the
// query before: no ranking stands under a query that it does not answer.
func TestARankingIsOfItsQuery(t *testing.T) {
	s, c, _ := asked(t)
	work := s.Ask("floor")
	s.Set(keywords(s, .5), param.FieldKeywordWeight)
	s.Apply(work[0].Run(t.Context()))
	if s.Query() != "floor" || s.Pending() == "" || ids(s)[0] != "floor-0" {
		t.Errorf("under %q stands %v, pending %q", s.Query(), ids(s), s.Pending())
	}
	c.since()
	if s.LookAlong(param.FieldTopK, nil, true) != nil {
		t.Error("what is not whole is looked into")
	}
}

// textless is a corpus that gives nothing beyond what was gathered.
type textless struct{ session.Engine }

func (textless) Complete(context.Context, session.Evidence, param.Params) (session.Evidence, error) {
	return nil, away()
}

// A ranking that lacks nothing but the text of a section is by the present parameters, and
// is looked into.
func TestARankingWithoutATextIsLookedInto(t *testing.T) {
	p, _ := param.Preset(param.PresetWebRAG)
	p.Mode, p.TopK, p.SimilarityFloor = param.ModeChunk, 1, 0
	s := session.New(session.Setting{Name: "webrag", Params: p}, nil)
	c := library(t)
	c.Engine = textless{c.Engine}
	finish(t, s, s.Take(c, nil))
	finish(t, s, s.Ask("water that has boiled"))
	if s.Unasked() != nil || !s.IsCurrent() {
		t.Fatalf("of the first section: %v", s.Unasked())
	}
	p.TopK = 2
	finish(t, s, s.Set(p, param.FieldTopK))
	if len(s.Result().Items) != 2 || s.Unasked() == nil {
		t.Fatalf("%d sections are listed, unasked %v", len(s.Result().Items), s.Unasked())
	}
	if !s.IsCurrent() || len(s.LookAlong(param.FieldTopK, nil, true)) != 1 {
		t.Error("it is not looked into")
	}
}

// An answer that stands only until more is fetched is never by the present parameters: nor
// is it when that is refused.
func TestAProvisionalRankingIsNotLookedInto(t *testing.T) {
	s, c, _ := asked(t)
	work := s.Ask("floor")
	s.Set(keywords(s, .5), param.FieldKeywordWeight)
	c.fails = func(string, param.Params) error { return errBroken }
	d := work[0].Run(t.Context())
	d.Evidence, d.Err = found{in: c, query: "floor", sections: 8}, nil
	finish(t, s, s.Apply(d))
	if _, by := s.RankedBy(); s.Pending() != "" || s.Unasked() == nil || by != s.Params() {
		t.Fatalf("pending %q, unasked %v", s.Pending(), s.Unasked())
	}
	if s.IsCurrent() || s.LookAlong(param.FieldTopK, nil, true) != nil {
		t.Error("what was refused is looked into")
	}
	c.fails = nil
	if finish(t, s, s.Retry()); !s.IsCurrent() {
		t.Error("what was given at last is not")
	}
}
