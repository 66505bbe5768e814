package retrieval

// Params are all the settings of a retrieval. A preset is a named value of this
// type; once loaded every field is explicit. Every field has a row in [Specs].
type Params struct {
	// Mode forces full-context or chunk mode; auto decides by corpus size.
	Mode Mode
	// FullContextThreshold is the corpus size in tokens up to which everything
	// is returned. It is clamped to ContextBudget with a notice.
	FullContextThreshold int
	// ContextBudget is the most tokens of sections returned.
	ContextBudget int
	// TopKChildrenLimit is the most children taken from the search.
	TopKChildrenLimit int
	// SimilarityFloor is the cosine that a child must exceed; -1 is off.
	SimilarityFloor float64
	// FloorScale says whether the floor is a raw or a calibrated similarity.
	FloorScale FloorScale
	// DepthDecayRate and DepthFloor: multiplier max(1 - depth*rate, floor).
	DepthDecayRate, DepthFloor float64
	// BudgetPolicy is what happens at the first section that does not fit.
	BudgetPolicy BudgetPolicy
	// BudgetCount says whose tokens count: markdown or the selected surface.
	BudgetCount BudgetCount
	// FullContextOverflow is what gives way when the whole corpus is too big.
	FullContextOverflow FullContextOverflow
	// GroupBySource lists sections by page; Surface selects the form.
	GroupBySource bool
	SurfacePolicy SurfacePolicy
	// HNSWEfSearch is the preset's ef_search; exact stores ignore it.
	HNSWEfSearch int
}

// FloorScale is auto, raw or calibrated.
type FloorScale string

// BudgetPolicy is stop or skip.
type BudgetPolicy string

// BudgetCount is markdown or surface.
type BudgetCount string

// FullContextOverflow is drop_documents or skip.
type FullContextOverflow string

// SurfacePolicy is auto or markdown.
type SurfacePolicy string

// The values of the settings above.
const (
	FloorAuto       FloorScale = "auto"
	FloorRaw        FloorScale = "raw"
	FloorCalibrated FloorScale = "calibrated"

	BudgetStop BudgetPolicy = "stop"
	BudgetSkip BudgetPolicy = "skip"

	CountMarkdown BudgetCount = "markdown"
	CountSurface  BudgetCount = "surface"

	OverflowDropDocuments FullContextOverflow = "drop_documents"
	OverflowSkip          FullContextOverflow = "skip"

	SurfaceAuto         SurfacePolicy = "auto"
	SurfaceMarkdownOnly SurfacePolicy = "markdown"
)
