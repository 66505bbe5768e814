package phrase

import "github.com/webrag/webrag-tui/store"

// What is said of a text that is missed, or of a query that brings nothing. Where a
// line has less room than a sentence takes, the brief form stands below it.
const (
	VerdictBlank         = "The query is empty, so nothing was searched."
	VerdictWhole         = "It is in the result, since everything is: in full context nothing is searched and no stage cuts by similarity."
	VerdictPresent Words = "It is in the result, as number {} with a score of {}."
	VerdictParts   Words = "{} of its sections and passages are in the result, the best as number {} with a score of {}."
	// VerdictPassage and VerdictEdges end with what keeps the passage itself out.
	VerdictPassage Words = "Its section is in the result, as number {} with a score of {}, but another passage brought it{}."
	VerdictEdges   Words = "Its section is in the result, as number {} with a score of {}, since edges lead to it{}."
	VerdictUnasked       = "It was never a candidate."

	UnknownQuote = "No page of this corpus holds that quote."
	UnknownPage  = "The corpus has no page with that address, or it belongs to somebody else."
	UnknownChunk = "The corpus has no chunk with that id, or it belongs to somebody else."

	NoTermMatchBrief = "none of the query's words occurs in the corpus; "

	// Why edges do not lead to it, behind a verdict.
	NoWay             = " No edges lead to it."
	NoWayWithin       = Words(" No edges lead to it within {}, and more was not read.")
	WayTooFar   Words = " The nearest seed is {} away, further than edges are followed."
	WayBlocked  Words = " Edges lead to it, but not as they are followed: {}."
	// What a setting does to the edges, by its name in brackets.
	AgainstDirection Words = "some against their direction ({})"
	OtherRelations   Words = "some of a relation that is left out ({})"
	TooLight         Words = "some too light ({})"
	TooManyHops      Words = "too many hops ({})"
	// The same in a list.
	NoEdges               = "none lead to it from what was found"
	NoEdgesWithin   Words = "none lead to it from what was found within {}; more was not read"
	NoEdgesBrief    Words = "none lead to it within {}; more was not read"
	EdgesLead       Words = "{} from what was found: {}"
	EdgeStep        Words = "{} {}{}{} {} "
	NothingLetsItIn       = "None of the changes of one or two parameters that were tried lets it in."
	NothingTried          = "Nothing that was tried lets it in."
	NothingBrief          = "no change of one or two parameters lets it in: "
	RankingsMade    Words = "{} tried: every parameter alone, then pairs of them. The text and the query have too little in common; ask in its words."
	It                    = "it"
	ItsSection            = "its section"
	LetsIn          Words = "{} lets {} in as number {}{}."
	LetIn           Words = "No change alone lets it in; {} let {} in as number {}{}."

	// Where it stands in a search.
	Rank            Words = "rank {}"
	RankOf          Words = "rank {} of {}"
	RankAtLeast     Words = "rank {} or worse"
	Cosine          Words = "cosine {}"
	BM25            Words = "BM25 {}"
	IndexMissed           = "the index did not return it"
	HasWords        Words = "its text has {}"
	LacksWords      Words = "it lacks {}"
	LacksBrief      Words = "lacks {}"
	NotFound              = "not found"
	NotFoundSince   Words = "not found: {}"
	WholeUnasked          = "in full context nothing is searched"
	WholeUnaskedToo       = "not asked: everything is returned"
	ArmUnused             = "these parameters do without this search"
	ArmOff                = "off in these parameters"
	ArmWouldBe            = "off in these parameters, would be "

	// Which of several passages the report is about.
	Nearest      Words = "the nearest of {} that are meant"
	BestOf       Words = "the best of {}"
	EachArmsBest Words = "{}; each search shows its best"
	PassageOf    Words = "passage {} of {} of the page, by similarity"
	OneOfPlaces  Words = "the text is in {} places; this is number {}"

	// What became of it behind the searches.
	DroppedAt   Words = "by the stage {}: {}"
	NotReached  Words = "not reached: {}"
	EndsAt      Words = "its end is at {} of {} tokens of the budget"
	NotInResult       = "Not in the result"

	// Cuts: behind the name stands a colon, or in a list of them a comma.
	CutName       Words = "{} {}"
	CutCalibrated Words = "{} {} (set as {})"
	CutSpare      Words = "{}{} {} to spare"
	CutTooFar     Words = "{}{} {} too far"
	CutAbove      Words = "{}{} {} above"
	CutShort      Words = "{}: {} short"
	CutShortBy    Words = "{}, short by {}"

	// Changes, and what else they do. A title may have its capital letter.
	WhatLetsIn        = "what lets it in"
	WouldLetIn        = "what would let it in"
	LookingFor        = "looking for " + WhatLetsIn
	WouldMoveIt Words = "what would change its rank, {}"
	LeastFirst        = "first what neither drops nor moves others, then the least other change"
	Tried       Words = "{} tried"
	NoneAlone         = "no single parameter, as far as was gathered"
	Change      Words = "{} {} {} {}{}"
	// ChangeTo leaves out the present value: "similarity floor .21 (cosine .114)".
	ChangeTo    Words = "{} {}{}"
	BeginsAt    Words = "it begins to let it in at {} {}"
	AsCosine    Words = " (cosine {})"
	Rows        Words = "each search then returns {}"
	RowsAfter   Words = "; each search then returns {}"
	RowsBrief   Words = ": each search then returns {} rows"
	Gain        Words = "as number {} of {}{}, {}{}"
	GainBrief   Words = "rank {}, {} also in, {} out"
	Of          Words = "{} of {}"
	NothingElse       = "nothing else changes"
	ComesIn     Words = "{} is what comes in"
	MoreLetIn   Words = "{} more let in"
	PushedOut   Words = "{} pushed out"
	Moved       Words = "{} moved"
	Placed      Words = "number {} {}"
	more        Words = "{} more"

	// Where a ranking changes as a parameter moves.
	Enters       Words = "{} enters"
	Enter        Words = "{} enter"
	Leaves       Words = "{} leaves"
	Leave        Words = "{} leave"
	Passes       Words = "{} passes {}"
	FallsBehind  Words = "{} falls behind {}"
	ChangePlaces Words = "{} change places"
	OtherOrder         = "they are listed in another order"

	// Two results.
	BothNothing         = "Both find nothing."
	BothSame      Words = "Both return the same {} in the same order."
	NothingCommon Words = "They have nothing in common: a returns {}, b {}."
	BothDiffer    Words = "b brings {} that a has not, drops {} of a's {}, and ranks {} of the {} common ones differently."
	SameRank      Words = "{} at the same rank as before, only with another score"
	ScalesDiffer        = "the scores are on different scales and not comparable: compare ranks"
	OtherScale          = "the scores have another scale and are not comparable: compare ranks"
	// What leaving out a stage would do.
	Without        Words = "{} enter, {} leave, {} move"
	ChangesNothing       = "changes nothing"
	AsMarkdown     Words = "{} would be sent as markdown, not as HTML"

	// Lists with nothing in them.
	NothingComparable       = "No section was found: nothing in the corpus can be compared with this query."
	NothingFound            = "nothing found"
	NothingPassed           = "nothing found; nearest below the cut:"
	NothingSimilar    Words = "No section is similar enough: the nearest has a cosine of {}, and the floor is {}. These came nearest:"
	NothingAbove      Words = "nothing above the floor of {}; nearest:"
	NothingLeft       Words = "No section is left of {}."
	NothingLeftBut    Words = "No section is left of {}. These came nearest:"
)

