package phrase

import (
	"strings"
	"unicode/utf8"
)

// The codes of reasons for which a stage drops a candidate, or a chunk never became
// one. Behind each stand its Value and its Threshold, where it has them.
const (
	ReasonBelowFloor      = "below_floor"       // cosine, floor: equality is below
	ReasonBeyondLimit     = "beyond_limit"      // rank, limit of the search
	ReasonNoParent        = "no_parent"         // the passage belongs to no section, or to one that is gone
	ReasonOverBudget      = "over_budget"       // tokens with it, budget
	ReasonAfterBudgetStop = "after_budget_stop" // as before; an earlier section ended the walk, this one may well fit
	ReasonANNMissed       = "ann_missed"        // cosine; an exact search finds it, the index as it was asked does not
	ReasonDuplicate       = "duplicate_of"      // Jaccard similarity to a better one, 1 for equal texts; the highest allowed
	ReasonRerankedOut     = "reranked_out"      // score, least score
	ReasonBelowMinScore   = "below_min_score"   // score, least score
	ReasonBeyondTopK      = "beyond_topk"       // rank, top k
	ReasonPoolFull        = "pool_full"         // rank among all, results kept for seeds or for what edges found

	// Why a chunk cannot be found at all is a [store.Absence].
	ReasonNoEmbedding    = "no_embedding"     // no vector, and no word of the query
	ReasonNoQueryVector  = "no_query_vector"  // the query has none, or one without a direction
	ReasonKeywordNoMatch = "keyword_no_match" // it does not hold the words as the match wants them
	ReasonUnreached      = "unreached"        // no edge within the hops leads to it
	ReasonEdgeFiltered   = "edge_filtered"    // a setting leaves out the edges that do
)

// Reason is why a candidate was dropped or not found, with the numbers that decided.
type Reason struct {
	// Code is a stable code such as [ReasonBelowFloor].
	Code string
	// Value failed against Threshold; their units are those of the code.
	Value, Threshold float64
	// Arm is the search that it was a row of, Stage what dropped it, Setting the parameter
	// that Threshold is of; each empty where that is all the same.
	Arm, Stage string
	Setting    Part
	// Cut is the label where the cut has a longer one, empty for that of the code.
	Cut string
	// Floor is the floor that a cosine was not above, and Beside are cosines near it
	// which a verdict must tell the value from.
	Floor  Floor
	Beside []float64
}

// Floor is a similarity floor: the cosine that it cuts at and, where Calibrated says
// that it is on another scale, the setting.
type Floor struct {
	Cosine, Setting float64
	Calibrated      bool
}

// Form is a way to say a reason: what there is room for, and what stands before.
type Form int

// The forms of a reason.
const (
	// Verdict is a sentence about "it".
	Verdict Form = iota
	// Itself ends a sentence about a section with what keeps its passage out.
	Itself
	// Sentence begins with the cut that was not passed.
	Sentence
	// Clause is the reason within a line.
	Clause
	// Absent is said of what a search does not find.
	Absent
	// Label names the cut that dropped many, with its threshold: "limit 60".
	Label
	// Heading stands above those that it dropped.
	Heading
	// Failed is what the threshold was compared with: "rank 61".
	Failed
	// Brief is what failed, and at what.
	Brief
	// Note is by how much it failed, or else at what.
	Note
	forms
)

