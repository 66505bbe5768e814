package ui

import (
	"context"
	"fmt"
	"time"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/whynot"
)

// engine asks the retrieval layer.
type engine struct{ deps retrieval.Deps }

// gathered is evidence with the time that gathering it took.
type gathered struct {
	retrieval.Evidence
	took time.Duration
}

func (e engine) Gather(ctx context.Context, q retrieval.Query, p param.Params) (Evidence, error) {
	start := e.now()
	ev, err := retrieval.Gather(ctx, e.deps, q, p)
	if err != nil {
		return nil, err
	}
	if ev, err = retrieval.Complete(ctx, e.deps, ev, p); err != nil {
		return nil, err
	}
	return gathered{ev, e.now().Sub(start)}, nil
}

func (e engine) Complete(ctx context.Context, ev Evidence, p param.Params) (Evidence, error) {
	own, ok := ev.(gathered)
	if !ok {
		return nil, fmt.Errorf("complete evidence of another engine: %T", ev)
	}
	more, err := retrieval.Complete(ctx, e.deps, own.Evidence, p)
	if err != nil {
		return nil, err
	}
	return gathered{more, own.took}, nil
}

func (e engine) WhyNot(ctx context.Context, q retrieval.Query, p param.Params, t whynot.Target) (whynot.Report, error) {
	return whynot.Ask(ctx, e.deps, q, p, t)
}

func (e engine) MatchTerms(ctx context.Context, q retrieval.Query, p param.Params) (TermMatch, error) {
	if !e.deps.Embedder.Info().InProcess {
		return TermMatch{}, nil
	}
	p.Mode, p.KeywordWeight, p.KeywordMatch = param.ModeChunk, 0.5, param.MatchOr
	ev, err := retrieval.Gather(ctx, e.deps, q, p)
	if err != nil {
		return TermMatch{}, err
	}
	return TermMatch{None: ev.NoTermMatch(), Lexical: ev.IsLexical()}, nil
}

func (e engine) now() time.Time {
	if e.deps.Now == nil {
		return time.Now()
	}
	return e.deps.Now()
}

// Rank implements [Evidence]. Ranking has no clock: the times are those of the
// gathering.
func (g gathered) Rank(p param.Params, o retrieval.Options) (retrieval.Result, retrieval.Needs) {
	r, needs := retrieval.Rank(g.Evidence, p, o)
	r.Timing.Total = g.took
	r.Timing.Search = max(0, g.took-r.Timing.Embed)
	return r, needs
}

// Ablations implements [Evidence].
func (g gathered) Ablations(p param.Params) []whynot.Ablation {
	return whynot.Ablations(g.Evidence, p)
}

// Breakpoints implements [Evidence].
func (g gathered) Breakpoints(p param.Params, field string, stop func() bool) whynot.Breakpoints {
	return whynot.FindBreakpoints(g.Evidence, p, field, stop)
}

// CoarseBreakpoints implements [Evidence].
func (g gathered) CoarseBreakpoints(p param.Params, field string, most int, stop func() bool) whynot.Breakpoints {
	return whynot.CoarseBreakpoints(g.Evidence, p, field, most, stop)
}

// RankBreakpoints implements [Evidence].
func (g gathered) RankBreakpoints(p param.Params, chunkID string, stop func() bool) []whynot.RankBreakpoint {
	turns := whynot.RankBreakpoints(g.Evidence, p, chunkID, stop)
	if turns == nil {
		return []whynot.RankBreakpoint{} // it is known that there is none
	}
	return turns
}
