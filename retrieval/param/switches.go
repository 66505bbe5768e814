package param

import "slices"

// Change gives one parameter another value. Field is as in [Spec]; From and To
// are values as [Params.Set] reads them.
type Change struct {
	Field, From, To string
}

// Switch is the parameter whose off value does without a stage.
type Switch struct{ Stage, Field string }

// Switches are the optional stages in their order. A stage may read other
// parameters that have an off value; these alone leave it out.
func Switches() []Switch {
	return []Switch{
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
	switches := Switches()
	at := slices.IndexFunc(switches, func(s Switch) bool { return s.Stage == stage })
	if at < 0 {
		return p, false
	}
	spec, _ := SpecOf(switches[at].Field)
	if err := spec.Set(&p, spec.Off); err != nil {
		return p, false
	}
	return p, true
}
