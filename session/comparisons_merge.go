package session

import (
	"encoding/json"
	"fmt"
)

// Merge is what is to be kept of comparisons where another session has written theirs, of
// the same corpus, since base was read or written by this one: what either of them has
// added, without what either has dropped. Where this session has another baseline than it
// had, that stays, else theirs. Of two snapshots of one name, the one of this session gets
// a number.
func (c *Comparisons) Merge(base, theirs *Comparisons) Comparisons {
	merged := *c
	if c.hasBaselineOf(base) {
		merged.Baseline, merged.Pinned, merged.Of = theirs.Baseline, theirs.Pinned, theirs.Of
	}
	mine, before, others := c.written(), base.written(), theirs.written()
	var all snapshots
	for _, sn := range theirs.Snapshots {
		if line := writtenAs(sn); !before[line] || mine[line] {
			all.list = append(all.list, sn)
		}
	}
	for _, sn := range c.Snapshots {
		if line := writtenAs(sn); !before[line] && !others[line] {
			added := *sn
			added.Name = all.free(sn.Name)
			all.list = append(all.list, &added)
		}
	}
	all.bound()
	merged.Snapshots = all.list
	return merged
}

// hasBaselineOf reports whether both are compared with the same.
func (c *Comparisons) hasBaselineOf(o *Comparisons) bool {
	if c.Baseline == nil || o.Baseline == nil {
		return c.Baseline == o.Baseline
	}
	return *c.Baseline == *o.Baseline && c.Pinned == o.Pinned && c.Of == o.Of
}

// written has the snapshots as they are written: two are the same if these are.
func (c *Comparisons) written() map[string]bool {
	all := map[string]bool{}
	for _, sn := range c.Snapshots {
		all[writtenAs(sn)] = true
	}
	return all
}

// writtenAs is the line of a snapshot, or what tells one apart that cannot be written.
func writtenAs(sn *Snapshot) string {
	line, err := json.Marshal(keepSnapshot(sn))
	if err != nil {
		return fmt.Sprintf("%p", sn)
	}
	return string(line)
}
