// Package source reads pages: files, folders and streams become
// [NormalizedDocument] values, the indexer's one input type.
//
// It decides what a file is, what its address is, and what its head or front
// matter says about it. It converts nothing: a page's HTML goes on as it is.
//
//	set, err := source.Scan(ctx, []string{"docs", "notes.md"}, source.Options{BaseURL: "https://example.org"})
//	if err != nil {
//		return err // a *PathError
//	}
//	for page, err := range set.All(ctx) {
//		// err is a *PageError for a page that cannot be read; the others follow.
//	}
package source

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
)

// NormalizedDocument is a page as the indexing specification defines it, with
// the additions of this program. Its JSON is an input and output format. Empty
// strings stand for null.
type NormalizedDocument struct {
	URL           string    `json:"url"`
	SourceURL     string    `json:"source_url"`
	Title         string    `json:"title,omitempty"`
	Description   string    `json:"description,omitempty"`
	Language      string    `json:"language,omitempty"`
	StatusCode    int       `json:"status_code,omitempty"`
	PublishedTime string    `json:"published_time,omitempty"`
	ModifiedTime  string    `json:"modified_time,omitempty"`
	DocType       string    `json:"doc_type"`
	ContentHash   string    `json:"content_hash,omitempty"`
	FetchedAt     time.Time `json:"fetched_at"`
	// Markdown is the page's text, without front matter: offsets count from here.
	// When it is empty and HTML is not, the indexer converts the HTML and knows
	// the origin of each passage; when both are there, it aligns them.
	Markdown string `json:"markdown,omitempty"`
	HTML     string `json:"html,omitempty"`
	Links    []Link `json:"links,omitempty"`

	// Depth is the link distance from the seed page.
	Depth      int      `json:"depth"`
	URLAliases []string `json:"url_aliases,omitempty"`
	Owner      string   `json:"owner,omitempty"`
	SourceType string   `json:"source_type,omitempty"`
	Filename   string   `json:"filename,omitempty"`
	DocPath    string   `json:"doc_path,omitempty"`
	Metadata   Metadata `json:"metadata,omitempty"`
	Tags       []string `json:"tags,omitempty"`

	// Path is what messages call the page: its file as it was given, with ":line"
	// in a JSONL file. Root is the mark of the given folder that it was found in,
	// see [Root]; empty when it was given by itself.
	Path string `json:"-"`
	Root string `json:"-"`
	// IsElsewhere says that the file names an address on another host than the base
	// URL that it was given under.
	IsElsewhere bool `json:"-"`
}

// Metadata are pairs that are known about a page. Its JSON takes numbers and
// truth values for their text and leaves out nulls.
type Metadata map[string]string

// UnmarshalJSON reads an object whose values are scalars.
func (m *Metadata) UnmarshalJSON(raw []byte) error {
	var values map[string]any
	in := json.NewDecoder(bytes.NewReader(raw))
	in.UseNumber()
	if err := in.Decode(&values); err != nil {
		return fmt.Errorf("metadata: %w", err)
	}
	out := make(Metadata, len(values))
	for key, value := range values {
		switch v := value.(type) {
		case nil:
		case string:
			out[metadataKey(key)] = v
		case bool, json.Number:
			out[metadataKey(key)] = fmt.Sprint(v)
		default:
			return fmt.Errorf("metadata: the value of %q is a list or an object, not a text", key)
		}
	}
	*m = out
	return nil
}

// Link is a hyperlink of a page. URL is absolute.
type Link struct {
	URL  string `json:"url"`
	Text string `json:"text,omitempty"`
}