// What brings a text into a result where it does not itself: a passage is part of a
// section, which may be returned for other reasons.
const (
	ViaPassage = "passage"
	ViaEdges   = "edges"
)

// Via says what brings a text, and in brief; empty where it does so itself.
func Via(via string) (long, brief string) {
	switch via {
	case ViaPassage:
		return "through another passage of its section", "through another passage"
	case ViaEdges:
		return "along edges", "along edges"
	default:
		return "", ""
	}
}

// NoTermMatch says first of all that a query has nothing to do with the corpus.
// lexical is whether similarity is one of words, too.
func NoTermMatch(lexical bool) string {
	if lexical {
		return "None of the query's words occurs in the corpus: what is near it is so by chance. "
	}
	return "None of the query's words occurs in the corpus. "
}

var absences = map[store.Absence]Words{
	store.AbsentOwner:   "The chunk and its page belong to different owners, so nobody is shown it.",
	store.AbsentDeleted: "Its page was deleted; docs restore brings it back.",
	store.AbsentStale:   "It is of an earlier ingestion of its page, which a newer one has replaced.",
	store.AbsentScope:   "It is outside of the pages that were asked for{}.",
	store.AbsentFilter:  "A filter of the query leaves it out{}.",
}

// VerdictAbsent is the verdict on a text that no parameter can bring. condition is
// the one that leaves it out, if that is known.
func VerdictAbsent(why store.Absence, condition string) Phrase {
	words, ok := absences[why]
	switch {
	case !ok:
		return Words("It cannot be found: {}.").With(string(why))
	case condition != "":
		condition = ": " + condition
	}
	return words.With(Named(condition))
}
