package retrieval

import "slices"

// Change gives one parameter another value. Field is as in [Spec]; From and To
// are values as [Params.Set] reads them.
type Change struct {
	Field, From, To string
}

// stageSwitch is the parameter whose off value does without a stage.
type stageSwitch struct{ stage, field string }

// stageSwitches are the optional stages in their order. A stage may read other
// parameters that have an off value; these alone leave it out.
func stageSwitches() []stageSwitch {
	return []stageSwitch{
		{StageFloor, "similarity_floor"},
		{StageFusion, "keyword_weight"},
		{StageGraph, "max_hops"},
		{StageDepth, "depth_decay_rate"},
		{StageRecency, "recency_half_life"},
		{StageDedup, "dedup_threshold"},
		{StageRerank, "reranker"},
		{StageMinScore, "min_score"},
		{StageTopK, "top_k"},
		{StageMerge, "merge_adjacent"},
		{StageBudget, "context_budget"},
		{StageGrouping, "group_by_source"},
		{StageSurface, "surface_policy"},
	}
}

// StageOff is p without a stage, named as in the trace; false for a stage that
// cannot be left out. A stage that is off already leaves p as it is.
func StageOff(p Params, stage string) (Params, bool) {
	if stage == StageKeyword { // nothing else uses what it finds
		stage = StageFusion
	}
	switches := stageSwitches()
	at := slices.IndexFunc(switches, func(s stageSwitch) bool { return s.stage == stage })
	if at < 0 {
		return p, false
	}
	spec, _ := SpecOf(switches[at].field)
	if err := spec.set(&p, spec.Off); err != nil {
		return p, false
	}
	return p, true
}

// Toggle is an optional stage left out, compared with the present result.
type Toggle struct {
	Stage string
	// On reports that the stage is not off already; if it is, there is nothing to
	// compare. Change is what switches it off.
	On     bool
	Change Change
	// Needs says why the evidence does not reach that far; empty when it does.
	// Comparison is then of what the evidence holds, not of what a search would give.
	Needs      string
	Comparison Comparison
}

// Toggles leaves out each optional stage in turn. It ranks once for each stage
// that is on and records nothing, so that it can follow every query.
func Toggles(ev Evidence, p Params) []Toggle {
	present, _ := Rank(ev, p, Options{})
	switches := stageSwitches()
	toggles := make([]Toggle, len(switches))
	for i, s := range switches {
		toggles[i] = Toggle{Stage: s.stage, Change: Change{Field: s.field, From: p.Get(s.field)}}
		t := &toggles[i]
		without, ok := StageOff(p, s.stage)
		t.Change.To = without.Get(s.field)
		if t.On = ok && without != p; !t.On {
			continue
		}
		_, t.Needs = ev.Covers(without)
		result, _ := Rank(ev, without, Options{})
		t.Comparison = Compare(present, result, 0)
	}
	return toggles
}
