package retrieval

import (
	"strconv"

	"github.com/webrag/webrag-tui/retrieval/param"
)

var loadStage = StageSpec{
	Name: param.StageLoad, Phase: PhaseFind, modes: inFullContext,
	About: "All sections, in reading order.",
	apply: applyLoad,
	explain: func(r *ranking, c *candidate, _ *Explanation) *Explanation {
		return r.leaf(c.score, "full context: everything is returned", scaleFlat)
	},
	brief: noBrief,
}

// applyLoad takes every section in scope, in reading order. The children found
// are laid over them as matches, by the same floor and limit as in chunk mode:
// they show where the text is near the query and decide nothing.
func applyLoad(r *ranking, s *Stage) {
	r.nearest = r.ev.nearest[:r.res.ChildrenKept]
	r.takeNearest()
	near, matches := r.gather(r.found)
	r.found, r.matches = nil, matches
	matched := r.rows(r.ev) // index in near + 1
	for i := range near {
		matched[near[i].row] = int32(i + 1)
	}
	r.scale = scaleFlat
	// near is in the memory of the list, the children found are done with.
	r.list = emptied(r.foundIn, len(r.ev.reading))[:len(r.ev.reading)]
	r.foundIn = r.list
	for i, at := range r.ev.reading {
		c := candidate{row: at, child: noRow, score: 1, rank: int32(i + 1)}
		if n := matched[at]; n > 0 {
			c.from, c.to = near[n-1].from, near[n-1].to
		}
		c.html = r.prefersHTML(&c)
		r.list[i] = c
	}
	if s != nil {
		s.Added = len(r.list)
		s.Notes = []string{
			"reading order: depth, address, place in the page",
			strconv.Itoa(len(matches)) + " near passages marked, not used for the choice",
		}
	}
}
