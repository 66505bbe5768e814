package main

import (
	"time"

	"github.com/webrag/webrag-tui/store"
)

// documentJSON is a document with the names of the stored columns; absent values
// are null.
type documentJSON struct {
	ID                  string            `json:"id"`
	URL                 string            `json:"url"`
	SourceURL           string            `json:"source_url"`
	URLAliases          []string          `json:"url_aliases"`
	Title               *string           `json:"title"`
	Description         *string           `json:"description"`
	Language            *string           `json:"language"`
	StatusCode          *int              `json:"status_code"`
	PublishedTime       *string           `json:"published_time"`
	ModifiedTime        *string           `json:"modified_time"`
	DocType             *string           `json:"doc_type"`
	SourceType          *string           `json:"source_type"`
	Filename            *string           `json:"filename"`
	DocPath             *string           `json:"doc_path"`
	Owner               *string           `json:"owner"`
	Tags                []string          `json:"tags"`
	Metadata            map[string]string `json:"metadata"`
	ContentHash         *string           `json:"content_hash"`
	DerivedHash         *string           `json:"derived_hash"`
	PipelineFingerprint *string           `json:"pipeline_fingerprint"`
	FetchedAt           *time.Time        `json:"fetched_at"`
	IndexedAt           *time.Time        `json:"indexed_at"`
	DeletedAt           *time.Time        `json:"deleted_at"`
	CurrentIngestionID  *string           `json:"current_ingestion_id"`
	Depth               int               `json:"depth"`
	TokenCount          int               `json:"token_count"`
	ParentCount         int               `json:"parent_count"`
	Changed             int64             `json:"changed"`
}

// orNull is nil for the zero value, which stands for an absent one.
func orNull[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

func encodeDocument(d *store.Document) documentJSON {
	out := documentJSON{
		ID: d.ID, URL: d.URL, SourceURL: d.SourceURL, URLAliases: append([]string{}, d.URLAliases...), Title: orNull(d.Title),
		Description: orNull(d.Description), Language: orNull(d.Language), StatusCode: orNull(d.StatusCode),
		PublishedTime: orNull(d.PublishedTime), ModifiedTime: orNull(d.ModifiedTime), DocType: orNull(d.DocType),
		SourceType: orNull(d.SourceType), Filename: orNull(d.Filename), DocPath: orNull(d.DocPath), Owner: orNull(d.Owner),
		Tags: append([]string{}, d.Tags...), Metadata: map[string]string{}, ContentHash: orNull(d.ContentHash), DerivedHash: orNull(d.DerivedHash),
		PipelineFingerprint: orNull(d.PipelineFingerprint), FetchedAt: orNull(d.FetchedAt), IndexedAt: orNull(d.IndexedAt),
		DeletedAt: orNull(d.DeletedAt), CurrentIngestionID: orNull(d.CurrentIngestionID), Depth: d.Depth,
		TokenCount: d.TokenCount, ParentCount: d.ParentCount, Changed: d.Changed,
	}
	if d.Metadata != nil {
		out.Metadata = d.Metadata
	}
	return out
}

// detailsJSON is the JSON of docs show.
type detailsJSON struct {
	documentJSON
	Sections []sectionJSON                `json:"sections"`
	Edges    map[store.Relation]edgeCount `json:"edges"`
}

type sectionJSON struct {
	ChunkID     string   `json:"chunk_id"`
	ChunkIndex  int      `json:"chunk_index"`
	HeadingPath []string `json:"heading_path"`
	Anchor      *string  `json:"anchor"`
	CharStart   int      `json:"char_start"`
	CharEnd     int      `json:"char_end"`
	Tokens      int      `json:"tokens"`
	Children    int      `json:"children"`
}

func encodeDetails(d *documentDetails) detailsJSON {
	sections := eachOf(d.sections, func(c *store.Chunk) sectionJSON {
		return sectionJSON{
			ChunkID: c.ID, ChunkIndex: c.Index, HeadingPath: append([]string{}, c.HeadingPath...), Anchor: orNull(c.Anchor),
			CharStart: c.CharStart, CharEnd: c.CharEnd, Tokens: c.Tokens(), Children: d.children[c.ID],
		}
	})
	return detailsJSON{documentJSON: encodeDocument(&d.Document), Sections: sections, Edges: d.edgeCounts()}
}
