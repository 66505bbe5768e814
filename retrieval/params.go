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
	// FloorAuto is calibrated for a lexical embedder and raw for others.
	FloorAuto FloorScale = "auto"
	// FloorRaw reads the floor as a cosine.
	FloorRaw FloorScale = "raw"
	// FloorCalibrated reads the floor on the corpus's own scale, on which .3 is
	// above 99.5 % of the similarities of unrelated chunks.
	FloorCalibrated FloorScale = "calibrated"

	// BudgetStop ends at the first section that does not fit.
	BudgetStop BudgetPolicy = "stop"
	// BudgetSkip leaves it out and goes on to smaller ones.
	BudgetSkip BudgetPolicy = "skip"

	// CountMarkdown counts the tokens of the markdown, whatever is sent.
	CountMarkdown BudgetCount = "markdown"
	// CountSurface counts the tokens of the selected surface.
	CountSurface BudgetCount = "surface"

	// OverflowDropDocuments removes whole pages, the deepest first.
	OverflowDropDocuments FullContextOverflow = "drop_documents"
	// OverflowSkip walks the sections in reading order and leaves out each that
	// does not fit.
	OverflowSkip FullContextOverflow = "skip"

	// SurfaceAuto prefers HTML where markdown loses structure.
	SurfaceAuto SurfacePolicy = "auto"
	// SurfaceMarkdownOnly never selects HTML.
	SurfaceMarkdownOnly SurfacePolicy = "markdown"
)

// PresetWebRAG is the small-to-large pipeline: children are searched, their
// parents returned.
const PresetWebRAG = "webrag"

// Presets are the names of the presets, the default first.
func Presets() []string { return []string{PresetWebRAG} }

// Preset returns the parameters of a preset, false when there is none of this
// name.
func Preset(name string) (Params, bool) {
	if name != PresetWebRAG {
		return Params{}, false
	}
	return Params{
		Mode:                 ModeAuto,
		FullContextThreshold: 30000,
		ContextBudget:        40000,
		TopKChildrenLimit:    60,
		SimilarityFloor:      0.3,
		FloorScale:           FloorAuto,
		DepthDecayRate:       0.05,
		DepthFloor:           0.80,
		BudgetPolicy:         BudgetStop,
		BudgetCount:          CountMarkdown,
		FullContextOverflow:  OverflowDropDocuments,
		GroupBySource:        true,
		SurfacePolicy:        SurfaceAuto,
		HNSWEfSearch:         100,
	}, true
}
