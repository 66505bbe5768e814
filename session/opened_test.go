package session_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
)

// shop opens corpora, and counts what becomes of them.
type shop struct {
	fails          error // what opening fails with
	opened, closed int
	ctx            context.Context // that the last was opened in
	change         func(*session.Corpus)
	engine         *corpus
}

func (h *shop) open(ctx context.Context) (*session.Corpus, error) {
	h.opened++
	h.ctx = ctx
	if h.fails != nil {
		return nil, h.fails
	}
	c := &session.Corpus{Engine: h.engine, Reader: &shelf{}, Close: func() error { h.closed++; return nil }}
	if h.change != nil {
		h.change(c)
	}
	return c, nil
}

// visited is a session before anything was opened.
func visited(t *testing.T) (*session.Session, *shop, *time.Time) {
	t.Helper()
	now := time.Date(2026, time.November, 21, 12, 0, 0, 0, time.UTC)
	return session.New(session.Setting{Name: "webrag"}, func() time.Time { return now }), &shop{engine: &corpus{sections: 8}}, &now
}

func kinds(work []session.Work) (list []session.Kind) {
	for _, w := range work {
		list = append(list, w.Kind)
	}
	return list
}

func TestACorpusIsOpened(t *testing.T) {
	s, h, _ := visited(t)
	if work := s.Ask("depth"); work != nil || !s.Waiting() || s.Asking() {
		t.Errorf("without a corpus %v", kinds(work))
	}
	work := s.Open(h.open)
	if !slices.Equal(kinds(work), []session.Kind{session.KindOpen}) || s.Corpus() != nil {
		t.Fatalf("opening takes %v", kinds(work))
	}
	work = s.Apply(work[0].Run(t.Context()))
	if !slices.Equal(kinds(work), []session.Kind{session.KindSummary, session.KindAnswer}) || s.Corpus() == nil || s.Waiting() || !s.Asking() {
		t.Fatalf("then %v", kinds(work))
	}
	if h.ctx.Err() != nil {
		t.Error("the corpus does not live on in the context that it was opened in")
	}
	s.Changed()
	finish(t, s, work)
	if s.Query() != "depth" || s.Summary() == nil || s.Summary().Documents != 3 || !s.Changed().Has(session.SummaryChanged) {
		t.Errorf("%q, %+v", s.Query(), s.Summary())
	}
	finish(t, s, s.Leave())
	if s.Corpus() != nil || s.Summary() != nil || h.closed != 1 || !s.Changed().Has(session.SummaryChanged) {
		t.Errorf("after leaving: %v, %v, %d closed", s.Corpus(), s.Summary(), h.closed)
	}
}

// While a corpus is loaded nothing is asked; the newest query is, once it is.
func TestLoading(t *testing.T) {
	s, h, _ := visited(t)
	var broken error
	h.change = func(c *session.Corpus) {
		c.Load = func(_ context.Context, progress func(done, total int)) error {
			progress(3, 4)
			return broken
		}
	}
	work := s.Apply(s.Open(h.open)[0].Run(t.Context()))
	if !slices.Equal(kinds(work), []session.Kind{session.KindSummary, session.KindLoad}) || !s.Loading() {
		t.Fatalf("loading takes %v", kinds(work))
	}
	if s.Ask("one") != nil || s.Ask("two") != nil || !s.Waiting() {
		t.Error("a query is asked before the corpus is loaded")
	}
	load := work[1].Run(t.Context())
	if done, total := s.Progress(); done != 3 || total != 4 {
		t.Errorf("%d of %d", done, total)
	}
	finish(t, s, s.Apply(load))
	if s.Loading() || s.Query() != "two" {
		t.Errorf("loading %v, %q", s.Loading(), s.Query())
	}
	broken = errBroken
	finish(t, s, s.Open(h.open))
	if f := s.Failure(); f == nil || f.Kind != session.KindLoad || !errors.Is(f.Err, errBroken) || s.Loading() {
		t.Fatalf("the failure is %+v", f)
	}
	broken = nil
	if finish(t, s, s.Retry()); s.Failure() != nil || h.opened != 3 {
		t.Errorf("tried again: %+v, opened %d times", s.Failure(), h.opened)
	}
	// One that is left is not waited for.
	work = s.Apply(s.Open(h.open)[0].Run(t.Context()))
	s.Ask("three")
	s.Leave()
	for _, w := range work {
		s.Apply(w.Run(t.Context()))
	}
	if s.Loading() || s.Waiting() || s.Asking() || s.Summary() != nil {
		t.Error("what was left is waited for")
	}
}

