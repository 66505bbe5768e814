package retrieval

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strings"
)

const (
	// firstSteps is how many changes that bring the target further are tried
	// together with a second one.
	firstSteps = 8
	// pairsMost is how many pairs of changes are suggested.
	pairsMost = 3
)

// passes says whether parameters do what is wanted of them.
type passes func(Params) (bool, error)

// suggest finds the smallest changes that let the target in.
func (pr *prober) suggest(present *Result, drop *DroppedBy, way *GraphStanding) ([]Suggestion, error) {
	single, err := pr.alone(pr.base, drop, pr.admits)
	if err != nil {
		return nil, err
	}
	var found []Suggestion
	for _, a := range single {
		if found, err = pr.verify(present, found, a); err != nil {
			return nil, err
		}
	}
	if len(found) == 0 {
		if found, err = pr.pairs(present, drop, pr.opens(way)); err != nil {
			return nil, err
		}
	}
	order(found)
	if len(found) > 0 && len(found[0].Changes) > 1 {
		found = found[:min(len(found), pairsMost)]
	}
	if pr.spent {
		pr.notices = append(pr.notices, Notice{
			Code: NoticeWhyNotSpent, Text: "There is too much to try: not every change of every parameter was.", Warning: true,
		})
	}
	return found, nil
}

// order puts what changes the rest of the result least first, then what changes
// least itself.
func order(list []Suggestion) {
	slices.SortStableFunc(list, func(a, b Suggestion) int {
		return cmp.Or(cmp.Compare(a.Collateral(), b.Collateral()), cmp.Compare(a.Size, b.Size), cmp.Compare(a.Moved, b.Moved))
	})
}

// alone finds for each parameter that can matter the smallest change of p that
// passes.
func (pr *prober) alone(p Params, drop *DroppedBy, pass passes) ([]Adjustment, error) {
	var found []Adjustment
	for _, s := range Specs() {
		if !pr.matters(&s, &p, drop) {
			continue
		}
		a, ok, err := pr.smallest(&s, p, drop, pass)
		if err != nil {
			return nil, err
		}
		if ok {
			found = append(found, a)
		}
	}
	return found, nil
}

// matters reports whether a parameter can change what becomes of a candidate that
// is dropped as drop says: its stage comes before that drop, or what is searched
// depends on it.
func (pr *prober) matters(s *Spec, p *Params, drop *DroppedBy) bool {
	at := len(stageOrder())
	if drop != nil {
		at = stageAt(drop.Stage)
	}
	if p.MaxHops > 0 { // edges may lead to what was dropped before
		at = max(at, stageAt(StageGraph))
	}
	switch s.Field {
	case "empty_query", "require_owner", "reach", "group_by_source":
		return false
	case "mode": // to give up searching is no answer to why a search missed something
		return drop != nil && drop.Stage == StageOverflow
	case "search", "search_policy", "iterative_scan", "hnsw_ef_search":
		ev, ok := pr.gathered[wayOf(*p)]
		return ok && !ev.reach.exact
	case "keyword_weight":
		return len(pr.sought.keyword.Terms) > 0
	case "keyword_match":
		return p.KeywordWeight > 0
	case "fusion", "rrf_k", "rrf_scale", "single_arm":
		return p.KeywordWeight > 0 && at >= stageAt(StageFusion)
	case "max_hops", "unit": // other ways than its own lead to a section
		return true
	case "top_k", "overfetch":
		return at >= stageAt(StageTopK) || p.TopKChildrenLimit == 0
	case "surface_policy", "budget_count":
		return at >= stageAt(StageBudget)
	case "context_budget", "full_context_threshold":
		return true // they decide the mode
	case "rerank_min_score", "unscored":
		return p.Reranker != RerankerNone && at >= stageAt(s.Stage)
	}
	if s.Stage == StageGraph {
		return p.MaxHops > 0
	}
	return at >= stageAt(s.Stage)
}

