package wire

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"github.com/webrag/webrag-tui/citations"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
)

// textbookResult is what a retriever over a textbook's chapters returns, with the
// prompt that it makes of that.
type textbookResult struct {
	Mode   param.Mode      `json:"mode"`
	Chunks []textbookChunk `json:"chunks"`
	// Citations has one for each chunk: the first belongs to "[Source 1".
	Citations []citations.Citation `json:"citations"`
	Grounded  wireGrounded         `json:"grounded"`
}

type wireGrounded struct {
	SystemInstruction string `json:"system_instruction"`
	Context           string `json:"context"`
	SufficientContext bool   `json:"sufficient_context"`
}

type textbookChunk struct {
	ChunkID  string             `json:"chunk_id"`
	Text     string             `json:"text"`
	Score    float64            `json:"score"`
	Metadata textbookMetadata   `json:"metadata"`
	Citation citations.Citation `json:"citation"`
}

type textbookMetadata struct {
	DocPath           string   `json:"doc_path"`
	Module            string   `json:"module"`
	Chapter           string   `json:"chapter"`
	SectionHeading    string   `json:"section_heading"`
	HeadingBreadcrumb []string `json:"heading_breadcrumb"`
	ChunkIndex        int      `json:"chunk_index"`
	ContentType       string   `json:"content_type"`
	Tags              []string `json:"tags"`
	ContentHash       string   `json:"content_hash"`
	Title             string   `json:"title"`
	WordCount         int      `json:"word_count"`
	// IngestedAt is when the page was indexed, not when it was fetched; empty where
	// the corpus does not say.
	IngestedAt string `json:"ingested_at"`
	URL        string `json:"url"`
}

// textbookOf has two modes: how the sections were found is no concern of it.
func textbookOf(r *retrieval.Result, o Options) textbookResult {
	w := textbookResult{
		Mode: retrieval.ModeNormal, Chunks: make([]textbookChunk, len(r.Items)), Citations: make([]citations.Citation, len(r.Items)),
		Grounded: wireGroundedOf(r, o),
	}
	if r.Mode == retrieval.ModeSelectedText {
		w.Mode = retrieval.ModeSelectedText
	}
	for i := range r.Items {
		it := &r.Items[i]
		w.Citations[i] = citations.Cite(it.Place(), o.Links)
		w.Chunks[i] = textbookChunk{
			ChunkID: it.ChunkID, Text: it.SelectedText(), Score: it.Score,
			Metadata: textbookMetadataOf(it, w.Citations[i].URL), Citation: w.Citations[i],
		}
	}
	return w
}

func textbookMetadataOf(it *retrieval.Item, url string) textbookMetadata {
	place, page := it.Place(), it.Meta()
	hash := sha256.Sum256([]byte(it.ChunkText))
	m := textbookMetadata{
		DocPath: place.DocPath, Module: place.Module, Chapter: place.Chapter,
		SectionHeading: place.Section, HeadingBreadcrumb: list(it.HeadingPath), ChunkIndex: it.ChunkIndex,
		ContentType: page.Metadata[store.MetaContentType], Tags: list(page.Tags),
		ContentHash: hex.EncodeToString(hash[:]), Title: it.Title, WordCount: len(strings.Fields(it.ChunkText)), URL: url,
	}
	if at := page.IndexedAt; !at.IsZero() {
		m.IngestedAt = at.UTC().Format(time.RFC3339)
	}
	return m
}

// wireGroundedOf is the prompt of a result.
func wireGroundedOf(r *retrieval.Result, o Options) wireGrounded {
	g := r.Ground(o.Policy)
	return wireGrounded{SystemInstruction: g.SystemInstruction, Context: g.Context, SufficientContext: g.SufficientContext}
}
