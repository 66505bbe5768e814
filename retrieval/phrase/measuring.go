package phrase

// The notices of what is measured by judgments.
var (
	NoticeOrphans        = Notice{"orphaned_judgments", false, "{} of {} judgments orphaned: the words or the page are not in this corpus"}
	NoticeOrphansOf      = Notice{"orphaned_judgments", false, "{} of {} judgments orphaned: the words or the page are not in this corpus ({})"}
	NoticeManyOrphans    = Notice{"orphaned_judgments", true, "{} of {} judgments orphaned: so many that the figures are of something else than what was judged; judge the queries anew that 'webrag-tui judge show' names"}
	NoticeMovedQuotes    = Notice{"moved_judgments", false, "moved on their page since they were judged: {}, {} of them to several places"}
	NoticeUnjudged       = Notice{"unjudged_queries", false, "{} not judged: not counted"}
	NoticeUnanswerable   = Notice{"unanswerable_queries", true, "nothing is relevant to {}: counted as 0 for every ranking ({})"}
	NoticeMissingRuns    = Notice{"missing_queries", true, "{}: no ranking of {}: counted as 0 ({})"}
	NoticeOtherPages     = Notice{"another_corpus", false, "the set was made on other pages than these: {}, now {}"}
	NoticeSparse         = Notice{"little_judged", true, "less than {} of what is returned is judged ({}), and the rest counts as bad: no figure here says which ranking is better until more is judged"}
	NoticeUneven         = Notice{"unevenly_judged", true, "{} is {} for {} and {} for {}: what brings new results looks worse than it may be; judge what differs"}
	NoticeFewQueries     = Notice{"few_queries", false, "{} judged: from {} on a difference can be told from chance"}
	NoticeWholePages     = Notice{"judgments_of_pages", false, "judgments of whole pages do not count beside those of passages, and there are {}; --level pages counts both"}
	NoticeSomePages      = Notice{"pages_graded", false, "{} of {} judgments are of whole pages, so pages are graded, and each ranks where its first result does; --level passages leaves them out"}
	NoticeReadingOrder   = Notice{"reading_order", true, "{}: {} of {} queries got the whole corpus, in reading order, which is no ranking; --mode chunk searches it"}
	NoticeModelJudges    = Notice{"judgments_of_models", false, "{} judgments count, and not those of {}; --judge models counts these"}
	NoticeByModels       = Notice{"judgments_of_models", true, "all judgments are of models ({}): see 'webrag-tui judge agree' before they stand for people's"}
	NoticeMixedJudges    = Notice{"judgments_of_models", true, "judgments of models ({}) count beside {}, and no figure says what it owes to which; --judge people leaves them out"}
	NoticeBaselinePages  = Notice{"baseline_of_other_pages", true, "the baseline was measured on other pages than these: what differs may be the pages and not the ranking"}
	NoticeOtherJudgments = Notice{"baseline_of_other_judgments", true, "queries or judgments of the set have changed since the baseline was measured: what differs may be these and not the ranking"}
	NoticeVerbatim       = Notice{"verbatim_queries", false, "{} of {} stand word by word in a page that answers them ({}): a search by words cannot miss that"}
	NoticeScoped         = Notice{"scope", false, "only {} of {} are searched: what was judged on the rest counts as not returned"}
	NoticeSynthetic      = Notice{"synthetic_queries", false, "the queries were made from the corpus, and are easier than those that people ask"}
)

// What a comparison by judgments comes to.
const (
	VerdictOfFew      Words = "too few queries for a verdict"
	VerdictOfUnjudged Words = "too little judged for a verdict"
	VerdictOfChance   Words = "no difference beyond chance"
	VerdictBetter     Words = "better"
	VerdictWorse      Words = "worse"
)
