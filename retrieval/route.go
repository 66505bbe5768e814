package retrieval

import (
	"context"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
)

// Answer routes a request by its mode, before anything else happens: a selection
// comes straight back and uses nothing of d, a normal question is retrieved.
func Answer(ctx context.Context, d Deps, r Request, scope store.Scope, p param.Params, o Options) (Result, error) {
	if r.Mode == ModeSelectedText {
		return Select(r)
	}
	if err := r.Validate(); err != nil {
		return Result{}, err
	}
	return Retrieve(ctx, d, Query{Text: r.Question, Scope: scope}, p, o)
}
