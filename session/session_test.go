package session_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
)

// corpus is an engine over made-up sections: section i of a query has the similarity
// 1 − i/10, and with keywords the order is turned round.
type corpus struct {
	sections int
	gathers  int
	matched  int // how often words were looked for
	// fails is what gathering for parameters fails with, nil for nothing.
	fails func(query string, p param.Params) error
	// holds has every question wait until its context ends; cause is why it did.
	holds bool
	cause error
	// broken is what finding out why fails with.
	broken error
	// looked is what evidence was looked into for, in a few words each.
	looked []string
}

func (c *corpus) Gather(ctx context.Context, q retrieval.Query, p param.Params) (session.Evidence, error) {
	c.gathers++
	if c.holds {
		<-ctx.Done()
		c.cause = context.Cause(ctx)
		return nil, ctx.Err()
	}
	if c.fails != nil {
		if err := c.fails(q.Text, p); err != nil {
			return nil, err
		}
	}
	return found{in: c, query: q.Text, of: p, sections: c.sections}, nil
}

func (c *corpus) Complete(_ context.Context, ev session.Evidence, p param.Params) (session.Evidence, error) {
	c.gathers++
	own := ev.(found)
	own.hops = p.MaxHops
	return own, nil
}

func (c *corpus) WhyNot(ctx context.Context, q retrieval.Query, p param.Params, t whynot.Target) (whynot.Report, error) {
	return whynot.Report{Target: t, Verdict: fmt.Sprint(q.Text, " by ", p.SimilarityFloor)}, cmp.Or(ctx.Err(), c.broken)
}

func (c *corpus) MatchTerms(context.Context, retrieval.Query, param.Params) (session.TermMatch, error) {
	c.matched++
	return session.TermMatch{None: true}, nil
}

// found is evidence that reaches as far as the keyword weight that it was gathered for,
// and needs edges for each hop that it has not.
type found struct {
	in       *corpus
	query    string
	of       param.Params
	sections int
	hops     int
}

func (f found) Covers(p param.Params) (bool, string) {
	return p.KeywordWeight == f.of.KeywordWeight, "other keywords"
}

func (f found) Rank(p param.Params, o retrieval.Options) (r retrieval.Result, needs retrieval.Needs) {
	r.Mode = param.ModeChunk
	for i := range f.sections {
		score := 1 - float64(i)/10
		if f.sections > 10 {
			score = .9 // many that all pass
		}
		if score < p.SimilarityFloor {
			r.NearMisses = append(r.NearMisses, retrieval.Item{ChunkID: fmt.Sprintf("%s-%d", f.query, i)})
			continue
		}
		it := retrieval.Item{SourceURL: "page", Level: store.Parent, ChunkID: fmt.Sprintf("%s-%d", f.query, i), Score: score}
		if o.Explain {
			it.Explanation = &retrieval.Explanation{Value: score}
		}
		r.Items = append(r.Items, it)
	}
	if f.of.KeywordWeight > 0 {
		slices.Reverse(r.Items)
	}
	for i := range r.Items {
		r.Items[i].Rank = i + 1
	}
	if p.MaxHops > f.hops {
		needs.Edges = []string{"0"}
	}
	return r, needs
}

func (f found) Ablations(p param.Params, stop func() bool) []whynot.Ablation {
	if stop() {
		return nil
	}
	f.in.looked = append(f.in.looked, fmt.Sprint("ablations at ", p.SimilarityFloor))
	return []whynot.Ablation{{Stage: "floor"}}
}

// Breakpoints gives as many breakpoints as it may rank, at most ten.
func (f found) Breakpoints(p param.Params, field string, stop func() bool) whynot.Breakpoints {
	f.in.looked = append(f.in.looked, fmt.Sprint("exactly ", field, " at ", p.SimilarityFloor))
	return whynot.Breakpoints{Field: field, Points: points(10, stop)}
}

