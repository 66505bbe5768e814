package ui

import (
	"fmt"
	"strings"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/theme"
)

// cutHeading stands above the candidates that one stage dropped. floor is the
// similarity floor in words, empty for that of the drop; arms is set where
// several arms searched, each with a limit of its own.
func cutHeading(d *retrieval.Drop, floor string, arms bool) string {
	label := cutLabel(d)
	if d == nil {
		return label
	}
	if d.Reason == retrieval.ReasonBelowFloor && floor != "" {
		label = "floor " + floor
	}
	if arms && d.Arm != "" {
		label += " (" + oneLine(d.Arm) + " arm)"
	}
	return "dropped: " + label
}

// cutLabel names the stage that dropped a candidate and its threshold.
func cutLabel(d *retrieval.Drop) string {
	if d == nil {
		return "not returned"
	}
	switch d.Reason {
	case retrieval.ReasonBelowFloor:
		return "floor " + listScore(d.Threshold)
	case retrieval.ReasonBeyondLimit:
		return "limit " + count(int(d.Threshold))
	case retrieval.ReasonOverBudget:
		return "budget " + count(int(d.Threshold)) + " tokens"
	case retrieval.ReasonAfterBudgetStop:
		return "after the budget's stop"
	case retrieval.ReasonNoParent:
		return "without a section"
	case retrieval.ReasonBeyondTopK:
		return param.FieldTopK + " " + count(int(d.Threshold))
	case retrieval.ReasonPoolFull:
		return "places taken by better sections"
	case retrieval.ReasonBelowMinScore:
		return "least score " + listScore(d.Threshold)
	case retrieval.ReasonRerankedOut:
		return "reranker's least score " + listScore(d.Threshold)
	case retrieval.ReasonDuplicate:
		return "near-duplicates, above " + listScore(d.Threshold)
	case retrieval.ReasonANNMissed:
		return "missed by the index"
	case retrieval.ReasonUnreached:
		return "not reached by edges"
	}
	return oneLine(strings.ReplaceAll(d.Reason, "_", " "))
}

// belowValue is the number that failed, on the scale of its threshold. arms is
// as in [cutHeading].
func belowValue(d *retrieval.Drop, arms bool) string {
	switch d.Reason {
	case retrieval.ReasonOverBudget, retrieval.ReasonAfterBudgetStop:
		return "→ " + count(int(d.Value))
	case retrieval.ReasonBeyondLimit, retrieval.ReasonBeyondTopK, retrieval.ReasonPoolFull:
		rank := "rank " + count(int(d.Value))
		if arms && d.Arm != "" {
			return oneLine(d.Arm) + " " + rank
		}
		return rank
	}
	return fmt.Sprintf("%5s", listScore(d.Value))
}

// whyLines says why a candidate is not in the result. floor is the similarity floor
// as it was set, empty where that is the cosine of the drop.
func whyLines(s *theme.Styles, it *retrieval.Item, floor string, room int) []string {
	d := it.Why
	var said string
	switch d.Reason {
	case retrieval.ReasonBelowFloor:
		said = fmt.Sprintf("Below the floor: a cosine of %s, short of %s by %s.", fullScore(d.Value), fullScore(d.Threshold), fullScore(d.Threshold-d.Value))
		if floor != "" {
			said += " That floor is set as " + floor + ", on this corpus's own scale."
		}
	case retrieval.ReasonBeyondLimit:
		limit := "the limit"
		if d.Arm != "" {
			limit += " of the " + oneLine(d.Arm) + " arm"
		}
		said = fmt.Sprintf("Beyond %s: rank %s, and %s are taken.", limit, count(int(d.Value)), count(int(d.Threshold)))
	case retrieval.ReasonOverBudget:
		said = fmt.Sprintf("Over the budget: with it there would be %s tokens, and the budget is %s.", count(int(d.Value)), count(int(d.Threshold)))
	case retrieval.ReasonAfterBudgetStop:
		said = "After the budget's stop: a section ranked before it did not fit, and the policy is to stop there."
	case retrieval.ReasonBeyondTopK:
		said = fmt.Sprintf("Beyond the results asked for: number %s, and the first %s are returned.", count(int(d.Value)), count(int(d.Threshold)))
	case retrieval.ReasonPoolFull:
		said = fmt.Sprintf("Number %s, and the places kept for its kind (%s) were taken by better ones.", count(int(d.Value)), count(int(d.Threshold)))
	case retrieval.ReasonBelowMinScore:
		said = fmt.Sprintf("Below the least score: %s, short of %s by %s.", fullScore(d.Value), fullScore(d.Threshold), fullScore(d.Threshold-d.Value))
	case retrieval.ReasonRerankedOut:
		said = fmt.Sprintf("Below the reranker's least score: %s, short of %s by %s.", fullScore(d.Value), fullScore(d.Threshold), fullScore(d.Threshold-d.Value))
	case retrieval.ReasonDuplicate:
		said = fmt.Sprintf("It repeats a better result: its words are alike to %s, and more than %s is too much.", fullScore(d.Value), fullScore(d.Threshold))
	case retrieval.ReasonANNMissed:
		said = fmt.Sprintf("Missed by the index: its cosine of %s is high enough, and an exact search finds it.", fullScore(d.Value))
	case retrieval.ReasonNoParent:
		said = "Without a section: the child belongs to none that is there."
	default:
		said = fmt.Sprintf("%s: %s against %s.", capital(cutLabel(d)), fullScore(d.Value), fullScore(d.Threshold))
	}
	lines := styled(s.Warning.Render, wrapped("Not in the result", room))
	return append(lines, wrapped(said, room)...)
}
