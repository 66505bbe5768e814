package store

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/google/uuid"
)

// Relation is the type of an edge. It reads from source to target.
type Relation string

// The eight relations of the graph specification.
const (
	// References: citing to cited.
	References Relation = "references"
	// Elaborates: detail to summary.
	Elaborates Relation = "elaborates"
	// DependsOn: dependent to prerequisite.
	DependsOn Relation = "depends_on"
	// Contradicts: the stronger claim to the other.
	Contradicts Relation = "contradicts"
	// PartOf: part to whole.
	PartOf Relation = "part_of"
	// SimilarTo: either way.
	SimilarTo Relation = "similar_to"
	// Sequence: earlier to later.
	Sequence Relation = "sequence"
	// CausedBy: effect to cause.
	CausedBy Relation = "caused_by"
)

// Relations are all relations in the order in which they are listed.
func Relations() []Relation {
	return []Relation{References, Elaborates, DependsOn, Contradicts, PartOf, SimilarTo, Sequence, CausedBy}
}

// ParseRelation reads a relation; the error lists them all.
func ParseRelation(s string) (Relation, error) {
	for _, r := range Relations() {
		if string(r) == s {
			return r, nil
		}
	}
	names := make([]string, 0, len(Relations()))
	for _, r := range Relations() {
		names = append(names, string(r))
	}
	return "", fmt.Errorf("%q is no relation; there are %s", s, strings.Join(names, ", "))
}

// Origin says where an edge comes from.
type Origin string

// The origins.
const (
	// OriginStructure: the headings and the order of the page.
	OriginStructure Origin = "structure"
	// OriginLink: a hyperlink.
	OriginLink Origin = "link"
	// OriginImport: a file of edges.
	OriginImport Origin = "import"
)

// The weights of derived edges.
const (
	WeightReferences = 1.0
	WeightPartOf     = 0.8
	WeightSequence   = 0.5
)

// Edge connects two nodes of the graph. Nodes are parents; a chunk without a
// parent is its own node. There is one edge for each source, target and relation.
type Edge struct {
	// ID is [EdgeID].
	ID string
	// DocumentID is the source's document: the edge goes when it goes.
	DocumentID, SourceID       string
	TargetDocumentID, TargetID string
	Relation                   Relation
	// Weight is above 0 and at most 1.
	Weight float64
	// Description says in words how source and target are related.
	Description string
	Origin      Origin
}

var edgeSpace = uuid.MustParse("4d2a1b0c-53c1-5a0e-9f0e-6a8d0b5d9a11")

// EdgeID is the id of an edge: UUIDv5 of source, target and relation.
func EdgeID(source, target string, r Relation) string {
	return uuid.NewSHA1(edgeSpace, []byte(source+"\x00"+target+"\x00"+string(r))).String()
}

// Direction selects edges by the end at which a node stands.
type Direction string

// The directions.
const (
	// Outgoing edges have the node as their source, incoming ones as their target.
	Outgoing Direction = "outgoing"
	Incoming Direction = "incoming"
	Both     Direction = "both"
)

// EdgeQuery asks for edges.
type EdgeQuery struct {
	// Nodes are ids of chunks, where a child stands for its parent; nil asks for
	// all edges.
	Nodes []string
	// Direction is [Both] when empty, and means nothing without Nodes.
	Direction Direction
	// Relations are those wanted, nil for all.
	Relations []Relation
	// Origins are those wanted, nil for all.
	Origins []Origin
	// PerNode is the most edges of each relation for each node and direction, the
	// heaviest first and then by id; 0 is no bound. A table of contents that links
	// to everything hides no other relation. It means nothing without Nodes.
	PerNode int
	// Scope keeps edges both ends of which are in it. Ends that belong to others,
	// are deleted or gone are never returned, whatever the scope.
	Scope Scope
	// Dangling returns only the edges with an end that is gone or hidden, which
	// are otherwise left out. One that leads to what belongs to another owner is
	// never returned.
	Dangling bool
	// Page bounds the listing of all edges, and of dangling ones, which is by
	// (source, relation, id).
	Page Page
	// After is the edge that such a listing goes on after, whether it is still there
	// or not: the last of the page before. Unlike an offset, which counts from the
	// first edge each time, it costs the same for each page. Only its SourceID,
	// Relation and ID are read; the zero value is the beginning. Page.Offset counts
	// from there.
	After Edge
}

// CheckAfter refuses an After whose ids are none, which has no place in the order
// of a listing.
func (q *EdgeQuery) CheckAfter() error {
	if q.After == (Edge{}) {
		return nil
	}
	for _, id := range []string{q.After.SourceID, q.After.ID} {
		if _, ok := ParseID(id); !ok {
			return fmt.Errorf("an edge listing cannot go on after %q, which is not a lower-case UUID", id)
		}
	}
	return nil
}

// CompareListed orders edges as a listing has them: by (source, relation, id).
func CompareListed(a, b Edge) int {
	return cmp.Or(strings.Compare(a.SourceID, b.SourceID), strings.Compare(string(a.Relation), string(b.Relation)), strings.Compare(a.ID, b.ID))
}