func TestACorpusThatCannotBeOpened(t *testing.T) {
	s, h, _ := visited(t)
	h.fails = errBroken
	finish(t, s, s.Open(h.open))
	if f := s.Failure(); f == nil || f.Kind != session.KindOpen || !errors.Is(f.Err, errBroken) || !s.Changed().Has(session.FailureChanged) || s.Outage() != nil {
		t.Fatalf("the failure is %+v", f)
	}
	h.fails = nil
	work := s.Retry()
	if s.Failure() != nil {
		t.Error("while it is tried again, the failure stands")
	}
	if finish(t, s, work); s.Corpus() == nil || h.opened != 2 {
		t.Errorf("opened %d times: %v", h.opened, s.Corpus())
	}
	h.change = func(c *session.Corpus) { c.NeedsOwner = true }
	p := s.Params()
	p.RequireOwner = true
	s.Set(p, "")
	finish(t, s, s.Open(h.open))
	if f := s.Failure(); f == nil || f.Kind != session.KindAnswer || !errors.Is(f.Err, retrieval.ErrNoOwner) {
		t.Errorf("without an owner the failure is %+v", f)
	}
}

// A corpus that was opened in vain is closed, and so is one whose place another takes.
func TestWhatComesTooLateIsClosed(t *testing.T) {
	s, h, _ := visited(t)
	late := s.Open(h.open)[0].Run(t.Context())
	finish(t, s, s.Open(h.open))
	finish(t, s, s.Apply(late))
	if h.opened != 2 || h.closed != 1 || s.Corpus() == nil {
		t.Errorf("%d opened, %d closed", h.opened, h.closed)
	}
	finish(t, s, s.Open(h.open))
	if h.closed != 2 {
		t.Errorf("%d closed after another took the place of one", h.closed)
	}
	one := s.Corpus()
	if work := s.Take(one, h.open); slices.Contains(kinds(work), session.KindClose) {
		t.Error("a corpus is closed that stays")
	}
	// Another one beside it changes nothing until somebody takes it.
	d := s.OpenBeside(h.open)[0].Run(t.Context())
	if work := s.Apply(d); work != nil || s.Corpus() != one || d.Corpus == nil {
		t.Errorf("then %v", kinds(work))
	}
	finish(t, s, s.CloseCorpus(d.Corpus))
	if s.CloseCorpus(nil) != nil || h.closed != 3 {
		t.Errorf("%d closed", h.closed)
	}
	// Closing goes on beside other closing, and what it fails with is awaited.
	broken := func() *session.Corpus { return &session.Corpus{Close: func() error { return errBroken }} }
	a, b := s.CloseCorpus(broken())[0], s.CloseCorpus(broken())[0]
	for _, w := range []session.Work{a, b} {
		if d := w.Run(t.Context()); !errors.Is(d.Err, errBroken) || !s.Awaits(d.Kind, d.Gen) {
			t.Errorf("%+v is not awaited", d)
		} else if s.Apply(d); s.Awaits(d.Kind, d.Gen) {
			t.Error("what was applied is awaited")
		}
	}
}

// finishOnce does the work of one kind.
func finishOnce(t *testing.T, s *session.Session, work []session.Work, k session.Kind) {
	t.Helper()
	for _, w := range work {
		if w.Kind == k {
			s.Apply(w.Run(t.Context()))
			return
		}
	}
	t.Fatalf("none of %v is of kind %v", kinds(work), k)
}

func away() error { return fmt.Errorf("ask: %w", store.ErrUnavailable) }

// While a corpus is away it is tried after pauses that grow; the answer stays.
func TestAnOutage(t *testing.T) {
	s, c, now := asked(t)
	c.fails = func(string, param.Params) error { return away() }
	work := s.Apply(s.Ask("other")[0].Run(t.Context()))
	for _, seconds := range []int{1, 2, 4, 8, 16, 30, 30} {
		want := time.Duration(seconds) * time.Second
		if len(work) != 1 || work[0].Kind != session.KindRetry || work[0].Delay != want || s.Outage().Pause() != want {
			t.Fatalf("after a failure %+v, want a pause of %v", work, want)
		}
		*now = now.Add(work[0].Delay)
		again := s.Apply(work[0].Run(t.Context()))
		if !slices.Equal(kinds(again), []session.Kind{session.KindAnswer, session.KindRetry}) {
			t.Fatalf("then %v", kinds(again))
		}
		work = s.Apply(again[0].Run(t.Context()))
	}
	if s.Outage().Tries != 8 || s.Query() != "depth" || s.Result() == nil || s.Failure() != nil || s.Outage().IsFile() {
		t.Errorf("%+v, %q, failure %+v", s.Outage(), s.Query(), s.Failure())
	}
	c.fails = nil
	s.Changed()
	finish(t, s, s.Retry())
	if s.Outage() != nil || s.Query() != "other" || !s.Changed().Has(session.Recovered) || s.RecoveredFrom().Tries != 8 || now.Sub(s.RecoveredFrom().Since) != 91*time.Second {
		t.Errorf("recovered from %+v, %q", s.RecoveredFrom(), s.Query())
	}
	if d := work[0].Run(t.Context()); s.Apply(d) != nil {
		t.Error("after that it is tried again")
	}
}

