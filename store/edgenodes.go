package store

import (
	"cmp"
	"slices"
	"strings"
)

// Node is a section as an end of an edge.
type Node struct{ ID, DocumentID string }

// ResolveEdges puts the sections in place of the ends of edges: nodes has them by
// the ids that edges give. It fills in what follows, keeps the heaviest of edges
// that are the same, in the order of the first of each, and returns those with an
// end that is missing or with both ends in one section as they were.
func ResolveEdges(edges []Edge, nodes map[string]Node) (known, missing []Edge) {
	at := make(map[string]int, len(edges))
	for _, e := range edges {
		source, ok := nodes[e.SourceID]
		target, ok2 := nodes[e.TargetID]
		if !ok || !ok2 || source.ID == target.ID {
			missing = append(missing, e)
			continue
		}
		e.SourceID, e.DocumentID = source.ID, source.DocumentID
		e.TargetID, e.TargetDocumentID = target.ID, target.DocumentID
		e.ID = EdgeID(e.SourceID, e.TargetID, e.Relation)
		if e.Origin == "" {
			e.Origin = OriginImport
		}
		if i, twice := at[e.ID]; !twice {
			at[e.ID] = len(known)
			known = append(known, e)
		} else if e.Weight > known[i].Weight {
			known[i] = e
		}
	}
	return known, missing
}

// CompareEdges orders edges by weight, heaviest first, and then by id.
func CompareEdges(a, b Edge) int {
	return cmp.Or(cmp.Compare(b.Weight, a.Weight), strings.Compare(a.ID, b.ID))
}

// HeaviestEdges keeps the n heaviest edges of each relation, all for 0. It may
// reorder edges.
func HeaviestEdges(edges []Edge, n int) []Edge {
	if n <= 0 || len(edges) <= n {
		return edges
	}
	slices.SortFunc(edges, CompareEdges)
	taken := make(map[Relation]int)
	return slices.DeleteFunc(edges, func(e Edge) bool {
		taken[e.Relation]++
		return taken[e.Relation] > n
	})
}
