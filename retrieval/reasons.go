package retrieval

// The reasons for which a stage drops a candidate: Drop.Reason.
const (
	// ReasonBelowFloor: the cosine (Value) is not above the floor (Threshold).
	ReasonBelowFloor = "below_floor"
	// ReasonBeyondLimit: the rank (Value) is over the limit (Threshold).
	ReasonBeyondLimit = "beyond_limit"
	// ReasonNoParent: the child belongs to no section, or to one that is gone.
	ReasonNoParent = "no_parent"
	// ReasonOverBudget: with it the tokens (Value) exceed the budget
	// (Threshold).
	ReasonOverBudget = "over_budget"
	// ReasonAfterBudgetStop: an earlier section ended the walk. Value is the
	// tokens with it, which may well be within the budget (Threshold).
	ReasonAfterBudgetStop = "after_budget_stop"
)

// The codes of notices: Notice.Code.
const (
	NoticeThresholdClamped = "threshold_clamped"
	NoticeUncalibrated     = "floor_uncalibrated"
	NoticeEmptyQuery       = "empty_query"
	NoticeEmptyCorpus      = "empty_corpus"
	NoticeEmptyScope       = "empty_scope"
	NoticeNoWords          = "no_searchable_words"
	NoticeNoVectors        = "no_vectors"
	NoticeNothingAbove     = "nothing_above_floor"
	NoticeNoParents        = "no_parent"
	NoticeOversize         = "oversize_section"
	NoticeSurfaceOver      = "surface_over_budget"
	NoticeOverflow         = "full_context_overflow"
	NoticeBeyondEvidence   = "beyond_evidence"
	NoticeCorpusChanged    = "corpus_changed"
)