// stageOrder are the stages in the order of the pipeline.
func stageOrder() []string {
	return []string{
		StageMode, StageEmbed, StageVector, StageKeyword, StageLoad, StageFloor, StageLimit, StageFusion, StageParents,
		StageGraph, StageDepth, StageRecency, StageDedup, StageRerank, StageMinScore, StageTopK, StageMerge, StageBudget,
		StageOverflow, StageGrouping, StageSurface,
	}
}

func stageAt(stage string) int { return slices.Index(stageOrder(), stage) }

// smallest is the smallest change of one parameter that passes.
func (pr *prober) smallest(s *Spec, p Params, drop *DroppedBy, pass passes) (Adjustment, bool, error) {
	switch {
	case s.Field == "context_budget":
		return pr.smallestBudget(s, p, pass)
	case s.Field == "full_context_threshold":
		return pr.smallestThreshold(s, p, pass)
	case s.Kind == KindInt || s.Kind == KindFloat:
		return pr.smallestNumber(s, p, drop, pass)
	}
	for _, word := range wordTrials(s, &p) {
		changed := p
		if err := s.set(&changed, word); err != nil {
			continue
		}
		ok, err := pass(changed)
		if err != nil {
			return Adjustment{}, false, err
		}
		if ok {
			return Adjustment{Change: Change{Field: s.Field, From: s.get(&p), To: word}}, true, nil
		}
	}
	return Adjustment{}, false, nil
}

// smallestNumber tries the values of a number from the present one outwards.
func (pr *prober) smallestNumber(s *Spec, p Params, drop *DroppedBy, pass passes) (Adjustment, bool, error) {
	from := presentNumber(s, &p)
	list := trials(s, &p, pr.hints(s, drop), pr.known())
	try := func(value float64) (bool, error) { return pr.tryNumber(s, p, value, pass) }
	for i, t := range list {
		ok, err := try(t.value)
		if err != nil {
			return Adjustment{}, false, err
		}
		if !ok {
			continue
		}
		to := t.value
		if t.between {
			if to, err = onStep(list[i+1:], from, t, try); err != nil {
				return Adjustment{}, false, err
			}
		}
		a := Adjustment{Change: Change{Field: s.Field, From: s.get(&p), To: numberOf(s, to)}}
		if s.Kind == KindFloat && !math.IsInf(t.distance, 1) {
			boundary, err := bisect(nearer(list[:i], from, t), t.value, try)
			if err != nil {
				return Adjustment{}, false, err
			}
			a.Boundary = number(boundary)
		}
		return a, true, nil
	}
	return Adjustment{}, false, nil
}

// known is how many chunks were gathered, with room for those that edges may yet
// lead to.
func (pr *prober) known() int {
	most := 0
	for _, ev := range pr.gathered {
		most = max(most, len(ev.rows))
	}
	return most + 1
}

func (pr *prober) tryNumber(s *Spec, p Params, value float64, pass passes) (bool, error) {
	if err := s.set(&p, numberOf(s, value)); err != nil {
		return false, nil //nolint:nilerr // a value that is not accepted lets nothing in
	}
	return pass(p)
}

// hints are the values at which the stage that dropped the target would have
// decided otherwise.
func (pr *prober) hints(s *Spec, drop *DroppedBy) []float64 {
	if drop == nil || s.Stage != drop.Stage {
		return nil
	}
	return []float64{drop.Value, math.Nextafter(drop.Value, math.Inf(-1))}
}

// onStep is the next value on the parameter's steps if it passes like the one
// between them that was found, which it is otherwise.
func onStep(further []trial, from float64, found trial, try func(float64) (bool, error)) (float64, error) {
	for _, t := range further {
		if t.between || (t.value > from) != (found.value > from) {
			continue
		}
		ok, err := try(t.value)
		if ok && err == nil {
			return t.value, nil
		}
		return found.value, err
	}
	return found.value, nil
}

// nearer is the last value on the same side that did not pass.
func nearer(tried []trial, from float64, found trial) float64 {
	for _, t := range slices.Backward(tried) {
		if (t.value > from) == (found.value > from) {
			return t.value
		}
	}
	return from
}

