package ui

import (
	"context"
	"fmt"
	"time"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
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

func (e engine) WhyNot(ctx context.Context, q retrieval.Query, p param.Params, t retrieval.Target) (retrieval.Report, error) {
	return retrieval.WhyNot(ctx, e.deps, q, p, t)
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
	return TermMatch{None: ev.Unworded(), Lexical: ev.IsLexical()}, nil
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

// Toggles implements [Evidence].
func (g gathered) Toggles(p param.Params) []retrieval.Toggle {
	return retrieval.Toggles(g.Evidence, p)
}

// Turns implements [Evidence].
func (g gathered) Turns(p param.Params, field string, stop func() bool) retrieval.Track {
	return retrieval.Turns(g.Evidence, p, field, stop)
}

// Sketch implements [Evidence].
func (g gathered) Sketch(p param.Params, field string, most int, stop func() bool) retrieval.Track {
	return retrieval.Sketch(g.Evidence, p, field, most, stop)
}

// RankTurns implements [Evidence].
func (g gathered) RankTurns(p param.Params, chunkID string, stop func() bool) []retrieval.RankTurn {
	turns := retrieval.RankTurns(g.Evidence, p, chunkID, stop)
	if turns == nil {
		return []retrieval.RankTurn{} // it is known that there is none
	}
	return turns
}
