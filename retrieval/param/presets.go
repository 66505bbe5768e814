package param

import "sync"

// The names of the presets.
const (
	// PresetBlend is this program's own: keywords and vectors fused by their scores,
	// sections returned up to a number and a budget of tokens.
	PresetBlend = "blend"
	// PresetWebRAG is small-to-large retrieval: children are searched, their
	// sections returned up to a budget of tokens.
	PresetWebRAG = "webrag"
	// PresetTextbook returns the chunks found, without near-duplicates.
	PresetTextbook = "textbook"
	// PresetHybrid fuses vector and keyword search by reciprocal ranks.
	PresetHybrid = "hybrid"
	// PresetGraph starts from a few sections and follows edges.
	PresetGraph = "graph"
	// PresetTopK returns the nearest chunks of one owner.
	PresetTopK = "topk"
)

// PresetInfo describes a preset.
type PresetInfo struct {
	Name string
	// Summary is a sentence about what it does.
	Summary string
}

// DefaultPreset is what a session starts from where nobody chose a preset: the
// preset that suits the embedder. A lexical one sees words, and a keyword arm sees
// them better, so that fusing both ranks best; a model of meanings is what the
// retriever of [PresetWebRAG] was made for. why says so in a clause.
func DefaultPreset(lexical bool) (name, why string) {
	if lexical {
		return PresetBlend, "the embedder knows words, not meanings"
	}
	return PresetWebRAG, "the embedder knows meanings"
}

// PresetInfos describes the presets: this program's own, then the specified ones.
func PresetInfos() []PresetInfo {
	return []PresetInfo{
		{PresetBlend, "Fuse keyword and vector search by scores, return the best twenty sections."},
		{PresetWebRAG, "Search small chunks, return the sections that hold them, by similarity and depth, up to a token budget."},
		{PresetTextbook, "Return the nearest chunks, without near-duplicates, ready to be cited."},
		{PresetHybrid, "Fuse keyword and vector ranks, which forget how near the nearest is; return five."},
		{PresetGraph, "Start from the nearest sections and follow links and structure from there."},
		{PresetTopK, "Return the nearest chunks of one owner by exact cosine, nothing else."},
	}
}

// Presets are the names of the presets, in the order of [PresetInfos].
func Presets() []string {
	infos := PresetInfos()
	names := make([]string, len(infos))
	for i := range infos {
		names[i] = infos[i].Name
	}
	return names
}

// Preset returns the parameters of a preset, false when there is none of this
// name.
//
// What a preset's specification leaves open has the value that changes least;
// the stages that it does not have are off. The graph holds filters against what
// edges find, too: who asks for some pages wants no others. graph_filter_scope
// seeds is what the system does from which the preset stems.
func Preset(name string) (Params, bool) {
	p := plain()
	switch name {
	case PresetBlend:
		p.TopK = 20
		p.TopKChildrenLimit = 100
		p.HNSWEfSearch = 100
		p.KeywordWeight = 0.5
		p.Fusion = FusionConvex
		p.ContextBudget = 40000
		p.GroupBySource = true
		p.SurfacePolicy = SurfaceAuto
	case PresetWebRAG:
		p.Mode = ModeAuto
		p.TopKChildrenLimit = 60
		p.HNSWEfSearch = 100
		p.SimilarityFloor = 0.3
		p.DepthDecayRate = 0.05
		p.DepthFloor = 0.80
		p.ContextBudget = 40000
		p.MissingParent = MissingParentDrop
		p.GroupBySource = true
		p.SurfacePolicy = SurfaceAuto
	case PresetTextbook:
		p.Unit = UnitChunk
		p.TopK = 5
		p.DedupThreshold = 0.95
		p.EmptyQuery = EmptyIsError
	case PresetHybrid:
		p.TopK = 5
		p.Overfetch = 3
		p.KeywordWeight = 0.3
	case PresetGraph:
		p.TopK = 5
		p.MaxHops = 2
		p.SeedTopK = 10
	case PresetTopK:
		p.Unit = UnitChunk
		p.TopK = 5
		p.Search = SearchExact
		p.RequireOwner = true
	default:
		return Params{}, false
	}
	return p, true
}

// plain has every optional stage off and every other parameter at the value that
// the specifications share.
var plain = sync.OnceValue(func() Params {
	var p Params
	specs := table()
	for i := range specs {
		if s := &specs[i]; s.neutral != "" {
			if err := s.Set(&p, s.neutral); err != nil {
				panic(err) // a row of the table contradicts itself
			}
		}
	}
	return p
})

// Unlimited is the budget that nothing exceeds.
const Unlimited = unbounded
