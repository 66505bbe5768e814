package indexing

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/indexing/convert"
	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/store"
)

// page is the analysis of one document's text.
type page struct {
	text    string
	html    *convert.Page // nil without the HTML that the text came from
	aligned *alignment    // with the HTML of a text that another converter made
	blocks  []block
	outline outline
	flags   []store.Flags // of each block; nil when the HTML alone decides
	// keepWithNext holds the byte offsets, ascending, of the lines that the HTML
	// knows as announcing the next one.
	keepWithNext []int
	marks        []mark
	// holes are what nobody reads, quiet what is not embedded either.
	holes, quiet []hole
	tokens       *tokens
	index        *offset.Index
	// noHTML is why flagged parents have no HTML, when html is nil.
	noHTML string
}

// read normalises a document's markdown, or converts its HTML, and analyses it.
func read(ctx context.Context, d *source.NormalizedDocument, tok embedder.Tokenizer) (*page, error) {
	p := &page{noHTML: "no_html"}
	var foreign *convert.Page
	if d.Markdown != "" {
		p.text = offset.Document(d.Markdown)
	}
	if d.HTML != "" {
		converted, err := convert.Convert(ctx, d.HTML, convert.Options{URL: d.SourceURL})
		switch {
		case err != nil && (p.text == "" || ctx.Err() != nil):
			return nil, err
		case err != nil:
			p.noHTML = "unparsable"
		case p.text == "" || p.text == converted.Markdown:
			p.text, p.html, p.keepWithNext = converted.Markdown, converted, converted.KeepWithNext
		default:
			foreign, p.noHTML = converted, "low_alignment"
		}
	}
	p.analyse(tok)
	if foreign != nil {
		if p.aligned = align(p, foreign); p.aligned != nil {
			p.keepWithNext = p.aligned.keepWithNext()
		}
	}
	return p, nil
}

// scan finds the blocks of the text and what in them is not read.
func (p *page) scan() {
	p.blocks = scanBlocks(p.text)
	defined, lines := definitions(p.text, p.blocks)
	p.marks = inlineMarks(p.text, p.blocks, defined)
	p.holes = holes(p.marks, lines)
	p.quiet = p.unembedded()
}

func (p *page) analyse(tok embedder.Tokenizer) {
	p.scan()
	p.outline = newOutline(p.blocks)
	p.index = offset.NewIndex(p.text)
	p.tokens = &tokens{text: p.text, starts: tok.Starts(p.text)}
	if p.html == nil {
		p.flags = markdownFlags(p.text, p.blocks)
	}
}

// cutter returns the cutter of the page under the options.
func (p *page) cutter(o *Options) *cutter {
	c := &cutter{
		text: p.text, blocks: p.blocks, tokens: p.tokens,
		child: o.ChildTargetTokens, parent: o.ParentMaxTokens, literal: o.Children == Paragraph,
	}
	c.keep, c.opens, c.term = p.keepsWithNext, p.announces, p.isTerm
	return c
}

// keepsWithNext says that a block announces the next one: a heading, a line that
// ends in a colon, and what the HTML knows as a term, a title or a caption.
func (p *page) keepsWithNext(b *block) bool {
	if b.kind == kindHeading || p.announces(b) {
		return true
	}
	return b.kind == kindParagraph && strings.HasSuffix(strings.TrimRight(p.text[b.start:b.content], " \t\n"), ":")
}

// announces says that a block ends with what the HTML knows as a term, the title
// of an admonition or a caption.
func (p *page) announces(b *block) bool {
	// Asked of the same block for each piece of it, which may be all of a page.
	if i, _ := slices.BinarySearch(p.keepWithNext, b.start); i == len(p.keepWithNext) || p.keepWithNext[i] > b.content {
		return false
	}
	last := strings.LastIndexByte(p.text[b.start:b.content], '\n') + 1 + b.start
	_, found := slices.BinarySearch(p.keepWithNext, max(last, p.contentStart(b)))
	return found
}

// contentStart is where a block begins without the blank lines that the first
// one may have before it.
func (p *page) contentStart(b *block) int {
	i := b.start
	for pos := b.start; pos < b.content; pos = lineEnd(p.text, pos) {
		i = pos
		if !blank(p.text[pos:lineEnd(p.text, pos)]) {
			break
		}
	}
	return i
}

