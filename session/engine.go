package session

import (
	"context"
	"fmt"
	"time"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/whynot"
)

// Engine answers queries. It is called from several goroutines.
type Engine interface {
	// Gather collects the evidence for q as far as p needs it, with the texts of
	// what p returns.
	Gather(ctx context.Context, q retrieval.Query, p param.Params) (Evidence, error)
	// Complete fetches what ranking ev by p finds missing.
	Complete(ctx context.Context, ev Evidence, p param.Params) (Evidence, error)
	// WhyNot finds out why a text is not among the results of q.
	WhyNot(ctx context.Context, q retrieval.Query, p param.Params, t whynot.Target) (whynot.Report, error)
	// MatchTerms finds out whether the corpus has any word of q, which a search may
	// have left alone. Where asking costs money or waiting it says nothing.
	MatchTerms(ctx context.Context, q retrieval.Query, p param.Params) (TermMatch, error)
}

// Applier is an [Engine] that is told what work has brought, before it is applied. It is
// called by whoever owns the session, and must not wait.
type Applier interface{ Applied(d Done) }

// TermMatch is what is known of the words of a query. The zero value is nothing.
type TermMatch struct {
	// None says that none of them occurs in the corpus.
	None bool
	// Lexical says that similarity is one of words, too.
	Lexical bool
}

// Evidence is what was gathered for one query. It is never changed and fetches
// nothing, so that it can be ranked while a frame is made.
type Evidence interface {
	// Rank ranks by p, and lists what it found missing.
	Rank(p param.Params, o retrieval.Options) (retrieval.Result, retrieval.Needs)
	// Covers reports whether the evidence reaches as far as p, and if not why.
	Covers(p param.Params) (ok bool, why string)
	// Ablations leaves out each optional stage in turn; nil is not known. stop ends it
	// early.
	Ablations(p param.Params, stop func() bool) []whynot.Ablation
	// Breakpoints looks along a parameter's track for values at which the ranking
	// changes, CoarseBreakpoints at no more than most of them; stop ends both early.
	// They may take a second.
	Breakpoints(p param.Params, field string, stop func() bool) whynot.Breakpoints
	CoarseBreakpoints(p param.Params, field string, most int, stop func() bool) whynot.Breakpoints
	// RankBreakpoints are the nearest changes of one parameter each that change the rank
	// of an item, given by its chunk id, or bring it in; nil is not known. stop
	// ends it early.
	RankBreakpoints(p param.Params, chunkID string, stop func() bool) []whynot.RankBreakpoint
	// Labels names chunks by their ids.
	Labels(ids []string) []retrieval.ChunkLabel
}

// NewEngine asks the retrieval layer. Without a clock in d it takes [time.Now].
func NewEngine(d retrieval.Deps) Engine { return engine{d} }

// engine asks the retrieval layer.
type engine struct{ deps retrieval.Deps }

// Gathered is evidence of the retrieval layer, with the time that gathering it took. It
// is what an engine of [NewEngine] gathers.
type Gathered struct {
	retrieval.Evidence
	Took time.Duration
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
	return Gathered{ev, e.now().Sub(start)}, nil
}

func (e engine) Complete(ctx context.Context, ev Evidence, p param.Params) (Evidence, error) {
	own, ok := ev.(Gathered)
	if !ok {
		return nil, fmt.Errorf("complete evidence of another engine: %T", ev)
	}
	more, err := retrieval.Complete(ctx, e.deps, own.Evidence, p)
	if err != nil {
		return nil, err
	}
	return Gathered{more, own.Took}, nil
}

func (e engine) WhyNot(ctx context.Context, q retrieval.Query, p param.Params, t whynot.Target) (whynot.Report, error) {
	return whynot.Ask(ctx, e.deps, q, p, t)
}

func (e engine) MatchTerms(ctx context.Context, q retrieval.Query, p param.Params) (TermMatch, error) {
	if !e.deps.Embedder.Info().InProcess {
		return TermMatch{}, nil
	}
	none, err := retrieval.MatchTerms(ctx, e.deps, q, p)
	if err != nil {
		return TermMatch{}, err
	}
	return TermMatch{None: none, Lexical: e.deps.Embedder.Info().Lexical}, nil
}

func (e engine) now() time.Time {
	if e.deps.Now == nil {
		return time.Now()
	}
	return e.deps.Now()
}

// Rank implements [Evidence]. Ranking has no clock: the times are those of the
// gathering.
func (g Gathered) Rank(p param.Params, o retrieval.Options) (retrieval.Result, retrieval.Needs) {
	r, needs := retrieval.Rank(g.Evidence, p, o)
	r.Timing.Total = g.Took
	r.Timing.Search = max(0, g.Took-r.Timing.Embed)
	return r, needs
}

// Ablations implements [Evidence].
func (g Gathered) Ablations(p param.Params, stop func() bool) []whynot.Ablation {
	return whynot.Ablations(g.Evidence, p, stop)
}

// Breakpoints implements [Evidence].
func (g Gathered) Breakpoints(p param.Params, field string, stop func() bool) whynot.Breakpoints {
	return whynot.FindBreakpoints(g.Evidence, p, field, stop)
}

// CoarseBreakpoints implements [Evidence].
func (g Gathered) CoarseBreakpoints(p param.Params, field string, most int, stop func() bool) whynot.Breakpoints {
	return whynot.CoarseBreakpoints(g.Evidence, p, field, most, stop)
}

// RankBreakpoints implements [Evidence].
func (g Gathered) RankBreakpoints(p param.Params, chunkID string, stop func() bool) []whynot.RankBreakpoint {
	found := whynot.RankBreakpoints(g.Evidence, p, chunkID, stop)
	if found == nil {
		return []whynot.RankBreakpoint{} // it is known that there is none
	}
	return found
}
