package main

import (
	"fmt"
	"strings"

	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
)

// reasonWords are a stable reason in words.
func reasonWords(reason string) string { return strings.ReplaceAll(reason, "_", " ") }

// dropWords say why a candidate was dropped, with the numbers that decided.
func dropWords(d *retrieval.Drop) string {
	value, threshold := int(d.Value), int(d.Threshold)
	switch d.Reason {
	case retrieval.ReasonBelowFloor:
		return fmt.Sprintf("%s is not above the floor of %s", score(d.Value), score(d.Threshold))
	case retrieval.ReasonBeyondLimit:
		if d.Arm == "" {
			return fmt.Sprintf("number %d of an arm that returns %d", value, threshold)
		}
		return fmt.Sprintf("number %d of the %s arm, which returns %d", value, offset.Line(d.Arm), threshold)
	case retrieval.ReasonOverBudget:
		return fmt.Sprintf("%d tokens with it, the budget is %d", value, threshold)
	case retrieval.ReasonAfterBudgetStop:
		return "after the first section that did not fit the budget"
	case retrieval.ReasonBeyondTopK:
		return fmt.Sprintf("number %d of the results, %s is %d", value, param.FieldTopK, threshold)
	case retrieval.ReasonPoolFull:
		return fmt.Sprintf("number %d, the %d places of its kind were taken", value, threshold)
	case retrieval.ReasonBelowMinScore, retrieval.ReasonRerankedOut:
		return fmt.Sprintf("%s is less than the least score of %s", score(d.Value), score(d.Threshold))
	case retrieval.ReasonDuplicate:
		return fmt.Sprintf("repeats a better one: similarity of words %s, above %s", score(d.Value), score(d.Threshold))
	case retrieval.ReasonANNMissed:
		return "the index did not return it"
	case retrieval.ReasonUnreached:
		return "no edge within the hops leads to it"
	case retrieval.ReasonEdgeFiltered:
		return "a setting leaves out the edges that lead to it"
	case retrieval.ReasonNoParent:
		return "belongs to no section"
	default:
		return offset.Line(reasonWords(d.Reason))
	}
}
