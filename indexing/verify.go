package indexing

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/webrag/webrag-tui/store"
)

// Verify holds a page, as a corpus gives it, to what indexing made of it: its
// sections follow each other, its passages lie within their sections, texts are
// those that the ids were made of and are where the offsets say, and all that a
// reader can see has the document's derived hash. It returns an error that says the
// first thing that is otherwise. parents are in the order of the page, children in
// that of their parents, both with text, HTML and terms.
//
// known is false for a page that another version of the pipeline, or another
// program, has made, of which only the passages' sections are looked at.
func Verify(d store.Document, parents, children []store.Chunk, links []store.Link) (known bool, err error) {
	within := make(map[string][]store.Chunk, len(parents))
	for i := range parents {
		within[parents[i].ID] = nil
	}
	for i := range children {
		c := &children[i]
		if _, ok := within[c.ParentID]; !ok {
			return false, fmt.Errorf("passage %s has no section in the page", c.ID)
		}
		within[c.ParentID] = append(within[c.ParentID], *c)
	}
	if !strings.HasPrefix(d.PipelineFingerprint, fmt.Sprintf("pipeline=%d;", pipelineVersion)) || d.DerivedHash == "" {
		return false, nil
	}
	equal := make(map[ordinalKey]int)
	chunks := make([]store.Chunk, 0, len(parents)+len(children))
	char, token := 0, 0
	for i := range parents {
		p := &parents[i]
		if err := verifyChunk(p, i, char, token, equal); err != nil {
			return true, err
		}
		chunks = append(chunks, *p)
		for j := range within[p.ID] {
			c := &within[p.ID][j]
			if err := verifyChunk(c, j, char, token, equal); err != nil {
				return true, fmt.Errorf("section %d: %w", i, err)
			}
			if p.CharStart <= c.CharStart && c.CharEnd <= p.CharEnd && runesOf(p.ChunkText, c.CharStart-p.CharStart, c.CharEnd-p.CharStart) != c.ChunkText {
				return true, fmt.Errorf("section %d: passage %d is not the text at its place", i, j)
			}
			chunks = append(chunks, *c)
			char, token = c.CharEnd, c.TokenEnd
		}
		if len(within[p.ID]) > 0 && (char != p.CharEnd || token != p.TokenEnd) {
			return true, fmt.Errorf("section %d ends at character %d, its passages at %d", i, p.CharEnd, char)
		}
		char, token = p.CharEnd, p.TokenEnd
	}
	rows := rowsHash(chunks, links)
	// The mark of a folder was added after the hash was made.
	d.Metadata = maps.Clone(d.Metadata)
	delete(d.Metadata, rootKey)
	hashes := []string{derivedHash(&d, rows)}
	if len(d.Metadata) == 0 {
		// Stores do not tell an empty map from none; the hash does.
		d.Metadata = nil
		hashes = append(hashes, derivedHash(&d, rows))
		d.Metadata = map[string]string{}
		hashes = append(hashes, derivedHash(&d, rows))
	}
	if !slices.Contains(hashes, d.DerivedHash) {
		return true, fmt.Errorf("what is stored of it does not have the checksum that indexing gave it")
	}
	return true, nil
}

// verifyChunk looks at the i-th chunk of its level, which must begin at char and at
// token. equal counts the texts before it.
func verifyChunk(c *store.Chunk, i, char, token int, equal map[ordinalKey]int) error {
	key := ordinalKey{c.Level, c.ChunkText}
	what := map[store.Level]string{store.Parent: "section", store.Child: "passage"}[c.Level]
	switch {
	case c.Index != i:
		return fmt.Errorf("%s %d has the number %d", what, i, c.Index)
	case c.CharStart != char || c.TokenStart != token:
		return fmt.Errorf("%s %d begins at character %d, token %d, and not at %d, %d", what, i, c.CharStart, c.TokenStart, char, token)
	case c.CharEnd-c.CharStart != utf8.RuneCountInString(c.ChunkText):
		return fmt.Errorf("%s %d has %d characters at a place of %d", what, i, utf8.RuneCountInString(c.ChunkText), c.CharEnd-c.CharStart)
	case c.ID != chunkID(c.DocumentID, c.Level, c.ChunkText, equal[key]):
		return fmt.Errorf("the text of %s %d is not the one that its id was made of", what, i)
	}
	equal[key]++
	return nil
}

// runesOf is the part of text between two positions in code points.
func runesOf(text string, from, to int) string {
	r := []rune(text)
	return string(r[min(from, len(r)):min(to, len(r))])
}
