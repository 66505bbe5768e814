package results

import "github.com/webrag/webrag-tui/retrieval"

// Changes is how a listed result differs from the baseline.
type Changes struct {
	// against names the baseline.
	Against string
	// shifts are those of the listed sections, by chunk id; empty where nothing
	// differs.
	Shifts map[string]*retrieval.Shift
	// gone are the sections that only the baseline returns, by their rank there,
	// which is their Rank; Why is always set.
	Gone []retrieval.Item
	// scores says that the scores of both are on one scale.
	scores bool
}

// ChangesOf prepares a comparison for the list.
func ChangesOf(c *retrieval.Comparison, base *retrieval.Result, against string) Changes {
	if c == nil || base == nil || c.IsIdentical() {
		return Changes{}
	}
	ch := Changes{Against: against, Shifts: make(map[string]*retrieval.Shift, len(c.Entered)+len(c.Moved)), scores: c.SameScale()}
	for _, list := range [][]retrieval.Shift{c.Entered, c.Moved} {
		for i := range list {
			ch.Shifts[list[i].ChunkID] = &list[i]
		}
	}
	had := make(map[string]*retrieval.Item, len(base.Items))
	for i := range base.Items {
		had[base.Items[i].ChunkID] = &base.Items[i]
	}
	for i := range c.Left {
		it := *had[c.Left[i].ChunkID]
		it.Why = c.Left[i].Why
		if it.Why == nil {
			it.Why = &retrieval.Drop{ID: it.ChunkID}
		}
		ch.Gone = append(ch.Gone, it)
	}
	return ch
}

// differ reports that there is something to show.
func (c *Changes) differ() bool { return len(c.Shifts) > 0 || len(c.Gone) > 0 }
