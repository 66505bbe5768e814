package whynot

import (
	"math"
	"strconv"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// mostWalk bounds the steps of a walk through budgets.
const mostWalk = 4 * param.MostRows

// smallestBudget walks through the budgets at which something changes, up and
// down, and returns the nearer of those that pass. Between two of them the result
// is the same, so that none is missed.
func (pr *prober) smallestBudget(s *param.Spec, p param.Params, pass passes) (Adjustment, bool) {
	to := 0
	for _, next := range [...]func(*retrieval.Result, param.Params) int{nextBudget, lastBudget} {
		budget := pr.walkBudget(p, pass, next)
		if budget > 0 && (to == 0 || p.ContextBudget-budget < to-p.ContextBudget) {
			to = budget
		}
	}
	return Adjustment{Change: param.Change{Field: s.Field, From: s.Get(&p), To: strconv.Itoa(to)}}, to > 0
}

// walkBudget goes from one budget to the next that changes anything until one
// passes; 0 if none does.
func (pr *prober) walkBudget(p param.Params, pass passes, next func(*retrieval.Result, param.Params) int) int {
	for range mostWalk {
		result, ok := pr.rank(p, true)
		if !ok {
			return 0
		}
		budget := next(&result, p)
		if budget < 1 || budget > param.Unlimited || budget == p.ContextBudget {
			return 0
		}
		if p.ContextBudget = budget; pass(p) {
			return budget
		}
	}
	return 0
}

// nextBudget is the least budget above p's that something was left out for: the
// tokens with it, or those of the whole corpus, which decide the mode.
func nextBudget(r *retrieval.Result, p param.Params) int {
	least := math.MaxInt
	for _, s := range r.Trace.Stages {
		if s.Name != param.StageBudget && s.Name != param.StageOverflow {
			continue
		}
		for _, d := range s.Dropped {
			if with := int(d.Value); d.Reason == phrase.ReasonOverBudget && with > p.ContextBudget {
				least = min(least, with)
			}
		}
	}
	for i := range r.Items { // a first section that is larger ends the walk itself
		if it := &r.Items[i]; it.Rank == 1 && it.CumulativeTokens > p.ContextBudget {
			least = min(least, it.CumulativeTokens)
		}
	}
	if whole := r.Stats.TotalTokens; p.Mode != param.ModeChunk && whole > p.ContextBudget && (r.Mode == param.ModeFullContext || whole <= p.FullContextThreshold) {
		least = min(least, whole)
	}
	if least == math.MaxInt {
		return 0
	}
	return least
}

// lastBudget is the greatest budget below p's for which something would be left
// out: one token less than what is taken.
func lastBudget(r *retrieval.Result, p param.Params) int {
	taken := 0
	for i := range r.Items {
		if len(r.Items) > 1 {
			taken = max(taken, r.Items[i].CumulativeTokens)
		}
	}
	if whole := r.Stats.TotalTokens; r.Mode == param.ModeFullContext && p.Mode == param.ModeAuto && whole <= p.ContextBudget {
		taken = max(taken, whole)
	}
	if taken > p.ContextBudget { // the first section is larger: only what is below it counts
		return 0
	}
	return taken - 1
}

// smallestThreshold tries the two thresholds that decide the mode otherwise: the
// corpus's tokens, and one less.
func (pr *prober) smallestThreshold(s *param.Spec, p param.Params, pass passes) (Adjustment, bool) {
	if p.Mode != param.ModeAuto {
		return Adjustment{}, false
	}
	result, ok := pr.rank(p, false)
	to := result.Stats.TotalTokens
	if result.Mode == param.ModeFullContext {
		to--
	}
	a := Adjustment{Change: param.Change{Field: s.Field, From: s.Get(&p), To: strconv.Itoa(to)}}
	return a, ok && try(s, p, a.To, pass)
}