// flagsIn returns the rich contents of a byte range.
func (p *page) flagsIn(from, to int) store.Flags {
	if p.html != nil {
		return p.html.Flags(from, to)
	}
	var f store.Flags
	lo, hi := (&cutter{blocks: p.blocks}).span(from, to)
	for i := lo; i < hi; i++ {
		f |= p.flags[i]
	}
	if start, end, ok := p.place(from, to); ok {
		// A line that says no more than "Example" is an admonition only where no
		// HTML knows better.
		f = f&^store.HasAdmonition | p.aligned.html.Flags(start, end)
	}
	return f
}

// place returns where in the HTML, as a byte range of its markdown, a byte range
// of the text is.
func (p *page) place(from, to int) (start, end int, ok bool) {
	switch {
	case p.html != nil:
		return from, to, true
	case p.aligned != nil:
		return p.aligned.place(from, to)
	}
	return 0, 0, false
}

// source is the page's HTML if it is known to say the same as the text, else nil.
func (p *page) source() *convert.Page {
	if p.aligned != nil {
		return p.aligned.html
	}
	return p.html
}

// cont returns, for a range that is a piece of a code block or a table, true and
// the line or rows to put before it so that it reads as what it is.
func (p *page) cont(from, to int) (cut bool, header string) {
	lo, hi := (&cutter{blocks: p.blocks}).span(from, to)
	for i := lo; i < hi; i++ {
		b := &p.blocks[i]
		if !whole(b) || b.start >= from && b.content <= to {
			continue
		}
		cut = true
		if b.start >= from {
			continue
		}
		// No more is read than may be a header: all pieces of the block ask again.
		near := p.text[:min(len(p.text), b.start+maxHeader+1)]
		head := lineEnd(near, b.start)
		if b.kind == kindTable {
			head = lineEnd(near, head)
		}
		if head <= from && head-b.start <= maxHeader {
			header = p.text[b.start:head]
		}
	}
	return cut, header
}

// body is what a reader sees of a range: links and images as their labels,
// without definitions.
func (p *page) body(from, to int) string { return without(p.text, from, to, p.holes) }

// embedBody is the part of the body that is embedded.
func (p *page) embedBody(from, to int) string { return without(p.text, from, to, p.quiet) }

// anchors returns the fragment of each heading block: what the page's HTML says,
// else an explicit {#id}, else the slug that the usual generators make.
func (p *page) anchors() map[int]string {
	out := make(map[int]string, len(p.outline.heads))
	used := map[string]int{}
	for _, h := range p.outline.heads {
		b := &p.blocks[h]
		if p.aligned != nil {
			if out[h] = p.aligned.anchor(b.start, b.content); out[h] != "" {
				continue
			}
		}
		switch {
		case p.html != nil:
			out[h] = p.html.Anchors[p.contentStart(b)]
		case b.id != "":
			out[h] = b.id
		case p.aligned != nil: // the page is there, and gives the heading no id
		default:
			slug := slug(b.title)
			n := used[slug]
			used[slug]++
			if n > 0 && slug != "" {
				slug += "-" + strconv.Itoa(n)
			}
			out[h] = slug
		}
	}
	maps.DeleteFunc(out, func(_ int, id string) bool { return len(id) > maxFragment })
	return out
}

// slug is a heading's fragment as GitHub, MkDocs and Hugo agree on it: lower
// case, spaces to hyphens, other punctuation dropped.
func slug(title string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(title) {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.Is(unicode.M, r), r == '-', r == '_':
			b.WriteRune(r)
		case r == ' ':
			b.WriteByte('-')
		}
	}
	return b.String()
}

// embedText is what is embedded for a child: the page's title, the headings above
// and the term that it begins with, then the text as a reader sees it. It is empty
// when that has no words.
func embedText(title string, path []string, header, body string) string {
	body = strings.TrimSpace(body)
	if !hasWords(body) {
		return ""
	}
	var b strings.Builder
	if title != "" {
		b.WriteString(title)
	}
	for i, h := range path {
		if i == 0 && h == title {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(" › ")
		}
		b.WriteString(h)
	}
	if b.Len() > 0 {
		b.WriteString("\n\n")
	}
	b.WriteString(header)
	b.WriteString(body)
	return b.String()
}

// hasWords says that a text has something to embed: a letter, a digit, or a
// symbol such as an emoji. Rulers and bare markup do not.
func hasWords(s string) bool {
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.So, r) {
			return true
		}
	}
	return false
}