func (f found) CoarseBreakpoints(p param.Params, field string, most int, stop func() bool) whynot.Breakpoints {
	f.in.looked = append(f.in.looked, fmt.Sprint("roughly ", field, " at ", p.SimilarityFloor))
	return whynot.Breakpoints{Field: field, Points: points(most, stop)}
}

func points(most int, stop func() bool) (all []whynot.Breakpoint) {
	for len(all) < most && !stop() {
		all = append(all, whynot.Breakpoint{})
	}
	return all
}

func (f found) RankBreakpoints(p param.Params, id string, _ func() bool) []whynot.RankBreakpoint {
	f.in.looked = append(f.in.looked, fmt.Sprint("rank of ", id, " at ", p.SimilarityFloor))
	return []whynot.RankBreakpoint{{From: 1, To: 2}}
}

func (f found) Labels([]string) []retrieval.ChunkLabel { return nil }

var errBroken = errors.New("the corpus is broken")

// begin is a session on a corpus of eight sections, and its clock.
func begin(t *testing.T) (*session.Session, *corpus, *time.Time) {
	t.Helper()
	now := time.Date(2026, time.November, 21, 12, 0, 0, 0, time.UTC)
	s := session.New(session.Setting{Name: "webrag"}, func() time.Time { return now })
	c := &corpus{sections: 8}
	s.Take(&session.Corpus{Engine: c, Reader: &shelf{}}, nil)
	s.Changed()
	return s, c, &now
}

// asked is a session with an answer.
func asked(t *testing.T) (*session.Session, *corpus, *time.Time) {
	t.Helper()
	s, c, now := begin(t)
	finish(t, s, s.Ask("depth"))
	if len(ids(s)) != 8 {
		t.Fatalf("the answer has %v", ids(s))
	}
	s.Changed()
	c.gathers = 0
	return s, c, now
}

// finish does all work, and what follows from it; a corpus that is away is not waited for.
func finish(t testing.TB, s *session.Session, work []session.Work) {
	t.Helper()
	for n := 0; len(work) > 0; n++ {
		if n > 100 {
			t.Fatalf("work without end: %v", work[0].Kind)
		}
		w := work[0]
		work = work[1:]
		if w.Kind != session.KindRetry && s.Awaits(w.Kind, w.Gen) { // it may have rested in the meantime
			work = append(work, s.Apply(w.Run(t.Context()))...)
		}
	}
}

func ids(s *session.Session) (ids []string) {
	if r := s.Result(); r != nil {
		for i := range r.Items {
			ids = append(ids, r.Items[i].ChunkID)
		}
	}
	return ids
}

func with(s *session.Session, change func(*param.Params)) param.Params {
	p := s.Params()
	change(&p)
	return p
}

func floor(s *session.Session, f float64) param.Params {
	return with(s, func(p *param.Params) { p.SimilarityFloor = f })
}

func keywords(s *session.Session, w float64) param.Params {
	return with(s, func(p *param.Params) { p.KeywordWeight = w })
}

func TestAsking(t *testing.T) {
	s, _, _ := begin(t)
	work := s.Ask("depth")
	if len(work) != 1 || work[0].Kind != session.KindAnswer || work[0].Delay != 0 {
		t.Fatalf("asking takes %+v", work)
	}
	if !s.Asking() || s.Asked() != "depth" || s.Query() != "" || s.Result() != nil {
		t.Error("the answer is there before anyone has asked")
	}
	if more := s.Apply(work[0].Run(t.Context())); len(more) != 0 {
		t.Errorf("then %+v has to be done", more)
	}
	if s.Asking() || s.Query() != "depth" || len(ids(s)) != 8 || s.Result().Items[0].Explanation == nil {
		t.Errorf("answered: %q with %v", s.Query(), ids(s))
	}
	if s.Difference() == nil || !s.Difference().IsIdentical() {
		t.Errorf("nothing was changed, and the difference to the start is %+v", s.Difference())
	}
	want := session.Ranked | session.ResultChanged | session.Compared
	if got := s.Changed(); got != want {
		t.Errorf("told of %b, want %b", got, want)
	}
	if got := s.Changed(); got != 0 {
		t.Errorf("told of %b twice", got)
	}
	if s.Ask(""); s.Result() != nil || s.Query() != "" || s.Asked() != "" || !s.Changed().Has(session.ResultChanged) {
		t.Error("an empty query leaves the answer standing")
	}
}

