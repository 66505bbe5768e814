package store

import (
	"errors"
	"fmt"
	"math"

	"github.com/google/uuid"
)

// UnitTolerance is how far a stored vector's length may be from 1.
const UnitTolerance = 1e-3

// ParseID reads an id as a store keeps it: a UUID in lower case, with hyphens.
func ParseID(s string) (uuid.UUID, bool) {
	if len(s) != 36 {
		return uuid.UUID{}, false
	}
	id, err := uuid.Parse(s)
	if err != nil {
		return uuid.UUID{}, false
	}
	for _, c := range s {
		if 'A' <= c && c <= 'F' {
			return uuid.UUID{}, false
		}
	}
	return id, true
}

// CheckUnit returns an error unless v is finite and of length 1, to a thousandth.
func CheckUnit(v []float32) error {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	switch norm := math.Sqrt(sum); {
	case math.IsNaN(norm) || math.IsInf(norm, 0):
		return errors.New("the vector has a component that is not a finite number")
	case norm == 0:
		return errors.New("the vector is zero")
	case math.Abs(norm-1) > UnitTolerance:
		return fmt.Errorf("the vector has length %.4g instead of 1", norm)
	}
	return nil
}

// CheckEdge refuses an edge that is out of the types' ranges.
func CheckEdge(e *Edge) error {
	if _, err := ParseRelation(string(e.Relation)); err != nil {
		return err
	}
	// Written so that NaN fails.
	if !(e.Weight > 0 && e.Weight <= 1) {
		return fmt.Errorf("its weight is %v; it must be above 0 and at most 1", e.Weight)
	}
	switch e.Origin {
	case OriginStructure, OriginLink, OriginImport:
	default:
		return fmt.Errorf("its origin is %q", e.Origin)
	}
	if e.SourceID == e.TargetID {
		return errors.New("its source is its target")
	}
	return nil
}

// CheckBundle refuses a bundle that would break what reading relies on, for a
// corpus of m that is open for owner. It fills in what a store says for itself:
// the sums of the document, and of the edges what follows from their ends; of
// edges that are the same the first stays. A vector of another dimension than the
// corpus's is a [MismatchError].
func CheckBundle(b *Bundle, m Meta, owner string) error {
	d := &b.Document
	if _, ok := ParseID(d.ID); !ok {
		return fmt.Errorf("its id %q is not a lower-case UUID", d.ID)
	}
	if d.SourceURL == "" {
		return errors.New("it has no source URL")
	}
	if err := CheckAddress(d.SourceURL); err != nil {
		return err
	}
	if d.CurrentIngestionID == "" {
		return errors.New("it has no ingestion id, so that nothing would read it")
	}
	if owner != "" && owner != d.Owner {
		return fmt.Errorf("it belongs to %q, and the corpus is open for %q", d.Owner, owner)
	}
	d.TokenCount, d.ParentCount = 0, 0
	level := make(map[string]Level, len(b.Chunks))
	for i := range b.Chunks {
		c := &b.Chunks[i]
		if err := checkChunk(c, d, m, level); err != nil {
			return fmt.Errorf("chunk %d (%s): %w", i, c.ID, err)
		}
		level[c.ID] = c.Level
		if c.Level == Parent {
			d.ParentCount++
			d.TokenCount += c.Tokens()
		}
	}
	for i, l := range b.Links {
		if level[l.ChunkID] != Parent || l.TargetURL == "" {
			return fmt.Errorf("link %d: it has no target, or its chunk %q is no parent in the document", i, l.ChunkID)
		}
	}
	return checkStructure(b, level)
}

// checkStructure checks a bundle's edges and fills in what follows from their
// ends.
func checkStructure(b *Bundle, level map[string]Level) error {
	given := b.Edges
	b.Edges = make([]Edge, 0, len(given))
	seen := make(map[string]bool, len(given))
	for i, e := range given {
		if e.Origin == "" {
			e.Origin = OriginStructure
		}
		err := CheckEdge(&e)
		switch {
		case err != nil:
		case e.Origin != OriginStructure:
			err = fmt.Errorf("its origin is %q", e.Origin)
		case level[e.SourceID] != Parent || level[e.TargetID] != Parent:
			err = errors.New("its ends are not both parents in the document")
		}
		if err != nil {
			return fmt.Errorf("edge %d (%s to %s): %w", i, e.SourceID, e.TargetID, err)
		}
		e.ID = EdgeID(e.SourceID, e.TargetID, e.Relation)
		e.DocumentID, e.TargetDocumentID = b.Document.ID, b.Document.ID
		if !seen[e.ID] {
			seen[e.ID] = true
			b.Edges = append(b.Edges, e)
		}
	}
	return nil
}

// checkChunk checks one chunk; level has those before it.
func checkChunk(c *Chunk, d *Document, m Meta, level map[string]Level) error {
	if _, ok := ParseID(c.ID); !ok {
		return errors.New("its id is not a lower-case UUID")
	}
	if _, twice := level[c.ID]; twice {
		return errors.New("its id occurs twice")
	}
	if c.DocumentID != d.ID {
		return fmt.Errorf("it names document %q", c.DocumentID)
	}
	switch c.Level {
	case Parent:
		if c.ParentID != "" || c.Embedding != nil || c.EmbedHash != "" || c.Terms != "" || c.HeadingTerms != "" || c.TitleTerms != "" {
			return errors.New("it is a parent and has a parent, a vector, an embed hash or keyword terms")
		}
	case Child:
		if level[c.ParentID] != Parent {
			return fmt.Errorf("its parent %q is not before it", c.ParentID)
		}
	default:
		return fmt.Errorf("its level is %q", c.Level)
	}
	if err := c.checkPlace(); err != nil {
		return err
	}
	if c.Embedding == nil {
		return nil
	}
	if len(c.Embedding) != m.Dimensions {
		return &MismatchError{Have: m.EmbedderID, HaveDims: m.Dimensions, WantDims: len(c.Embedding)}
	}
	return CheckUnit(c.Embedding)
}
