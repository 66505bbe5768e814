package ui

import "github.com/webrag/webrag-tui/retrieval"

// movedRanks counts the sections that both results have at different ranks.
func movedRanks(c *retrieval.Comparison) int {
	n := 0
	for i := range c.Moved {
		if c.Moved[i].RankDelta() != 0 {
			n++
		}
	}
	return n
}
