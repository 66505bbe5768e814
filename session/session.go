package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
)

// Session is one exploration. It is owned by one goroutine; make it with [New].
//
// It is made of parts. Each holds one thing and says what it is; a command of the session
// changes one of them, and then all that follow from it.
type Session struct {
	works
	opened
	tuning
	answer
	baseline
	watchList
	sides
	history
	snapshots
	reasons
	tracks
	ablations
	examination
	reading
	judging
	index
}

// New begins a session with parameters. now is its clock, which divides changes of
// parameters; nil is [time.Now].
func New(start Setting, now func() time.Time) *Session {
	if now == nil {
		now = time.Now
	}
	s := &Session{}
	s.opened = opened{works: &s.works, now: now}
	s.tuning = tuning{works: &s.works, now: now, start: start, against: start, params: start.Params}
	s.answer = answer{works: &s.works, tuning: &s.tuning, opened: &s.opened}
	s.baseline = baseline{works: &s.works, tuning: &s.tuning, answer: &s.answer}
	s.watchList = watchList{works: &s.works, opened: &s.opened, tuning: &s.tuning, answer: &s.answer, baseline: &s.baseline}
	s.sides = sides{works: &s.works, tuning: &s.tuning, answer: &s.answer, watch: &s.watchList}
	s.snapshots = snapshots{works: &s.works}
	s.reasons = reasons{works: &s.works, tuning: &s.tuning, answer: &s.answer}
	s.tracks = tracks{works: &s.works, tuning: &s.tuning, answer: &s.answer}
	s.examination = examination{works: &s.works, opened: &s.opened, tuning: &s.tuning, answer: &s.answer}
	s.reading = reading{works: &s.works, opened: &s.opened}
	s.judging = judging{works: &s.works, opened: &s.opened, tuning: &s.tuning, answer: &s.answer, baseline: &s.baseline}
	s.index = index{works: &s.works}
	s.ablations = ablations{works: &s.works, answer: &s.answer}
	return s
}

// Take takes a corpus that is open in place of the one that was; open opens it again.
// What was answered stays: it may be the same corpus, opened again. What is still being
// asked of the other is given up, and the query that was asked last is asked again.
func (s *Session) Take(c *Corpus, open OpenFunc) []Work {
	var work []Work
	if s.corpus != c {
		work = s.CloseCorpus(s.corpus)
		s.giveUp()
		if !s.waiting && s.asked != "" {
			s.waiting, s.awaiting = true, s.asked
		}
	}
	s.corpus, s.engine, s.open = c, c.Engine, open
	s.fail(nil)
	s.foundAgain()
	if c.NeedsOwner && s.params.RequireOwner {
		s.fail(&Failure{KindAnswer, retrieval.ErrNoOwner}) // why wait for a query
	}
	work = append(append(work, s.summarise()...), s.load()...)
	if s.loading {
		return work
	}
	return append(append(work, s.askWaiting()...), s.readSet(nil)...)
}

// giveUp ends all that asks the corpus, of which another takes the place.
func (s *Session) giveUp() {
	s.Stop()
	s.end(KindEvidence, KindBaseline, KindWatchRest, KindWatch, KindHealth, KindSide, KindSet, KindMeasure, KindTrial, KindSweep, KindSweepEstimate, KindSurvey)
	s.end(visits[:]...)
	s.end(ofPages[:]...)
	s.gathering = false
	if s.pending != "" {
		s.pending, s.unasked = "", errReopened
	}
	if s.base == nil {
		s.baseline.forget()
	}
	s.forgetTerms()
	s.examination.forget()
}

// ofPages are the kinds of work beside a query that look at the pages of the corpus as they
// are when it begins.
var ofPages = [...]Kind{KindWhy, KindAdmit, KindText, KindSections, KindPages, KindPageLinks, KindPage, KindPageTexts}

// errReopened is why the corpus was not asked for what the parameters need.
var errReopened = errors.New("the corpus was opened again")

// openedCorpus takes the corpus that was opened.
func (s *Session) openedCorpus(d Done) []Work {
	switch {
	case d.Err != nil && s.outage.IsFile():
		s.outage.Reopening = d.Err
		return s.lose(s.outage.Err) // what was read of the other stays
	case d.Err != nil:
		s.fail(&Failure{KindOpen, d.Err})
		if IsOutage(d.Err) {
			return s.lose(d.Err)
		}
		return nil
	}
	return s.Take(d.Corpus, s.open)
}

// loaded notes that the corpus was brought into memory.
func (s *Session) loaded(d Done) []Work {
	s.loading = false
	if d.Err != nil {
		s.fail(&Failure{KindLoad, d.Err})
		return nil
	}
	return append(s.askWaiting(), s.readSet(nil)...)
}