func TestWhatEndsAnOutage(t *testing.T) {
	lost := func(t *testing.T) (*session.Session, *corpus, session.Work) {
		s, c, _ := asked(t)
		c.fails = func(string, param.Params) error { return away() }
		work := s.Apply(s.Ask("other")[0].Run(t.Context()))
		s.Changed()
		return s, c, work[0]
	}
	s, c, retry := lost(t)
	c.fails = func(string, param.Params) error { return errBroken }
	if finish(t, s, s.Ask("third")); s.Outage() != nil || s.Changed().Has(session.Recovered) || s.Failure() == nil || s.Awaits(retry.Kind, retry.Gen) {
		t.Error("another failure is no end of the outage, or is a recovery")
	}
	s, _, retry = lost(t)
	if s.Leave(); s.Outage() != nil || s.Changed().Has(session.Recovered) || s.Awaits(retry.Kind, retry.Gen) {
		t.Error("the outage of a corpus that was left goes on")
	}
	s, _, retry = lost(t)
	s.Ask("third")
	if work := s.Apply(retry.Run(t.Context())); !slices.Equal(kinds(work), []session.Kind{session.KindRetry}) {
		t.Errorf("somebody asks, and %v is tried beside it", kinds(work))
	}
	// The baseline waits for nobody, and why-not and more evidence say that it is away, too.
	s, c, _ = asked(t)
	c.fails = func(string, param.Params) error { return away() }
	finishOnce(t, s, s.Set(keywords(s, .5), "keyword_weight"), session.KindEvidence)
	if s.Outage() == nil || s.Unasked() == nil {
		t.Error("what the parameters need is away, and there is no outage")
	}
	s, c, _ = asked(t)
	c.broken = away()
	finishOnce(t, s, s.WhyNot(whynot.Target{}, s.Params()), session.KindWhy)
	if s.Outage() == nil {
		t.Error("why-not is away, and there is no outage")
	}
	// Without an answer to keep, it stands in the way.
	s, c, _ = begin(t)
	c.fails = func(string, param.Params) error { return away() }
	finishOnce(t, s, s.Ask("depth"), session.KindAnswer)
	if f := s.Failure(); f == nil || f.Kind != session.KindAnswer || !session.IsOutage(f.Err) {
		t.Errorf("the failure is %+v", f)
	}
}

// A file that was removed or replaced is opened again, and what was read of the other stays.
func TestAFileThatIsLost(t *testing.T) {
	s, h, _ := visited(t)
	finish(t, s, s.Open(h.open))
	finish(t, s, s.Ask("depth"))
	h.engine.fails = func(string, param.Params) error { return fmt.Errorf("read: %w", store.ErrReplaced) }
	h.fails = errBroken // there is no file
	work := s.Apply(s.Ask("other")[0].Run(t.Context()))
	for range 3 {
		if !s.Outage().IsFile() || len(work) != 1 || work[0].Kind != session.KindRetry {
			t.Fatalf("lost: %v, %+v", kinds(work), s.Outage())
		}
		work = s.Apply(work[0].Run(t.Context()))
		if !slices.Equal(kinds(work), []session.Kind{session.KindOpen, session.KindRetry}) {
			t.Fatalf("tried: %v", kinds(work))
		}
		// While that hangs, it is not begun anew.
		if more := s.Apply(work[1].Run(t.Context())); !slices.Equal(kinds(more), []session.Kind{session.KindRetry}) {
			t.Fatalf("while it is tried: %v", kinds(more))
		}
		work = s.Apply(work[0].Run(t.Context()))
		if !errors.Is(s.Outage().Reopening, errBroken) {
			t.Errorf("it could not be opened because of %v", s.Outage().Reopening)
		}
	}
	if s.Failure() != nil || s.Query() != "depth" || h.opened != 4 {
		t.Errorf("%+v, %q, opened %d times", s.Failure(), s.Query(), h.opened)
	}
	h.fails, h.engine.fails = nil, nil
	s.Changed()
	finish(t, s, s.Retry())
	if r := s.RecoveredFrom(); s.Outage() != nil || !s.Changed().Has(session.Recovered) || !r.IsFile() || h.closed != 1 {
		t.Errorf("found again: %+v, %d closed", s.Outage(), h.closed)
	}
	if s.Query() != "other" || s.Asking() {
		t.Errorf("of the file that was opened again it was asked %q", s.Query())
	}
}

