package param

import (
	"strconv"

	"github.com/webrag/webrag-tui/store"
)

// words makes the words of an enum of its values.
func words[W ~string](values ...W) []string {
	list := make([]string, len(values))
	for i, v := range values {
		list[i] = string(v)
	}
	return list
}

func relationWords() []string { return words(store.Relations()...) }

// gatherSpecs are the parameters of what is read, up to the limits of the arms.
func gatherSpecs() []Spec {
	return []Spec{
		{
			Field: "mode", Flag: "mode", Kind: KindEnum, Stage: StageMode,
			Values: words(ModeAuto, ModeFullContext, ModeChunk),
			Help:   "Return the whole corpus, search for chunks, or let the corpus's size decide.",
			ref:    func(p *Params) any { return (*string)(&p.Mode) },
		},
		{
			Field: "full_context_threshold", Kind: KindInt, Unit: "tokens", Stage: StageMode,
			Min: 0, Max: unbounded, Low: 250, High: 200000, Step: 250, Scale: Log, Off: "0",
			Help: "Up to this many tokens the whole corpus is returned; at most the budget.",
			ref:  func(p *Params) any { return &p.FullContextThreshold },
		},
		{
			Field: "empty_query", Kind: KindEnum, Stage: StageMode,
			Values: words(EmptyIsEmpty, EmptyIsError),
			Help:   "Answer a blank query with an empty result, or refuse it.",
			ref:    func(p *Params) any { return (*string)(&p.EmptyQuery) },
		},
		{
			Field: "require_owner", Kind: KindBool, Stage: StageMode, Off: "false",
			Help: "Refuse to search a corpus that has owners when none is given.",
			ref:  func(p *Params) any { return &p.RequireOwner },
		},
		{
			Field: "search", Kind: KindEnum, Stage: StageVector,
			Values: words(SearchANN, SearchExact),
			Help:   "Use the store's index, or compare every vector; a corpus file always does the latter.",
			ref:    func(p *Params) any { return (*string)(&p.Search) },
		},
		{
			Field: "search_policy", Kind: KindEnum, Stage: StageVector,
			Values: words(PolicyAuto, PolicySystem, PolicySafe),
			Help:   "Ask an index exactly as the system under study does, or so that nothing is missed; auto is safe on corpora made here and system on others.",
			ref:    func(p *Params) any { return (*string)(&p.SearchPolicy) },
		},
		{
			Field: "iterative_scan", Kind: KindEnum, Stage: StageVector,
			Values: words(ScanOff, ScanStrict, ScanRelaxed),
			Help:   "Let an HNSW index go on when a filter leaves too few rows; an exact search ignores it.",
			ref:    func(p *Params) any { return (*string)(&p.IterativeScan) },
		},
		{
			Field: "hnsw_ef_search", Kind: KindInt, Unit: "rows", Stage: StageVector,
			Min: 0, Max: 1000, Low: 10, High: 1000, Step: 10, Scale: Log,
			Help: "How many neighbours an HNSW index keeps while it searches, 0 for the index's own; an exact search ignores it.",
			ref:  func(p *Params) any { return &p.HNSWEfSearch },
		},
		{
			Field: "keyword_match", Kind: KindEnum, Stage: StageKeyword,
			Values: words(MatchAuto, MatchAnd, MatchOr, MatchWebsearch),
			Help:   "Want any of the query's words up to a bound of rows, all, any, or read quotes and minus signs as web search does.",
			ref:    func(p *Params) any { return (*string)(&p.KeywordMatch) },
		},
		{
			Field: "keyword_unindexed", Kind: KindBool, Stage: StageKeyword, Off: "false",
			Help: "Where a database has no index of words, count them text by text, up to a bound.",
			ref:  func(p *Params) any { return &p.KeywordUnindexed },
		},
		{
			Field: "title_weight", Kind: KindFloat, Unit: "weight", Stage: StageKeyword,
			Min: 0, Max: 10, Low: 0, High: 5, Step: 0.25, Scale: Linear, Off: "0",
			Help: "What a word in the title of a page counts, where one in the text counts 1; 0 does not search titles.",
			ref:  func(p *Params) any { return &p.TitleWeight },
		},
		{
			Field: "heading_weight", Kind: KindFloat, Unit: "weight", Stage: StageKeyword,
			Min: 0, Max: 10, Low: 0, High: 5, Step: 0.25, Scale: Linear, Off: "0",
			Help: "What a word in the headings above a chunk counts, where one in the text counts 1; 0 does not search headings.",
			ref:  func(p *Params) any { return &p.HeadingWeight },
		},
		{
			Field: "feedback_terms", Kind: KindInt, Unit: "words", Stage: StageKeyword,
			Min: 0, Max: 100, Low: 0, High: 50, Step: 1, Scale: Linear, Off: "0",
			Help: "How many words of the best chunks are added to the query's own (pseudo-relevance feedback, RM3); 0 adds none.",
			ref:  func(p *Params) any { return &p.FeedbackTerms },
		},
		{
			Field: "feedback_chunks", Kind: KindInt, Unit: "chunks", Stage: StageKeyword,
			Min: 1, Max: 100, Low: 1, High: 50, Step: 1, Scale: Linear,
			Help: "How many of the best chunks of the keyword arm the added words are taken from.",
			ref:  func(p *Params) any { return &p.FeedbackChunks },
		},
		{
			Field: "feedback_weight", Kind: KindFloat, Unit: "weight", Stage: StageKeyword,
			Min: 0, Max: 1, Low: 0, High: 1, Step: 0.05, Scale: Linear, Off: "0",
			Help: "The share of the added words in the weight of all words; the query's own have the rest.",
			ref:  func(p *Params) any { return &p.FeedbackWeight },
		},
		{
			Field: "similarity_floor", Kind: KindFloat, Unit: "cosine", Stage: StageFloor,
			Min: -1, Max: 1, Low: 0, High: 1, Step: 0.01, Scale: Linear, Off: "-1",
			Help: "A child must be more similar than this to be considered by the vector arm.",
			ref:  func(p *Params) any { return &p.SimilarityFloor },
		},
		{
			Field: "floor_scale", Kind: KindEnum, Stage: StageFloor,
			Values: words(FloorAuto, FloorRaw, FloorCalibrated),
			Help:   "Read the floor as a cosine, or on the corpus's own scale, where .3 is what 99.5 % of unrelated chunks stay below, or what 95 % of questions reach with their answer if that is less; auto calibrates lexical embedders.",
			ref:    func(p *Params) any { return (*string)(&p.FloorScale) },
		},
		{
			Field: "top_k_children_limit", Kind: KindInt, Unit: "children", Stage: StageLimit,
			Min: 0, Max: MostRows, Low: 1, High: MostRows, Step: 1, Scale: Log,
			Help: "The most children taken from each arm; 0 takes top_k times overfetch.",
			ref:  func(p *Params) any { return &p.TopKChildrenLimit },
		},
		{
			Field: "overfetch", Kind: KindInt, Unit: "times", Stage: StageLimit,
			Min: 1, Max: 100, Low: 1, High: 20, Step: 1, Scale: Linear, Off: "1",
			Help: "How many times top_k each arm returns where top_k_children_limit is 0.",
			ref:  func(p *Params) any { return &p.Overfetch },
		},
	}
}

