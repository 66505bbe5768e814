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
	return []Spec{
		{
			Field: FieldKeywordWeight, Group: GroupKeywords, Short: "weight", Kind: KindFloat, Unit: "weight", Stage: StageFusion,
			Min: 0, Max: 1, Low: 0, High: 1, Step: 0.05, Scale: Linear, Off: "0", Leads: true, Opens: true, Switch: true,
			Help:    "The weight of the keyword arm, of which the vector arm has the rest; 0 does without keywords.",
			ref:     func(p *Params) any { return &p.KeywordWeight },
			armless: []string{"0", "1"},
			decides: always,
			webrag:  fixed("0", noKeywords), hybrid: &counterpart{line: 1, option: "WithKeywordWeight"},
			graph: &counterpart{line: 9, option: "WithSeedKeywordWeight"},
		},
		{
			Field: FieldFusion, Group: GroupKeywords, Short: "fusion", Kind: KindEnum, Stage: StageFusion,
			Values: words(FusionRRF, FusionConvex), neutral: string(FusionRRF),
			Help: "Fuse the arms' ranks, or their normalised scores.",
			ref:  func(p *Params) any { return (*string)(&p.Fusion) }, usedWhen: searchesWords, decides: decidesFrom(StageFusion, searchesWords),
			webrag: fixed("", noFusion), hybrid: fixed("rrf", "fuses ranks"),
		},
		{
			Field: FieldRRFK, Group: GroupKeywords, Short: "rrf k", Kind: KindInt, Unit: "ranks", Stage: StageFusion,
			Min: 0, Max: 1000, Low: 1, High: 200, Step: 1, Scale: Log, neutral: "60",
			Help: "The constant of reciprocal rank fusion: the larger, the less the first ranks stand out.",
			ref:  func(p *Params) any { return &p.RRFK }, usedWhen: searchesWords, decides: decidesFrom(StageFusion, searchesWords),
			webrag: fixed("", noFusion), hybrid: fixed("60", "has the constant 60"),
		},
		{
			Field: FieldRRFScale, Group: GroupKeywords, Short: "rrf scale", Kind: KindEnum, Stage: StageFusion,
			Values: words(RRFNormalized, RRFRaw), neutral: string(RRFNormalized),
			Help: "Scale fused scores so that first in every arm is 1, or leave them below 1/k.",
			ref:  func(p *Params) any { return (*string)(&p.RRFScale) }, usedWhen: searchesWords, decides: decidesFrom(StageFusion, searchesWords),
			webrag: fixed("", noFusion), hybrid: fixed(string(RRFRaw), "leaves fused scores as the sums of weight / (k + rank + 1), at most 1/61"),
		},
		{
			Field: FieldSingleArm, Group: GroupKeywords, Short: "single arm", Kind: KindEnum, Stage: StageFusion,
			Values: words(SingleArmRenormalize, SingleArmKeep), neutral: string(SingleArmRenormalize),
			Help: "When one arm found nothing, give the other all the weight, or leave it its own.",
			ref:  func(p *Params) any { return (*string)(&p.SingleArm) }, usedWhen: searchesWords, decides: decidesFrom(StageFusion, searchesWords),
			webrag: fixed("", noFusion), hybrid: fixed("", "is not documented on an arm that is alone"),
		},
		{
			Field: FieldUnit, Group: GroupSections, Short: "unit", Kind: KindEnum, Stage: StageParents,
			Values: words(UnitParent, UnitChunk), neutral: string(UnitParent),
			Help: "Return the sections that hold what was found, or the chunks themselves.",
			ref:  func(p *Params) any { return (*string)(&p.Unit) }, decides: always,
			webrag: fixed("parent", "returns sections"), hybrid: fixed("parent", "returns the parents of what was found"),
		},
		{
			Field: FieldMissingParent, Group: GroupSections, Short: "orphans", Kind: KindEnum, Stage: StageParents,
			Values: words(MissingParentDrop, MissingParentKeep), neutral: string(MissingParentKeep),
			Help:   "Where sections are returned, leave out a chunk without one, or return the chunk itself.",
			ref:    func(p *Params) any { return (*string)(&p.MissingParent) },
			webrag: fixed("drop", "returns nothing for a chunk without a section"),
			hybrid: fixed("keep", "returns a chunk without a parent as it is"),
		},
	}
}

