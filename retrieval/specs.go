package retrieval

import (
	"math"
	"strconv"
	"strings"
)

// Kind is the type of a parameter's value.
type Kind string

// The kinds.
const (
	KindInt   Kind = "int"
	KindFloat Kind = "float"
	KindEnum  Kind = "enum"
	KindBool  Kind = "bool"
)

// Scale says how a slider divides its track.
type Scale string

// The scales.
const (
	Linear Scale = "linear"
	Log    Scale = "log"
)

// Spec describes one parameter. Flags, config keys, variables, sliders and the
// documentation are made from it.
type Spec struct {
	// Field is the name in --set and in messages: "similarity_floor".
	Field string
	// Env is the environment variable, Key the key in the config file.
	Env, Key string
	// Flag is its own flag without dashes, empty for none.
	Flag string
	Kind Kind
	// Unit of numbers, empty for pure numbers.
	Unit string
	// Min and Max bound the values that are accepted.
	Min, Max float64
	// Low and High bound the track of a slider; values outside can be typed.
	// Step is one press of a key, and on a log scale the smallest one.
	Low, High, Step float64
	Scale           Scale
	// Stage is the stage that reads it, as the trace calls it.
	Stage string
	// Off is the value that switches its stage off, empty when nothing does.
	Off string
	// Help is one sentence.
	Help string
	// Values are the words of an enum.
	Values []string

	// ref points at the field: *int, *float64, *bool or, for an enum, *string.
	ref func(*Params) any
}

// unbounded is the highest whole number that is accepted everywhere.
const unbounded = math.MaxInt32

// Specs describes every parameter, in the order of the pipeline.
func Specs() []Spec {
	specs := []Spec{
		{
			Field: "mode", Flag: "mode", Kind: KindEnum, Stage: "mode",
			Values: []string{string(ModeAuto), string(ModeFullContext), string(ModeChunk)},
			Help:   "Return the whole corpus, search for chunks, or let the corpus's size decide.",
			ref:    func(p *Params) any { return (*string)(&p.Mode) },
		},
		{
			Field: "full_context_threshold", Kind: KindInt, Unit: "tokens", Stage: "mode",
			Min: 0, Max: unbounded, Low: 250, High: 200000, Step: 250, Scale: Log, Off: "0",
			Help: "Up to this many tokens the whole corpus is returned; at most the budget.",
			ref:  func(p *Params) any { return &p.FullContextThreshold },
		},
		{
			Field: "hnsw_ef_search", Kind: KindInt, Unit: "rows", Stage: "vector",
			Min: 1, Max: 1000, Low: 10, High: 1000, Step: 10, Scale: Log,
			Help: "How many neighbours an HNSW index keeps while it searches; an exact search ignores it.",
			ref:  func(p *Params) any { return &p.HNSWEfSearch },
		},
		{
			Field: "similarity_floor", Kind: KindFloat, Unit: "cosine", Stage: "floor",
			Min: -1, Max: 1, Low: -1, High: 1, Step: 0.01, Scale: Linear, Off: "-1",
			Help: "A child must be more similar than this to be considered.",
			ref:  func(p *Params) any { return &p.SimilarityFloor },
		},
		{
			Field: "floor_scale", Kind: KindEnum, Stage: "floor",
			Values: []string{string(FloorAuto), string(FloorRaw), string(FloorCalibrated)},
			Help:   "Read the floor as a cosine, or on the corpus's own scale where .3 is above 99.5 % of unrelated chunks; auto calibrates lexical embedders.",
			ref:    func(p *Params) any { return (*string)(&p.FloorScale) },
		},
		{
			Field: "top_k_children_limit", Kind: KindInt, Unit: "children", Stage: "limit",
			Min: 1, Max: 1000, Low: 1, High: 1000, Step: 1, Scale: Log,
			Help: "The most children taken from the search before they become sections.",
			ref:  func(p *Params) any { return &p.TopKChildrenLimit },
		},
		{
			Field: "depth_decay_rate", Kind: KindFloat, Unit: "per link", Stage: "depth",
			Min: 0, Max: 1, Low: 0, High: 1, Step: 0.01, Scale: Linear, Off: "0",
			Help: "What each link of distance from the seed page takes off a score.",
			ref:  func(p *Params) any { return &p.DepthDecayRate },
		},
		{
			Field: "depth_floor", Kind: KindFloat, Unit: "multiplier", Stage: "depth",
			Min: 0, Max: 1, Low: 0, High: 1, Step: 0.01, Scale: Linear, Off: "1",
			Help: "The smallest depth multiplier, however deep a page is.",
			ref:  func(p *Params) any { return &p.DepthFloor },
		},
		{
			Field: "context_budget", Flag: "budget", Kind: KindInt, Unit: "tokens", Stage: "budget",
			Min: 1, Max: unbounded, Low: 250, High: 200000, Step: 250, Scale: Log, Off: strconv.Itoa(unbounded),
			Help: "The most tokens of sections returned; the first section is returned even when it is larger.",
			ref:  func(p *Params) any { return &p.ContextBudget },
		},
		{
			Field: "budget_policy", Kind: KindEnum, Stage: "budget",
			Values: []string{string(BudgetStop), string(BudgetSkip)},
			Help:   "End at the first section over the budget, or skip it and try smaller ones.",
			ref:    func(p *Params) any { return (*string)(&p.BudgetPolicy) },
		},
		{
			Field: "budget_count", Kind: KindEnum, Stage: "budget",
			Values: []string{string(CountMarkdown), string(CountSurface)},
			Help:   "Count the tokens of the markdown, or of the surface that is really sent.",
			ref:    func(p *Params) any { return (*string)(&p.BudgetCount) },
		},
		{
			Field: "full_context_overflow", Kind: KindEnum, Stage: "overflow",
			Values: []string{string(OverflowDropDocuments), string(OverflowSkip)},
			Help:   "When the whole corpus exceeds the budget, drop the deepest pages, or skip the sections that do not fit.",
			ref:    func(p *Params) any { return (*string)(&p.FullContextOverflow) },
		},
		{
			Field: "group_by_source", Kind: KindBool, Stage: "grouping", Off: "false",
			Help: "List the sections page by page in reading order, the best page first.",
			ref:  func(p *Params) any { return &p.GroupBySource },
		},
		{
			Field: "surface_policy", Kind: KindEnum, Stage: "surface", Off: string(SurfaceMarkdownOnly),
			Values: []string{string(SurfaceAuto), string(SurfaceMarkdownOnly)},
			Help:   "Hand on the HTML of sections whose markdown loses structure, or always markdown.",
			ref:    func(p *Params) any { return (*string)(&p.SurfacePolicy) },
		},
	}
	for i := range specs {
		specs[i].Key = "retrieval." + specs[i].Field
		specs[i].Env = "RETRIEVAL_" + strings.ToUpper(specs[i].Field)
	}
	return specs
}

// SpecOf returns the description of a field.
func SpecOf(field string) (Spec, bool) {
	for _, s := range Specs() {
		if s.Field == field {
			return s, true
		}
	}
	return Spec{}, false
}

// Range says in words what the parameter accepts.
func (s *Spec) Range() string {
	switch s.Kind {
	case KindBool:
		return "true or false"
	case KindEnum:
		last := len(s.Values) - 1
		return strings.Join(s.Values[:last], ", ") + " or " + s.Values[last]
	default:
		if s.Max >= unbounded {
			return "at least " + number(s.Min)
		}
		return "between " + number(s.Min) + " and " + number(s.Max)
	}
}

// number writes a float as briefly as it can be read back.
func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
