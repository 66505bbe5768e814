package session_test

import (
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
