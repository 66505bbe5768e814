package retrieval

import (
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
)

// decideMode chooses between the whole corpus and a search: full context up to
// the threshold, which the budget clamps. A forced mode is taken as it is, but
// the threshold is worked out all the same, to be shown.
func decideMode(p param.Params, stats store.Stats) (mode param.Mode, threshold int, clamped bool) {
	threshold = p.FullContextThreshold
	if threshold > p.ContextBudget {
		threshold, clamped = p.ContextBudget, true
	}
	switch {
	case p.Mode == param.ModeFullContext || p.Mode == param.ModeChunk:
		return p.Mode, threshold, clamped
	case stats.Tokens <= threshold:
		return param.ModeFullContext, threshold, clamped
	default:
		return param.ModeChunk, threshold, clamped
	}
}
