package retrieval

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/webrag/webrag-tui/retrieval/param"
)

var groupingStage = StageSpec{
	Name: param.StageGrouping, Title: "group", Phase: PhasePresent, modes: inChunkMode | inFullContext,
	About: "Sections of a page stand together, in reading order.",
	on:    func(p *param.Params) bool { return p.GroupBySource },
	apply: applyGrouping,
}

// applyGrouping brings the sections of a page together: pages by their best
// section, the sections of a page in reading order. Ranks stay.
func applyGrouping(r *ranking, s *Stage) {
	pages := r.group()
	if s != nil {
		s.show(&r.p, param.FieldGroupBySource)
		s.Notes = []string{strconv.Itoa(pages) + " pages"}
	}
}

// group sorts by (place of the page, place in the page) and returns the number of
// pages. Since the candidates come by score, a page's place is that of its first
// one.
func (r *ranking) group() int {
	places, n := r.pages(r.ev, r.list)
	order := func(a, b candidate) int {
		x, y := &r.ev.rows[a.row], &r.ev.rows[b.row]
		if c := cmp.Compare(places[x.document], places[y.document]); c != 0 {
			return c
		}
		// Children count within their section, so that pages are in order of their
		// characters.
		if x.isChild || y.isChild {
			return cmp.Compare(x.charStart, y.charStart)
		}
		return cmp.Compare(x.index, y.index)
	}
	// All sections of a corpus are in order already.
	if !slices.IsSortedFunc(r.list, order) {
		slices.SortStableFunc(r.list, order)
	}
	return n
}
