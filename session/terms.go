package session

import (
	"context"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
)

// TermMatch is what is known of the words of a query that brought nothing.
func (s *Session) TermMatch() TermMatch {
	if s.termsOf != s.query {
		return TermMatch{}
	}
	return s.terms
}

// matchTerms looks whether the corpus has any word of a query that brought nothing: the
// search itself may have left words alone. It does so once for each query.
func (s *Session) matchTerms() []Work {
	r := s.result
	if s.engine == nil || r == nil || len(r.Items) > 0 || r.Mode != param.ModeChunk || s.termsOf == s.query {
		return nil
	}
	s.termsOf, s.terms = s.query, TermMatch{}
	e, query, p := s.engine, s.query, s.params
	return []Work{s.begin(KindTerms, 0, func(ctx context.Context) Done {
		// Without an answer there is nothing to say: the results stand as they are.
		match, _ := e.MatchTerms(ctx, retrieval.Query{Text: query}, p)
		return Done{Query: query, Params: p, Terms: match}
	})}
}
