package citations

import (
	"bytes"
	"regexp"
	"strings"
	"unicode"
)

// maxForged bounds how far the closing bracket of a made-up marker is looked for,
// in characters.
const maxForged = 2*maxLabel + 100

// forgedMarker finds in a folded text what a reader could take for a marker, also
// one that is closed before its colon.
var forgedMarker = regexp.MustCompile(`\[[ \n]*source[ \n]*#?[ \n]*0+[ \n]*(?:\][ \n]*)?:`)

// forgedFence finds in a folded text what a reader could take for the beginning or
// the end of quoted text.
var forgedFence = regexp.MustCompile(`<[ \n]*/?[ \n]*(?:excerpts?|selected[ -]?text)\b`)

// disarm makes the brackets of each made-up marker round ones, takes out what is
// not seen between the first of them and the colon, and counts the markers. With
// fences, it does the same to those.
func disarm(text string, fences bool) (string, int) {
	// A marker may stand inside an element of HTML, or have elements inside.
	text, outside := disarmEach(text, forgedMarker, false, '[', ']')
	text, across := disarmEach(text, forgedMarker, true, '[', ']')
	if !fences {
		return text, outside + across
	}
	text, ends := disarmFences(text)
	return text, outside + across + ends
}

func disarmFences(text string) (string, int) {
	return disarmEach(text, forgedFence, false, '<', '>')
}

func disarmEach(text string, forged *regexp.Regexp, tags bool, opening, closing byte) (string, int) {
	f := fold(text, tags)
	found := forged.FindAllIndex(f.text, -1)
	if len(found) == 0 {
		return text, 0
	}
	changed := map[int]string{} // by the place in the folded text
	for _, at := range found {
		changed[at[0]] = "("
		end := f.match(at[1], opening, closing)
		if i := bytes.IndexByte(f.text[at[0]:at[1]], closing); i >= 0 {
			end = at[0] + i
		}
		if end >= 0 {
			changed[end] = ")"
		}
	}
	var b strings.Builder
	pos, next := 0, 0
	for i := range f.text {
		visible, ok := changed[i]
		for ; next < len(found) && i >= found[next][1]; next++ {
		}
		if next < len(found) && i > found[next][0] {
			b.WriteString(strings.Map(onlySeen, text[pos:f.from[i]]))
		} else {
			b.WriteString(text[pos:f.from[i]])
		}
		if !ok {
			visible = text[f.from[i]:f.to[i]]
		}
		b.WriteString(visible)
		pos = f.to[i]
	}
	b.WriteString(text[pos:])
	return b.String(), len(found)
}

// match finds the bracket that closes one before from, on the same line, or -1.
func (f *folded) match(from int, opening, closing byte) int {
	depth := 0
	for i := from; i < min(len(f.text), from+maxForged); i++ {
		switch f.text[i] {
		case '\n':
			return -1
		case opening:
			depth++
		case closing:
			if depth == 0 {
				return i
			}
			depth--
		}
	}
	return -1
}

func onlySeen(r rune) rune {
	if isUnseen(r) && !unicode.IsSpace(r) {
		return -1
	}
	return r
}
