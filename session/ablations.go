package session

import (
	"context"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/whynot"
)

// ablations are what leaving out each optional stage would change in a result.
type ablations struct {
	works  *works
	answer *answer

	// of is the result that was last looked into, list what was found of it.
	of   *retrieval.Result
	list []whynot.Ablation
}

// Ablate finds out what leaving out each optional stage would change in the present
// result: a ranking for each. It is asked once for each result.
func (a *ablations) Ablate() []Work {
	r := a.answer.result
	if r == nil || r == a.of {
		return nil
	}
	a.works.end(KindAblations)
	a.of, a.list = r, nil
	if r.Mode != param.ModeChunk || a.answer.evidence == nil {
		return nil
	}
	ev, p := a.answer.evidence, a.answer.rankedBy.params
	return []Work{a.works.begin(KindAblations, 0, func(ctx context.Context) Done {
		return Done{Params: p, Ablations: ev.Ablations(p, func() bool { return ctx.Err() != nil })}
	})}
}

// Ablations are what leaving out each optional stage would change in the present result,
// nil while that is not known.
func (a *ablations) Ablations() []whynot.Ablation {
	if a.of != a.answer.result {
		return nil
	}
	return a.list
}
