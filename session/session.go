package session

import (
	"context"
	"errors"
	"time"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/store"
)

// Session is one exploration. It is owned by one goroutine; make it with [New].
type Session struct {
	engine  Engine // nil while no corpus is open
	now     func() time.Time
	waits   [kinds]wait
	changed Changes

	// asked is the query that was last sent; asking says that its answer is under way.
	asked  string
	asking bool
	// evidence is what was gathered for query, result what ranking it gave; both are
	// nil before there is an answer.
	query    string
	evidence Evidence
	result   *retrieval.Result
	id       EvidenceID
	// termsOf is a query that brought nothing, terms what was found of its words.
	termsOf string
	terms   TermMatch
	// pending says why the parameters need more than the evidence while that is
	// fetched; unasked is why the corpus did not give it.
	pending string
	unasked error

	tuning
	baseline

	watchList
	// loading says that the corpus is being brought into memory.
	loading bool

	past      []Past
	earlier   []string
	snapshots []*Snapshot
}

// EvidenceID tells the evidences of a session apart.
type EvidenceID struct {
	// Answers counts the queries that were answered, Gathers how often more was
	// gathered for one of them.
	Answers, Gathers int
}

// New begins a session with parameters. now is its clock, which divides changes of
// parameters; nil is [time.Now].
func New(start Setting, now func() time.Time) *Session {
	if now == nil {
		now = time.Now
	}
	return &Session{now: now, tuning: tuning{start: start, params: start.Params}}
}

// Open asks e from now on. What was answered stays: it may be the same corpus, opened
// again.
func (s *Session) Open(e Engine) { s.engine = e }

// Loading says whether the corpus is being brought into memory: watched queries wait for
// that.
func (s *Session) Loading(on bool) { s.loading = on }

// Reindexed says that the corpus has other pages now: what the baseline gives is forgotten,
// and what was gathered for watched queries. The answer stays until it is asked again.
func (s *Session) Reindexed() []Work {
	s.forgetBaseline()
	for _, w := range s.watched {
		w.evidence, w.base, w.asked = nil, nil, nil
	}
	return s.Judge()
}

// Leave forgets the corpus and what it answered. The parameters stay.
func (s *Session) Leave() {
	s.Stop()
	s.end(KindTerms)
	s.past, s.snapshots, s.loading = nil, nil, false
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
	if s.engine == nil {
		return nil
	}
	s.asked, s.asking = query, true
	e, p := s.engine, s.params
	return []Work{s.begin(KindAnswer, 0, func(ctx context.Context) Done {
		ev, err := e.Gather(ctx, retrieval.Query{Text: query}, p)
		return Done{Query: query, Params: p, Evidence: ev, Err: err}
	})}
}

// Stop cancels the query that is being answered. What was answered before stays.
func (s *Session) Stop() {
	s.end(KindAnswer)
	s.asking = false
}

// Forget forgets the last answer.
func (s *Session) Forget() {
	s.end(KindEvidence, KindExplanation)
	s.evidence, s.result, s.query, s.pending = nil, nil, "", ""
	s.forgetBaseline()
	s.compare()
	s.changed |= AnswerChanged | ResultChanged
}

// answer takes the evidence of a query. One that failed leaves no earlier answer
// standing, but for an outage, which passes.
func (s *Session) answer(d Done) []Work {
	s.asking = false
	if d.Err != nil {
		if !errors.Is(d.Err, context.Canceled) && !IsOutage(d.Err) {
			s.Forget()
		}
		return nil
	}
	s.forgetBaseline()
	s.evidence, s.query = d.Evidence, d.Query
	s.id.Answers++
	s.changed |= AnswerChanged
	work := s.rank()
	s.noteAnswer()
	return work
}

// IsOutage reports whether the corpus is away and may come back: its server does not
// answer, or its file is not in its place. A corpus that another process writes is there.
func IsOutage(err error) bool {
	return errors.Is(err, store.ErrUnavailable) && !errors.Is(err, store.ErrLocked)
}

// Asked is the query that was last sent, answered or not; empty for none.
func (s *Session) Asked() string { return s.asked }

// Asking reports whether a query is being answered.
func (s *Session) Asking() bool { return s.asking }

// Query is the query that Result answers, empty while there is none.
func (s *Session) Query() string { return s.query }

// Evidence is what was gathered for Query, nil while there is none.
func (s *Session) Evidence() Evidence { return s.evidence }

// EvidenceID tells Evidence from earlier ones.
func (s *Session) EvidenceID() EvidenceID { return s.id }

// Result is the ranking of the evidence, nil while there is none. It is by the present
// parameters unless Pending or Unasked says otherwise.
func (s *Session) Result() *retrieval.Result { return s.result }

// Pending says why the parameters need more than the evidence, as long as that is being
// fetched; then it is empty.
func (s *Session) Pending() string { return s.pending }

// Unasked is why the corpus did not give what the parameters need: Result is then of
// earlier ones. It is nil when Result is of these.
func (s *Session) Unasked() error { return s.unasked }
