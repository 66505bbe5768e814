package retrieval

import (
	"github.com/webrag/webrag-tui/citations"
	"github.com/webrag/webrag-tui/store"
)

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

// Place says where the item comes from, for citations.Cite.
func (it *Item) Place() citations.Place {
	section, page := it.SectionHeading, it.Meta()
	if n := len(it.HeadingPath); n > 0 {
		section = it.HeadingPath[n-1]
	}
	return citations.Place{
		Title: it.Title, Section: section, DocPath: page.DocPath, SourceURL: it.SourceURL, Anchor: it.Anchor,
		Module: page.Metadata[store.MetaModule], Chapter: page.Metadata[store.MetaChapter],
	}
}

// Excerpts are the items as a language model gets them: in the order of the list,
// each with the text of its selected surface.
func (r *Result) Excerpts() []citations.Excerpt {
	return each(r.Items, func(it *Item) citations.Excerpt {
		return citations.Excerpt{Place: it.Place(), Text: it.SelectedText(), CharStart: it.CharStart, CharEnd: it.CharEnd}
	})
}

// Ground makes the prompt of the result, as the policy has it.
func (r *Result) Ground(p citations.Policy) citations.Grounded {
	return p.Ground(r.Excerpts(), r.Mode == ModeSelectedText)
}
