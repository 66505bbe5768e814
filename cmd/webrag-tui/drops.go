package main

import (
	"fmt"
	"strings"

	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval"
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
		return fmt.Sprintf("number %d of an arm that returns %d", value, threshold)
	case retrieval.ReasonOverBudget:
		return fmt.Sprintf("%d tokens with it, the budget is %d", value, threshold)
	case retrieval.ReasonAfterBudgetStop:
		return "after the first section that did not fit the budget"
	case retrieval.ReasonNoParent:
		return "belongs to no section"
	default:
		return offset.Line(reasonWords(d.Reason))
	}
}
