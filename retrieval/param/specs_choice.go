package param

import "strconv"

// The names of those parameters of scores, of the choice and of what is handed on
// that code has a reason to name.
const (
	FieldDepthDecayRate      = "depth_decay_rate"
	FieldDepthFloor          = "depth_floor"
	FieldRecencyHalfLife     = "recency_half_life"
	FieldDedupThreshold      = "dedup_threshold"
	FieldReranker            = "reranker"
	FieldRerankMinScore      = "rerank_min_score"
	FieldUnscored            = "unscored"
	FieldMinScore            = "min_score"
	FieldTopK                = "top_k"
	FieldContextBudget       = "context_budget"
	FieldBudgetPolicy        = "budget_policy"
	FieldBudgetCount         = "budget_count"
	FieldFullContextOverflow = "full_context_overflow"
	FieldGroupBySource       = "group_by_source"
	FieldSurfacePolicy       = "surface_policy"
	FieldReach               = "reach"
)

// scoreSpecs are the parameters that change the score of a candidate.
func scoreSpecs() []Spec {
	return []Spec{
		{
			Field: FieldDepthDecayRate, Group: GroupDepth, Name: "depth decay", Unit: "per link", Stage: StageDepth, Max: 1, Step: 0.01, Off: "0", Switch: true,
			Help: "What each link of distance from the seed page takes off a score.",
			ref:  func(p *Params) any { return &p.DepthDecayRate }, webrag: &counterpart{line: 5}, hybrid: fixed("0", "takes no account of depth"),
		},
		{
			Field: FieldDepthFloor, Group: GroupDepth, Name: "depth floor", Unit: "multiplier", Stage: StageDepth, Max: 1, Step: 0.01, Off: "1", neutral: "0.8",
			Help: "The smallest depth multiplier, however deep a page is.",
			ref:  func(p *Params) any { return &p.DepthFloor }, usedWhen: func(p *Params) bool { return p.DepthDecayRate != 0 },
			webrag: &counterpart{line: 6}, hybrid: fixed("", "takes no account of depth"),
		},
		{
			Field: FieldRecencyHalfLife, Group: GroupAge, Name: "half-life", Unit: "days", Stage: StageRecency, Max: 36500, Low: 1, High: 3650, Step: 1, Scale: Log, Off: "0",
			Switch: true, special: special{"0", 1, "off"},
			Help: "The age at which a page's score is halved; 0 takes no account of age.",
			ref:  func(p *Params) any { return &p.RecencyHalfLife }, webrag: fixed("0", "takes no account of age"), hybrid: fixed("0", "takes no account of age"),
		},
	}
}

// choiceSpecs are the parameters of choosing among the candidates.
func choiceSpecs() []Spec {
	return []Spec{
		{
			Field: FieldDedupThreshold, Group: GroupChoice, Name: "duplicates", Unit: "Jaccard", Stage: StageDedup, Max: 1, Low: 0.5, High: 1, Step: 0.01, Off: "0", Switch: true,
			special: special{"0", 1, "off"},
			Help:    "Drop a candidate whose words are more alike than this to those of a better one; 0 keeps all.",
			ref:     func(p *Params) any { return &p.DedupThreshold }, webrag: fixed("0", "keeps near-duplicates"), hybrid: fixed("0", "keeps near-duplicates"),
		},
		{
			Field: FieldReranker, Group: GroupChoice, Name: "reranker", Stage: StageRerank, Off: string(RerankerNone), Switch: true, neutral: string(RerankerNone),
			Values: words(RerankerNone, RerankerScore, RerankerLLM, RerankerHTTP), says: []string{"none", "score", "language model", "/rerank server"},
			Help: "Give candidates new scores: not at all, by dropping low ones, by a language model, or by a /rerank server.",
			ref:  func(p *Params) any { return (*string)(&p.Reranker) }, waits: words(RerankerLLM, RerankerHTTP),
			webrag: fixed("none", "does not rerank"), hybrid: &counterpart{line: 4, write: writeReranker},
			graph: fixed(string(RerankerNone), "has no option for a reranker; call one on its results"),
		},
		{
			Field: FieldRerankMinScore, Group: GroupChoice, Name: "rerank min score", Unit: "score", Stage: StageRerank, Max: 1, Step: 0.01, Off: "0",
			Help: "The least score that the score reranker keeps.",
			ref:  func(p *Params) any { return &p.RerankMinScore }, usedWhen: reranksByScore, decides: decidesFrom(StageRerank, reranks),
			webrag: fixed("", "does not rerank"), hybrid: &counterpart{line: 5, takes: reranksByScore, write: writeRerankMinScore},
			graph: fixed("", "has no option for a reranker"),
		},
		{
			Field: FieldUnscored, Group: GroupChoice, Name: "if unscored", Stage: StageRerank, neutral: string(UnscoredDemote), Values: words(UnscoredDemote, UnscoredKeep), says: []string{"below the others", "keep old score"},
			Help: "Put candidates to which a reranker gave no score below all others, or leave them their old score.",
			ref:  func(p *Params) any { return (*string)(&p.Unscored) }, usedWhen: reranks, decides: decidesFrom(StageRerank, reranks),
			webrag: fixed("", "does not rerank"), hybrid: fixed("keep", "leaves results without a reranker's score on their old one"),
			graph: fixed("", "has no option for a reranker"),
		},
		{
			Field: FieldMinScore, Group: GroupChoice, Name: "min score", Unit: "score", Stage: StageMinScore, Max: 1, Step: 0.01, Off: "0", Switch: true,
			Help:   "The least score of a result, after reranking.",
			ref:    func(p *Params) any { return &p.MinScore },
			webrag: fixed("0", "has no least score beyond similarity_floor"), hybrid: &counterpart{line: 3, write: writeMinScore}, graph: fixed("0", "has no least score"),
		},
		{
			Field: FieldTopK, Group: GroupChoice, Name: "top k", Unit: "results", Stage: StageTopK, Max: MostRows, Low: 1, High: 100, Step: 1, Scale: Log, Off: "0", Opens: true,
			Switch: true, CountsRows: true, special: special{"0", 1, "no limit"},
			Help: "The most results; 0 is no limit.",
			ref:  func(p *Params) any { return &p.TopK }, means: beyondRows, decides: unlessLimited,
			webrag: fixed("0", "returns as many sections as the budget holds"), hybrid: &counterpart{line: argument},
		},
		{
			Field: "merge_adjacent", Group: GroupSections, Name: "merge neighbours", Stage: StageMerge, Off: "false", Switch: true,
			Help: "Join chunks that follow one another in a section.",
			ref:  func(p *Params) any { return &p.MergeAdjacent }, usedWhen: func(p *Params) bool { return p.Unit != UnitParent },
			webrag: fixed("false", "returns whole sections"), hybrid: fixed("false", "returns the parents of what was found"),
		},
	}
}