// reasons are what is said of each reason, where it is not said as of any reason. In
// braces stand {value}, {threshold} and {short}, the way between them, as scores;
// {cosine}, the value told from the threshold, and {floor}; {n}, {most} and {over} as
// counts; {arm}, {stage} and {setting}; {verdict}, {absent}, {failed} and {label}, other
// forms. What stands in brackets is said where one of several searches is meant, after a
// bar what is said where none is.
var reasons = map[string][forms]string{
	"": {Label: "not returned", Brief: "{label}"},
	ReasonBelowFloor: {
		Verdict: "Its cosine of {cosine} is not above {floor}.", Itself: ": its own cosine of {cosine} is not above {floor}",
		Sentence: "Below the floor: a cosine of {value}, short of {threshold} by {short}.",
		Clause:   "{value} is not above the floor of {threshold}", Label: "below floor {threshold}", Brief: "{failed} floor {threshold}", Note: "{short} short",
	},
	ReasonBeyondLimit: {
		Verdict:  "It is number {n} of the {arm} search, which returns {most}.",
		Itself:   ": it is number {n} of the {arm} search itself, which returns {most}",
		Sentence: "Beyond the limit[ of the {arm} search]: rank {n}, and {most} are taken.",
		Clause:   "number {n} of [the {arm} search, which|a search that] returns {most}", Label: "limit {most}", Failed: "[{arm} ]rank {n}", Brief: "{failed}, {label}",
	},
	ReasonNoParent: {
		Verdict:  "It belongs to no section, and sections are returned.",
		Sentence: "Without a section: the passage belongs to none that is there.",
		Clause:   "belongs to no section", Label: "without a section", Brief: "{label}",
	},
	ReasonOverBudget: {
		Verdict:  "With it the result would have {n} tokens, {most} are allowed.",
		Sentence: "Over the budget: with it there would be {n} tokens, and the budget is {most}.",
		Clause:   "{n} tokens with it, the budget is {most}", Label: "over the budget of {most} tokens", Failed: "→ {n}", Brief: "{failed} budget {most}", Note: "{over} tokens over",
	},
	ReasonAfterBudgetStop: {
		Verdict:  "A better section did not fit the budget, and nothing is taken after that.",
		Sentence: "After the budget's stop: a section ranked before it did not fit, and nothing is taken after that.",
		Clause:   "after the first section that did not fit the budget", Label: "after the budget's stop", Failed: "→ {n}", Brief: "{label}",
	},
	ReasonBeyondTopK: {
		Verdict:  "It is number {n} of the results, and the first {most} are returned.",
		Sentence: "Beyond the results asked for: number {n}, and the first {most} are returned.",
		Clause:   "number {n} of the results, {setting} is {most}", Label: "{setting} {most}", Failed: "[{arm} ]rank {n}", Brief: "{failed}, {label}",
	},
	ReasonPoolFull: {
		Verdict:  "It is number {n}, and the {most} results kept for its kind are better ones.",
		Sentence: "Number {n}, and the results kept for its kind ({most}) are better ones.",
		Clause:   "number {n}, the {most} results of its kind are better ones", Label: "beyond the {most} kept for its kind", Failed: "[{arm} ]rank {n}",
	},
	ReasonDuplicate: {
		Verdict:  "It repeats a better result: its words are alike to {value}, and more than {threshold} is too much.",
		Sentence: "{verdict}",
		Clause:   "repeats a better one: similarity of words {value}, above {threshold}", Label: "near-duplicates, above {threshold}",
	},
	ReasonBelowMinScore: {
		Verdict:  "Its score of {value} is below the min score of {threshold}.",
		Sentence: "Below the min score: {value}, short of {threshold} by {short}.",
		Clause:   "{value} is less than the min score of {threshold}", Label: "below min score {threshold}", Note: "{short} short",
	},
	ReasonRerankedOut: {
		Verdict:  "Its score of {value} is below the rerank min score of {threshold}.",
		Sentence: "Below the rerank min score: {value}, short of {threshold} by {short}.",
		Clause:   "{value} is less than the rerank min score of {threshold}", Label: "below rerank min score {threshold}", Note: "{short} short",
	},
	ReasonANNMissed: {
		Verdict:  "It is the exact number {n} of {most}, but the index did not return it.",
		Sentence: "Missed by the index: its cosine of {value} is high enough, and an exact search finds it.",
		Clause:   "the index did not return it", Label: "missed by the index",
	},
	ReasonUnreached: {
		Verdict: "No edge within the hops leads to it.", Sentence: "{verdict}",
		Clause: "no edge within the hops leads to it", Label: "not reached by edges", Brief: "{label}",
	},
	ReasonEdgeFiltered: {
		Verdict: "A setting leaves out the edges that lead to it.", Sentence: "{verdict}",
		Clause: "a setting leaves out the edges that lead to it", Label: "its edges are left out", Brief: "{label}",
	},
	ReasonNoEmbedding: {
		Verdict: "It has no embedding, so similarity cannot find it.", Sentence: "{verdict}", Clause: "{absent}", Absent: "has no embedding",
		Itself: ": it has no embedding itself", Label: "no embedding", Brief: "{label}",
	},
	ReasonNoQueryVector: {
		Verdict: "The query has no vector to compare it with, so similarity cannot find it.", Sentence: "{verdict}", Clause: "{absent}",
		Absent: "the query has no vector to compare it with", Itself: ": {absent}", Label: "no query vector", Brief: "{label}",
	},
	ReasonKeywordNoMatch: {
		Verdict: "It does not hold the words of the query.", Sentence: "{verdict}", Clause: "{absent}", Absent: "has none of the query's words",
		Label: "none of the query's words", Brief: "{label}",
	},
}

