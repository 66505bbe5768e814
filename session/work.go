package session

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/webrag/webrag-tui/evaluation/experiment"
	"github.com/webrag/webrag-tui/evaluation/sweep"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/whynot"
)

// Kind is a kind of waiting. Newer work of a kind takes the place of older.
type Kind int

const (
	// KindAnswer gathers the evidence of a query.
	KindAnswer Kind = iota + 1
	// KindEvidence gathers what changed parameters need beyond the evidence.
	KindEvidence
	// KindExplanation ranks a long list again, with its trace and explanations.
	KindExplanation
	// KindBaseline ranks by the baseline where the evidence does not reach it.
	KindBaseline
	// KindWatchRest is the pause before the watch list is gathered: it brings nothing.
	KindWatchRest
	// KindWatch gathers what one watched query lacks.
	KindWatch
	// KindTerms looks for the words of a query that brought nothing.
	KindTerms
	// KindWhy finds out why a text is not among the results.
	KindWhy
	// KindAdmit finds out what lets the nearest section in.
	KindAdmit
	// KindBreakpoints looks along the track of one parameter for values at which the
	// ranking changes.
	KindBreakpoints
	// KindOpen opens the corpus.
	KindOpen
	// KindOpenBeside opens another one while it stays.
	KindOpenBeside
	// KindClose closes a corpus.
	KindClose
	// KindSummary reads what is said of the corpus as a whole.
	KindSummary
	// KindLoad brings into memory what the first search needs.
	KindLoad
	// KindRetry is the pause before a corpus that is away is tried again: it brings
	// nothing.
	KindRetry
	// KindSection reads a section that somebody goes to, by its id. It, and the four after
	// it, take the place of each other.
	KindSection
	// KindSpan reads one by a place in its page.
	KindSpan
	// KindAddress reads one by its address.
	KindAddress
	// KindLinks reads the links of a section.
	KindLinks
	// KindOutline reads a page with its texts.
	KindOutline
	// KindText reads the texts of a section, beside those of others.
	KindText
	// KindSections names sections.
	KindSections
	// KindPages lists pages.
	KindPages
	// KindPageLinks reads the links of pages.
	KindPageLinks
	// KindPage reads one page.
	KindPage
	// KindPageTexts reads texts of a page's sections.
	KindPageTexts
	// KindIndex fills the corpus with pages.
	KindIndex
	// KindHealth asks the index of vectors a query in several ways.
	KindHealth
	// KindExamine is the pause before a section is looked into: it brings nothing.
	KindExamine
	// KindRankBreakpoints looks for what would change the rank of a section.
	KindRankBreakpoints
	// KindCosines takes the cosines of a section apart.
	KindCosines
	// KindAblations finds out what leaving out each optional stage would change.
	KindAblations
	// KindSide gathers what one query lacks to be ranked by parameters beside the present.
	KindSide
	// KindSet reads a query set, and writes what was judged.
	KindSet
	// KindMeasure measures the present parameters by the open set.
	KindMeasure
	// KindTrial measures other settings by it, and compares them.
	KindTrial
	// KindSweepEstimate finds out how long a sweep takes.
	KindSweepEstimate
	// KindSurvey finds out which parameters a sweep can find anything by.
	KindSurvey
	// KindSweep looks for better parameters by the open set.
	KindSweep
	kinds
)

var kindNames = [kinds]string{"none", "answer", "evidence", "explanation", "baseline", "rest of the watch list", "watched query", "terms", "why not", "admission", "breakpoints", "opening", "opening beside", "closing", "summary", "loading", "pause before the next try", "section", "span", "address", "links", "outline", "text", "sections", "pages", "links of pages", "page", "texts of a page", "indexing", "index", "pause before a section is examined", "rank breakpoints", "cosines", "ablations", "side", "query set", "measuring", "trial", "time of a sweep", "survey", "sweep"}

// String is a word for the kind.
func (k Kind) String() string {
	if k < 0 || k >= kinds {
		return "unknown"
	}
	return kindNames[k]
}

// errSuperseded is the cause with which work is cancelled for newer work of its kind.
var errSuperseded = errors.New("superseded")

// Pause is how long parameters rest before the corpus is asked for what they need.
const Pause = 120 * time.Millisecond

// Work is something for which somebody has to wait. It holds values only, and touches no
// session.
type Work struct {
	Kind Kind
	// Gen is the generation, counted from 1 for each kind.
	Gen int
	// Delay is how long to wait before it is run, 0 for not at all: newer work may
	// take its place until then, see [Session.Awaits].
	Delay time.Duration

	// life ends when newer work of the kind begins.
	life context.Context
	run  func(context.Context) Done
	// lasts says that what the work brings lives on in the context that it was run in.
	lasts bool
}

