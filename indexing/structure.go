package indexing

import (
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/store"
)

// structureEdges returns the edges that the headings and the order of a page's
// parents give, by source index, each parent's part_of before its sequence edge:
//
//   - part_of: from a parent to the nearest earlier one whose heading path is a
//     proper prefix of its own. The text before the first heading is nobody's
//     whole.
//   - sequence: from each parent to the next.
func structureEdges(d *store.Document, parents []store.Chunk) []store.Edge {
	edges := make([]store.Edge, 0, 2*len(parents))
	add := func(from, to int, r store.Relation, weight float64, description string) {
		edges = append(edges, store.Edge{
			ID:         store.EdgeID(parents[from].ID, parents[to].ID, r),
			DocumentID: d.ID, SourceID: parents[from].ID,
			TargetDocumentID: d.ID, TargetID: parents[to].ID,
			Relation: r, Weight: weight, Description: description, Origin: store.OriginStructure,
		})
	}
	// last is where the latest parent with a heading path stands.
	last := make(map[string]int, len(parents))
	for i := range parents {
		name := sectionName(&parents[i])
		if whole := enclosing(last, parents[i].HeadingPath); whole >= 0 {
			add(i, whole, store.PartOf, store.WeightPartOf, name+" is a subsection of "+sectionName(&parents[whole]))
		}
		if i+1 < len(parents) {
			add(i, i+1, store.Sequence, store.WeightSequence, followed(name, sectionName(&parents[i+1])))
		}
		if len(parents[i].HeadingPath) > 0 {
			last[pathKey(parents[i].HeadingPath)] = i
		}
	}
	return edges
}

// enclosing returns the latest parent whose path is a proper prefix of path, -1
// for none.
func enclosing(last map[string]int, path []string) int {
	whole := -1
	for n := 1; n < len(path); n++ {
		if i, ok := last[pathKey(path[:n])]; ok {
			whole = max(whole, i)
		}
	}
	return whole
}

// pathKey joins a path; no heading has a control character.
func pathKey(path []string) string { return strings.Join(path, "\x00") }

func followed(name, next string) string {
	if name == next {
		return name + " goes on in its next part"
	}
	return name + " is followed by " + next
}

// maxName is the most runes of a heading that a description quotes.
const maxName = 80

// sectionName is what descriptions call a section: its innermost heading, else
// the page.
func sectionName(c *store.Chunk) string {
	switch {
	case len(c.HeadingPath) > 0:
		return "“" + shorten(offset.Folded(c.HeadingPath[len(c.HeadingPath)-1]), maxName) + "”"
	case c.Title != "":
		return "the beginning of “" + shorten(offset.Folded(c.Title), maxName) + "”"
	}
	return "the beginning of the page"
}

// shorten cuts a text to a number of runes, the last an ellipsis if it was longer.
func shorten(s string, runes int) string {
	if len(s) <= runes {
		return s
	}
	r := []rune(s)
	if len(r) <= runes {
		return s
	}
	return strings.TrimRight(string(r[:runes-1]), " ") + "…"
}

// onlyParents returns the parents among chunks.
func onlyParents(chunks []store.Chunk) []store.Chunk {
	return slices.DeleteFunc(slices.Clone(chunks), func(c store.Chunk) bool { return c.Level != store.Parent })
}
