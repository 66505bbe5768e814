package sqlite

import (
	"errors"
	"fmt"
	"math"

	"github.com/webrag/webrag-tui/store"
)

// check refuses a bundle that would break what reading relies on, fills the sums
// of its document, and returns the chunks as rows.
func (w *Writer) check(b *store.Bundle) (rows []chunkRow, children int, err error) {
	d := &b.Document
	if _, ok := parseID(d.ID); !ok {
		return nil, 0, fmt.Errorf("its id %q is not a lower-case UUID", d.ID)
	}
	if d.SourceURL == "" {
		return nil, 0, errors.New("it has no source URL")
	}
	if d.CurrentIngestionID == "" {
		return nil, 0, errors.New("it has no ingestion id, so that nothing would read it")
	}
	if !w.store.sees(d.Owner) {
		return nil, 0, fmt.Errorf("it belongs to %q, and the corpus is open for %q", d.Owner, w.store.owner)
	}
	d.TokenCount, d.ParentCount = 0, 0
	rows = make([]chunkRow, len(b.Chunks))
	level := make(map[string]store.Level, len(b.Chunks))
	for i := range b.Chunks {
		c := &b.Chunks[i]
		if err := w.checkChunk(c, d, level); err != nil {
			return nil, 0, fmt.Errorf("chunk %d (%s): %w", i, c.ID, err)
		}
		level[c.ID] = c.Level
		if c.Level == store.Parent {
			d.ParentCount++
			d.TokenCount += c.Tokens()
		}
		rows[i] = chunkRow{id: c.ID, chunk: encodeChunk(c, d), texts: encodeTexts(c), hash: textOrNull(c.EmbedHash)}
		if c.Embedding != nil {
			rows[i].vector = encodeVector(c.Embedding)
		}
	}
	for i, l := range b.Links {
		if level[l.ChunkID] != store.Parent || l.TargetURL == "" {
			return nil, 0, fmt.Errorf("link %d: it has no target, or its chunk %q is no parent in the document", i, l.ChunkID)
		}
	}
	if err := checkStructure(b, level); err != nil {
		return nil, 0, err
	}
	return rows, len(b.Chunks) - d.ParentCount, nil
}

// checkStructure checks a bundle's edges and fills in what follows from their
// ends. Of those that are the same the first stays.
func checkStructure(b *store.Bundle, level map[string]store.Level) error {
	given := b.Edges
	b.Edges = make([]store.Edge, 0, len(given))
	seen := make(map[string]bool, len(given))
	for i, e := range given {
		if e.Origin == "" {
			e.Origin = store.OriginStructure
		}
		err := checkEdge(&e)
		switch {
		case err != nil:
		case e.Origin != store.OriginStructure:
			err = fmt.Errorf("its origin is %q", e.Origin)
		case level[e.SourceID] != store.Parent || level[e.TargetID] != store.Parent:
			err = errors.New("its ends are not both parents in the document")
		}
		if err != nil {
			return fmt.Errorf("edge %d (%s to %s): %w", i, e.SourceID, e.TargetID, err)
		}
		e.ID = store.EdgeID(e.SourceID, e.TargetID, e.Relation)
		e.DocumentID, e.TargetDocumentID = b.Document.ID, b.Document.ID
		if !seen[e.ID] {
			seen[e.ID] = true
			b.Edges = append(b.Edges, e)
		}
	}
	return nil
}

// checkChunk checks one chunk; level has those before it.
func (w *Writer) checkChunk(c *store.Chunk, d *store.Document, level map[string]store.Level) error {
	if _, ok := parseID(c.ID); !ok {
		return errors.New("its id is not a lower-case UUID")
	}
	if _, twice := level[c.ID]; twice {
		return errors.New("its id occurs twice")
	}
	if c.DocumentID != d.ID {
		return fmt.Errorf("it names document %q", c.DocumentID)
	}
	switch c.Level {
	case store.Parent:
		if c.ParentID != "" || c.Embedding != nil || c.EmbedHash != "" || c.Terms != "" {
			return errors.New("it is a parent and has a parent, a vector, an embed hash or keyword terms")
		}
	case store.Child:
		if level[c.ParentID] != store.Parent {
			return fmt.Errorf("its parent %q is not before it", c.ParentID)
		}
	default:
		return fmt.Errorf("its level is %q", c.Level)
	}
	for _, n := range [...]int{c.Index, c.CharStart, c.CharEnd - c.CharStart, c.TokenStart, c.TokenEnd - c.TokenStart, c.CharEnd, c.TokenEnd, c.HTMLTokens} {
		if n < 0 || n > math.MaxInt32 {
			return fmt.Errorf("its place is out of range: index %d, characters %d to %d, tokens %d to %d", c.Index, c.CharStart, c.CharEnd, c.TokenStart, c.TokenEnd)
		}
	}
	if c.Embedding == nil {
		return nil
	}
	if len(c.Embedding) != w.meta.Dimensions {
		return mismatch(w.meta, "", len(c.Embedding))
	}
	return checkUnit(c.Embedding)
}
