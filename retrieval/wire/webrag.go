package wire

import (
	"time"

	"github.com/webrag/webrag-tui/retrieval"
)

// webragChunk is a section in the return contract of a retriever of web pages; its
// result is a [wireHead].
type webragChunk struct {
	wireSection
	FetchedAt *time.Time `json:"fetched_at"`
}

func webragOf(it *retrieval.Item) webragChunk {
	return webragChunk{wireSection: wireSectionOf(it), FetchedAt: fetchedAt(it)}
}
