package session_test

import (
	"testing"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
)

// The present query and those that are watched are ranked by two sets of parameters: what the
// evidence reaches at once, the rest one after the other.
func TestSides(t *testing.T) {
	s, c := watching(t)
	finish(t, s, s.Judge())
	c.gathers = 0
	here, other := s.Params(), keywords(s, .5)
	work := s.LookAside(here, other)
	if r, _ := s.Aside("depth", here); r == nil || len(r.Items) != 8 || c.gathers != 0 {
		t.Fatalf("what is known: %+v, after %d questions", r, c.gathers)
	}
	if r, why := s.Aside("depth", other); r != nil || why != "" || len(work) != 1 || work[0].Kind != session.KindSide {
		t.Fatalf("what is not known: %+v, %q, work %+v", r, why, work)
	}
	if s.AsideSum(other).Known || !s.AsideSum(here).Known {
		t.Error("the sums of what was not asked are known")
	}
	finish(t, s, work)
	if r, _ := s.Aside("depth", other); r == nil || r.Items[0].ChunkID != "depth-7" || c.gathers != 3 {
		t.Errorf("%+v after %d questions", r, c.gathers)
	}
	floor := s.WatchedQuery("floor")
	if rank, passed, known := s.AsideRank(floor, other); rank != 1 || !passed || !known {
		t.Errorf("rank %d, %v, %v", rank, passed, known)
	}
	if sum := s.AsideSum(other); sum != (session.SideSum{Passed: 2, Total: 2, Known: true, MRR: 1, Pages: 1}) {
		t.Errorf("the sum is %+v", sum)
	}
	// A side that is put in the place of another asks for itself only.
	third := with(s, func(p *param.Params) { p.SimilarityFloor = 1.5 })
	if more := s.LookAside(third, other); len(more) != 0 {
		t.Errorf("what is known is asked for: %+v", more)
	}
	if sum := s.AsideSum(third); sum != (session.SideSum{Total: 2, Known: true, Pages: 1}) {
		t.Errorf("above the floor the sum is %+v", sum)
	}
	if s.LookAside(); s.AsideSum(here).Known {
		t.Error("what was found stays after the end")
	}
}

// Other pages, and another corpus, are ranked anew for both sides, and nothing of what was
// known of the earlier ones stays.
func TestSidesFollowTheCorpus(t *testing.T) {
	s, c := watching(t)
	here, other := s.Params(), keywords(s, .5)
	finish(t, s, s.LookAside(here, other))
	places := func(query string) (n [2]int) {
		for i, p := range []param.Params{here, other} {
			if r, _ := s.Aside(query, p); r != nil {
				n[i] = len(r.Items)
			}
		}
		return n
	}
	if got := places("depth"); got != [2]int{8, 8} {
		t.Fatalf("there are %v places", got)
	}
	c.sections = 5
	work := s.Reindexed()
	if got := places("floor"); got != [2]int{} {
		t.Errorf("of the pages as they were there are %v places", got)
	}
	finish(t, s, work)
	if finish(t, s, s.Ask("depth")); places("depth") != [2]int{5, 5} || places("floor") != [2]int{5, 5} {
		t.Errorf("of other pages there are %v and %v places", places("depth"), places("floor"))
	}
	s.Leave()
	if finish(t, s, s.Take(&session.Corpus{Engine: &corpus{sections: 3}, Reader: &shelf{}}, nil)); places("depth") != [2]int{} {
		t.Errorf("of a corpus that was left there are %v places", places("depth"))
	}
}

// What the corpus does not give is said, and the rest is asked for all the same.
func TestASideThatFails(t *testing.T) {
	s, c := watching(t)
	finish(t, s, s.Judge())
	c.fails = func(query string, _ param.Params) error {
		if query == "floor" {
			return errBroken
		}
		return nil
	}
	other := keywords(s, .5)
	finish(t, s, s.LookAside(s.Params(), other))
	if r, why := s.Aside("floor", other); r != nil || why != errBroken.Error() {
		t.Errorf("%+v, %q", r, why)
	}
	if r, _ := s.Aside("budget", other); r == nil || s.AsideSum(other).Known {
		t.Error("one that fails holds up the others")
	}
	// Nothing is waited for after the end.
	work := s.LookAside(keywords(s, .6), other)
	s.LookAside()
	if len(work) != 1 || s.Awaits(work[0].Kind, work[0].Gen) {
		t.Errorf("still awaited: %+v", work)
	}
}
