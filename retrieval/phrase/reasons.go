package phrase

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
	// ReasonANNMissed: an exact search finds it, the index as it was asked does
	// not. Value is the cosine.
	ReasonANNMissed = "ann_missed"
	// ReasonDuplicate: it repeats a better candidate, with the Jaccard similarity
	// Value above the Threshold, or 1 for equal texts.
	ReasonDuplicate = "duplicate_of"
	// ReasonRerankedOut and ReasonBelowMinScore: the score (Value) is below the
	// least one (Threshold).
	ReasonRerankedOut   = "reranked_out"
	ReasonBelowMinScore = "below_min_score"
	// ReasonBeyondTopK: the rank (Value) is over top k (Threshold).
	ReasonBeyondTopK = "beyond_topk"
	// ReasonPoolFull: the places (Threshold) for seeds, or for what edges found,
	// were taken by better ones. Value is the rank among all.
	ReasonPoolFull = "pool_full"

	// The other reasons are those for which a chunk never became a candidate. Why
	// it cannot be found at all is a [store.Absence].

	// ReasonNoEmbedding: it has no vector, and no word of the query.
	ReasonNoEmbedding = "no_embedding"
	// ReasonNoQueryVector: the query has no vector, or one without a direction, so
	// nothing was compared with it.
	ReasonNoQueryVector = "no_query_vector"
	// ReasonKeywordNoMatch: it does not hold the query's words as the match wants
	// them.
	ReasonKeywordNoMatch = "keyword_no_match"
	// ReasonUnreached: no edge within the hops leads to it. ReasonEdgeFiltered: a
	// setting leaves out the edges that do.
	ReasonUnreached    = "unreached"
	ReasonEdgeFiltered = "edge_filtered"
)
