package indexing

import (
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/store"
)

// maxTerm is the longest line, in bytes, that is taken for a term. A longer one
// is a signature or a sentence, and would drown the headings before it.
const maxTerm = 80

// isTerm says that a block ends with a term of a definition list.
func (p *page) isTerm(b *block) bool {
	return p.announces(b) && p.flagsIn(b.start, b.content)&(store.HasDefinitionList|store.HasAdmonition|store.HasTable) == store.HasDefinitionList
}

// embedPath is the path that is embedded for a child in bytes [from, to): its
// headings, and the term of a definition list that it begins with. The text and
// the flags alone decide about that, so that a stored child gives the same path
// as a page of HTML.
func (p *page) embedPath(headings []string, flags store.Flags, from, to int) []string {
	if term := p.term(flags, from, to); term != "" {
		return append(slices.Clone(headings), term)
	}
	return headings
}

// term returns the term that a child with these flags begins with, or "". A term
// is a short line of its own that ends like no sentence.
func (p *page) term(flags store.Flags, from, to int) string {
	if !flags.Has(store.HasDefinitionList) {
		return ""
	}
	lo, hi := (&cutter{blocks: p.blocks}).span(from, to)
	for lo < hi && p.blocks[lo].kind == kindHeading {
		lo++
	}
	if lo == hi || p.blocks[lo].kind != kindParagraph || p.blocks[lo].start < from {
		return ""
	}
	line, rest, _ := strings.Cut(strings.TrimSpace(p.text[p.blocks[lo].start:min(p.blocks[lo].content, to)]), "\n")
	if rest != "" && !strings.HasPrefix(rest, ":") || len(line) > maxTerm || isAdmonition(line) {
		return ""
	}
	if line = plainInline(line); line == "" || strings.ContainsAny(line[len(line)-1:], ".:;!?,") {
		return ""
	}
	return line
}
