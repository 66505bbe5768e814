package retrieval

import (
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

var overflowStage = StageSpec{
	Name: param.StageOverflow, Phase: PhaseChoose, modes: inFullContext,
	About: "What does not fit the budget is dropped.",
	apply: applyOverflow,
	brief: noBrief,
	notices: func(r *ranking) {
		if len(r.cuts) > 0 {
			r.note(phrase.NoticeOverflow, r.res.Budget, len(r.cuts), len(r.cuts)+len(r.list))
		}
		noticeBudget(r)
	},
}

// applyOverflow makes the corpus fit into the budget. It has something to do
// only when the mode was forced, or when HTML that weighs more than the markdown
// counts.
func applyOverflow(r *ranking, s *Stage) {
	if r.p.FullContextOverflow == param.OverflowSkip {
		r.skipUnfit()
	} else {
		r.dropDocuments()
	}
	used := 0
	for i := range r.list {
		used += r.cost(&r.list[i])
		r.list[i].used, r.list[i].rank = int32(used), int32(i+1)
	}
	if s != nil {
		r.traceBudget(s, used)
		s.show(&r.p, param.FieldFullContextOverflow)
	}
}

// skipUnfit leaves out each section that does not fit, but keeps the first one
// when none does.
func (r *ranking) skipUnfit() {
	all, used := r.list, 0
	r.keep(param.StageOverflow, func(_ int, c *candidate) (bool, Drop) {
		with := used + r.cost(c)
		if with > r.p.ContextBudget {
			return false, r.overBudget(with)
		}
		used = with
		return true, Drop{}
	})
	if len(r.list) == 0 && len(all) > 0 {
		r.list, r.cuts = all[:1], r.cuts[1:]
	}
}

// dropDocuments removes pages from the end of the reading order, the deepest
// and of those the one with the greatest address first, until the rest fits. The
// last page left loses sections from its end, but keeps its first.
func (r *ranking) dropDocuments() {
	sum := 0
	for i := range r.list {
		sum += r.cost(&r.list[i])
	}
	end := len(r.list)
	for sum > r.p.ContextBudget {
		start := r.pageStart(end)
		if start == 0 {
			break
		}
		with := sum
		for i := start; i < end; i++ {
			r.leaveOut(r.list[i], with)
			sum -= r.cost(&r.list[i])
		}
		end = start
	}
	for sum > r.p.ContextBudget && end > 1 {
		end--
		r.leaveOut(r.list[end], sum)
		sum -= r.cost(&r.list[end])
	}
	r.list = r.list[:end]
}

// pageStart is the index of the first section of the page that ends before end.
func (r *ranking) pageStart(end int) int {
	start := end - 1
	page := r.ev.rows[r.list[start].row].document
	for start > 0 && r.ev.rows[r.list[start-1].row].document == page {
		start--
	}
	return start
}

func (r *ranking) leaveOut(c candidate, with int) {
	why := r.overBudget(with)
	why.Rank = int(c.rank)
	r.drop(param.StageOverflow, &c, why)
}

// overBudget is the drop of what would make it so many tokens.
func (r *ranking) overBudget(with int) Drop {
	return Drop{Reason: phrase.ReasonOverBudget, Value: float64(with), Threshold: float64(r.p.ContextBudget)}
}