// fusionSpecs are the parameters of fusing the arms.
func fusionSpecs() []Spec {
	return []Spec{
		{
			Field: "keyword_weight", Kind: KindFloat, Unit: "weight", Stage: StageFusion,
			Min: 0, Max: 1, Low: 0, High: 1, Step: 0.05, Scale: Linear, Off: "0",
			Help: "The weight of the keyword arm, of which the vector arm has the rest; 0 does without keywords.",
			ref:  func(p *Params) any { return &p.KeywordWeight },
		},
		{
			Field: "fusion", Kind: KindEnum, Stage: StageFusion,
			Values: words(FusionRRF, FusionConvex),
			Help:   "Fuse the arms' ranks, or their normalised scores.",
			ref:    func(p *Params) any { return (*string)(&p.Fusion) },
		},
		{
			Field: "rrf_k", Kind: KindInt, Unit: "ranks", Stage: StageFusion,
			Min: 0, Max: 1000, Low: 1, High: 200, Step: 1, Scale: Log,
			Help: "The constant of reciprocal rank fusion: the larger, the less the first ranks stand out.",
			ref:  func(p *Params) any { return &p.RRFK },
		},
		{
			Field: "rrf_scale", Kind: KindEnum, Stage: StageFusion,
			Values: words(RRFNormalized, RRFRaw),
			Help:   "Scale fused scores so that first in every arm is 1, or leave them below 1/k.",
			ref:    func(p *Params) any { return (*string)(&p.RRFScale) },
		},
		{
			Field: "single_arm", Kind: KindEnum, Stage: StageFusion,
			Values: words(SingleArmRenormalize, SingleArmKeep),
			Help:   "When one arm found nothing, give the other all the weight, or leave it its own.",
			ref:    func(p *Params) any { return (*string)(&p.SingleArm) },
		},
		{
			Field: "unit", Kind: KindEnum, Stage: StageParents,
			Values: words(UnitParent, UnitChunk),
			Help:   "Return the sections that hold what was found, or the chunks themselves.",
			ref:    func(p *Params) any { return (*string)(&p.Unit) },
		},
		{
			Field: "missing_parent", Kind: KindEnum, Stage: StageParents,
			Values: words(MissingParentDrop, MissingParentKeep),
			Help:   "Where sections are returned, leave out a chunk without one, or return the chunk itself.",
			ref:    func(p *Params) any { return (*string)(&p.MissingParent) },
		},
	}
}

