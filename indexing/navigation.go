package indexing

import (
	"slices"
	"strings"
	"unicode"
)

// unembedded returns the holes of the embedded text: what nobody reads, and
// besides what only leads elsewhere. A paragraph or list item that is nothing but
// links is navigation ("Download this notebook", a gallery of examples), and so
// is a thumbnail, an image whose words a link of the page repeats. Such lines
// repeat the titles of other pages, so that their vectors stand in front of the
// pages that they lead to. They stay in the text and in the keyword terms.
func (p *page) unembedded() []hole {
	if len(p.marks) == 0 {
		return p.holes
	}
	quiet := slices.Clone(p.holes)
	labels := map[string]bool{}
	for _, m := range p.marks {
		if !m.image {
			labels[strings.TrimSpace(p.text[m.labelStart:m.labelEnd])] = true
		}
	}
	for _, m := range p.marks {
		if m.image && labels[strings.TrimSpace(p.text[m.labelStart:m.labelEnd])] {
			quiet = append(quiet, hole{m.start, m.end})
		}
	}
	for i := range p.blocks {
		b := &p.blocks[i]
		switch b.kind {
		case kindParagraph:
			if p.onlyLinks(b.start, b.content) {
				quiet = append(quiet, hole{b.start, b.content})
			}
		case kindList:
			for _, item := range listItems(p.text, b.start, b.content) {
				if p.onlyLinks(item.from, item.to) {
					quiet = append(quiet, item)
				}
			}
		default:
		}
	}
	return merge(quiet)
}

// onlyLinks says that a range has links and no word outside of them.
func (p *page) onlyLinks(from, to int) bool {
	first, _ := slices.BinarySearchFunc(p.marks, from, func(m mark, at int) int { return m.end - at })
	links := 0
	at := afterMarker(p.text, from, to)
	for _, m := range p.marks[first:] {
		if m.start >= to {
			break
		}
		if m.end <= at {
			continue // inside the one before
		}
		if m.start > at && hasLetter(p.text[at:m.start]) {
			return false
		}
		if !m.image {
			links++
		}
		at = m.end
	}
	return links > 0 && (at >= to || !hasLetter(p.text[at:to]))
}

// listItems splits a list into its items, nested ones apart.
func listItems(text string, from, to int) []hole {
	var items []hole
	for pos := from; pos < to; pos = min(lineEnd(text, pos), to) {
		if len(items) == 0 || afterMarker(text, pos, to) > pos {
			items = append(items, hole{from: pos})
		}
		items[len(items)-1].to = min(lineEnd(text, pos), to)
	}
	return items
}

// afterMarker returns where the text of a list item begins: pos itself when the
// line does not begin one.
func afterMarker(text string, pos, to int) int {
	i := pos
	for i < to && (text[i] == ' ' || text[i] == '\t') {
		i++
	}
	digits := i
	for i < to && text[i] >= '0' && text[i] <= '9' {
		i++
	}
	switch {
	case i >= to:
		return pos
	case i > digits && (text[i] == '.' || text[i] == ')'), i == digits && strings.IndexByte("-*+", text[i]) >= 0:
		i++
	default:
		return pos
	}
	if i < to && text[i] != ' ' && text[i] != '\t' && text[i] != '\n' {
		return pos
	}
	return i
}

func hasLetter(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) >= 0
}