// Run does the work and returns what it brings, for [Session.Apply]. It may be called on
// any goroutine, and does not wait for Delay. The work ends early when ctx does, or when
// newer work takes its place.
func (w Work) Run(ctx context.Context) Done {
	ctx, cancel := context.WithCancelCause(ctx)
	defer func() {
		if !w.lasts {
			cancel(nil)
		}
	}()
	end := func() { cancel(context.Cause(w.life)) }
	if w.life.Err() != nil {
		end() // before it begins, and not beside it
	}
	defer context.AfterFunc(w.life, end)()
	d := w.run(ctx)
	d.Kind, d.Gen = w.Kind, w.Gen
	return d
}

// Done is what work has brought: what is of its kind, or Err. What came before an error is
// kept with it: some evidence of [KindWatch].
type Done struct {
	Kind Kind
	Gen  int
	// Query and Params are what was asked.
	Query  string
	Params param.Params
	// Base is the baseline's part of the question, of [KindWatch].
	Base param.Params
	// Evidence is what was gathered, of [KindAnswer], [KindEvidence], [KindBaseline] and
	// [KindWatch]; BaseEvidence is that of the baseline where [KindWatch] gathered it, too.
	Evidence, BaseEvidence Evidence
	// Result is the ranking, of [KindExplanation], [KindBaseline] and, where the
	// evidence does not cover the baseline, [KindWatch].
	Result *retrieval.Result
	// Breakpoints are of [KindBreakpoints]; Exact says that they were looked for between
	// the steps of the track, too.
	Breakpoints whynot.Breakpoints
	Exact       bool
	// Corpus is of [KindOpen] and [KindOpenBeside].
	Corpus *Corpus
	// RankBreakpoints are of [KindRankBreakpoints].
	RankBreakpoints []whynot.RankBreakpoint
	// Asked is what was read: the name of that, and the ids, addresses and numbers that
	// tell it from others. It is nil for work that reads nothing.
	Asked []string
	Read
	// Said is what was done, of [KindIndex]. ID is what was indexed there, and what was
	// asked for of [KindText], [KindLinks] and [KindPage].
	Said, ID string
	// Ablations are of [KindAblations].
	Ablations []whynot.Ablation
	// Set is of [KindSet], Measured of [KindMeasure].
	Set      *Judged
	Measured *Measured
	// Trial is what the settings Params are worth, Contests compare settings: of
	// [KindTrial], which brings either.
	Trial    *experiment.Measurement
	Contests map[param.Params]*Contest
	// SweepEstimate is of [KindSweepEstimate], Terrain of [KindSurvey], Finding of [KindSweep].
	SweepEstimate sweep.Estimate
	Terrain       *sweep.Terrain
	Finding       *sweep.Finding
	Err           error
}

// works is what a session waits for, and what has changed in it. The parts of the session
// share it.
type works struct {
	engine  Engine // nil while no corpus is open
	waits   [kinds]wait
	changed Changes
}

// wait is one kind of waiting: the generation of its newest work, and how to cancel it.
type wait struct {
	gen    int
	cancel context.CancelCauseFunc
	// others is work that goes on beside it, by generation.
	others map[int]context.CancelCauseFunc
}

// begin makes work that takes the place of any of its kind.
func (w *works) begin(k Kind, delay time.Duration, run func(context.Context) Done) Work {
	w.end(k)
	life, cancel := context.WithCancelCause(context.Background())
	w.waits[k].cancel = cancel
	return Work{Kind: k, Gen: w.waits[k].gen, Delay: delay, life: life, run: run}
}

// beside makes work that goes on beside others of its kind.
func (w *works) beside(k Kind, run func(context.Context) Done) Work {
	of := &w.waits[k]
	of.gen++
	life, cancel := context.WithCancelCause(context.Background())
	if of.others == nil {
		of.others = map[int]context.CancelCauseFunc{}
	}
	of.others[of.gen] = cancel
	return Work{Kind: k, Gen: of.gen, life: life, run: run}
}

// isUnderWay reports whether work of a kind is awaited that nothing goes on beside.
func (w *works) isUnderWay(k Kind) bool { return w.waits[k].cancel != nil }

// finish ends work that has brought something, and reports whether it was awaited.
func (w *works) finish(k Kind, gen int) bool {
	if !w.Awaits(k, gen) {
		return false
	}
	if cancel := w.waits[k].others[gen]; cancel != nil {
		cancel(errSuperseded)
		delete(w.waits[k].others, gen)
	} else {
		w.end(k)
	}
	return true
}

