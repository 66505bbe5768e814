package wire

import (
	"time"

	"github.com/webrag/webrag-tui/retrieval"
)

// hybridItem is a result of a hybrid or graph retriever.
type hybridItem struct {
	Content        string  `json:"content"`
	Score          float64 `json:"score"`
	ChunkID        string  `json:"chunk_id"`
	DocumentID     string  `json:"document_id"`
	DocumentTitle  string  `json:"document_title"`
	DocumentSource string  `json:"document_source"`
	// GraphContext is left out for what the search itself found.
	GraphContext []retrieval.EdgeContext `json:"graph_context,omitempty"`
}

func hybridOf(it *retrieval.Item) hybridItem {
	return hybridItem{
		Content: it.SelectedText(), Score: it.Score, ChunkID: it.ChunkID,
		DocumentID: it.DocumentID, DocumentTitle: it.Title, DocumentSource: it.SourceURL, GraphContext: it.EdgeContexts(),
	}
}

// topkItem is a result of a search over uploaded files and typed texts.
type topkItem struct {
	ChunkID       string  `json:"chunk_id"`
	DocumentID    string  `json:"document_id"`
	Snippet       string  `json:"snippet"`
	Score         float64 `json:"score"`
	DocumentTitle string  `json:"document_title"`
	// SourceType is upload, text, or for a crawled page web.
	SourceType string `json:"source_type"`
	// Filename is null for what was no file.
	Filename *string `json:"filename"`
}

func topkOf(it *retrieval.Item) topkItem {
	page := it.Meta()
	return topkItem{
		ChunkID: it.ChunkID, DocumentID: it.DocumentID, Snippet: it.SelectedText(), Score: it.Score,
		DocumentTitle: it.Title, SourceType: page.SourceType, Filename: orNull(page.Filename),
	}
}

// webragChunk is a section in the return contract of a retriever of web pages; its
// result is a [wireHead].
type webragChunk struct {
	wireSection
	FetchedAt *time.Time `json:"fetched_at"`
}

func webragOf(it *retrieval.Item) webragChunk {
	return webragChunk{wireSection: wireSectionOf(it), FetchedAt: fetchedAt(it)}
}
