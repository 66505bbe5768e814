package convert

import (
	"sort"

	"golang.org/x/net/html"

	"github.com/webrag/webrag-tui/store"
)

// kind is what a span of the source map is, as far as rendering a part of it
// needs to know.
type kind uint8

const (
	kindBox  kind = iota // a container that leaves no trace when rendered in part
	kindRun              // inline siblings a..z
	kindP                // a paragraph
	kindHead             // a heading
	kindPre              // a code block
	kindUL               // a list and so on: light wrappers when rendered in part
	kindOL
	kindItem
	kindDL
	kindTerm
	kindDef
	kindQuote
	kindAdmonition
	kindTable
	kindCaption
	kindRow
	kindCell
)

// span is a byte range of the markdown and the nodes it came from: the siblings
// a to z, which are one node for all kinds but runs. Spans nest, and siblings are
// ordered and disjoint.
type span struct {
	start, end        int // start is -1 while nothing was written
	kids, kidsEnd     int // the children in the arena; the pending mark while open
	a, z              *html.Node
	number            int // list items: the ordinal; code: the bytes of line prefix
	kind              kind
	headed            bool        // tables: the first row is the header
	flags, underneath store.Flags // of this node; of it and everything in it
}

// mark is a formula or image inside a paragraph. Marks are sorted and disjoint.
type mark struct {
	start, end int
	flags      store.Flags
}

// kidsIn returns the children of s that overlap [start, end).
func (p *Page) kidsIn(s span, start, end int) []span {
	kids := p.spans[s.kids:s.kidsEnd]
	from := sort.Search(len(kids), func(i int) bool { return kids[i].end > start })
	to := from + sort.Search(len(kids)-from, func(i int) bool { return kids[from+i].start >= end })
	return kids[from:to]
}

func (p *Page) flagsOf(s span, start, end int) store.Flags {
	if start >= s.end || end <= s.start {
		return 0
	}
	if start <= s.start && s.end <= end {
		return s.underneath
	}
	f := s.flags
	for _, k := range p.kidsIn(s, start, end) {
		f |= p.flagsOf(k, start, end)
	}
	return f
}

func (p *Page) markFlags(start, end int) store.Flags {
	var f store.Flags
	from := sort.Search(len(p.marks), func(i int) bool { return p.marks[i].end > start })
	for _, m := range p.marks[from:] {
		if m.start >= end {
			break
		}
		f |= m.flags
	}
	return f
}
