package results

import "github.com/webrag/webrag-tui/retrieval"

// changes is how a listed result differs from the baseline.
type changes struct {
	// against names the baseline.
	against string
	// shifts are those of the listed sections, by chunk id; empty where nothing
	// differs.
	shifts map[string]*retrieval.Shift
	// gone are the sections that only the baseline returns, by their rank there,
	// which is their Rank; Why is always set.
	gone []retrieval.Item
	// scores says that the scores of both are on one scale.
	scores bool
}

// changesOf prepares a comparison for the list.
func changesOf(c *retrieval.Comparison, base *retrieval.Result, against string) changes {
	if c == nil || base == nil || c.IsIdentical() {
		return changes{}
	}
	ch := changes{against: against, shifts: make(map[string]*retrieval.Shift, len(c.Entered)+len(c.Moved)), scores: c.SameScale()}
	for _, list := range [][]retrieval.Shift{c.Entered, c.Moved} {
		for i := range list {
			ch.shifts[list[i].ChunkID] = &list[i]
		}
	}
	had := make(map[string]*retrieval.Item, len(c.Left)) // of the few that left, not of all
	for i := range c.Left {
		had[c.Left[i].ChunkID] = nil
	}
	for i := range base.Items {
		if _, left := had[base.Items[i].ChunkID]; left {
			had[base.Items[i].ChunkID] = &base.Items[i]
		}
	}
	for i := range c.Left {
		it := *had[c.Left[i].ChunkID]
		it.Why = c.Left[i].Why
		if it.Why == nil {
			it.Why = &retrieval.Drop{ID: it.ChunkID}
		}
		ch.gone = append(ch.gone, it)
	}
	return ch
}
