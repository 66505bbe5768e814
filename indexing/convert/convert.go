// Package convert turns a web page into markdown and remembers, for every range
// of the markdown, which node of the page it came from. That source map makes
// the HTML surface of a chunk exact: it is rendered from the very nodes that the
// chunk's text came from.
package convert

import (
	"context"

	"github.com/webrag/webrag-tui/store"
)

// Options bound a conversion.
type Options struct {
	// URL is the page's canonical address, against which links are resolved.
	URL string
	// MaxBytes is the longest input that is converted; 0 is 8 MB.
	MaxBytes int
}

// Page is a converted page.
type Page struct {
	// Markdown is normalised text: all offsets refer to exactly this.
	Markdown string
	// Title, Description, Language, Canonical, PublishedTime and ModifiedTime
	// come from the page's head; empty when it does not say.
	Title, Description, Language, Canonical, PublishedTime, ModifiedTime string
	// Anchors are the headings' fragments by byte offset of the heading line.
	Anchors map[int]string
	Links   []Link
	// Degraded says why the page is plain text instead of converted markdown,
	// empty when it is not.
	Degraded string

	// The source map (unexported) is used by HTML and Flags.
}

// Link is a hyperlink with the byte offset of its text in Markdown.
type Link struct {
	At                      int
	TargetURL, Anchor, Text string
}

// Convert converts an HTML page (UTF-8).
func Convert(ctx context.Context, html string, o Options) (*Page, error) { panic("being built") }

// Flags returns the rich contents met in the byte range [start, end) of the
// markdown, from the node kinds of the source map.
func (p *Page) Flags(start, end int) store.Flags { panic("being built") }

// HTML renders the sanitised HTML of the byte range [start, end). When it is
// empty, omitted says why: "size" or "unparsable".
func (p *Page) HTML(start, end int) (html, omitted string) { panic("being built") }
