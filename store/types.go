package store

import "time"

// Level says whether a chunk is a unit of context or a unit of search.
type Level string

const (
	// Parent is a section: what is handed to a language model.
	Parent Level = "parent"
	// Child is a passage of a parent: what is embedded and searched.
	Child Level = "child"
)

// Document is one indexed page. Empty strings stand for absent values and are
// stored as NULL.
type Document struct {
	// ID is the UUIDv5 of the canonical source URL and the owner.
	ID string
	// URL is the address that was asked for; SourceURL the canonical one that
	// citations use.
	URL, SourceURL string
	// URLAliases are further addresses that led to this page.
	URLAliases []string
	// Title, Description and Language come from the page itself.
	Title, Description, Language string
	// StatusCode is the HTTP status of the fetch, 0 when there was none.
	StatusCode int
	// PublishedTime and ModifiedTime are the page's own words for its dates.
	PublishedTime, ModifiedTime string
	// DocType is "html", "markdown" or "pdf".
	DocType string
	// SourceType is "web", "upload" or "text".
	SourceType string
	// Filename is the base name of an uploaded file; DocPath its path below the
	// folder that was given.
	Filename, DocPath string
	// ContentHash is the hex SHA-256 of the normalised markdown.
	ContentHash string
	// DerivedHash covers everything that indexing derives from the page: text,
	// flags, html_text, anchors and links. Equal hashes make a write a no-op.
	DerivedHash string
	// PipelineFingerprint names the converter, chunker, tokenizer and embedder
	// that made the rows.
	PipelineFingerprint string
	// Owner is the user whose document this is, empty for nobody's in particular:
	// whoever opens the corpus without an owner sees it.
	Owner string
	// Metadata and Tags are what the indexer was told about the document.
	Metadata map[string]string
	Tags     []string
	// FetchedAt and IndexedAt are in UTC.
	FetchedAt, IndexedAt time.Time
	// DeletedAt is the time of a soft deletion, zero for a live document.
	DeletedAt time.Time
	// CurrentIngestionID is the ingestion whose chunks are current.
	CurrentIngestionID string
	// Depth is the link distance from the seed page, 0 for a seed.
	Depth int
	// TokenCount and ParentCount are sums over the parents, which Put makes;
	// corpus statistics are sums of these.
	TokenCount, ParentCount int
	// Changed is the corpus's change counter at the last write of this row.
	Changed int64
}

// Flags are the rich contents found in a chunk.
type Flags uint8

// The six flags of the indexing specification and has_image.
const (
	HasTable Flags = 1 << iota
	HasCode
	HasMath
	HasDefinitionList
	HasAdmonition
	HasSteps
	HasImage
)

// HTMLPreferred are the flags for which markdown loses structure, so that the
// HTML surface is preferred. Steps and images never prefer it.
const HTMLPreferred = HasTable | HasCode | HasMath | HasDefinitionList | HasAdmonition

// Has reports whether any flag of want is set.
func (f Flags) Has(want Flags) bool { return f&want != 0 }

// Chunk is a parent or a child. A read fills the fields that were asked for
// (see [Fields]); all others are always present.
type Chunk struct {
	// ID is the UUIDv5 of document, level, text hash and the ordinal among
	// equal texts. ParentID is empty for a parent.
	ID, DocumentID, ParentID string
	Level                    Level
	// Index is the position within the document (parents) or within the parent
	// (children), from 0: reading order.
	Index int
	// SectionHeading is the text of the nearest h1 or h2 above, empty for
	// pages without headings. HeadingPath holds the headings of all levels.
	SectionHeading string
	HeadingPath    []string
	// Anchor is the fragment of the section's heading in the page, without "#".
	Anchor string
	// CharStart and CharEnd are code points in the document's markdown;
	// TokenStart and TokenEnd count tokens of the corpus's tokenizer.
	CharStart, CharEnd, TokenStart, TokenEnd int
	Flags                                    Flags
	// HTMLTokens is the token count of HTMLText, 0 when there is none.
	// HTMLOmittedReason says why a flagged chunk has none: no_html,
	// low_alignment, size, unparsable.
	HTMLTokens        int
	HTMLOmittedReason string
	// Cont marks a piece of a block that was cut (code, table).
	Cont bool
	// Depth, Title, Owner, SourceURL and FetchedAt repeat the document's.
	Depth                   int
	Title, Owner, SourceURL string
	FetchedAt               time.Time
	IngestionID             string
	// EmbedHash is the hash of the text to embed, which is not ChunkText; empty
	// for a parent and for a child without words. A child that has one and no
	// vector has no word that the corpus's embedder knows; another's may.
	EmbedHash string

	// ChunkText is the markdown (FieldText). It equals the document's markdown
	// in [CharStart, CharEnd).
	ChunkText string
	// HTMLText is the sanitised HTML of the chunk (FieldHTML).
	HTMLText string
	// Terms, HeadingTerms and TitleTerms are the keyword terms of a child, separated
	// by single spaces (FieldTerms): of its text, and of its HeadingPath and its Title
	// as [Analyzer.Name] makes them.
	Terms, HeadingTerms, TitleTerms string
	// ImageRefs are the images in the text (FieldText).
	ImageRefs []ImageRef
	// Anchors are the fragments that name a place inside a parent, in the order of
	// the page (FieldText): those of all its headings, of terms, of figures. No two
	// parents of a document have one in common, so that a link resolves to the one
	// section that holds its target. Children have none.
	Anchors []string
	// Embedding is the unit vector of a child (FieldEmbedding), nil when it has
	// no words for the embedder.
	Embedding []float32
}