// graphSpecs are the parameters of following edges.
func graphSpecs() []Spec {
	return []Spec{
		{
			Field: "max_hops", Kind: KindInt, Unit: "hops", Stage: StageGraph,
			Min: 0, Max: MostHops, Low: 0, High: 4, Step: 1, Scale: Linear, Off: "0",
			Help: "How far edges are followed from the seeds; 0 does without the graph.",
			ref:  func(p *Params) any { return &p.MaxHops },
		},
		{
			Field: "seed_top_k", Kind: KindInt, Unit: "rows", Stage: StageLimit,
			Min: 0, Max: MostRows, Low: 1, High: 100, Step: 1, Scale: Log,
			Help: "The most rows of each arm that become seeds of the graph; 0 takes the arms' own limit.",
			ref:  func(p *Params) any { return &p.SeedTopK },
		},
		{
			Field: "vector_weight", Kind: KindFloat, Unit: "weight", Stage: StageGraph,
			Min: 0, Max: 1, Low: 0, High: 1, Step: 0.05, Scale: Linear,
			Help: "What a seed's own score counts.",
			ref:  func(p *Params) any { return &p.VectorWeight },
		},
		{
			Field: "graph_weight", Kind: KindFloat, Unit: "weight", Stage: StageGraph,
			Min: 0, Max: 1, Low: 0, High: 1, Step: 0.05, Scale: Linear, Off: "0",
			Help: "What an edge counts.",
			ref:  func(p *Params) any { return &p.GraphWeight },
		},
		{
			Field: "hop_decay", Kind: KindList, Stage: StageGraph, Min: 0, Max: 1,
			Help: "The weight of each hop, beginning with the seeds; the list's end is the end of the walk.",
			ref:  func(p *Params) any { return &p.HopDecay },
		},
		{
			Field: "bidirectional", Kind: KindBool, Stage: StageGraph, Off: "false",
			Help: "Follow edges from target to source, too.",
			ref:  func(p *Params) any { return &p.Bidirectional },
		},
		{
			Field: "relations", Kind: KindSet, Stage: StageGraph, Values: relationWords(),
			Help: "The relations that are followed.",
			ref:  func(p *Params) any { return &p.Relations },
		},
		{
			Field: "min_traversal_score", Kind: KindFloat, Unit: "weight", Stage: StageGraph,
			Min: 0, Max: 1, Low: 0, High: 1, Step: 0.05, Scale: Linear, Off: "0",
			Help: "The least weight of an edge that is followed.",
			ref:  func(p *Params) any { return &p.MinTraversalScore },
		},
		{
			Field: "max_frontier", Kind: KindInt, Unit: "nodes", Stage: StageGraph,
			Min: 0, Max: MostRows, Low: 1, High: 200, Step: 1, Scale: Log, Off: "0",
			Help: "The most nodes whose edges are followed at each hop, the best first; 0 is no bound.",
			ref:  func(p *Params) any { return &p.MaxFrontier },
		},
		{
			Field: "graph_scoring", Kind: KindEnum, Stage: StageGraph,
			Values: words(ScoringDocumented, ScoringOasis),
			Help:   "Add the best edge to a seed's score, or score a node as a seed or by the first edge that reaches it.",
			ref:    func(p *Params) any { return (*string)(&p.GraphScoring) },
		},
		{
			Field: "graph_filter_scope", Kind: KindEnum, Stage: StageGraph,
			Values: words(FilterSeeds, FilterAll),
			Help:   "Hold the query's filters against the seeds only, or against what edges find as well.",
			ref:    func(p *Params) any { return (*string)(&p.GraphFilterScope) },
		},
		{
			Field: "graph_top_k", Kind: KindInt, Unit: "results", Stage: StageTopK,
			Min: 0, Max: MostRows, Low: 1, High: 50, Step: 1, Scale: Linear, Off: "0",
			Help: "How many places among top_k are kept for what edges found; 0 keeps none.",
			ref:  func(p *Params) any { return &p.GraphTopK },
		},
	}
}

