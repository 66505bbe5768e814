package retrieval

import "github.com/webrag/webrag-tui/citations"

// Cite cuts the code points [start, end) of the document out of the item's
// markdown, false when they are not within it or its text was not fetched.
func (it *Item) Cite(start, end int) (citations.Span, bool) {
	if it.ChunkText == "" {
		return citations.Span{}, false
	}
	return citations.Extract(citations.Source{
		ChunkText: it.ChunkText,
		CharStart: it.CharStart, CharEnd: it.CharEnd, TokenStart: it.TokenStart, TokenEnd: it.TokenEnd,
		SourceURL: it.SourceURL, SectionHeading: it.SectionHeading, Title: it.Title,
	}, start, end)
}