// bisect narrows the way from a value that does not pass to one that does down to
// neighbours, and returns the one that does.
func bisect(no, yes float64, try func(float64) (bool, error)) (float64, error) {
	for {
		middle := no + (yes-no)/2
		if middle == no || middle == yes {
			return yes, nil
		}
		ok, err := try(middle)
		if err != nil {
			return 0, err
		}
		if ok {
			yes = middle
		} else {
			no = middle
		}
	}
}

// verify ranks with the changes, texts and all, and appends the suggestion if
// they let the target in.
func (pr *prober) verify(present *Result, list []Suggestion, changes ...Adjustment) ([]Suggestion, error) {
	p := pr.base
	s := Suggestion{Changes: changes}
	for _, a := range changes {
		spec, _ := SpecOf(a.Field)
		s.Size += sizeOf(&spec, &p, a.To)
		if err := spec.set(&p, a.To); err != nil {
			return list, nil //nolint:nilerr // a value that is not accepted lets nothing in
		}
	}
	result, err := pr.rank(p, true)
	if errors.Is(err, errUnranked) {
		return list, nil
	}
	if err != nil {
		return nil, err
	}
	at := pr.sought.find(&result)
	if at == nil {
		return list, nil
	}
	c := Compare(*present, result, 0)
	s.Rank, s.Leaves, s.Moved = at.Rank, c.Left, len(c.Moved)
	for _, e := range c.Entered {
		if e.ChunkID != at.ChunkID {
			s.Enters = append(s.Enters, e)
		}
	}
	return append(list, s), nil
}

func sizeOf(s *Spec, p *Params, to string) float64 {
	if s.Kind != KindInt && s.Kind != KindFloat {
		return 1
	}
	changed := *p
	if err := s.set(&changed, to); err != nil {
		return 1
	}
	return size(s, presentNumber(s, p), presentNumber(s, &changed))
}

// pairs finds two changes that let the target in together: one that brings it
// past the stage that drops it, or opens part of the way that edges lead, and one
// that does the rest.
func (pr *prober) pairs(present *Result, drop *DroppedBy, opens []Adjustment) ([]Suggestion, error) {
	before := pr.progressOf(drop)
	further, err := pr.alone(pr.base, drop, func(p Params) (bool, error) {
		next, err := pr.dropWith(p)
		if errors.Is(err, errUnranked) {
			return false, nil
		}
		return err == nil && pr.progressOf(next) > before, err
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(further, func(a, b Adjustment) int {
		x, _ := SpecOf(a.Field)
		y, _ := SpecOf(b.Field)
		return cmp.Compare(sizeOf(&x, &pr.base, a.To), sizeOf(&y, &pr.base, b.To))
	})
	var found []Suggestion
	seen := map[string]bool{}
	for _, first := range append(opens, further[:min(len(further), firstSteps)]...) {
		p := pr.base
		if err := p.Set(first.Field, first.To); err != nil {
			continue
		}
		next, err := pr.dropWith(p)
		if errors.Is(err, errUnranked) {
			break
		}
		if err != nil {
			return nil, err
		}
		seconds, err := pr.alone(p, next, pr.admits)
		if err != nil {
			return nil, err
		}
		for _, second := range seconds {
			if second.Field == first.Field || seen[pairKey(first, second)] {
				continue
			}
			seen[pairKey(first, second)] = true
			if found, err = pr.verify(present, found, first, second); err != nil {
				return nil, err
			}
		}
	}
	return found, nil
}

func pairKey(a, b Adjustment) string {
	fields := []string{a.Field, b.Field}
	slices.Sort(fields)
	return strings.Join(fields, " ")
}

// dropWith is what drops the target with other parameters.
func (pr *prober) dropWith(p Params) (*DroppedBy, error) {
	result, err := pr.rank(p, true)
	if err != nil {
		return nil, err
	}
	if pr.sought.find(&result) != nil {
		return nil, nil
	}
	return pr.fate(&result), nil
}

// progressOf is how far the target came: the place of the stage that drops it.
func (pr *prober) progressOf(drop *DroppedBy) int {
	if drop == nil {
		return len(stageOrder())
	}
	return stageAt(drop.Stage)
}