// graphSpecs are the parameters of following edges.
func graphSpecs() []Spec {
	return []Spec{
		{
			Field: FieldMaxHops, Group: GroupGraph, Short: "hops", Kind: KindInt, Unit: "hops", Stage: StageGraph,
			Min: 0, Max: MostHops, Low: 0, High: 4, Step: 1, Scale: Linear, Off: "0", Opens: true, Switch: true,
			Help:    "How far edges are followed from the seeds; 0 does without the graph.",
			ref:     func(p *Params) any { return &p.MaxHops },
			armless: []string{"0"},
			decides: always,
			webrag:  fixed("0", noEdges), hybrid: fixed("0", noEdges), graph: &counterpart{line: 1, option: "WithMaxHops"},
		},
		{
			Field: "seed_top_k", Group: GroupGraph, Short: "seeds", Kind: KindInt, Unit: "rows", Stage: StageLimit,
			Min: 0, Max: MostRows, Low: 1, High: 100, Step: 1, Scale: Log, CountsRows: true, neutral: "10", special: special{"0", 1, "limit"},
			Help: "The most rows of each arm that become seeds of the graph; 0 takes the arms' own limit.",
			ref:  func(p *Params) any { return &p.SeedTopK }, usedWhen: followsEdges,
			webrag: fixed("", noEdges), graph: &counterpart{line: 8, write: writeSeeds},
		},
		{
			Field: FieldVectorWeight, Group: GroupGraph, Short: "seed weight", Kind: KindFloat, Unit: "weight", Stage: StageGraph,
			Min: 0, Max: 1, Low: 0, High: 1, Step: 0.05, Scale: Linear, neutral: "0.7",
			Help: "What a seed's own score counts.",
			ref:  func(p *Params) any { return &p.VectorWeight }, usedWhen: followsEdges, decides: decidesFrom(StageMode, followsEdges),
			webrag: fixed("", noEdges), graph: &counterpart{line: 2, option: "WithVectorWeight"},
		},
		{
			Field: FieldGraphWeight, Group: GroupGraph, Short: "edge weight", Kind: KindFloat, Unit: "weight", Stage: StageGraph,
			Min: 0, Max: 1, Low: 0, High: 1, Step: 0.05, Scale: Linear, Off: "0", neutral: "0.3",
			Help: "What an edge counts.",
			ref:  func(p *Params) any { return &p.GraphWeight }, usedWhen: followsEdges, decides: decidesFrom(StageMode, followsEdges),
			webrag: fixed("", noEdges), graph: &counterpart{line: 3, option: "WithGraphWeight"},
		},
		{
			Field: FieldHopDecay, Group: GroupGraph, Short: "hop decay", Kind: KindList, Stage: StageGraph, Min: 0, Max: 1, neutral: "1,0.7,0.5",
			Help: "The weight of each hop, beginning with the seeds; the list's end is the end of the walk.",
			ref:  func(p *Params) any { return &p.HopDecay }, usedWhen: followsEdges, decides: decidesFrom(StageMode, followsEdges),
			webrag: fixed("", noEdges), graph: &counterpart{line: 4, write: writeHopDecay},
		},
		{
			Field: FieldBidirectional, Group: GroupGraph, Short: "both ways", Kind: KindBool, Stage: StageGraph, Off: "false",
			Help: "Follow edges from target to source, too.",
			ref:  func(p *Params) any { return &p.Bidirectional }, usedWhen: followsEdges, decides: decidesFrom(StageMode, followsEdges),
			webrag: fixed("", noEdges), graph: &counterpart{line: 5, option: "WithBidirectional"},
		},
		{
			Field: FieldRelations, Group: GroupGraph, Short: "relations", Kind: KindSet, Stage: StageGraph, Values: relationWords(),
			Help: "The relations that are followed.",
			ref:  func(p *Params) any { return &p.Relations }, usedWhen: followsEdges, decides: decidesFrom(StageMode, followsEdges),
			webrag: fixed("", noEdges), graph: &counterpart{line: 6, write: writeRelations},
		},
		{
			Field: FieldMinTraversalScore, Group: GroupGraph, Short: "least edge", Kind: KindFloat, Unit: "weight", Stage: StageGraph,
			Min: 0, Max: 1, Low: 0, High: 1, Step: 0.05, Scale: Linear, Off: "0",
			Help: "The least weight of an edge that is followed.",
			ref:  func(p *Params) any { return &p.MinTraversalScore }, usedWhen: followsEdges, decides: decidesFrom(StageMode, followsEdges),
			webrag: fixed("", noEdges), graph: &counterpart{line: 7, option: "WithMinTraversalScore"},
		},
		{
			Field: FieldMaxFrontier, Group: GroupGraph, Short: "frontier", Kind: KindInt, Unit: "nodes", Stage: StageGraph,
			Min: 0, Max: MostRows, Low: 1, High: 200, Step: 1, Scale: Log, Off: "0", CountsRows: true, special: special{"0", 1, "no cap"},
			Help: "The most nodes whose edges are followed at each hop, the best first; 0 is no bound.",
			ref:  func(p *Params) any { return &p.MaxFrontier }, usedWhen: followsEdges, decides: decidesFrom(StageMode, followsEdges), means: beyondRows,
			webrag: fixed("", noEdges), hybrid: fixed("0", "expands every node"),
		},
		{
			Field: FieldGraphScoring, Group: GroupGraph, Short: "scoring", Kind: KindEnum, Stage: StageGraph,
			Values: words(ScoringDocumented, ScoringOasis), neutral: string(ScoringDocumented),
			Help: "Add the best edge to a seed's score, or score a node as a seed or by the first edge that reaches it.",
			ref:  func(p *Params) any { return (*string)(&p.GraphScoring) }, usedWhen: followsEdges, decides: decidesFrom(StageMode, followsEdges),
			webrag: fixed("", noEdges), hybrid: fixed(string(ScoringDocumented), "adds what similarity and what the edge brings"),
		},
		{
			Field: FieldGraphFilterScope, Group: GroupGraph, Short: "filters", Kind: KindEnum, Stage: StageGraph,
			Values: words(FilterSeeds, FilterAll), neutral: string(FilterAll),
			Help: "Hold the query's filters against the seeds only, or against what edges find as well.",
			ref:  func(p *Params) any { return (*string)(&p.GraphFilterScope) }, usedWhen: followsEdges, decides: decidesFrom(StageMode, followsEdges),
			webrag: fixed("", noEdges), hybrid: fixed("seeds", "holds filters against the seeds only"),
		},
		{
			Field: FieldGraphTopK, Group: GroupGraph, Short: "kept places", Kind: KindInt, Unit: "results", Stage: StageTopK,
			Min: 0, Max: MostRows, Low: 1, High: 50, Step: 1, Scale: Linear, Off: "0", CountsRows: true, special: special{"0", -1, ""},
			Help: "How many places among top_k are kept for what edges found; 0 keeps none.",
			ref:  func(p *Params) any { return &p.GraphTopK }, usedWhen: followsEdges,
			webrag: fixed("0", noEdges), hybrid: fixed("0", "has one pool of results"),
		},
	}
}