// askWaiting asks the query that has waited for the corpus.
func (s *Session) askWaiting() []Work {
	if !s.waiting {
		return nil
	}
	return s.Ask(s.awaiting)
}

// retry tries a corpus that was away again, unless somebody does already, and goes on
// after another pause: the try may be given up.
func (s *Session) retry() []Work {
	var work []Work
	switch {
	case s.outage == nil:
		return nil
	case s.asking || s.isUnderWay(KindOpen) || s.asked == "" && s.isUnderWay(KindSummary):
	case s.corpus == nil || s.outage.IsFile():
		work = s.openAgain()
	default:
		work = s.askAgain()
	}
	return append(work, s.rest())
}

// askAgain asks the query that was asked last. While none is, an outage ends as soon as the
// corpus says what it is.
func (s *Session) askAgain() []Work {
	switch {
	case s.asked != "":
		return s.Ask(s.asked)
	case s.outage != nil:
		return s.summarise()
	}
	return nil
}

// summarised takes what is known of the corpus as a whole.
func (s *Session) summarised(d Done) []Work {
	if d.Err == nil {
		s.summary = d.Summary
		s.setParts(s.answer.result)
		s.setParts(s.base)
		s.tell(SummaryChanged)
	}
	switch {
	case s.outage == nil || s.asked != "":
	case d.Err == nil:
		s.foundAgain()
	case IsOutage(d.Err):
		return s.lose(d.Err)
	}
	return nil
}

// Reindexed says that the corpus has other pages now: what the baseline gives is forgotten,
// what was gathered for watched queries, which words do not occur, and what cosines are
// made of. What is being found out of the pages as they were is given up. The answer stays
// until it is asked again.
func (s *Session) Reindexed() []Work {
	s.end(ofPages[:]...)
	s.forgetTerms()
	s.baseline.forget()
	s.watchList.forget()
	s.examination.forget()
	var work []Work
	if s.corpus != nil {
		work = s.summarise()
	}
	work = append(append(work, s.Judge()...), s.lookAsideAgain()...)
	return append(work, s.readSet(nil)...)
}

// Leave forgets the corpus and what it answered, and closes it. The parameters stay. All
// work for it ends, but indexing: pages are written until [Session.StopIndexing].
func (s *Session) Leave() []Work {
	s.endBut(KindClose, KindIndex)
	s.Stop()
	s.entries, s.snapshots.list = nil, nil
	s.forgetTerms()
	s.LookAside()
	s.OpenWatchList("")
	writing := s.OpenSet("")
	closing := s.CloseCorpus(s.corpus)
	s.leave()
	s.asked, s.id.Answers = "", 0
	s.examination.forget()
	s.Forget()
	return append(writing, closing...)
}

// Close ends all work.
func (s *Session) Close() { s.endBut() }

// Ask asks a query, as soon as a corpus is open and loaded. An empty one forgets the last
// answer instead.
func (s *Session) Ask(query string) []Work {
	if s.corpus == nil || s.loading {
		s.waiting, s.awaiting = true, query
		return nil
	}
	s.waiting = false
	if query == "" {
		s.Stop()
		s.asked = ""
		s.fail(nil)
		s.Forget()
		return nil
	}
	return s.gather(query)
}

// Forget forgets the last answer.
func (s *Session) Forget() {
	s.answer.forget()
	s.tracks.forget()
	s.baseline.forget()
	s.compare()
}

// answered takes the evidence of a query. One that failed leaves no earlier answer
// standing, but for an outage, which passes.
func (s *Session) answered(d Done) []Work {
	s.asking = false
	switch {
	case errors.Is(d.Err, context.Canceled):
		return nil
	case IsOutage(d.Err):
		if s.result == nil {
			s.fail(&Failure{KindAnswer, d.Err})
			s.tell(ResultChanged)
		}
		return s.lose(d.Err)
	case d.Err != nil:
		s.endOutage()
		s.fail(&Failure{KindAnswer, d.Err})
		s.Forget()
		return nil
	}
	s.fail(nil)
	s.baseline.forget()
	s.tracks.forget()
	s.answer.take(d)
	work := append(s.rank(), s.lookAsideAgain()...)
	s.note(s.query, s.result)
	s.foundAgain()
	return work
}

// extended takes evidence that reaches as far as the parameters.
func (s *Session) extended(d Done) []Work {
	if s.extend(d) {
		return append(s.ranked(), s.look()...)
	}
	work := s.look()
	if IsOutage(d.Err) {
		work = append(work, s.lose(d.Err)...)
	}
	return work
}

// rank ranks by the present parameters, if there is something to rank, and does what
// follows from another ranking.
func (s *Session) rank() []Work {
	if s.evidence == nil {
		return nil
	}
	more := s.answer.rank()
	return append(append(s.ranked(), more...), s.look()...)
}