func TestWithoutACorpusNothingIsAsked(t *testing.T) {
	s := session.New(session.Setting{Name: "webrag"}, nil)
	if work := s.Ask("depth"); work != nil || s.Asking() {
		t.Errorf("asks %+v", work)
	}
	if work := s.Set(floor(s, .5), "similarity_floor"); work != nil || s.Params().SimilarityFloor != .5 {
		t.Errorf("a change takes %+v and gives %v", work, s.Params().SimilarityFloor)
	}
}

// Whatever order answers come in, the newest query has the last word, and each counts once.
func TestLateAnswersAreDropped(t *testing.T) {
	for _, late := range []bool{false, true} {
		s, _, _ := begin(t)
		first, second := s.Ask("first")[0], s.Ask("second")[0]
		done := []session.Done{first.Run(t.Context()), second.Run(t.Context())}
		if late {
			slices.Reverse(done)
		}
		for _, d := range done {
			s.Apply(d)
		}
		if s.Query() != "second" || s.EvidenceID().Answers != 1 {
			t.Errorf("late %v: %q, %d answers", late, s.Query(), s.EvidenceID().Answers)
		}
		s.Changed()
		if s.Apply(done[0]); s.Changed() != 0 || s.EvidenceID().Answers != 1 {
			t.Errorf("late %v: an answer was applied twice", late)
		}
	}
	s, _, _ := begin(t)
	s.Apply(session.Done{})
	s.Apply(session.Done{Kind: session.KindAnswer})
	s.Apply(session.Done{Kind: 99, Gen: 1})
	if s.Changed() != 0 {
		t.Error("what nobody has asked for changes something")
	}
}

func TestNewerWorkCancelsOlder(t *testing.T) {
	s, c, _ := begin(t)
	c.holds = true
	old := s.Ask("old")[0]
	came := make(chan session.Done)
	go func() { came <- old.Run(t.Context()) }()
	s.Ask("new")
	if d := <-came; !errors.Is(d.Err, context.Canceled) || c.cause == nil || c.cause.Error() != "superseded" {
		t.Errorf("the old query ended with %v because of %v", d.Err, c.cause)
	}
	given := s.WhyNot(whynot.Target{}, s.Params())[0]
	s.StopWhy()
	if d := given.Run(t.Context()); !errors.Is(d.Err, context.Canceled) {
		t.Errorf("what was given up before it began ended with %v", d.Err)
	}
	// The runner may end work, too.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	hung := s.Ask("hung")[0]
	s.Apply(hung.Run(ctx))
	if s.Asking() || s.Changed().Has(session.ResultChanged) {
		t.Error("a cancelled query is still being asked, or has an answer")
	}
}

func TestWhatFailedLeavesNoEarlierAnswer(t *testing.T) {
	for _, c := range []struct {
		err  error
		kept bool
	}{{errBroken, false}, {fmt.Errorf("ask: %w", store.ErrUnavailable), true}, {store.ErrLocked, false}, {context.Canceled, true}} {
		s, corpus, _ := asked(t)
		corpus.fails = func(string, param.Params) error { return c.err }
		finish(t, s, s.Ask("other"))
		if kept := s.Result() != nil && s.Query() == "depth"; kept != c.kept || s.Asking() || s.Asked() != "other" {
			t.Errorf("%v: kept %v, asking %v, asked %q", c.err, kept, s.Asking(), s.Asked())
		}
	}
}

