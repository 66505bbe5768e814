package session

import (
	"slices"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/store"
)

// SectionPart is which part of its section a chunk is, from 1, of how many.
type SectionPart struct{ Part, Of int }

// mostCounted is the most sections that a corpus may have for their parts to be counted:
// all of them are read for it, without their texts.
const mostCounted = 20_000

// partsOf finds the parts of sections that were cut into several: they follow each other on
// a page, below the same headings; nil for none. Sections are in the order of their pages.
func partsOf(sections []store.Chunk) map[string]SectionPart {
	var parts map[string]SectionPart
	for from := 0; from < len(sections); {
		to := from + 1
		for to < len(sections) && areParts(&sections[from], &sections[to]) {
			to++
		}
		for i := from; i < to && to > from+1; i++ {
			if parts == nil {
				parts = map[string]SectionPart{}
			}
			parts[sections[i].ID] = SectionPart{i - from + 1, to - from}
		}
		from = to
	}
	return parts
}

func areParts(a, b *store.Chunk) bool {
	return a.DocumentID == b.DocumentID && a.Anchor == b.Anchor && slices.Equal(a.HeadingPath, b.HeadingPath)
}

// SetPart notes in an item which part of its section it or, of a passage, what holds it is,
// as far as that is known.
func (o *opened) SetPart(it *retrieval.Item) {
	if o.summary == nil {
		return
	}
	p := o.summary.Parts[it.SectionID()]
	it.Part, it.Parts = p.Part, p.Of
}

// setParts is [opened.SetPart] of all that a result lists; nil for none.
func (o *opened) setParts(r *retrieval.Result) {
	if r == nil || o.summary == nil || len(o.summary.Parts) == 0 {
		return
	}
	for _, items := range [][]retrieval.Item{r.Items, r.NearMisses} {
		for i := range items {
			o.SetPart(&items[i])
		}
	}
}