// Tokens is the chunk's length in tokens of the corpus's tokenizer.
func (c *Chunk) Tokens() int { return c.TokenEnd - c.TokenStart }

// ImageRef is an image of a chunk: its absolute address and alternative text.
type ImageRef struct {
	URL string `json:"url"`
	Alt string `json:"alt"`
}

// Link is a hyperlink found in a document, resolved or not.
type Link struct {
	// ChunkID is the parent that holds the link.
	ChunkID string
	// TargetURL is absolute and without fragment; Anchor is the fragment, percent
	// decoded. Which document an address leads to is told by [PageKey].
	TargetURL, Anchor, Text string
}

// Calibration holds the cosine scale of a corpus: the median and the 99.5th
// percentile of the similarities of unrelated chunks.
type Calibration struct {
	EmbedderID string  `json:"embedder_id"`
	P50        float64 `json:"p50"`
	P995       float64 `json:"p995"`
	// Own is the 5th percentile of the cosines of short runs of words, as long as a
	// question, with the passage that they were taken from; 0 when it was not
	// measured. Where passages are alike, unrelated ones come nearer than that.
	Own float64 `json:"own,omitempty"`
	// Chunks is the number of children when it was measured, 0 when the values
	// are the embedder's constants.
	Chunks int `json:"chunks"`
	// Tried is the number of children when it was last measured in vain, because
	// they are too much alike; 0 when that never was.
	Tried int `json:"tried,omitempty"`
}

// Knee is the cosine at which similarity begins to mean something: above 99.5 % of
// unrelated passages, but never above what 95 % of questions reach with the passage
// that answers them, as far as was measured.
func (c Calibration) Knee() float64 {
	if c.Own > c.P50 {
		return min(c.P995, c.Own)
	}
	return c.P995
}

// Meta is what a corpus remembers about itself.
type Meta struct {
	SchemaVersion int
	// EmbedderID names model, dimensions and version of the vectors; it is
	// empty in a corpus that was never written.
	EmbedderID string
	Dimensions int
	// Tokenizer is the id of the tokenizer of all token counts and offsets.
	Tokenizer   string
	Calibration Calibration
	// Agreement is the cosine of vectors of a corpus of another program with those
	// that the embedder makes of the same texts: 1 for the one that made them, 0
	// where that was never measured.
	Agreement float64
	// AgreementAt is Changed of the version on which Agreement was measured. Another
	// one may have vectors of another model.
	AgreementAt int64
	// Fingerprint is the pipeline that wrote last.
	Fingerprint string
	// Changed is the change counter: it grows by one with each write that
	// changes rows.
	Changed int64
}

// Hidden counts what the guard keeps from every read, of the documents that the
// store's owner may know of.
type Hidden struct {
	// Deleted documents were soft-deleted; Unfinished ones were never indexed to
	// their end, and have no current ingestion.
	Deleted, Unfinished int
	// Stale chunks are of another ingestion than their document's current one.
	Stale int
}

// Stats are sums over the documents in scope.
type Stats struct {
	Documents, Parents, Children, Tokens int
}
