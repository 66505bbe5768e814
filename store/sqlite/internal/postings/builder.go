package postings

import (
	"bytes"
	"maps"
	"slices"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/internal/keyword"
)

// Builder makes a segment of children that come in the order of their Seq. The zero
// value is ready.
type Builder struct {
	lists   map[string]*listBuilder
	members []Member
	// counts is scratch space: the counts of a child by term.
	counts map[string]*store.FieldCounts
	spare  []*store.FieldCounts
}

// Add adds a child, unless it has no terms.
func (b *Builder) Add(seq int64, f *keyword.Fields) {
	length := f.Lengths()
	if length.Sum() == 0 {
		return
	}
	if b.lists == nil {
		b.lists, b.counts = make(map[string]*listBuilder), make(map[string]*store.FieldCounts)
	}
	b.count(f.Body, func(n *store.FieldCounts) { n.Body++ })
	b.count(f.Heading, func(n *store.FieldCounts) { n.Heading++ })
	b.count(f.Title, func(n *store.FieldCounts) { n.Title++ })
	child := int32(len(b.members))
	for term, counts := range b.counts {
		l := b.lists[term]
		if l == nil {
			l = new(listBuilder)
			b.lists[term] = l
		}
		l.add(child, *counts)
		b.spare = append(b.spare, counts)
	}
	clear(b.counts)
	b.members = append(b.members, Member{seq, length})
}

func (b *Builder) count(terms []byte, add func(*store.FieldCounts)) {
	for rest := terms; len(rest) > 0; {
		var word []byte
		word, rest, _ = bytes.Cut(rest, []byte{' '})
		n := b.counts[string(word)]
		if n == nil {
			if last := len(b.spare) - 1; last >= 0 {
				n, b.spare = b.spare[last], b.spare[:last]
				*n = store.FieldCounts{}
			} else {
				n = new(store.FieldCounts)
			}
			b.counts[string(word)] = n
		}
		add(n)
	}
}

// Members are the children that were added.
func (b *Builder) Members() []Member { return b.members }

// Lists returns the list of each term.
func (b *Builder) Lists() map[string]List {
	out := make(map[string]List, len(b.lists))
	for term, l := range b.lists {
		out[term] = l.list()
	}
	return out
}

// Blocks calls put with each block and its first term. put must copy what it keeps.
func (b *Builder) Blocks(put func(first string, b Block) error) error {
	blocks := blockBuilder{put: put}
	for _, term := range slices.Sorted(maps.Keys(b.lists)) {
		if err := blocks.add(term, b.lists[term].list()); err != nil {
			return err
		}
	}
	return blocks.flush()
}
