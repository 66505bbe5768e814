package session

import (
	"context"
	"errors"

	"github.com/webrag/webrag-tui/retrieval"
)

// explainedAtOnce is the most sections that are explained at once: a microsecond or
// more each, while a frame may be waiting.
const explainedAtOnce = 2000

// recorders are what is recorded of a ranking beside its order.
func recorders() retrieval.Options { return retrieval.Options{Trace: true, Explain: true} }

// rank ranks the evidence by the parameters, if it reaches that far. Otherwise the
// result stays until the corpus was asked.
func (s *Session) rank() []Work {
	s.end(KindEvidence, KindExplanation)
	s.pending, s.unasked = "", nil
	s.changed |= Ranked
	covered, why := s.evidence.Covers(s.params)
	record := recorders()
	// So many cannot be explained within a frame: they are once the parameters rest.
	bare := s.result != nil && len(s.result.Items) > explainedAtOnce
	if bare {
		record = retrieval.Options{}
	}
	result, needs := s.evidence.Rank(s.params, record)
	switch {
	case !covered:
		s.pending = why
	case needs.IsProvisional():
		s.pending = "edges, words or scores have to be fetched"
	}
	if s.pending == "" || s.result == nil {
		s.result = &result
		s.changed |= ResultChanged
	}
	work := s.ranked()
	switch {
	case s.pending != "" || !needs.IsZero():
		return append(work, s.gather(covered)...)
	case bare:
		ev, p := s.evidence, s.params
		work = append(work, s.begin(KindExplanation, Pause, func(context.Context) Done {
			r, _ := ev.Rank(p, recorders())
			return Done{Params: p, Result: &r}
		}))
	}
	return work
}

// gather fetches what the parameters need beyond the evidence, and texts. covered says
// that no new search is needed for that.
func (s *Session) gather(covered bool) []Work {
	if s.engine == nil {
		return nil
	}
	e, query, ev, p := s.engine, s.query, s.evidence, s.params
	return []Work{s.begin(KindEvidence, Pause, func(ctx context.Context) Done {
		d := Done{Query: query, Params: p}
		if covered {
			d.Evidence, d.Err = e.Complete(ctx, ev, p)
		} else {
			d.Evidence, d.Err = e.Gather(ctx, retrieval.Query{Text: query}, p)
		}
		return d
	})}
}

// extend takes evidence that reaches as far as the parameters.
func (s *Session) extend(d Done) []Work {
	s.pending = ""
	if d.Err != nil {
		if !errors.Is(d.Err, context.Canceled) {
			s.unasked = d.Err
		}
		return nil
	}
	s.evidence = d.Evidence
	s.id.Gathers++
	// What was fetched is enough by construction: a second round would mean that the
	// corpus changes under it, and the next change of parameters asks again.
	result, _ := s.evidence.Rank(s.params, recorders())
	s.result = &result
	s.changed |= Ranked | ResultChanged
	return s.ranked()
}

// ranked is what follows each new ranking.
func (s *Session) ranked() []Work {
	return append(append(s.rankBaseline(), s.Judge()...), s.matchTerms()...)
}

// Retry asks the corpus again for what the parameters need beyond the evidence.
func (s *Session) Retry() []Work {
	if s.evidence == nil {
		return nil
	}
	return s.rank()
}
