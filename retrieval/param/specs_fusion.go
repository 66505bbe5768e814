package param

// The names of those parameters of fusing the arms and of following edges that code
// has a reason to name.
const (
	FieldKeywordWeight     = "keyword_weight"
	FieldFusion            = "fusion"
	FieldRRFK              = "rrf_k"
	FieldRRFScale          = "rrf_scale"
	FieldSingleArm         = "single_arm"
	FieldUnit              = "unit"
	FieldMissingParent     = "missing_parent"
	FieldMaxHops           = "max_hops"
	FieldVectorWeight      = "vector_weight"
	FieldGraphWeight       = "graph_weight"
	FieldHopDecay          = "hop_decay"
	FieldBidirectional     = "bidirectional"
	FieldRelations         = "relations"
	FieldMinTraversalScore = "min_traversal_score"
	FieldMaxFrontier       = "max_frontier"
	FieldGraphScoring      = "graph_scoring"
	FieldGraphFilterScope  = "graph_filter_scope"
	FieldGraphTopK         = "graph_top_k"
)

// fusionSpecs are the parameters of fusing the arms.
func fusionSpecs() []Spec {
	return sharing(Spec{
		Group: GroupKeywords, Stage: StageFusion, usedWhen: searchesWords, decides: decidesFrom(StageFusion, searchesWords), webrag: fixed("", noFusion),
	}, []Spec{
		{
			Field: FieldKeywordWeight, Name: "keyword weight", Unit: "weight", Max: 1, Step: 0.05, Off: "0", Leads: true, Opens: true, Switch: true, leaves: StageKeyword,
			Help: "The weight of the keyword search, of which the vector search has the rest; 0 does without keywords.",
			ref:  func(p *Params) any { return &p.KeywordWeight }, armless: []string{"0", "1"}, decides: always,
			webrag: fixed("0", noKeywords), hybrid: &counterpart{line: 1, option: "WithKeywordWeight"}, graph: &counterpart{line: 9, option: "WithSeedKeywordWeight"},
		},
		{
			Field: FieldFusion, Name: "fusion", neutral: string(FusionRRF), Values: words(FusionRRF, FusionConvex), says: []string{"ranks (RRF)", "scores"},
			Help: "Fuse the ranks of both searches, or their normalised scores.",
			ref:  func(p *Params) any { return (*string)(&p.Fusion) }, hybrid: fixed("rrf", "fuses ranks"),
		},
		{
			Field: FieldRRFK, Name: "RRF k", Unit: "ranks", Max: 1000, Low: 1, High: 200, Step: 1, Scale: Log, neutral: "60",
			Help: "The constant of reciprocal rank fusion: the larger, the less the first ranks stand out.",
			ref:  func(p *Params) any { return &p.RRFK }, usedWhen: fusesRanks, hybrid: fixed("60", "has the constant 60"),
		},
		{
			Field: FieldRRFScale, Name: "RRF scale", neutral: string(RRFNormalized), Values: words(RRFNormalized, RRFRaw),
			Help: "Scale fused scores so that first in every search is 1, or leave them below 1/k.",
			ref:  func(p *Params) any { return (*string)(&p.RRFScale) }, usedWhen: fusesRanks, hybrid: fixed(string(RRFRaw), "leaves fused scores as the sums of weight / (k + rank + 1), at most 1/61"),
		},
		{
			Field: FieldSingleArm, Name: "lone search", neutral: string(SingleArmRenormalize), Values: words(SingleArmRenormalize, SingleArmKeep), says: []string{"all weight", "own weight"},
			Help: "When one search found nothing, give the other all the weight, or leave it its own.",
			ref:  func(p *Params) any { return (*string)(&p.SingleArm) }, hybrid: fixed("", "is not documented on a search that is alone"),
		},
	})
}

// unitSpecs are the parameters of what is returned of what was found.
func unitSpecs() []Spec {
	return []Spec{
		{
			Field: FieldUnit, Group: GroupSections, Name: "return", Stage: StageParents, neutral: string(UnitParent), Values: words(UnitParent, UnitChunk), says: []string{"sections", "passages"},
			Help: "Return the sections that hold what was found, or the passages themselves.",
			ref:  func(p *Params) any { return (*string)(&p.Unit) }, decides: always,
			webrag: fixed("parent", "returns sections"), hybrid: fixed("parent", "returns the parents of what was found"),
		},
		{
			Field: FieldMissingParent, Group: GroupSections, Name: "chunks without a section", Stage: StageParents, neutral: string(MissingParentKeep),
			Values: words(MissingParentDrop, MissingParentKeep),
			Help:   "Where sections are returned, leave out a chunk without one, or return the chunk itself.",
			ref:    func(p *Params) any { return (*string)(&p.MissingParent) },
			webrag: fixed("drop", "returns nothing for a chunk without a section"), hybrid: fixed("keep", "returns a chunk without a parent as it is"),
		},
	}
}