// end cancels work under way; what it brings will be of an old generation.
func (w *works) end(all ...Kind) {
	for _, k := range all {
		of := &w.waits[k]
		if of.cancel != nil {
			of.cancel(errSuperseded)
			of.cancel = nil
		}
		for gen, cancel := range of.others {
			cancel(errSuperseded)
			delete(of.others, gen)
		}
		of.gen++
	}
}

// endBut ends work of all kinds but some.
func (w *works) endBut(some ...Kind) {
	for k := KindAnswer; k < kinds; k++ {
		if !slices.Contains(some, k) {
			w.end(k)
		}
	}
}

// tell notes what has changed.
func (w *works) tell(what Changes) { w.changed |= what }

// Generation is that of the newest work of a kind.
func (w *works) Generation(k Kind) int { return w.waits[k].gen }

// Awaits reports whether work, given by its kind and generation, is still wanted: nothing
// newer has taken its place, and what it brings was not applied.
func (w *works) Awaits(k Kind, gen int) bool {
	if k <= 0 || k >= kinds {
		return false
	}
	of := &w.waits[k]
	return of.cancel != nil && of.gen == gen || of.others[gen] != nil
}

// Apply takes what work has brought, and returns the work that follows from it. What
// nobody waits for any more changes nothing; a corpus that was opened in vain is closed.
func (s *Session) Apply(d Done) []Work {
	if !s.finish(d.Kind, d.Gen) {
		return s.CloseCorpus(d.Corpus)
	}
	if a, ok := s.engine.(Applier); ok {
		a.Applied(d)
	}
	switch d.Kind {
	case KindAnswer:
		return s.answered(d)
	case KindEvidence:
		return s.extended(d)
	case KindExplanation:
		s.setParts(d.Result)
		s.result = d.Result
		s.tell(ResultChanged)
	case KindBaseline:
		if s.takeBaseline(d) {
			return s.Judge()
		}
	case KindWatchRest:
		return s.gatherWatched()
	case KindWatch:
		return s.takeWatched(d)
	case KindSide:
		return s.takeSide(d)
	case KindSet:
		return s.takeSet(d)
	case KindMeasure:
		return s.takeMeasured(d)
	case KindTrial:
		return s.takeTrial(d)
	case KindTerms:
		s.terms = d.Terms
	case KindBreakpoints:
		return s.takeTrack(d)
	case KindExamine:
		return s.examine()
	case KindRankBreakpoints:
		s.takeRankBreakpoints(d)
	case KindCosines:
		s.takeCosines(d)
	case KindOpen:
		return s.openedCorpus(d)
	case KindSummary:
		return s.summarised(d)
	case KindLoad:
		return s.loaded(d)
	case KindIndex:
		s.source = ""
	case KindRetry:
		return s.retry()
	case KindWhy:
		if IsOutage(d.Err) {
			return s.lose(d.Err)
		}
	case KindAblations:
		s.ablations.list = d.Ablations
	}
	return nil
}

// Changes are kinds of changes, one bit each: those of what takes some work to show.
type Changes int

const (
	// ParamsChanged says that there are other parameters, or another start.
	ParamsChanged Changes = 1 << iota
	// Ranked says that the evidence was ranked, or is to be as soon as it reaches as
	// far as the parameters.
	Ranked
	// ResultChanged says that there is another result, or none any more.
	ResultChanged
	// Compared says that the result was compared with that of the baseline anew.
	Compared
	// WatchChanged says that watched queries were judged, or that there are others.
	WatchChanged
	// BreakpointsChanged says that more is known of where the ranking changes.
	BreakpointsChanged
	// Examined says that something else is known of the examined section, or that it is
	// another one.
	Examined
	// CosinesChanged says that its cosines were taken apart, or could not be.
	CosinesChanged
	// SummaryChanged says that something else is known of the corpus as a whole.
	SummaryChanged
	// FailureChanged says that something else stands in the way of an answer, or nothing
	// any more.
	FailureChanged
	// ComparisonsChanged says that other snapshots are kept, or that another baseline is.
	ComparisonsChanged
	// JudgedChanged says that another query set is open, that something was judged, or that
	// another value was measured.
	JudgedChanged
	// Recovered says that a corpus that was away is there again.
	Recovered
)

// Changed tells what has changed since it was last called.
func (w *works) Changed() Changes {
	c := w.changed
	w.changed = 0
	return c
}

// Has reports whether any of some changes is among c.
func (c Changes) Has(some Changes) bool { return c&some != 0 }
