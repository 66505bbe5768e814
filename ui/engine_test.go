package ui

import (
	"context"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/session"
)

// resulting answers queries with results that need no ranking.
type resulting interface {
	Retrieve(ctx context.Context, q retrieval.Query, p param.Params, o retrieval.Options) (retrieval.Result, error)
}

// answering is an engine over hand-made results, which no parameter changes.
type answering struct{ resulting }

func (a answering) Gather(ctx context.Context, q retrieval.Query, p param.Params) (session.Evidence, error) {
	r, err := a.Retrieve(ctx, q, p, retrieval.Options{Trace: true, Explain: true})
	if err != nil {
		return nil, err
	}
	return fixed{r}, nil
}

func (a answering) Complete(_ context.Context, ev session.Evidence, _ param.Params) (session.Evidence, error) {
	return ev, nil
}

func (a answering) WhyNot(_ context.Context, _ retrieval.Query, _ param.Params, t whynot.Target) (whynot.Report, error) {
	return whynot.Report{Target: t, Verdict: "It is not among the results."}, nil
}

func (a answering) MatchTerms(context.Context, retrieval.Query, param.Params) (session.TermMatch, error) {
	return session.TermMatch{}, nil
}

// fixed is evidence that always gives one result.
type fixed struct{ result retrieval.Result }

func (f fixed) Rank(param.Params, retrieval.Options) (retrieval.Result, retrieval.Needs) {
	return f.result, retrieval.Needs{}
}

func (f fixed) Covers(param.Params) (bool, string) { return true, "" }

func (f fixed) Ablations(param.Params, func() bool) []whynot.Ablation { return nil }

func (f fixed) RankBreakpoints(param.Params, string, func() bool) []whynot.RankBreakpoint { return nil }

func (f fixed) Labels(ids []string) []retrieval.ChunkLabel {
	named := make([]retrieval.ChunkLabel, len(ids))
	for i, id := range ids {
		named[i] = retrieval.ChunkLabel{ChunkID: id, Section: id, Title: "Page of " + id, Heading: "Section " + id}
	}
	return named
}

func (f fixed) Breakpoints(_ param.Params, field string, _ func() bool) whynot.Breakpoints {
	return whynot.Breakpoints{Field: field, Complete: true}
}

func (f fixed) CoarseBreakpoints(_ param.Params, field string, _ int, _ func() bool) whynot.Breakpoints {
	return whynot.Breakpoints{Field: field, Complete: true}
}