// anyReason is what is said of a reason that has nothing of its own.
var anyReason = [forms]string{
	Verdict: "The stage {stage} drops it: {code}.", Sentence: "{Label}: {value} against {threshold}.", Clause: "{words}", Absent: NotFound,
	Label: "{words}", Heading: "dropped: {label}[ of the {arm} search]", Failed: "{value}", Brief: "{failed} {label}", Note: "{label}[ of the {arm} search]",
}

// Say puts the reason into words.
func (r Reason) Say(f Form) Phrase {
	words := reasons[r.Code][f]
	if words == "" {
		words = anyReason[f]
	}
	if before, rest, ok := strings.Cut(words, "["); ok {
		choice, after, _ := strings.Cut(rest, "]")
		chosen, other, _ := strings.Cut(choice, "|")
		if r.Arm == "" {
			chosen = other
		}
		words = before + chosen + after
	}
	return fill(words, r.part)
}

// part is what stands for a name in braces.
func (r Reason) part(name string) Phrase {
	switch name {
	case "value":
		return Phrase{{Kind: Score, Number: r.Value}}
	case "threshold":
		return Phrase{{Kind: Score, Number: r.Threshold}}
	case "short":
		return Phrase{{Kind: Score, Number: r.Threshold - r.Value}}
	case "cosine":
		return Phrase{{Text: Apart(r.Value, append(r.Beside, r.Threshold)...)}}
	case "floor":
		return r.Floor.named()
	case "n":
		return Phrase{{Kind: Count, Number: r.Value}}
	case "most":
		return Phrase{{Kind: Count, Number: r.Threshold}}
	case "over":
		return Phrase{{Kind: Count, Number: r.Value - r.Threshold}}
	case "arm":
		return Phrase{Named(r.Arm)}
	case "stage":
		return Phrase{Named(r.Stage)}
	case "setting":
		return Phrase{r.Setting}
	case "code":
		return Phrase{Named(r.Code)}
	case "words":
		return Phrase{Named(Spaced(r.Code))}
	case "verdict":
		return r.Say(Verdict)
	case "absent":
		return r.Say(Absent)
	case "failed":
		return r.Say(Failed)
	case "label":
		if r.Cut != "" {
			return Phrase{Named(r.Cut)}
		}
		return r.Say(Label)
	default:
		label := r.Say(Label)
		label[0].Text = Capital(label[0].Text)
		return label
	}
}

// Number is the cosine, with the setting in brackets where that is another number.
func (f Floor) Number() Phrase {
	if f.Calibrated {
		return Words("{} (set as {} on this corpus's scale)").With(f.Cosine, f.Setting)
	}
	return Words("{}").With(f.Cosine)
}

func (f Floor) named() Phrase {
	if f.Calibrated {
		return Words("the floor's {}").With(f.Number())
	}
	return Words("the floor of {}").With(f.Number())
}

// Set says of a calibrated floor what it is set as, and nothing of another one.
func (f Floor) Set() Phrase {
	if f.Calibrated {
		return Words(" That floor is set as {}, on this corpus's own scale.").With(f.Setting)
	}
	return nil
}

// Capital is s with a capital letter at its beginning.
func Capital(s string) string {
	_, n := utf8.DecodeRuneInString(s)
	return strings.ToUpper(s[:n]) + s[n:]
}
