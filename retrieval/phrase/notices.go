package phrase

// Notice is something the user should know about a result.
type Notice struct {
	// Code is stable.
	Code string
	// Warning marks what may be wrong, as opposed to what is good to know.
	Warning bool
	Words   Words
}

// The notices of a ranking, and of asking why not. Where there are two sentences for a
// code, both stand here.
var (
	NoticeThresholdClamped = Notice{"threshold_clamped", true, "everything would be sent up to {} tokens, but the budget is {}: {} is used"}
	NoticeUncalibrated     = Notice{"floor_uncalibrated", true, "the corpus has no calibrated scale for this embedder: the floor of {} is taken as a raw cosine"}
	NoticeEmptyQuery       = Notice{"empty_query", false, "the query is empty: nothing was searched"}
	NoticeEmptyScope       = Notice{"empty_scope", false, "no page of the corpus is in the scope asked for"}
	NoticeEmptyForeign     = Notice{"empty_corpus", false, "the corpus is empty: let the program that made it index pages"}
	NoticeEmptyCorpus      = Notice{"empty_corpus", false, "the corpus is empty: index some pages first"}
	NoticeBeyondEvidence   = Notice{"beyond_evidence", true, "these settings reach beyond what was gathered ({}): ask again"}
	NoticeCorpusChanged    = Notice{"corpus_changed", true, "the corpus was changed while it was read: ask again to see it as it is now"}
	NoticeQueryCut         = Notice{"query_cut", true, "the query is very long: only its first {} characters were searched"}
	NoticeUnembeddedWhole  = Notice{"embedder_failed", true, "the query could not be compared with the sections, which are all returned: {}"}
	NoticeEmbedderFailed   = Notice{"embedder_failed", true, "the query could not be embedded, so only its words were searched: {}"}
	NoticeNoWords          = Notice{"no_searchable_words", true, "the query has no searchable words, so nothing was found: add a word that names the subject"}
	NoticeNoVectors        = Notice{"no_vectors", true, "no section in scope has a vector: the search found nothing"}
	NoticeNothingAbove     = Notice{"nothing_above_floor", false, "nothing is above the floor of {}; the nearest is {}{}"}
	NoticeUnderReturn      = Notice{"under_return", true, "the index returned {} of {} rows asked for: a filter or its ef_search holds it back"}
	NoticeNoArm            = Notice{"no_arm", true, "nothing was searched: the query could not be embedded ({}), and {}; configure the embedder that made the vectors{}"}
	NoticeOrphansDropped   = Notice{"no_parent", true, "{} of the passages found belong to no section and were left out"}
	NoticeNoParents        = Notice{"no_parent", true, "{} of the passages found belong to no section and are returned as they are"}
	NoticeKeywordMissing   = Notice{"keyword_arm_missing", true, "there is no keyword search here{}: {}{}"}
	NoticeKeywordFailed    = Notice{"keyword_arm_failed", true, "the keyword search failed{}: {}"}
	NoticeNoQueryWords     = Notice{"keyword_arm_empty", false, "the query has no words to search for{}"}
	NoticeKeywordEmpty     = Notice{"keyword_arm_empty", false, "no passage holds the query's words ({}){}"}
	NoticeUnindexedPart    = Notice{"keyword_unindexed", true, "the words were counted without an index, in the first texts only: rank and rarity of a word are those of what was read"}
	NoticeKeywordUnindexed = Notice{"keyword_unindexed", false, "the words were counted without an index, in all texts in scope"}
	NoticeKeywordSampled   = Notice{"keyword_sampled", false, "the query's words are so common that only some of the {} matches were ranked"}
	NoticeSingleArmWords   = Notice{"single_arm", true, "only the keyword search found anything, and weighs {}: these scores do not compare with those of other queries"}
	NoticeSingleArm        = Notice{"single_arm", true, "only the vector search found anything, and weighs {}: these scores do not compare with those of other queries; its best cosine is {}"}
	NoticeBothLexical      = Notice{"both_arms_lexical", false, "the embedder is lexical, so both searches look at words: fusing their ranks changes little, fusing their scores ({}) more"}
	NoticeGraphMissing     = Notice{"graph_missing", true, "there are no edges here, so only seeds are returned: {}"}
	NoticeGraphFailed      = Notice{"graph_failed", true, "the edges could not be read, so only seeds are returned: {}"}
	NoticeNoEdges          = Notice{"no_edges", false, "no edge leads away from the seeds; webrag-tui doctor says whether any are left out; a corpus indexed by an older version has none until it is indexed again"}
	NoticeOutsideScope     = Notice{"graph_outside_scope", true, "{} of the results were reached by edges from outside of the scope; {} leaves them out"}
	NoticeDedupUnderfills  = Notice{"dedup_underfills", false, "{} near-duplicates were left out and are not made up for: {} of {} results"}
	NoticeRerankFailed     = Notice{"rerank_failed", true, "the reranking failed, so the order is as before: {}"}
	NoticeRerankSilent     = Notice{"rerank_failed", true, "{} scored nothing, so the order is as before"}
	NoticeRerankCut        = Notice{"rerank_cut", true, "{} was asked about the first {} of {} candidates; the others stand below them on their old scale"}
	NoticeRerankPartial    = Notice{"rerank_partial", true, "{} said nothing about {} of the results; their scores are on the old scale"}
	NoticeForeignScale     = Notice{"min_score_scale", true, "{} is not compared with the scores of {} ({})"}
	NoticeNearDuplicates   = Notice{"near_duplicates", false, "{} of {} results nearly repeat a better one; {} leaves them out"}
	NoticeCrowding         = Notice{"page_crowding", false, "{} of {} results are from one page, {}"}
	NoticeOverflow         = Notice{"full_context_overflow", true, "the corpus exceeds the budget of {} tokens: {} of {} sections were left out"}
	NoticeOversize         = Notice{"oversize_section", true, "the first section alone has {} tokens, {} over the budget of {}: it is returned all the same"}
	NoticeSurfaceOver      = Notice{"surface_over_budget", true, "{} of {} tokens are counted, as markdown; {} are sent, because some sections go out as HTML: {} counts those"}
	NoticePassagesLifted   = Notice{"passages_as_sections", false, "its {} stand for their {}, since the other side returns sections"}
	NoticeKeptRanks        = Notice{"why_not_kept", false, "the search was approximate: its ranks are said here, and an exact one may give others"}
	// NoticeIncomplete is a warning where nothing was found.
	NoticeIncomplete = Notice{"why_not_incomplete", false, "not everything was tried: {}"}
)

// Pieces of notices.
const (
	NoArmMissing     Words = "there is no keyword search here ({})"
	NoArmFailed      Words = "the keyword search failed ({})"
	NoArmUnindexed   Words = ", or have the texts read one by one with {}"
	KeywordUnindexed Words = "; {} reads the texts one by one, up to a bound"
	SoOnlyVectors          = ", so only vectors were searched"
	SoNothing              = ", so nothing was found"
	InPage           Words = ", in {}"
	InSection        Words = ", {} in {}"
	Untried          Words = "not every value of {}"
	TriedCoarsely    Words = "only some values of {}"
	UntriedEdges     Words = "nothing of {} that reads the edges of more than {} sections"
	UntriedPairs           = "not every pair of changes"
	UntriedReranks   Words = "nothing that asks the reranker more than {} times"
	UntriedSearches        = "nothing that takes a new search"
)

// CodeDefaultPreset is the code of the notice on a preset that nobody chose.
const CodeDefaultPreset = "default_preset"
