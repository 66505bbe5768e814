package words

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Place is a word with where it stands in a text.
type Place struct {
	// Word is as [Scanner.Word] has it.
	Word  string
	Dense bool
	// Start and End are code points of the text, an invalid byte counting as one.
	// The bigrams of a dense run overlap, and so do words that one character was
	// taken apart into.
	Start, End int
}

// Places are the words of a text in their order: those that a Scanner finds.
func Places(text string) []Place {
	normal, points := located(text)
	// Set as it is: normalising it again would change nothing but the time.
	s := Scanner{text: normal}
	var out []Place
	for s.Next() {
		p := Place{Word: string(s.Word()), Dense: s.dense, Start: s.from, End: s.to}
		if points != nil {
			p.Start, p.End = points[s.from].start, points[s.to-1].end
		}
		out = append(out, p)
	}
	return out
}

// span is where a byte of a normalised text comes from, in code points.
type span struct{ start, end int }

// located is the text as Reset makes it, with where each byte comes from; nil
// says from its own place.
func located(text string) (normal string, points []span) {
	if isASCII(text) {
		return text, nil
	}
	valid, from := validated(text)
	var b strings.Builder
	for at := 0; at < len(valid); {
		size := norm.NFKC.NextBoundaryInString(valid[at:], true)
		if size <= 0 {
			size = len(valid) - at
		}
		segment := valid[at : at+size]
		if norm.NFKC.IsNormalString(segment) {
			b.WriteString(segment)
			points = append(points, from[at:at+size]...)
		} else {
			composed := norm.NFKC.String(segment)
			b.WriteString(composed)
			for range len(composed) {
				points = append(points, span{from[at].start, from[at+size-1].end})
			}
		}
		at += size
	}
	return b.String(), points
}

// validated has one U+FFFD for each run of invalid bytes.
func validated(text string) (valid string, from []span) {
	var b strings.Builder
	point, broken := 0, false
	for i := 0; i < len(text); point++ {
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		if r == utf8.RuneError && size == 1 {
			if broken {
				from[len(from)-1].end = point + 1
				continue
			}
			broken = true
		} else {
			broken = false
		}
		n := b.Len()
		b.WriteRune(r)
		for range b.Len() - n {
			from = append(from, span{point, point + 1})
		}
	}
	return b.String(), from
}