// graphSpecs are the parameters of following edges.
func graphSpecs() []Spec {
	return sharing(Spec{
		Group: GroupGraph, Stage: StageGraph, usedWhen: followsEdges, decides: decidesFrom(StageMode, followsEdges), webrag: fixed("", noEdges),
	}, []Spec{
		{
			Field: FieldMaxHops, Name: "hops", Unit: "hops", Max: MostHops, High: 4, Step: 1, Off: "0", Opens: true, Switch: true,
			Help: "How far edges are followed from the seeds; 0 does without the graph.",
			ref:  func(p *Params) any { return &p.MaxHops }, armless: []string{"0"}, decides: always,
			webrag: fixed("0", noEdges), hybrid: fixed("0", noEdges), graph: &counterpart{line: 1, option: "WithMaxHops"},
		},
		{
			Field: "seed_top_k", Name: "seeds", Unit: "rows", Stage: StageLimit, Max: MostRows, Low: 1, High: 100, Step: 1, Scale: Log, CountsRows: true, neutral: "10",
			special: special{"0", 1, "by limit"},
			Help:    "The most rows of each search that become seeds of the graph; 0 takes the limit of the searches.",
			ref:     func(p *Params) any { return &p.SeedTopK }, decides: from(StageLimit), graph: &counterpart{line: 8, write: writeSeeds},
		},
		{
			Field: FieldVectorWeight, Name: "seed weight", Unit: "weight", Max: 1, Step: 0.05, neutral: "0.7",
			Help: "What a seed's own score counts.",
			ref:  func(p *Params) any { return &p.VectorWeight }, graph: &counterpart{line: 2, option: "WithVectorWeight"},
		},
		{
			Field: FieldGraphWeight, Name: "edge weight", Unit: "weight", Max: 1, Step: 0.05, Off: "0", neutral: "0.3",
			Help: "What an edge counts.",
			ref:  func(p *Params) any { return &p.GraphWeight }, graph: &counterpart{line: 3, option: "WithGraphWeight"},
		},
		{
			Field: FieldHopDecay, Name: "hop decay", Max: 1, neutral: "1,0.7,0.5",
			Help: "The weight of each hop, beginning with the seeds; the list's end is the end of the walk.",
			ref:  func(p *Params) any { return &p.HopDecay }, graph: &counterpart{line: 4, write: writeHopDecay},
		},
		{
			Field: FieldBidirectional, Name: "both directions", Off: "false",
			Help: "Follow edges from target to source, too.",
			ref:  func(p *Params) any { return &p.Bidirectional }, graph: &counterpart{line: 5, option: "WithBidirectional"},
		},
		{
			Field: FieldRelations, Name: "relations", Values: relationWords(),
			Help: "The relations that are followed.",
			ref:  func(p *Params) any { return &p.Relations }, graph: &counterpart{line: 6, write: writeRelations},
		},
		{
			Field: FieldMinTraversalScore, Name: "edge min weight", Unit: "weight", Max: 1, Step: 0.05, Off: "0",
			Help: "The least weight of an edge that is followed.",
			ref:  func(p *Params) any { return &p.MinTraversalScore }, graph: &counterpart{line: 7, option: "WithMinTraversalScore"},
		},
		{
			Field: FieldMaxFrontier, Name: "frontier", Unit: "nodes", Max: MostRows, Low: 1, High: 200, Step: 1, Scale: Log, Off: "0", CountsRows: true,
			special: special{"0", 1, "no limit"},
			Help:    "The most nodes whose edges are followed at each hop, the best first; 0 is no bound.",
			ref:     func(p *Params) any { return &p.MaxFrontier }, means: beyondRows, hybrid: fixed("0", "expands every node"),
		},
		{
			Field: FieldGraphScoring, Name: "graph scoring", neutral: string(ScoringDocumented), Values: words(ScoringDocumented, ScoringOasis),
			Help: "Add the best edge to a seed's score, or score a node as a seed or by the first edge that reaches it.",
			ref:  func(p *Params) any { return (*string)(&p.GraphScoring) }, hybrid: fixed(string(ScoringDocumented), "adds what similarity and what the edge brings"),
		},
		{
			Field: FieldGraphFilterScope, Name: "graph filters", neutral: string(FilterAll), Values: words(FilterSeeds, FilterAll), says: []string{"seeds only", "all"},
			Help: "Hold the query's filters against the seeds only, or against what edges find as well.",
			ref:  func(p *Params) any { return (*string)(&p.GraphFilterScope) }, hybrid: fixed("seeds", "holds filters against the seeds only"),
		},
		{
			Field: FieldGraphTopK, Name: "kept for edges", Unit: "results", Stage: StageTopK, Max: MostRows, Low: 1, High: 50, Step: 1, Off: "0", CountsRows: true,
			special: special{"0", -1, "none"},
			Help:    "How many of the top_k results are kept for what edges found; 0 keeps none.",
			ref:     func(p *Params) any { return &p.GraphTopK }, decides: from(StageTopK), webrag: fixed("0", noEdges), hybrid: fixed("0", "has one list of results"),
		},
	})
}
