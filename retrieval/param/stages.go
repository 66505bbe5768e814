package param

// The names of the stages, by which a parameter says which one reads it: [Spec.Stage].
// What they do, and in which order, package retrieval says.
const (
	StageMode     = "mode"
	StageEmbed    = "embed"
	StageVector   = "vector"
	StageKeyword  = "keyword"
	StageLoad     = "load"
	StageFloor    = "floor"
	StageLimit    = "limit"
	StageFusion   = "fusion"
	StageParents  = "parents"
	StageGraph    = "graph"
	StageDepth    = "depth"
	StageRecency  = "recency"
	StageDedup    = "dedup"
	StageRerank   = "rerank"
	StageMinScore = "min_score"
	StageTopK     = "top_k"
	StageMerge    = "merge"
	StageBudget   = "budget"
	StageOverflow = "overflow"
	StageGrouping = "grouping"
	StageSurface  = "surface"
)