// scoreSpecs are the parameters that change the score of a candidate.
func scoreSpecs() []Spec {
	return []Spec{
		{
			Field: "depth_decay_rate", Kind: KindFloat, Unit: "per link", Stage: StageDepth,
			Min: 0, Max: 1, Low: 0, High: 1, Step: 0.01, Scale: Linear, Off: "0",
			Help: "What each link of distance from the seed page takes off a score.",
			ref:  func(p *Params) any { return &p.DepthDecayRate },
		},
		{
			Field: "depth_floor", Kind: KindFloat, Unit: "multiplier", Stage: StageDepth,
			Min: 0, Max: 1, Low: 0, High: 1, Step: 0.01, Scale: Linear, Off: "1",
			Help: "The smallest depth multiplier, however deep a page is.",
			ref:  func(p *Params) any { return &p.DepthFloor },
		},
		{
			Field: "recency_half_life", Kind: KindFloat, Unit: "days", Stage: StageRecency,
			Min: 0, Max: 36500, Low: 1, High: 3650, Step: 1, Scale: Log, Off: "0",
			Help: "The age at which a page's score is halved; 0 takes no account of age.",
			ref:  func(p *Params) any { return &p.RecencyHalfLife },
		},
	}
}

// choiceSpecs are the parameters of choosing among the candidates.
func choiceSpecs() []Spec {
	return []Spec{
		{
			Field: "dedup_threshold", Kind: KindFloat, Unit: "Jaccard", Stage: StageDedup,
			Min: 0, Max: 1, Low: 0.5, High: 1, Step: 0.01, Scale: Linear, Off: "0",
			Help: "Drop a candidate whose words are more alike than this to those of a better one; 0 keeps all.",
			ref:  func(p *Params) any { return &p.DedupThreshold },
		},
		{
			Field: "reranker", Kind: KindEnum, Stage: StageRerank, Off: string(RerankerNone),
			Values: words(RerankerNone, RerankerScore, RerankerLLM, RerankerHTTP),
			Help:   "Give candidates new scores: not at all, by dropping low ones, by a language model, or by a /rerank server.",
			ref:    func(p *Params) any { return (*string)(&p.Reranker) },
		},
		{
			Field: "rerank_min_score", Kind: KindFloat, Unit: "score", Stage: StageRerank,
			Min: 0, Max: 1, Low: 0, High: 1, Step: 0.01, Scale: Linear, Off: "0",
			Help: "The least score that the score reranker keeps.",
			ref:  func(p *Params) any { return &p.RerankMinScore },
		},
		{
			Field: "unscored", Kind: KindEnum, Stage: StageRerank,
			Values: words(UnscoredDemote, UnscoredKeep),
			Help:   "Put candidates to which a reranker gave no score below all others, or leave them their old score.",
			ref:    func(p *Params) any { return (*string)(&p.Unscored) },
		},
		{
			Field: "min_score", Kind: KindFloat, Unit: "score", Stage: StageMinScore,
			Min: 0, Max: 1, Low: 0, High: 1, Step: 0.01, Scale: Linear, Off: "0",
			Help: "The least score of a result, after reranking.",
			ref:  func(p *Params) any { return &p.MinScore },
		},
		{
			Field: "top_k", Kind: KindInt, Unit: "results", Stage: StageTopK,
			Min: 0, Max: MostRows, Low: 1, High: 100, Step: 1, Scale: Log, Off: "0",
			Help: "The most results; 0 is no cap.",
			ref:  func(p *Params) any { return &p.TopK },
		},
		{
			Field: "merge_adjacent", Kind: KindBool, Stage: StageMerge, Off: "false",
			Help: "Join chunks that follow one another in a section.",
			ref:  func(p *Params) any { return &p.MergeAdjacent },
		},
	}
}

