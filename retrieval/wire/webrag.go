package wire

import (
	"time"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
)

// webragResult is the return contract of a retriever of web pages.
type webragResult struct {
	Mode           param.Mode    `json:"mode"`
	Chunks         []webragChunk `json:"chunks"`
	QueryEmbedding []float32     `json:"query_embedding"`
	CorpusStats    wireStats     `json:"corpus_stats"`
	Timing         wireTiming    `json:"timing"`
	IsEmpty        bool          `json:"is_empty"`
	TopScore       float64       `json:"top_score"`
	SourceURLs     []string      `json:"source_urls"`
}

type webragChunk struct {
	ChunkID           string            `json:"chunk_id"`
	DocumentID        string            `json:"document_id"`
	ParentID          *string           `json:"parent_id"`
	SourceURL         string            `json:"source_url"`
	Title             *string           `json:"title"`
	SelectedText      string            `json:"selected_text"`
	Surface           retrieval.Surface `json:"surface"`
	SectionHeading    *string           `json:"section_heading"`
	ChunkIndex        int               `json:"chunk_index"`
	CharStart         int               `json:"char_start"`
	CharEnd           int               `json:"char_end"`
	TokenStart        int               `json:"token_start"`
	TokenEnd          int               `json:"token_end"`
	Score             float64           `json:"score"`
	RawSimilarity     *float64          `json:"raw_similarity"`
	Depth             int               `json:"depth"`
	HasTable          bool              `json:"has_table"`
	HasCode           bool              `json:"has_code"`
	HasMath           bool              `json:"has_math"`
	HasDefinitionList bool              `json:"has_definition_list"`
	HasAdmonition     bool              `json:"has_admonition"`
	HasSteps          bool              `json:"has_steps"`
	FetchedAt         *time.Time        `json:"fetched_at"`
}

// webragOf keeps the list's order: grouped by page, in reading order.
func webragOf(r *retrieval.Result) webragResult {
	own := wireOf(r, Options{})
	w := webragResult{
		Mode: r.Mode, Chunks: make([]webragChunk, len(r.Items)), QueryEmbedding: list(r.QueryVector),
		CorpusStats: own.CorpusStats, Timing: own.Timing,
		IsEmpty: own.IsEmpty, TopScore: own.TopScore, SourceURLs: own.SourceURLs,
	}
	for i := range own.Chunks {
		c, flags := &own.Chunks[i], r.Items[i].Flags
		w.Chunks[i] = webragChunk{
			ChunkID: c.ChunkID, DocumentID: c.DocumentID, ParentID: c.ParentID, SourceURL: c.SourceURL, Title: c.Title,
			SelectedText: c.SelectedText, Surface: c.Surface, SectionHeading: c.SectionHeading, ChunkIndex: c.ChunkIndex,
			CharStart: c.CharStart, CharEnd: c.CharEnd, TokenStart: c.TokenStart, TokenEnd: c.TokenEnd,
			Score: c.Score, RawSimilarity: c.RawSimilarity, Depth: c.Depth,
			HasTable: flags.Has(store.HasTable), HasCode: flags.Has(store.HasCode), HasMath: flags.Has(store.HasMath),
			HasDefinitionList: flags.Has(store.HasDefinitionList), HasAdmonition: flags.Has(store.HasAdmonition),
			HasSteps: flags.Has(store.HasSteps), FetchedAt: c.FetchedAt,
		}
	}
	return w
}
