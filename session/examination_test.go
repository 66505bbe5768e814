package session_test

import (
	"context"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
)

// knife takes cosines apart; the first time for a query costs texts.
type knife struct {
	cost   int
	fails  error
	opened []string
}

func (k *knife) Cost(string) int { return k.cost }

func (k *knife) Cosines(_ context.Context, query string, _ []float32, it *retrieval.Item) (session.Cosines, error) {
	k.opened = append(k.opened, query+" "+it.ChunkID)
	if k.fails != nil {
		return session.Cosines{}, k.fails
	}
	k.cost = 0
	return session.Cosines{Exact: true}, nil
}

// examining is a session with an answer whose sections have cosines.
func examining(t *testing.T, k *knife) (*session.Session, *corpus) {
	t.Helper()
	s, c, _ := begin(t)
	s.Take(&session.Corpus{Engine: c, Reader: &shelf{}, Cosines: k}, nil)
	finish(t, s, s.Ask("depth"))
	s.Changed()
	return s, c
}

// item is a section of the answer, as it was found by its passages.
func item(s *session.Session, i int) *retrieval.Item {
	it := s.Result().Items[i]
	it.Matches = []retrieval.Match{{ChunkID: it.ChunkID + ".1", Rank: 1}}
	return &it
}

// A section that somebody stays with is looked into, in each ranking.
func TestExamination(t *testing.T) {
	k := &knife{}
	s, c := examining(t, k)
	it := item(s, 2)
	work := s.Examine(it)
	if len(work) != 1 || work[0].Kind != session.KindExamine || work[0].Delay != 180*time.Millisecond || !s.Changed().Has(session.Examined) {
		t.Fatalf("examining takes %+v", work)
	}
	if x := s.Examination(); x.Item != it || !x.HasCosines || x.RankBreakpoints != nil || !x.Stale || s.Examine(it) != nil {
		t.Errorf("at first %+v", x)
	}
	work = s.Apply(work[0].Run(t.Context()))
	if x := s.Examination(); len(work) != 2 || !x.Asking || s.Cosines(it) != nil {
		t.Errorf("then %v: %+v", kinds(work), x)
	}
	s.Changed()
	finish(t, s, work)
	if x := s.Examination(); x.Asking || x.Stale || len(x.RankBreakpoints) != 1 || s.Cosines(it) == nil || !s.Cosines(it).Exact {
		t.Errorf("found: %+v", x)
	}
	if !s.Changed().Has(session.CosinesChanged) || c.since() != "rank of depth-2 at 0" {
		t.Error("nobody was told, or something else was looked for")
	}
	// In another ranking what is known stays until it is found anew, and cosines do for good.
	s.Set(floor(s, .5), "")
	again := item(s, 2)
	work = s.Examine(again)
	if x := s.Examination(); !x.Stale || len(x.RankBreakpoints) != 1 {
		t.Errorf("in another ranking: %+v", x)
	}
	finish(t, s, work)
	if got := c.since(); got != "rank of depth-2 at 0.5" || len(k.opened) != 1 || s.Examination().Stale {
		t.Errorf("looked %s, opened %v", got, k.opened)
	}
	// Of another section nothing is known, and of none nothing is asked.
	work = s.Examine(item(s, 0))
	if x := s.Examination(); x.RankBreakpoints != nil {
		t.Errorf("of another section: %+v", x)
	}
	if s.Examine(nil) != nil || s.Examination().Item != nil {
		t.Error("none is examined")
	}
	if finish(t, s, work); c.since() != "" {
		t.Error("a section that was left is looked into")
	}
	if s.Cosines(nil) != nil || s.Cosines(&retrieval.Item{}) != nil {
		t.Error("what has no cosines has them")
	}
}

// What costs something is asked for on demand; a failure is known.
func TestCosinesThatCost(t *testing.T) {
	k := &knife{cost: 3, fails: errBroken}
	s, _ := examining(t, k)
	it := item(s, 1)
	finish(t, s, s.Examine(it))
	if x := s.Examination(); x.Cost != 3 || len(k.opened) != 0 || x.Asking {
		t.Errorf("unasked %v was opened: %+v", k.opened, x)
	}
	finish(t, s, s.OpenCosines())
	if x := s.Examination(); x.Failed == nil || x.Asking || x.Cost != 3 {
		t.Errorf("after a failure: %+v", x)
	}
	k.fails = nil
	work := s.OpenCosines()
	if x := s.Examination(); x.Failed != nil || !x.Asking {
		t.Errorf("while it is asked: %+v", x)
	}
	finish(t, s, work)
	if x := s.Examination(); x.Cost != 0 || s.Cosines(it) == nil {
		t.Errorf("at last: %+v", x)
	}
	ended := s.OpenCosines()[0]
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	k.fails = ctx.Err()
	if s.Apply(ended.Run(ctx)); s.Examination().Failed != nil || s.Examination().Asking {
		t.Error("what was cancelled has failed")
	}
	// A section that words alone have found has no cosine, nor has one of another corpus.
	words := item(s, 3)
	words.Matches[0].Rank = 0
	if s.Examine(words); s.Examination().HasCosines || s.OpenCosines() != nil {
		t.Error("without a cosine there is something to open")
	}
	s.Examine(it)
	s.Take(&session.Corpus{Engine: &corpus{sections: 8}, Reader: &shelf{}}, nil)
	if s.Cosines(it) != nil || s.Examination().Item != nil {
		t.Error("another corpus has the cosines of the last")
	}
	if s.Examine(it); s.Examination().HasCosines || s.Examination().Cost != 0 {
		t.Error("a corpus whose vectors are not known has cosines")
	}
}

// While the evidence does not reach as far as the parameters, what would change a rank is
// not looked for.
func TestARankIsNotExaminedBeyondTheEvidence(t *testing.T) {
	s, c := examining(t, &knife{})
	it := item(s, 0)
	rest := s.Examine(it)
	more := s.Set(keywords(s, .5), "keyword_weight")
	if work := s.Apply(rest[0].Run(t.Context())); len(work) != 1 || work[0].Kind != session.KindCosines {
		t.Errorf("beyond the evidence %v", kinds(work))
	}
	finish(t, s, more)
	if c.since() != "" {
		t.Error("it was looked for all the same")
	}
}
