package whynot

import (
	"math"
	"slices"
	"strconv"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// smallest is the smallest change of one parameter that passes.
func (pr *prober) smallest(s *param.Spec, p param.Params, drop *DroppedBy, pass passes) (Adjustment, bool) {
	switch {
	case s.Field == param.FieldContextBudget:
		return pr.smallestBudget(s, p, pass)
	case s.Field == param.FieldFullContextThreshold:
		return pr.smallestThreshold(s, p, pass)
	case s.Kind == param.KindInt || s.Kind == param.KindFloat:
		return pr.smallestNumber(s, p, drop, pass)
	}
	for _, word := range param.WordTrials(s, &p) {
		if try(s, p, word, pass) {
			return Adjustment{Change: param.Change{Field: s.Field, From: s.Get(&p), To: word}}, true
		}
	}
	return Adjustment{}, false
}

// trialAt is a trial by its side of the present value and its index there.
type trialAt struct{ side, n int }

// smallestNumber tries the values of a number from the present one outwards: all of
// them while that costs no more than half of its share of the effort. Then it goes
// twice as far each time, and where that passes looks for the first value that does
// in the last stride; a value between two that do not pass may be overlooked.
func (pr *prober) smallestNumber(s *param.Spec, p param.Params, drop *DroppedBy, pass passes) (Adjustment, bool) {
	list, from := param.Trials(s, &p, pr.hints(s, drop), pr.known()), param.PresentNumber(s, &p)
	var sides [2][]param.Trial
	sideOf := func(t param.Trial) int {
		if t.Value > from {
			return 1
		}
		return 0
	}
	for _, t := range list {
		sides[sideOf(t)] = append(sides[sideOf(t)], t)
	}
	steps := func(yield func(int, trialAt) bool) {
		var next, begin [2]int
		strides := false
		for _, t := range list {
			if !strides && pr.effort.isHalfSpent() {
				strides, pr.effort.strides, begin = true, true, next
			}
			at := trialAt{sideOf(t), next[sideOf(t)]}
			next[at.side]++
			by, isLast := at.n-begin[at.side], next[at.side] == len(sides[at.side])
			if strides && !t.Between && !isLast && (by+1)&by != 0 {
				continue
			}
			if !yield(at.side, at) {
				return
			}
		}
	}
	number := func(value float64) bool { return try(s, p, param.NumberOf(s, value), pass) }
	x := passing(func(at trialAt) bool { return number(sides[at.side][at.n].Value) },
		func(a, b trialAt) (trialAt, bool) { return trialAt{b.side, (a.n + 1 + b.n) / 2}, a.n+1 < b.n })
	for c := range x.outwards(seen[trialAt, bool]{at: trialAt{n: -1}, known: true}, steps) {
		side := sides[c.side]
		if !side[c.to.at.n].Between {
			c = x.nearest(c)
		}
		return adjust(s, &p, from, side, c.to.at.n, number), true
	}
	return Adjustment{}, false
}

// adjust is the change to the nth value on a side, which passes, moved on to a step
// of the parameter and with the boundary between it and what does not pass.
func adjust(s *param.Spec, p *param.Params, from float64, side []param.Trial, n int, number func(float64) bool) Adjustment {
	to := side[n].Value
	// The next step is taken if it passes like the value between two that was found.
	if at := slices.IndexFunc(side[n:], func(t param.Trial) bool { return !t.Between }); at > 0 && number(side[n+at].Value) {
		to = side[n+at].Value
	}
	a := Adjustment{Change: param.Change{Field: s.Field, From: s.Get(p), To: param.NumberOf(s, to)}}
	// Away from a value that leaves a stage out, the first number already puts it
	// in: there is no boundary to speak of.
	if s.Kind != param.KindFloat || math.IsInf(side[n].Distance, 1) || s.Get(p) == s.Off {
		return a
	}
	if n > 0 {
		from = side[n-1].Value
	}
	x := passing(number, halfway)
	c := x.nearest(crossing[float64, bool]{from: seen[float64, bool]{from, false, true}, to: seen[float64, bool]{side[n].Value, true, true}})
	a.Boundary = phrase.Number(c.to.at)
	return a
}

// tiny is the distance from 0 below which numbers are halved by their order.
const tiny = 0x1p-40

// halfway is a number between two others; ok is false where there is none. Near 0 half of
// the distance is no way to get there: from 2^-40 on it takes a thousand steps, each a
// ranking, to the least number above 0. There it is the one in the middle of all numbers
// that lie between, which takes at most 64.
func halfway(a, b float64) (middle float64, ok bool) {
	if middle = a + (b-a)/2; max(math.Abs(a), math.Abs(b)) < tiny {
		x, y := orderOf(a), orderOf(b)
		at := x&y + (x^y)>>1 // their mean, which cannot overflow
		middle = math.Copysign(math.Float64frombits(uint64(max(at, -at))), float64(at))
	}
	return middle, middle != a && middle != b
}

// orderOf is the place of a finite number among all of them, 0 being that of 0.
func orderOf(f float64) int64 {
	at := int64(math.Float64bits(math.Abs(f)))
	if f < 0 {
		return -at
	}
	return at
}

// known is how many chunks were gathered, with room for those that edges may yet
// lead to.
func (pr *prober) known() int {
	most := 0
	for _, ev := range pr.gathered {
		most = max(most, ev.Chunks())
	}
	return most + 1
}

// try reports whether p passes with another value.
func try(s *param.Spec, p param.Params, value string, pass passes) bool {
	return s.Set(&p, value) == nil && pass(p)
}

// hints are the values at which the stage that dropped the target would have
// decided otherwise.
func (pr *prober) hints(s *param.Spec, drop *DroppedBy) []float64 {
	if drop == nil || s.Stage != drop.Stage {
		return nil
	}
	return []float64{drop.Value, math.Nextafter(drop.Value, math.Inf(-1))}
}

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
