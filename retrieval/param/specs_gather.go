package param

import (
	"github.com/webrag/webrag-tui/store"
)

// The names of those parameters of what is gathered that code has a reason to name.
const (
	FieldMode                 = "mode"
	FieldFullContextThreshold = "full_context_threshold"
	FieldSearch               = "search"
	FieldSearchPolicy         = "search_policy"
	FieldHNSWEfSearch         = "hnsw_ef_search"
	FieldKeywordMatch         = "keyword_match"
	FieldKeywordUnindexed     = "keyword_unindexed"
	FieldTitleWeight          = "title_weight"
	FieldHeadingWeight        = "heading_weight"
	FieldFeedbackTerms        = "feedback_terms"
	FieldFeedbackChunks       = "feedback_chunks"
	FieldFeedbackWeight       = "feedback_weight"
	FieldSimilarityFloor      = "similarity_floor"
	FieldFloorScale           = "floor_scale"
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

// gatherSpecs are the parameters of what is read and how.
func gatherSpecs() []Spec {
	return []Spec{
		{
			Field: FieldMode, Flag: "mode", Group: GroupMode, Name: "mode", Stage: StageMode, neutral: string(ModeChunk), Values: words(ModeAuto, ModeFullContext, ModeChunk), says: []string{"auto", "full context", "chunk mode"},
			Help:   "Return the whole corpus, search for chunks, or let the corpus's size decide.",
			ref:    func(p *Params) any { return (*string)(&p.Mode) },
			webrag: fixed("auto", "decides by the corpus's size"), hybrid: fixed("chunk", "searches whatever the corpus's size"),
		},
		{
			Field: FieldFullContextThreshold, Group: GroupMode, Name: "send everything up to", Unit: "tokens", Stage: StageMode, Max: unbounded, Low: 250, High: 200000, Step: 250,
			Scale: Log, Off: "0", neutral: "30000", special: special{"0", -1, "off"},
			Help: "Up to this many tokens the whole corpus is returned; at most the budget.",
			ref:  func(p *Params) any { return &p.FullContextThreshold }, usedWhen: mayBeWhole,
			webrag: &counterpart{line: 1, takes: mayBeWhole}, hybrid: fixed("0", "never returns a whole corpus"),
		},
		{
			Field: "empty_query", Group: GroupQuery, Name: "blank query", Stage: StageMode, neutral: string(EmptyIsEmpty), Values: words(EmptyIsEmpty, EmptyIsError), says: []string{"empty result", "refused"},
			Help: "Answer a blank query with an empty result, or refuse it.",
			ref:  func(p *Params) any { return (*string)(&p.EmptyQuery) }, decides: never,
			webrag: fixed("empty", "embeds a blank query like any other"), hybrid: fixed("empty", "embeds a blank query like any other"),
		},
		{
			Field: "require_owner", Group: GroupQuery, Name: "owner needed", Stage: StageMode, Off: "false",
			Help: "Refuse to search a corpus that has owners when none is given.",
			ref:  func(p *Params) any { return &p.RequireOwner }, decides: never, webrag: fixed("false", "knows no owners"), hybrid: fixed("false", "knows no owners"),
		},
		{
			Field: FieldSearch, Group: GroupSearch, Name: "search method", Stage: StageVector, neutral: string(SearchANN), Values: words(SearchANN, SearchExact), says: []string{"by the index", "exact"},
			Help: "Use the store's index, or compare every vector; a corpus file always does the latter.",
			ref:  func(p *Params) any { return (*string)(&p.Search) }, webrag: fixed("ann", "searches its HNSW index"), hybrid: fixed("", asItsStore),
		},
		{
			Field: FieldSearchPolicy, Group: GroupSearch, Name: "index query", Stage: StageVector, neutral: string(PolicyAuto), Values: words(PolicyAuto, PolicySystem, PolicySafe), says: []string{"auto", "as the system", "missing nothing"},
			Help: "Ask an index exactly as the system under study does, or so that nothing is missed; auto is safe on corpora made here and system on others.",
			ref:  func(p *Params) any { return (*string)(&p.SearchPolicy) }, usedWhen: asksAnIndex,
			webrag: fixed("system", "asks its index once, with hnsw_ef_search"), hybrid: fixed("system", asItsStore),
		},
		{
			Field: "iterative_scan", Group: GroupSearch, Name: "iterative scan", Stage: StageVector, neutral: string(ScanOff), Values: words(ScanOff, ScanStrict, ScanRelaxed),
			Help: "Let an HNSW index go on when a filter leaves too few rows; an exact search ignores it.",
			ref:  func(p *Params) any { return (*string)(&p.IterativeScan) }, usedWhen: asksAnIndex,
			webrag: fixed("off", "does not go on when a filter leaves too few rows"), hybrid: fixed("off", asItsStore),
		},
		{
			Field: FieldHNSWEfSearch, Group: GroupSearch, Name: "ef search", Unit: "rows", Stage: StageVector, Max: 1000, Low: 10, High: 1000, Step: 10, Scale: Log,
			special: special{"0", -1, "default"},
			Help:    "How many neighbours an HNSW index keeps while it searches, 0 for the index's own; an exact search ignores it.",
			ref:     func(p *Params) any { return &p.HNSWEfSearch },
			webrag:  &counterpart{line: 7, takes: func(p *Params) bool { return p.HNSWEfSearch > 0 }, untaken: "0 means the index's own here (pgvector's is 40); the system needs a number of at least 1."},
			hybrid:  fixed("0", asItsStore),
		},
	}
}

// keywordSpecs are the parameters of the keyword arm.
func keywordSpecs() []Spec {
	return sharing(Spec{
		Group: GroupKeywords, Stage: StageKeyword, usedWhen: searchesWords, decides: decidesFrom(StageMode, searchesWords), webrag: fixed("", noKeywords),
	}, []Spec{
		{
			Field: FieldKeywordMatch, Name: "keyword match", neutral: string(MatchAuto), Values: words(MatchAuto, MatchAnd, MatchOr, MatchWebsearch), says: []string{"auto", "all words", "any word", "web search"},
			Help: "Want any of the query's words up to a bound of rows, all, any, or read quotes and minus signs as web search does.",
			ref:  func(p *Params) any { return (*string)(&p.KeywordMatch) }, hybrid: fixed("and", "wants all words of a query in one chunk"),
		},
		{
			Field: FieldKeywordUnindexed, Name: "scan unindexed", Off: "false",
			Help: "Where a database has no index of words, count them text by text, up to a bound.",
			ref:  func(p *Params) any { return &p.KeywordUnindexed }, decides: from(StageKeyword), hybrid: fixed("false", "searches words as its store does"),
		},
		{
			Field: FieldTitleWeight, Name: "title weight", Unit: "weight", Max: 10, High: 5, Step: 0.25, Off: "0", neutral: "2",
			Help: "What a word in the title of a page counts, where one in the text counts 1; 0 does not search titles.",
			ref:  func(p *Params) any { return &p.TitleWeight }, hybrid: fixed("0", "searches the text of chunks only"),
		},
		{
			Field: FieldHeadingWeight, Name: "heading weight", Unit: "weight", Max: 10, High: 5, Step: 0.25, Off: "0", neutral: "2",
			Help: "What a word in the headings above a chunk counts, where one in the text counts 1; 0 does not search headings.",
			ref:  func(p *Params) any { return &p.HeadingWeight }, hybrid: fixed("0", "searches the text of chunks only"),
		},
		{
			Field: FieldFeedbackTerms, Name: "feedback words", Unit: "words", Max: 100, High: 50, Step: 1, Off: "0",
			Help: "How many words of the best chunks are added to the query's own (pseudo-relevance feedback, RM3); 0 adds none.",
			ref:  func(p *Params) any { return &p.FeedbackTerms }, decides: decidesFrom(StageMode, addsWords), hybrid: fixed("0", ownWords),
		},
		{
			Field: FieldFeedbackChunks, Name: "feedback chunks", Unit: "chunks", Min: 1, Max: 100, Low: 1, High: 50, Step: 1, neutral: "5",
			Help: "How many of the best chunks of the keyword search the added words are taken from.",
			ref:  func(p *Params) any { return &p.FeedbackChunks }, usedWhen: feedsBack, decides: decidesFrom(StageMode, addsWords), hybrid: fixed("", ownWords),
		},
		{
			Field: FieldFeedbackWeight, Name: "feedback weight", Unit: "weight", Max: 1, Step: 0.05, Off: "0", neutral: "0.2",
			Help: "The share of the added words in the weight of all words; the query's own have the rest.",
			ref:  func(p *Params) any { return &p.FeedbackWeight }, usedWhen: feedsBack, decides: decidesFrom(StageMode, addsWords), hybrid: fixed("", ownWords),
		},
	})
}

// childSpecs are the parameters of what the arms hand on.
func childSpecs() []Spec {
	return []Spec{
		{
			Field: FieldSimilarityFloor, Group: GroupPassages, Name: "floor", Unit: "cosine", Stage: StageFloor, Min: -1, Max: 1, High: 1, Step: 0.01, Off: "-1", Opens: true,
			Switch: true, neutral: "-1", special: special{"-1", -1, "off"},
			Help: "A passage must be more similar than this to be considered by the vector search.",
			ref:  func(p *Params) any { return &p.SimilarityFloor }, webrag: &counterpart{line: 4}, hybrid: fixed("-1", "has no floor for cosines"),
		},
		{
			Field: FieldFloorScale, Group: GroupPassages, Name: "floor scale", Stage: StageFloor, neutral: string(FloorAuto), Values: words(FloorAuto, FloorRaw, FloorCalibrated), says: []string{"auto", "plain cosine", "calibrated"},
			Help: "Read the floor as a cosine, or on the corpus's own scale, where .3 is what 99.5 % of unrelated chunks stay below, or what 95 % of questions reach with their answer if that is less; auto calibrates lexical embedders.",
			ref:  func(p *Params) any { return (*string)(&p.FloorScale) }, usedWhen: func(p *Params) bool { return p.SimilarityFloor != -1 },
			webrag: fixed("raw", "reads similarity_floor as a plain cosine"), hybrid: fixed("raw", "has no floor for cosines"),
		},
		{
			Field: "top_k_children_limit", Group: GroupPassages, Name: "limit", Unit: "passages", Stage: StageLimit, Max: MostRows, Low: 1, High: MostRows, Step: 1, Scale: Log,
			Leads: true, CountsRows: true, special: special{"0", 1, "by top k"},
			Help: "The most passages taken from each search; 0 takes top_k times overfetch.",
			ref:  func(p *Params) any { return &p.TopKChildrenLimit }, means: func(p *Params) int { return p.ArmRows() },
			webrag: &counterpart{line: 3, takes: func(p *Params) bool { return p.TopKChildrenLimit > 0 }, untaken: "0 means %d rows here (top_k times overfetch, or seed_top_k); the system would take none: give it that number."},
			hybrid: fixed("0", "takes top_k times overfetch rows"), graph: fixed("0", "takes as many seeds as it is told"),
		},
		{
			Field: "overfetch", Group: GroupPassages, Name: "overfetch", Unit: "times", Stage: StageLimit, Min: 1, Max: 100, Low: 1, High: 20, Step: 1, Off: "1", Leads: true,
			CountsRows: true, neutral: "1",
			Help: "How many times top_k each search returns where top_k_children_limit leaves it to top_k.",
			ref:  func(p *Params) any { return &p.Overfetch }, usedWhen: armsGoByTopK, decides: unlessLimited,
			webrag: fixed("1", "takes top_k_children_limit rows"), hybrid: &counterpart{line: 2, option: "WithOverfetchMultiplier"},
			graph: fixed("1", "takes as many seeds as it is told"),
		},
	}
}