func TestWhyNot(t *testing.T) {
	s, c, _ := asked(t)
	if s.Admit() != nil {
		t.Error("nothing was left out, and something is to be let in")
	}
	s.Set(floor(s, .75), "similarity_floor")
	with := s.Params()
	near, one := s.Admit()[0], s.WhyNot(whynot.Target{ChunkID: "x"}, floor(s, .5))[0]
	if d := near.Run(t.Context()); d.Kind != session.KindAdmit || d.Report.Target.ChunkID != "depth-3" || d.Report.Verdict != "depth by 0.75" || d.Params != with {
		t.Errorf("what lets the nearest in: %+v", d)
	}
	s.Set(floor(s, .2), "similarity_floor") // it is of the parameters that were asked about
	if d := one.Run(t.Context()); d.Report.Target.ChunkID != "x" || d.Report.Verdict != "depth by 0.5" || !s.Awaits(d.Kind, d.Gen) {
		t.Errorf("why not: %+v", d)
	}
	if s.StopWhy(); s.Awaits(one.Kind, one.Gen) || !s.Awaits(near.Kind, near.Gen) {
		t.Error("what was given up is awaited, or what was not is not")
	}
	c.broken = errBroken
	if d := s.WhyNot(whynot.Target{}, with)[0].Run(t.Context()); !errors.Is(d.Err, errBroken) {
		t.Errorf("it fails with %v", d.Err)
	}
}

// What lets a section into the answer of one query is of no other.
func TestAdmittingIsOfOneQuery(t *testing.T) {
	for _, c := range []struct {
		query string
		ends  bool
	}{{"other", true}, {"", true}, {"depth", false}} {
		s, _, _ := asked(t)
		s.Set(floor(s, .75), "similarity_floor")
		admit := s.Admit()[0]
		s.Ask(c.query)
		if s.Awaits(admit.Kind, admit.Gen) == c.ends {
			t.Errorf("while %q is asked it is awaited: %v", c.query, c.ends)
		}
	}
}

// Of a query that brings nothing it is asked once whether the corpus has its words.
func TestWordsThatTheCorpusLacks(t *testing.T) {
	s, c, _ := asked(t)
	if s.TermMatch().None || c.matched != 0 {
		t.Error("a query with results is asked about")
	}
	finish(t, s, s.Set(floor(s, 1.5), ""))
	if !s.TermMatch().None {
		t.Error("it is not known that no word occurs")
	}
	finish(t, s, s.Set(floor(s, 1.6), ""))
	if c.matched != 1 {
		t.Errorf("asked %d times", c.matched)
	}
	finish(t, s, s.Ask("other"))
	if c.matched != 2 || !s.TermMatch().None {
		t.Errorf("of another query asked %d times in all", c.matched)
	}
	late := s.Ask("third")
	s.Leave()
	if finish(t, s, late); s.TermMatch().None {
		t.Error("after leaving the corpus it is known of no query")
	}
}

// What was under way for an answer that is gone brings it not back.
func TestForgottenAnswersStayForgotten(t *testing.T) {
	forget := map[string]func(*session.Session){
		"an empty query": func(s *session.Session) { s.Ask("") },
		"leaving":        func(s *session.Session) { s.Leave() },
		"closing":        (*session.Session).Close,
	}
	for name, f := range forget {
		s, _, _ := asked(t)
		work := s.Set(keywords(s, .5), "keyword_weight")
		work = append(work, s.Ask("other")...)
		f(s)
		had := ids(s)
		for _, w := range work {
			s.Apply(w.Run(t.Context()))
		}
		if name != "closing" && (s.Evidence() != nil || s.Pending() != "" || s.BaselineResult() != nil) || !slices.Equal(ids(s), had) {
			t.Errorf("after %s: %q, %v, pending %q", name, s.Query(), ids(s), s.Pending())
		}
		if name == "leaving" && s.Ask("depth") != nil {
			t.Error("a corpus that was left is asked")
		}
		if s.Params().KeywordWeight != .5 {
			t.Errorf("after %s the parameters are gone, too", name)
		}
	}
}