// ranked is what follows each new ranking.
func (s *Session) ranked() []Work {
	return append(append(s.rankBaseline(), s.Judge()...), s.matchTerms()...)
}

// Retry tries again what failed, without waiting: to open or to load the corpus, to get
// what the parameters need beyond the evidence, or to ask the query.
func (s *Session) Retry() []Work {
	switch {
	case s.corpus == nil || s.failure != nil && s.failure.Kind == KindLoad:
		return s.Reopen()
	case s.outage.IsFile():
		return s.openAgain()
	case s.outage == nil && s.unasked != nil && s.evidence != nil:
		return s.rank()
	}
	return s.askAgain()
}

// Set changes the parameters. field is the parameter that was changed; changes of one that
// follow each other as fast as the repeats of a key are undone at once. It is empty for a
// change of many.
func (s *Session) Set(p param.Params, field string) []Work {
	if !s.set(p, field) {
		return nil
	}
	return s.rankAndMeasure()
}

// StartFrom changes to the parameters of a preset or profile. What there was to compare
// is compared with what it was.
func (s *Session) StartFrom(start Setting) []Work {
	before := s.start
	if !s.startFrom(start) {
		return nil
	}
	s.startedFrom(before)
	return s.rankAndMeasure()
}

// startedFrom has the comparison begin with the preset or profile that another one gave way
// to, as long as there is no ranking that could be compared.
func (s *Session) startedFrom(before Setting) {
	if s.result == nil && !s.pinned && s.start != before {
		s.against = s.start
	}
}

// Undo takes the last change back; ok is false where there is none.
func (s *Session) Undo() (work []Work, ok bool) {
	before := s.start
	if !s.exchange(&s.undo, &s.redo) {
		return nil, false
	}
	s.startedFrom(before)
	return s.rankAndMeasure(), true
}

// Redo makes the change again that was taken back; ok is false where there is none.
func (s *Session) Redo() (work []Work, ok bool) {
	before := s.start
	if !s.exchange(&s.redo, &s.undo) {
		return nil, false
	}
	s.startedFrom(before)
	return s.rankAndMeasure(), true
}

// Saved says that the present parameters were saved under a name. Nothing changes but
// what they started from: this is no step to undo.
func (s *Session) Saved(name string) []Work {
	s.saved(name)
	return s.compareAnew()
}

// Pin makes the present parameters the baseline, or, where they are pinned already, lets
// them go: pinned says which.
func (s *Session) Pin() (work []Work, pinned bool) {
	s.pin()
	return s.compareAnew(), s.IsPinned()
}

// CompareWith makes a setting the baseline.
func (s *Session) CompareWith(of Setting) []Work {
	if of.Params == s.Baseline().Params {
		return nil
	}
	s.against, s.pinned = of, of != s.start
	s.tell(ComparisonsChanged)
	return s.compareAnew()
}

// compareAnew compares all that is compared with another baseline.
func (s *Session) compareAnew() []Work {
	return append(append(s.rankBaseline(), s.Judge()...), s.measure()...)
}

// rankAndMeasure is what follows a change of the parameters.
func (s *Session) rankAndMeasure() []Work { return append(s.rank(), s.measure()...) }

// CommitQuery says that somebody stays with the query that was answered. One that is not
// committed is a query that is being typed: the next takes its place in the history.
func (s *Session) CommitQuery() { s.commit(s.query) }

// Present is the present ranking as a snapshot, with the parameters that it is by; it is
// not kept, and nil without one.
func (s *Session) Present(name string) *Snapshot {
	if s.result == nil {
		return nil
	}
	return &Snapshot{Name: name, Query: s.query, Setting: s.ranking(), Result: bare(s.result), Places: len(s.result.Items)}
}

// ranking is what the result was ranked by.
func (s *Session) ranking() Setting {
	start, p := s.RankedBy()
	return Setting{tuned{start, p}.name(), p}
}

// SnapshotName is the name of a new snapshot: what was typed, or else that of the
// parameters, with a number where it is taken. One that is too long, or taken, comes with
// an error.
func (s *Session) SnapshotName(typed string) (string, error) {
	name := cmp.Or(strings.TrimSpace(typed), s.free(s.ranking().Name))
	switch {
	case len([]rune(name)) > snapshotName:
		return name, fmt.Errorf("at most %d characters", snapshotName)
	case s.Snapshot(name) != nil:
		return name, fmt.Errorf("there is a snapshot called %s already", name)
	}
	return name, nil
}

// Keep keeps the present ranking under a name. The oldest makes room for the fifty-first.
func (s *Session) Keep(name string) {
	if now := s.Present(name); now != nil {
		s.keep(now)
	}
}
