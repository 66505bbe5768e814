package ui

import (
	"slices"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
)

// textsKept is how many fetched sections are kept, some kilobytes each.
const textsKept = 64

// sectionTexts are the texts of sections that no result carries, such as those
// under a cut: a new ranking of the same evidence need not fetch them again.
type sectionTexts struct {
	byID   map[string]store.Chunk
	oldest []string
}

// keep keeps a fetched section.
func (t *sectionTexts) keep(c store.Chunk) {
	if t.byID == nil {
		t.byID = map[string]store.Chunk{}
	}
	if _, ok := t.byID[c.ID]; !ok {
		t.oldest = append(t.oldest, c.ID)
	}
	t.byID[c.ID] = c
	if len(t.oldest) > textsKept {
		delete(t.byID, t.oldest[0])
		t.oldest = slices.Delete(t.oldest, 0, 1)
	}
}

// fill puts the text of the section into an item that came without; of a passage
// that of the section around it, with the passage as its match.
func (t *sectionTexts) fill(it *retrieval.Item) {
	c, ok := t.byID[it.SectionID()]
	if !ok {
		return
	}
	full := session.ItemOf(c)
	if it.ParentID != "" && len(it.Matches) == 0 {
		it.Matches = []retrieval.Match{{ChunkID: it.ChunkID, CharStart: it.CharStart, CharEnd: it.CharEnd, Similarity: it.RawSimilarity}}
	}
	it.CharStart, it.CharEnd, it.TokenStart, it.TokenEnd = full.CharStart, full.CharEnd, full.TokenStart, full.TokenEnd
	it.Flags, it.Anchor, it.HTMLTokens = full.Flags, full.Anchor, full.HTMLTokens
	it.ChunkText, it.HTMLText, it.Surface = full.ChunkText, full.HTMLText, full.Surface
	if it.ChunkText == "" {
		it.ChunkText = " " // there is nothing to show: do not ask again
	}
}
