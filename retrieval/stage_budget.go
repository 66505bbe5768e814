package retrieval

import (
	"strconv"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

var budgetStage = StageSpec{
	Name: param.StageBudget, Phase: PhaseChoose, modes: inChunkMode,
	About:   "Sections are taken, best first, until the tokens are spent.",
	apply:   applyBudget,
	brief:   noBrief,
	notices: noticeBudget,
}

// noticeBudget tells of a result that is larger than the budget all the same.
func noticeBudget(r *ranking) {
	if len(r.res.Items) == 0 {
		return
	}
	if len(r.res.Items) == 1 && int(r.list[0].used) > r.res.Budget {
		r.note(phrase.NoticeOversize, int(r.list[0].used), int(r.list[0].used)-r.res.Budget, r.res.Budget)
	}
	if r.p.BudgetCount == param.CountMarkdown && r.res.SurfaceTokens > r.res.Budget && r.res.SurfaceTokens > r.res.Tokens {
		r.note(phrase.NoticeSurfaceOver, r.res.Tokens, r.res.Budget, r.res.SurfaceTokens, param.As(param.FieldBudgetCount, string(param.CountSurface)))
	}
}

// applyBudget takes sections by score while they fit. The first one is taken
// even when it is larger than the budget: something oversize is better than
// nothing.
func applyBudget(r *ranking, s *Stage) {
	used, stopped := 0, false
	kept := r.list[:0]
	for i := range r.list {
		c := &r.list[i]
		c.html = r.prefersHTML(c)
		with := used + r.cost(c)
		if stopped || with > r.p.ContextBudget && len(kept) > 0 {
			why := r.overBudget(with)
			if why.Rank = i + 1; stopped {
				why.Reason = phrase.ReasonAfterBudgetStop
			}
			r.drop(param.StageBudget, c, why)
			stopped = stopped || r.p.BudgetPolicy == param.BudgetStop
			continue
		}
		used = with
		c.used, c.rank = int32(used), int32(len(kept)+1)
		r.markSent(c)
		kept = append(kept, *c)
		// An oversize first section ends the walk like any other overflow.
		stopped = stopped || used > r.p.ContextBudget && r.p.BudgetPolicy == param.BudgetStop
	}
	r.list = kept
	if s != nil {
		r.traceBudget(s, used)
		s.show(&r.p, param.FieldBudgetPolicy)
	}
}

// cost is what the budget counts of a candidate, in tokens.
func (r *ranking) cost(c *candidate) int {
	if r.p.BudgetCount == param.CountSurface && c.html {
		return int(r.ev.rows[c.row].htmlTokens)
	}
	return r.tokens(c)
}

// tokens is a candidate's length in tokens of the markdown.
func (r *ranking) tokens(c *candidate) int {
	if !c.joined {
		return r.ev.rows[c.row].tokens()
	}
	sum := 0
	for _, row := range r.runs[c.row] {
		sum += r.ev.rows[row].tokens()
	}
	return sum
}

// traceBudget records what a stage that counts tokens went by and used.
func (r *ranking) traceBudget(s *Stage, used int) {
	s.show(&r.p, param.FieldBudgetCount)
	s.Params[param.FieldContextBudget] = budgetText(r.p.ContextBudget)
	s.Notes = []string{strconv.Itoa(used) + " of " + budgetText(r.p.ContextBudget) + " tokens used"}
	if r.p.ContextBudget == param.Unlimited {
		s.Notes = []string{strconv.Itoa(used) + " tokens used"}
	}
}

// budgetText writes a budget.
func budgetText(tokens int) string {
	if tokens >= param.Unlimited {
		return "unlimited"
	}
	return strconv.Itoa(tokens)
}
