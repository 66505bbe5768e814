package wire

import (
	"github.com/webrag/webrag-tui/citations"
	"github.com/webrag/webrag-tui/retrieval"
)

type wireContext struct {
	// SystemInstruction is there when it was asked for.
	SystemInstruction string        `json:"system_instruction,omitempty"`
	Context           string        `json:"context"`
	SufficientContext bool          `json:"sufficient_context"`
	Sources           []wireExcerpt `json:"sources"`
	Notices           []wireNotice  `json:"notices"`
}

// wireExcerpt is a source with its place in the context.
type wireExcerpt struct {
	// Source is its number in the markers.
	Source  int               `json:"source"`
	ChunkID string            `json:"chunk_id"`
	Title   *string           `json:"title"`
	Section *string           `json:"section"`
	URL     string            `json:"url"`
	Surface retrieval.Surface `json:"surface"`
	// CharStart and CharEnd are code points in the page's markdown, also where the
	// surface is HTML.
	CharStart int `json:"char_start"`
	CharEnd   int `json:"char_end"`
	// TextStart and TextEnd are code points in the context.
	TextStart int `json:"text_start"`
	TextEnd   int `json:"text_end"`
	// Disarmed counts the markers that the text had made up.
	Disarmed int `json:"disarmed_markers"`
}

// EncodeContext writes the context that a language model gets for a result as
// JSON, with each source's citation and place in it, and with o.Ground the
// system instruction.
func EncodeContext(r retrieval.Result, o Options) ([]byte, error) {
	g := r.Ground(o.Policy)
	w := wireContext{
		Context: g.Context, SufficientContext: g.SufficientContext,
		Sources: make([]wireExcerpt, len(r.Items)), Notices: each(r.Notices, wireNoticeOf),
	}
	if o.Ground {
		w.SystemInstruction = g.SystemInstruction
	}
	for i := range r.Items {
		it, at := &r.Items[i], g.Placed[i]
		cite := citations.Cite(it.Place(), o.Links)
		w.Sources[i] = wireExcerpt{
			Source: i + 1, ChunkID: it.ChunkID, Title: orNull(cite.Title), Section: orNull(cite.Section), URL: cite.URL,
			Surface: it.Surface, CharStart: it.CharStart, CharEnd: it.CharEnd, TextStart: at.TextStart, TextEnd: at.TextEnd, Disarmed: at.Disarmed,
		}
	}
	return encode("the context", w, o.Indent)
}
