package citations

import (
	"encoding/json"

	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/store"
)

// Source is what a span is cut from: a chunk's markdown, its place in the
// document and how it is attributed.
type Source struct {
	// ChunkText is always the markdown, whatever surface was shown: offsets
	// count in it, and would miss in HTML.
	ChunkText string
	// CharStart and CharEnd are code points in the document; TokenStart and
	// TokenEnd its tokens.
	CharStart, CharEnd, TokenStart, TokenEnd int
	SourceURL, SectionHeading, Title         string
}

// FromChunk makes a source of a chunk that was read with store.FieldText.
func FromChunk(c *store.Chunk) Source {
	return Source{
		ChunkText: c.ChunkText,
		CharStart: c.CharStart, CharEnd: c.CharEnd, TokenStart: c.TokenStart, TokenEnd: c.TokenEnd,
		SourceURL: c.SourceURL, SectionHeading: c.SectionHeading, Title: c.Title,
	}
}

// Fit says how far a chunk's text bears out the offsets of a span.
type Fit string

// The fits.
const (
	// FitExact: the chunk's text is as long as its span, so the words are those
	// of the document.
	FitExact Fit = "exact"
	// FitUnsure: the text is longer or shorter than its span (some corpora
	// re-join paragraphs), so the words may be shifted.
	FitUnsure Fit = "unsure"
	// FitOutOfRange: the span reaches past the end of the text. The words are
	// those that exist, perhaps none.
	FitOutOfRange Fit = "out_of_range"
)

// Span is a verbatim quote tied to its source.
type Span struct {
	VerbatimText string
	SourceURL    string
	// SectionHeading and Title are empty where the page has none, null in JSON.
	SectionHeading string
	// CharStart and CharEnd are the code points that were asked for.
	CharStart, CharEnd int
	// TokenStart and TokenEnd are those of the whole chunk: tokens are not known
	// more finely.
	TokenStart, TokenEnd int
	Title                string
	// Fit is not part of the JSON form.
	Fit Fit
}

// Extract cuts the code points [start, end) of the document out of a chunk. It
// reports false when the range is empty or not wholly within the chunk's span.
func Extract(s Source, start, end int) (Span, bool) {
	return extract(&s, offset.NewIndex(s.ChunkText), start, end)
}

// extract is Extract with the index of the source's text.
func extract(s *Source, text *offset.Index, start, end int) (Span, bool) {
	if start < s.CharStart || end > s.CharEnd || end <= start {
		return Span{}, false
	}
	span := Span{
		VerbatimText: text.Slice(start-s.CharStart, end-s.CharStart),
		SourceURL:    s.SourceURL, SectionHeading: s.SectionHeading,
		CharStart: start, CharEnd: end, TokenStart: s.TokenStart, TokenEnd: s.TokenEnd,
		Title: s.Title,
		Fit:   FitExact,
	}
	switch {
	case end-s.CharStart > text.Len():
		span.Fit = FitOutOfRange
	case text.Len() != s.CharEnd-s.CharStart:
		span.Fit = FitUnsure
	}
	return span, true
}

// MarshalJSON writes the fields in their fixed order, with null for a missing
// heading or title.
func (s Span) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		VerbatimText   string  `json:"verbatim_text"`
		SourceURL      string  `json:"source_url"`
		SectionHeading *string `json:"section_heading"`
		CharStart      int     `json:"char_start"`
		CharEnd        int     `json:"char_end"`
		TokenStart     int     `json:"token_start"`
		TokenEnd       int     `json:"token_end"`
		Title          *string `json:"title"`
	}{
		s.VerbatimText, s.SourceURL, orNull(s.SectionHeading),
		s.CharStart, s.CharEnd, s.TokenStart, s.TokenEnd, orNull(s.Title),
	})
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
