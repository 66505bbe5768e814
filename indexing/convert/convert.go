// Package convert turns a web page into markdown and remembers, for every range
// of the markdown, which node of the page it came from. That source map makes
// the HTML surface of a chunk exact: it is rendered from the very nodes that the
// chunk's text came from.
//
// The markdown is for reading, searching and citing: one paragraph is one line,
// definition lists are terms followed by their definitions, admonitions begin
// with a line that holds only their title, and formulas are TeX between dollar
// signs. What is only on the page to move around in it is left out.
//
//	page, err := convert.Convert(ctx, html, convert.Options{URL: "https://example.org/guide.html"})
//	if err != nil {
//		return err
//	}
//	flags := page.Flags(start, end)
//	html, omitted := page.HTML(start, end)
package convert

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/webrag/webrag-tui/store"
)

// defaultMaxBytes is the longest page that is converted unless Options says
// otherwise. The largest page met in documentation of a dozen projects has 3 MB.
const defaultMaxBytes = 8 << 20

// Options bound a conversion.
type Options struct {
	// URL is the page's canonical address, against which links are resolved. An
	// empty one means the canonical address that the page itself gives.
	URL string
	// MaxBytes is the longest input that is converted; 0 is 8 MB.
	MaxBytes int
}

// Page is a converted page. It is immutable and may be used from several
// goroutines. It keeps the parsed page alive for [Page.HTML].
type Page struct {
	// Markdown is normalised text: valid UTF-8 without NUL, carriage returns or a
	// byte order mark. Unless empty, it ends with exactly one newline. All
	// offsets refer to exactly this.
	Markdown string
	// Title, Description, Language, Canonical, PublishedTime and ModifiedTime
	// come from the page's head; empty when it does not say.
	Title, Description, Language, Canonical, PublishedTime, ModifiedTime string
	// Anchors are the headings' fragments by byte offset of the heading line.
	Anchors map[int]string
	// Targets are all places that a fragment of this page can name, in order.
	Targets []Target
	// KeepWithNext holds the byte offsets, ascending, of the lines of terms,
	// admonition titles and captions: lines that must not be parted from what
	// follows them.
	KeepWithNext []int
	// Links are the page's hyperlinks in order, including those that the
	// markdown shows as plain text (in headings and signatures).
	Links []Link
	// Degraded says why the page is plain text instead of converted markdown,
	// empty when it is not.
	Degraded string

	spans    []span // the arena of the source map
	root     span
	marks    []mark
	resolver *resolver
}

// Link is a hyperlink with the byte offset of its text in Markdown.
type Link struct {
	At int
	// TargetURL is absolute and without fragment; Anchor is the fragment.
	TargetURL, Anchor, Text string
}

// Target is a fragment identifier of the page and the byte offset of the line
// or table cell in Markdown that it names.
type Target struct {
	At int
	ID string
}

// ErrTooLarge means that a page is longer than Options.MaxBytes.
var ErrTooLarge = errors.New("page is too large")

// errAmplified stops a conversion whose output outgrows its input.
var errAmplified = errors.New("the markdown outgrows the page")

// Convert converts an HTML page (UTF-8; invalid bytes become U+FFFD). The
// errors are ErrTooLarge and the context's. A page that cannot be parsed is no
// error: its text is returned and Degraded says why.
func Convert(ctx context.Context, page string, o Options) (*Page, error) {
	limit := o.MaxBytes
	if limit <= 0 {
		limit = defaultMaxBytes
	}
	if len(page) > limit {
		return nil, fmt.Errorf("convert %s: %d bytes: %w", o.URL, len(page), ErrTooLarge)
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("convert %s: %w", o.URL, err)
	}
	page = clean(page)
	head := ReadHead(page)
	c := newConverter(ctx, len(page), newResolver(pageBase(o.URL, head)))

	err := checkNodes(page)
	if err == nil {
		var doc *html.Node
		if doc, err = html.Parse(&contextReader{ctx: ctx, r: strings.NewReader(page)}); err == nil {
			err = c.page(doc)
		}
	}
	degraded := ""
	if err != nil {
		if ctxErr := ctx.Err(); ctxErr != nil {
			return nil, fmt.Errorf("convert %s: %w", o.URL, ctxErr)
		}
		degraded = err.Error()
		c = newConverter(ctx, len(page), c.resolver)
		if err := c.plain(page); err != nil {
			return nil, fmt.Errorf("convert %s: %w", o.URL, err)
		}
	}
	p := c.finish()
	p.Degraded = degraded
	p.Title, p.Description, p.Language = head.Title, head.Description, head.Language
	p.Canonical, p.PublishedTime, p.ModifiedTime = head.Canonical, head.PublishedTime, head.ModifiedTime
	return p, nil
}

// clean applies the rules of normalised text that concern single bytes, so that
// every later slice of the page is valid text.
func clean(page string) string {
	if !utf8.ValidString(page) {
		page = strings.ToValidUTF8(page, "\uFFFD")
	}
	if strings.IndexByte(page, 0) >= 0 {
		page = strings.ReplaceAll(page, "\x00", "")
	}
	return strings.TrimPrefix(page, "\uFEFF")
}

// pageBase is the address that relative links refer to.
func pageBase(url string, head Head) string {
	if url == "" {
		url = head.Canonical
	}
	if head.Base == "" {
		return url
	}
	base, _ := Resolve(url, head.Base)
	if base == "" {
		return url
	}
	return base
}

// contextReader ends a parse, which cannot be interrupted otherwise.
type contextReader struct {
	ctx context.Context
	r   *strings.Reader
}

func (r *contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p) //nolint:wrapcheck // io.EOF must stay io.EOF for the parser
}

// Flags returns the rich contents met in the byte range [start, end) of the
// markdown, from the node kinds of the source map. It is monotone: a range has
// all flags of the ranges in it.
func (p *Page) Flags(start, end int) store.Flags {
	return p.flagsOf(p.root, start, end) | p.markFlags(start, end)
}