// outputSpecs are the parameters of what is handed on, and of the gathering.
func outputSpecs() []Spec {
	return []Spec{
		{
			Field: FieldContextBudget, Flag: "budget", Group: GroupBudget, Name: "budget", Unit: "tokens", Stage: StageBudget, Min: 1, Max: unbounded, Low: 250, High: 200000,
			Step: 250, Scale: Log, Off: strconv.Itoa(Unlimited), Switch: true, neutral: strconv.Itoa(Unlimited), special: special{strconv.Itoa(Unlimited), 1, "no limit"},
			Help: "The most tokens returned; the first section is returned even when it is larger.",
			ref:  func(p *Params) any { return &p.ContextBudget }, decides: always,
			webrag: &counterpart{line: 2, takes: hasBudget, untaken: "This profile has no budget; the system needs one, or keeps its own."},
			hybrid: fixed(strconv.Itoa(Unlimited), noBudget),
		},
		{
			Field: FieldBudgetPolicy, Group: GroupBudget, Name: "when full", Stage: StageBudget, neutral: string(BudgetStop), Values: words(BudgetStop, BudgetSkip), says: []string{"stop", "try smaller ones"},
			Help: "End at the first section over the budget, or skip it and try smaller ones.",
			ref:  func(p *Params) any { return (*string)(&p.BudgetPolicy) }, usedWhen: hasBudget,
			webrag: fixed("stop", "ends at the first section that does not fit"), hybrid: fixed("", noBudget),
		},
		{
			Field: FieldBudgetCount, Group: GroupBudget, Name: "count tokens of", Stage: StageBudget, neutral: string(CountMarkdown), Values: words(CountMarkdown, CountSurface), says: []string{"markdown", "what is sent"},
			Help: "Count the tokens of the markdown, or of what is really sent.",
			ref:  func(p *Params) any { return (*string)(&p.BudgetCount) }, usedWhen: hasBudget, decides: from(StageBudget),
			webrag: fixed("markdown", "counts the tokens of the markdown, also where it sends HTML"), hybrid: fixed("", noBudget),
		},
		{
			Field: FieldFullContextOverflow, Group: GroupMode, Name: "if too big", Stage: StageOverflow, neutral: string(OverflowDropDocuments),
			Values: words(OverflowDropDocuments, OverflowSkip), says: []string{"drop deepest pages", "skip what is over"},
			Help: "When the whole corpus exceeds the budget, drop the deepest pages, or skip the sections that do not fit.",
			ref:  func(p *Params) any { return (*string)(&p.FullContextOverflow) }, usedWhen: mayBeWhole,
			webrag: fixed("drop_documents", "drops whole pages, the deepest first"), hybrid: fixed("", "never returns a whole corpus"),
		},
		{
			Field: FieldGroupBySource, Group: GroupOutput, Name: "group by page", Stage: StageGrouping, Off: "false", Switch: true,
			Help: "List the sections page by page in reading order, the best page first.",
			ref:  func(p *Params) any { return &p.GroupBySource }, decides: never,
			webrag: fixed("true", "lists sections page by page"), hybrid: fixed("false", "lists results by score"),
		},
		{
			Field: FieldSurfacePolicy, Group: GroupOutput, Name: "send as", Stage: StageSurface, Off: string(SurfaceMarkdownOnly), Switch: true,
			neutral: string(SurfaceMarkdownOnly), Values: words(SurfaceAuto, SurfaceMarkdownOnly), says: []string{"HTML if needed", "markdown"},
			Help: "Hand on the HTML of sections whose markdown loses structure, or always markdown.",
			ref:  func(p *Params) any { return (*string)(&p.SurfacePolicy) }, decides: from(StageBudget),
			webrag: fixed("auto", "sends HTML where markdown loses structure"), hybrid: fixed("markdown", "returns the text of chunks"),
		},
		{
			Field: FieldReach, Group: GroupSearch, Name: "gather", Stage: StageVector, neutral: string(ReachWide), Values: words(ReachWide, ReachPreset), says: []string{"more than asked", "as asked"},
			Help: "Gather more rows than asked for, so that parameters can be moved without asking again, or just those.",
			ref:  func(p *Params) any { return (*string)(&p.Reach) }, own: true, decides: never,
		},
	}
}
