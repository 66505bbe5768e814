package whynot

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
)

const (
	// firstSteps is how many changes that bring the target further are tried
	// together with a second one.
	firstSteps = 8
	// pairsMost is how many pairs of changes are suggested.
	pairsMost = 3
)

// pairs finds two changes that let the target in together: one that brings it
// past the stage that drops it, or opens part of the way that edges lead, and one
// that does the rest. Of numbers only some values are tried.
func (pr *prober) pairs(present *retrieval.Result, drop *DroppedBy, opens []Adjustment) []Suggestion {
	end := max(pr.effort.spent, mostEffort) // what singles did not need is left for pairs
	firsts := pr.firsts(drop, opens, pr.effort.spent+(end-pr.effort.spent)/4)
	var found []Suggestion
	seen := map[string]bool{}
	for i, first := range firsts {
		p := pr.base
		if err := p.Set(first.Field, first.To); err != nil {
			continue
		}
		pr.effort.share(end, len(firsts)-i)
		next, ok := pr.dropWith(p)
		if !ok {
			pr.effort.pairs = true
			continue
		}
		for _, second := range pr.partners(p, next, pr.effort.limit, pr.admits) {
			if second.Field == first.Field || seen[pairKey(first, second)] {
				continue
			}
			seen[pairKey(first, second)] = true
			found = pr.verify(present, drop, found, first, second)
		}
	}
	pr.effort.unlimited()
	return found
}

// firsts are the changes that a second one is tried with, the smallest first.
func (pr *prober) firsts(drop *DroppedBy, opens []Adjustment, end int) []Adjustment {
	before := pr.progressOf(drop)
	further := pr.partners(pr.base, drop, end, func(p param.Params) bool {
		next, ok := pr.dropWith(p)
		return ok && pr.progressOf(next) > before
	})
	slices.SortStableFunc(further, func(a, b Adjustment) int {
		return cmp.Compare(sizeOf(&pr.base, a.Change), sizeOf(&pr.base, b.Change))
	})
	return append(opens, further[:min(len(further), firstSteps)]...)
}

// partners finds for each parameter that can matter a small change of p that
// passes.
func (pr *prober) partners(p param.Params, drop *DroppedBy, end int, pass passes) []Adjustment {
	specs := pr.thatMatter(&p, drop)
	pr.effort.hasty = true
	defer func() { pr.effort.hasty = false }()
	var found []Adjustment
	for i := range specs {
		pr.effort.share(end, len(specs)-i)
		if a, ok := pr.smallest(&specs[i], p, drop, pass); ok {
			found = append(found, a)
		}
		pr.effort.pairs = pr.effort.pairs || pr.effort.isOver()
	}
	pr.effort.unlimited()
	return found
}

func pairKey(a, b Adjustment) string {
	fields := []string{a.Field, b.Field}
	slices.Sort(fields)
	return strings.Join(fields, " ")
}

// dropWith is what drops the target with other parameters, nil if nothing does;
// false if that cannot be ranked.
func (pr *prober) dropWith(p param.Params) (*DroppedBy, bool) {
	result, ok := pr.rank(p, true)
	if !ok || pr.sought.find(&result) != nil {
		return nil, ok
	}
	return pr.lastDrop(&result), true
}

// progressOf is how far the target came: the place of the stage that drops it.
func (pr *prober) progressOf(drop *DroppedBy) int {
	if drop == nil {
		return math.MaxInt
	}
	return retrieval.StageIndex(drop.Stage)
}
