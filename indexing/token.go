package indexing

import (
	"sort"
	"unicode"
	"unicode/utf8"
)

// tokens answers how many tokens of the document's one encoding begin in a byte
// range. Over any partition of the text the counts add up to the total.
type tokens struct {
	text   string
	starts []int // byte offset of each token's first byte, ascending
}

// at is the number of tokens that begin before a byte offset. A token that an
// offset falls into belongs to the left.
func (t *tokens) at(byteOffset int) int { return sort.SearchInts(t.starts, byteOffset) }

func (t *tokens) in(from, to int) int { return t.at(to) - t.at(from) }

// reach returns the largest offset up to which at most limit tokens begin,
// counted from an offset, but no further than to.
func (t *tokens) reach(from, to, limit int) int {
	i := t.at(from) + limit
	if i >= len(t.starts) || t.starts[i] >= to {
		return to
	}
	return t.starts[i]
}

// clusterLookBack bounds how far a cut steps back to keep a base character and
// its combining marks together, in bytes.
const clusterLookBack = 64

// hardCut returns where to cut [from, to) when no white space helps: after at
// most limit tokens, at a rune, and if possible not inside a character that is
// made of several runes. It is always after from. Behind byte text is only white
// space.
func (t *tokens) hardCut(from, text, to, limit int) int {
	cut := t.reach(from, to, limit)
	if cut >= to {
		return to
	}
	for cut > from && !utf8.RuneStart(t.text[cut]) {
		cut--
	}
	if cut == from {
		// One rune of more tokens than the limit: it cannot be cut.
		_, n := utf8.DecodeRuneInString(t.text[from:])
		return min(from+n, to)
	}
	for back := cut; back > from && cut-back <= clusterLookBack; {
		r, _ := utf8.DecodeRuneInString(t.text[back:])
		before, n := utf8.DecodeLastRuneInString(t.text[from:back])
		if !joins(r) && before != zeroWidthJoiner {
			return t.leaveText(from, back, text)
		}
		back -= n
	}
	return t.leaveText(from, cut, text)
}

// leaveText moves a cut back by one character when only white space would be
// left behind it, as it is behind byte text, so that no chunk is blank.
func (t *tokens) leaveText(from, cut, text int) int {
	if cut < text {
		return cut
	}
	for i := cut; i > from; {
		r, n := utf8.DecodeLastRuneInString(t.text[from:i])
		i -= n
		if !unicode.IsSpace(r) {
			if !blank(t.text[from:i]) {
				return i
			}
			break
		}
	}
	return cut
}

const zeroWidthJoiner = '\u200d'

// joins says that a rune continues the character before it.
func joins(r rune) bool {
	return unicode.Is(unicode.M, r) || r == zeroWidthJoiner ||
		'\U0001F3FB' <= r && r <= '\U0001F3FF' // skin tones
}