// outputSpecs are the parameters of what is handed on, and of the gathering.
func outputSpecs() []Spec {
	return []Spec{
		{
			Field: "context_budget", Flag: "budget", Kind: KindInt, Unit: "tokens", Stage: StageBudget,
			Min: 1, Max: unbounded, Low: 250, High: 200000, Step: 250, Scale: Log, Off: strconv.Itoa(Unlimited),
			Help: "The most tokens returned; the first section is returned even when it is larger.",
			ref:  func(p *Params) any { return &p.ContextBudget },
		},
		{
			Field: "budget_policy", Kind: KindEnum, Stage: StageBudget,
			Values: words(BudgetStop, BudgetSkip),
			Help:   "End at the first section over the budget, or skip it and try smaller ones.",
			ref:    func(p *Params) any { return (*string)(&p.BudgetPolicy) },
		},
		{
			Field: "budget_count", Kind: KindEnum, Stage: StageBudget,
			Values: words(CountMarkdown, CountSurface),
			Help:   "Count the tokens of the markdown, or of the surface that is really sent.",
			ref:    func(p *Params) any { return (*string)(&p.BudgetCount) },
		},
		{
			Field: "full_context_overflow", Kind: KindEnum, Stage: StageOverflow,
			Values: words(OverflowDropDocuments, OverflowSkip),
			Help:   "When the whole corpus exceeds the budget, drop the deepest pages, or skip the sections that do not fit.",
			ref:    func(p *Params) any { return (*string)(&p.FullContextOverflow) },
		},
		{
			Field: "group_by_source", Kind: KindBool, Stage: StageGrouping, Off: "false",
			Help: "List the sections page by page in reading order, the best page first.",
			ref:  func(p *Params) any { return &p.GroupBySource },
		},
		{
			Field: "surface_policy", Kind: KindEnum, Stage: StageSurface, Off: string(SurfaceMarkdownOnly),
			Values: words(SurfaceAuto, SurfaceMarkdownOnly),
			Help:   "Hand on the HTML of sections whose markdown loses structure, or always markdown.",
			ref:    func(p *Params) any { return (*string)(&p.SurfacePolicy) },
		},
		{
			Field: "reach", Kind: KindEnum, Stage: StageVector,
			Values: words(ReachWide, ReachPreset),
			Help:   "Gather more rows than asked for, so that parameters can be moved without asking again, or just those.",
			ref:    func(p *Params) any { return (*string)(&p.Reach) },
		},
	}
}
