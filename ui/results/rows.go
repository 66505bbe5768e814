package results

import (
	"cmp"
	"slices"

	"github.com/webrag/webrag-tui/ui/wording"

	"github.com/webrag/webrag-tui/retrieval"
)

// Kind is what a line of the result list is.
type Kind uint8

// The kinds of lines.
const (
	Page    Kind = iota // a page: title, number of sections, best score
	Address             // the page's address and depth
	Section             // a section of the result
	Cut                 // where a stage cut, with its threshold
	Below               // a candidate that the stage above dropped
	Gone                // a section that only the baseline returns
	More                // how much the list leaves out at its end
	Gap
)

// Row is one line of the list.
type Row struct {
	Kind  Kind
	Group int // index into groups, -1 for none
	Item  *retrieval.Item
	Label string // of a cut, or what is left out
}

// selectable reports whether the cursor stops here. Open pages are passed over;
// folded ones stand for their sections.
func (r Row) selectable(folded bool) bool {
	return r.Kind == Section || r.Kind == Below || r.Kind == Gone || r.Kind == Page && folded
}

// Group is a page with its sections in the result.
type Group struct {
	URL, Title string
	Depth      int
	Best       float64
	Items      []*retrieval.Item
	// opened marks the page of a section that the query did not find, cites one
	// that was opened for a span of it.
	Opened, Cites bool
}

// GroupsOf puts the items of a result under their pages. The result is already
// in order: best page first, reading order within.
func GroupsOf(items []retrieval.Item) []Group {
	var groups []Group
	index := map[string]int{}
	for i := range items {
		it := &items[i]
		at, ok := index[it.SourceURL]
		if !ok {
			at = len(groups)
			index[it.SourceURL] = at
			groups = append(groups, Group{URL: it.SourceURL, Title: it.Title, Depth: it.Depth, Best: it.Score})
		}
		g := &groups[at]
		g.Items = append(g.Items, it)
		g.Best = max(g.Best, it.Score)
	}
	return groups
}

// listing is how the list is to be laid out.
type listing struct {
	Flat    bool
	compact bool // leave out addresses and gaps
	Folded  map[string]bool
	floor   string // as in [wording.CutHeading]
	arms    bool   // as in [wording.CutHeading]
	Gone    []retrieval.Item
	Against string // the baseline that gone were in
}

// rowsOf lays out the groups, then what is gone since the baseline, then what was
// cut. What is both stands among the gone only.
func rowsOf(groups []Group, below []retrieval.Item, l listing) []Row {
	var rows []Row
	if l.Flat {
		rows = flatRows(groups)
	} else {
		for i := range groups {
			if i > 0 && !l.compact {
				rows = append(rows, Row{Kind: Gap, Group: -1})
			}
			rows = append(rows, Row{Kind: Page, Group: i})
			if l.Folded[groups[i].URL] {
				continue
			}
			if !l.compact {
				rows = append(rows, Row{Kind: Address, Group: i})
			}
			for _, it := range groups[i].Items {
				rows = append(rows, Row{Kind: Section, Group: i, Item: it})
			}
		}
	}
	rows = append(rows, goneRows(len(rows) > 0 && !l.compact, l)...)
	return append(rows, belowRows(below, len(rows) > 0 && !l.compact, l)...)
}

func goneRows(gap bool, l listing) []Row {
	if len(l.Gone) == 0 {
		return nil
	}
	var rows []Row
	if gap {
		rows = append(rows, Row{Kind: Gap, Group: -1})
	}
	rows = append(rows, Row{Kind: Cut, Group: -1, Label: "gone, against " + l.Against})
	for i := range l.Gone {
		rows = append(rows, Row{Kind: Gone, Group: -1, Item: &l.Gone[i]})
	}
	return rows
}

// flatRows lists the sections by rank. A section that was opened, not found,
// has no rank and comes first.
func flatRows(groups []Group) []Row {
	var rows []Row
	for i := range groups {
		for _, it := range groups[i].Items {
			rows = append(rows, Row{Kind: Section, Group: i, Item: it})
		}
	}
	slices.SortStableFunc(rows, func(a, b Row) int { return cmp.Compare(a.Item.Rank, b.Item.Rank) })
	return rows
}

func belowRows(below []retrieval.Item, gap bool, l listing) []Row {
	gone := make(map[string]bool, len(l.Gone))
	for i := range l.Gone {
		gone[l.Gone[i].ChunkID] = true
	}
	var rows []Row
	last := ""
	for i := range below {
		if gone[below[i].ChunkID] {
			continue
		}
		label := wording.CutHeading(below[i].Why, l.floor, l.arms)
		if len(rows) == 0 || label != last {
			if gap {
				rows = append(rows, Row{Kind: Gap, Group: -1})
			}
			rows = append(rows, Row{Kind: Cut, Group: -1, Label: label})
			last, gap = label, true
		}
		rows = append(rows, Row{Kind: Below, Group: -1, Item: &below[i]})
	}
	return rows
}
