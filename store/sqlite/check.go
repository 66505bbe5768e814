package sqlite

import (
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/sqlite/internal/vector"
)

// check refuses a bundle that would break what reading relies on, fills the sums
// of its document, and returns the chunks as rows.
func (w *Writer) check(b *store.Bundle) (rows []chunkRow, children int, err error) {
	if err := store.CheckBundle(b, w.meta, w.store.owner); err != nil {
		return nil, 0, err
	}
	rows = make([]chunkRow, len(b.Chunks))
	for i := range b.Chunks {
		c := &b.Chunks[i]
		rows[i] = chunkRow{id: c.ID, chunk: encodeChunk(c, &b.Document), texts: encodeTexts(c), hash: textOrNull(c.EmbedHash)}
		if c.Embedding != nil {
			rows[i].vector = vector.Encode(c.Embedding)
		}
	}
	return rows, len(b.Chunks) - b.Document.ParentCount, nil
}