// A query that was asked of a file before it was loaded again is asked once it is.
func TestALostFileIsLoadedAgain(t *testing.T) {
	s, h, _ := visited(t)
	finish(t, s, s.Open(h.open))
	finish(t, s, s.Ask("depth"))
	h.engine.fails = func(string, param.Params) error { return fmt.Errorf("read: %w", store.ErrReplaced) }
	finishOnce(t, s, s.Ask("other"), session.KindAnswer)
	h.engine.fails = nil
	h.change = func(c *session.Corpus) { c.Load = func(context.Context, func(int, int)) error { return nil } }
	if finish(t, s, s.Retry()); s.Query() != "other" || s.Outage() != nil {
		t.Errorf("loaded again, it was asked %q, outage %+v", s.Query(), s.Outage())
	}
}

// A try that is given up is not the last, and a corpus that nothing is asked of is found
// again as well.
func TestAnOutageIsNeverStuck(t *testing.T) {
	lost := func() (*session.Session, *corpus, []session.Work) {
		s, c, _ := asked(t)
		finish(t, s, s.Reindexed()) // what the corpus is was read
		c.fails = func(string, param.Params) error { return away() }
		return s, c, s.Apply(s.Ask("other")[0].Run(t.Context()))
	}
	s, c, work := lost()
	work = s.Apply(work[0].Run(t.Context()))
	s.Stop()
	var next []session.Work
	for _, w := range work {
		next = append(next, s.Apply(w.Run(t.Context()))...)
	}
	if !slices.Contains(kinds(next), session.KindAnswer) {
		t.Fatalf("after a try was given up comes %v", kinds(next))
	}
	c.fails = nil
	if finish(t, s, next); s.Outage() != nil || s.Query() != "other" {
		t.Errorf("%+v, %q", s.Outage(), s.Query())
	}

	for _, byHand := range []bool{false, true} {
		s, _, work = lost()
		r := &shelf{fails: away()}
		s.Corpus().Reader = r
		s.Ask("")
		if s.Outage() == nil {
			t.Fatal("who asks nothing ends the outage")
		}
		next = s.Apply(work[0].Run(t.Context()))
		if !slices.Contains(kinds(next), session.KindSummary) {
			t.Fatalf("nothing is asked, and what is tried is %v", kinds(next))
		}
		tries := s.Outage().Tries
		next = s.Apply(next[0].Run(t.Context()))
		if !slices.Equal(kinds(next), []session.Kind{session.KindRetry}) || s.Outage().Tries != tries+1 {
			t.Fatalf("then comes %v after %d tries", kinds(next), s.Outage().Tries)
		}
		r.fails = nil
		s.Changed()
		if byHand {
			finish(t, s, s.Retry())
		} else {
			finish(t, s, s.Apply(next[0].Run(t.Context())))
		}
		if s.Outage() != nil || !s.Changed().Has(session.Recovered) || s.Result() != nil {
			t.Errorf("by hand %v: %+v", byHand, s.Outage())
		}
	}
	// With nothing to find again, nothing is tried.
	s, _, _ = begin(t)
	if s.Retry() != nil {
		t.Error("a corpus that is there is tried again")
	}
}

// Whatever is done in whatever order, each corpus that was opened is closed or is the
// present one, and never twice.
func TestNoCorpusIsLost(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := session.New(session.Setting{Name: "webrag"}, nil)
		open, closed := map[*session.Corpus]bool{}, 0
		opening := func(context.Context) (*session.Corpus, error) {
			if rapid.Bool().Draw(r, "fails") {
				return nil, rapid.SampledFrom([]error{errBroken, away()}).Draw(r, "error")
			}
			c := &session.Corpus{Engine: &corpus{sections: 2}, Reader: &shelf{}}
			c.Close = func() error {
				if !open[c] {
					r.Fatal("a corpus is closed twice")
				}
				delete(open, c)
				closed++
				return nil
			}
			open[c] = true
			return c, nil
		}
		var work []session.Work
		for range rapid.IntRange(1, 30).Draw(r, "steps") {
			switch rapid.IntRange(0, 6).Draw(r, "step") {
			case 0:
				work = append(work, s.Open(opening)...)
			case 1:
				work = append(work, s.Leave()...)
			case 2:
				work = append(work, s.Ask("depth")...)
			case 3:
				work = append(work, s.Retry()...)
			default:
				if len(work) > 0 {
					i := rapid.IntRange(0, len(work)-1).Draw(r, "which")
					w := work[i]
					work = append(slices.Delete(work, i, i+1), s.Apply(w.Run(context.Background()))...)
				}
			}
		}
		for n := 0; len(work) > 0 && n < 500; n++ {
			w := work[0]
			work = work[1:]
			if w.Kind != session.KindRetry {
				work = append(work, s.Apply(w.Run(context.Background()))...)
			}
		}
		if c := s.Corpus(); c != nil && !open[c] || len(open) > 1 || len(open) == 1 && c == nil {
			r.Fatalf("%d corpora are open, the present one is %v; %d were closed", len(open), c, closed)
		}
	})
}
