package session

import (
	"context"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/whynot"
)

// WhyNot finds out why a text is not among the results of the present query, ranked by p.
// The report is in what the work brings.
func (s *Session) WhyNot(t whynot.Target, p param.Params) []Work { return s.ask(KindWhy, t, p) }

// Admit finds out what lets the nearest section in that the present result leaves out. The
// report is in what the work brings.
func (s *Session) Admit() []Work {
	if s.result == nil || len(s.result.NearMisses) == 0 {
		return nil
	}
	return s.ask(KindAdmit, whynot.Target{ChunkID: s.result.NearMisses[0].ChunkID}, s.params)
}

// StopWhy gives up finding out why a text is not among the results.
func (s *Session) StopWhy() { s.end(KindWhy) }

func (s *Session) ask(k Kind, t whynot.Target, p param.Params) []Work {
	if s.engine == nil {
		return nil
	}
	e, query := s.engine, s.query
	return []Work{s.begin(k, 0, func(ctx context.Context) Done {
		report, err := e.WhyNot(ctx, retrieval.Query{Text: query}, p, t)
		return Done{Query: query, Params: p, Report: report, Err: err}
	})}
}
