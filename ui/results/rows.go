package results

import (
	"cmp"
	"slices"

	"github.com/webrag/webrag-tui/ui/wording"

	"github.com/webrag/webrag-tui/retrieval"
)

// rowKind is what a line of the result list is.
type rowKind uint8

// The kinds of lines.
const (
	pageRow    rowKind = iota // a page with several sections: title, their number, best score
	sectionRow                // a section of the result
	cutRow                    // where a stage cut, with its threshold
	belowRow                  // a candidate that the stage above dropped
	goneRow                   // a section that only the baseline returns
	moreRow                   // how much the list leaves out at its end
)

// row is one line of the list.
type row struct {
	kind  rowKind
	group int // index into groups, -1 for none
	item  *retrieval.Item
	label string // of a cut, or what is left out
	// inside says that the page of a section stands above it, and not in the line.
	inside bool
}

// selectable reports whether the cursor stops here. Open pages are passed over;
// folded ones stand for their sections.
func (r row) selectable(folded bool) bool {
	return r.kind == sectionRow || r.kind == belowRow || r.kind == goneRow || r.kind == pageRow && folded
}

// group is a page with its sections in the result.
type group struct {
	url, title string
	depth      int
	best       float64
	items      []*retrieval.Item
	// opened marks the page of a section that the query did not find, cites one
	// that was opened for a span of it.
	opened, cites bool
}

// alone says that the page has one section, and so one line.
func (g *group) alone() bool { return len(g.items) == 1 }

// byRank says that the sections of the page stand in the order of their ranks.
func (g *group) byRank() bool {
	return slices.IsSortedFunc(g.items, func(a, b *retrieval.Item) int { return cmp.Compare(a.Rank, b.Rank) })
}

// groupsOf puts the items of a result under their pages. The result is already
// in order: best page first, reading order within.
func groupsOf(items []retrieval.Item) []group {
	var groups []group
	index, at := map[string]int{}, 0
	for i := range items {
		it := &items[i]
		if i == 0 || it.SourceURL != items[i-1].SourceURL {
			place, known := index[it.SourceURL]
			if at = place; !known {
				at = len(groups)
				index[it.SourceURL] = at
				groups = append(groups, group{url: it.SourceURL, title: it.Title, depth: it.Depth, best: it.Score})
			}
		}
		g := &groups[at]
		g.items = append(g.items, it)
		g.best = max(g.best, it.Score)
	}
	return groups
}

// listing is how the list is to be laid out.
type listing struct {
	flat    bool
	folded  map[string]bool
	floor   string // as in [wording.CutHeading]
	arms    bool   // as in [wording.CutHeading]
	gone    []retrieval.Item
	against string // the baseline that gone were in
}

// rowsOf lays out the groups, then what is gone since the baseline, then what was
// cut. What is both stands among the gone only.
func rowsOf(groups []group, below []retrieval.Item, l listing) []row {
	n := len(groups) + len(l.gone) + len(below) + 8 // some cuts
	for i := range groups {
		n += len(groups[i].items)
	}
	rows := make([]row, 0, n)
	if l.flat {
		rows = flatRows(rows, groups)
	} else {
		for i := range groups {
			rows = appendPage(rows, i, &groups[i], l.folded[groups[i].url])
		}
	}
	return append(append(rows, goneRows(l)...), belowRows(below, l)...)
}

// appendPage adds a page with its sections, in one line where it has one.
func appendPage(rows []row, at int, g *group, folded bool) []row {
	if !g.alone() {
		rows = append(rows, row{kind: pageRow, group: at})
		if folded {
			return rows
		}
	}
	for _, it := range g.items {
		rows = append(rows, row{kind: sectionRow, group: at, item: it, inside: !g.alone()})
	}
	return rows
}

func goneRows(l listing) []row {
	if len(l.gone) == 0 {
		return nil
	}
	rows := []row{{kind: cutRow, group: -1, label: "left since " + l.against}}
	for i := range l.gone {
		rows = append(rows, row{kind: goneRow, group: -1, item: &l.gone[i]})
	}
	return rows
}

// flatRows lists the sections by rank. A section that was opened, not found,
// has no rank and comes first.
func flatRows(rows []row, groups []group) []row {
	for i := range groups {
		for _, it := range groups[i].items {
			rows = append(rows, row{kind: sectionRow, group: i, item: it})
		}
	}
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(a.item.Rank, b.item.Rank) })
	return rows
}

func belowRows(below []retrieval.Item, l listing) []row {
	gone := make(map[string]bool, len(l.gone))
	for i := range l.gone {
		gone[l.gone[i].ChunkID] = true
	}
	var rows []row
	last := ""
	for i := range below {
		if gone[below[i].ChunkID] {
			continue
		}
		label := wording.CutHeading(below[i].Why, l.floor, l.arms)
		if len(rows) == 0 || label != last {
			rows = append(rows, row{kind: cutRow, group: -1, label: label})
			last = label
		}
		rows = append(rows, row{kind: belowRow, group: -1, item: &below[i]})
	}
	return rows
}

// holds reports that one of the pages has a section.
func holds(groups []group, id string) bool {
	for i := range groups {
		if slices.ContainsFunc(groups[i].items, func(it *retrieval.Item) bool { return it.ChunkID == id }) {
			return true
		}
	}
	return false
}
