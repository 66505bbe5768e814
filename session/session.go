package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
)

// Session is one exploration. It is owned by one goroutine; make it with [New].
//
// It is made of parts. Each holds one thing and says what it is; a command of the session
// changes one of them, and then all that follow from it.
type Session struct {
	works
	tuning
	answer
	baseline
	watchList
	history
	snapshots
	reasons
	tracks
	ablations
}

// New begins a session with parameters. now is its clock, which divides changes of
// parameters; nil is [time.Now].
func New(start Setting, now func() time.Time) *Session {
	if now == nil {
		now = time.Now
	}
	s := &Session{}
	s.tuning = tuning{works: &s.works, now: now, start: start, params: start.Params}
	s.answer = answer{works: &s.works, tuning: &s.tuning}
	s.baseline = baseline{works: &s.works, tuning: &s.tuning, answer: &s.answer}
	s.watchList = watchList{works: &s.works, tuning: &s.tuning, answer: &s.answer, baseline: &s.baseline}
	s.reasons = reasons{works: &s.works, tuning: &s.tuning, answer: &s.answer}
	s.tracks = tracks{works: &s.works, tuning: &s.tuning, answer: &s.answer}
	s.ablations = ablations{works: &s.works, tuning: &s.tuning, answer: &s.answer}
	return s
}

// Open asks e from now on. What was answered stays: it may be the same corpus, opened
// again.
func (s *Session) Open(e Engine) { s.engine = e }

// Reindexed says that the corpus has other pages now: what the baseline gives is forgotten,
// and what was gathered for watched queries. The answer stays until it is asked again.
func (s *Session) Reindexed() []Work {
	s.baseline.forget()
	s.watchList.forget()
	return s.Judge()
}

// Leave forgets the corpus and what it answered. The parameters stay.
func (s *Session) Leave() {
	s.Stop()
	s.end(KindTerms)
	s.past, s.snapshots.list, s.loading = nil, nil, false
	s.termsOf, s.terms = "", TermMatch{}
	s.OpenWatchList("")
	s.engine, s.asked, s.id.Answers = nil, "", 0
	s.Forget()
}

// Close ends all work.
func (s *Session) Close() {
	for k := KindAnswer; k < kinds; k++ {
		s.end(k)
	}
}

// Ask asks a query. An empty one forgets the last answer instead. Without a corpus it
// asks nothing.
func (s *Session) Ask(query string) []Work {
	if query == "" {
		s.Stop()
		s.asked = ""
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
	if d.Err != nil {
		if !errors.Is(d.Err, context.Canceled) && !IsOutage(d.Err) {
			s.Forget()
		}
		return nil
	}
	s.baseline.forget()
	s.tracks.forget()
	s.answer.take(d)
	work := s.rank()
	s.note(s.query, s.result)
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

// IsOutage reports whether the corpus is away and may come back: its server does not
// answer, or its file is not in its place. A corpus that another process writes is there.
func IsOutage(err error) bool {
	return errors.Is(err, store.ErrUnavailable) && !errors.Is(err, store.ErrLocked)
}

// Retry asks the corpus again for what the parameters need beyond the evidence.
func (s *Session) Retry() []Work { return s.rank() }

// Set changes the parameters. field is the parameter that was changed; several changes
// of one in a row are undone at once. It is empty for a change of many.
func (s *Session) Set(p param.Params, field string) []Work {
	if !s.set(p, field) {
		return nil
	}
	return s.rank()
}

// StartFrom changes to the parameters of a preset or profile.
func (s *Session) StartFrom(start Setting) []Work {
	if !s.startFrom(start) {
		return nil
	}
	return s.rank()
}

// Undo takes the last change back; ok is false where there is none.
func (s *Session) Undo() (work []Work, ok bool) {
	if !s.exchange(&s.undo, &s.redo) {
		return nil, false
	}
	return s.rank(), true
}

// Redo makes the change again that was taken back; ok is false where there is none.
func (s *Session) Redo() (work []Work, ok bool) {
	if !s.exchange(&s.redo, &s.undo) {
		return nil, false
	}
	return s.rank(), true
}

// Saved says that the present parameters were saved under a name. Nothing changes but
// what they started from: this is no step to undo.
func (s *Session) Saved(name string) []Work {
	s.saved(name)
	return append(s.rankBaseline(), s.Judge()...)
}

// Pin makes the present parameters the baseline, or, where they are pinned already, lets
// them go: pinned says which.
func (s *Session) Pin() (work []Work, pinned bool) {
	s.pin()
	return append(s.rankBaseline(), s.Judge()...), s.IsPinned()
}

// Settle says that somebody stays with the query that was answered. One that is not
// settled is a query that is being typed: the next takes its place in the history.
func (s *Session) Settle() { s.settle(s.query) }

// Present is the present ranking as a snapshot, which is not kept; nil without one.
func (s *Session) Present(name string) *Snapshot {
	if s.result == nil {
		return nil
	}
	return &Snapshot{Name: name, Query: s.query, Setting: Setting{s.Name(), s.params}, Result: bare(s.result)}
}

// SnapshotName is the name of a new snapshot: what was typed, or else that of the
// parameters, with a number where it is taken. One that is too long, or taken, comes with
// an error.
func (s *Session) SnapshotName(typed string) (string, error) {
	name := cmp.Or(strings.TrimSpace(typed), s.free(s.Name()))
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
