package offset

import (
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

// Snap widens the byte range [start, end) of text to whole user-perceived
// characters, so that no flag, accent or emoji family is cut. The range is
// clamped to the text first; an empty range stays empty.
func Snap(text string, start, end int) (from, to int) {
	start, end = clamp(start, len(text)), clamp(end, len(text))
	if end <= start {
		return start, start
	}
	from, _ = grapheme(text, start)
	if _, to = grapheme(text, end-1); to < end {
		to = end
	}
	return from, to
}

// grapheme returns the bounds of the character that contains byte b.
func grapheme(text string, b int) (from, to int) {
	from = safeBoundary(text, b)
	g := graphemes.FromString(text[from:])
	base := from
	for g.Next() {
		if end := base + g.End(); end > b {
			return base + g.Start(), end
		}
	}
	return b, len(text)
}

// safeBoundary returns a character boundary at or before byte b that needs no
// context: the start of the text, or between two ASCII characters other than
// CRLF. Segmenting from there gives the same as from the start. The character
// before them is ASCII, too: half a one at the end of a text takes the rest of it.
func safeBoundary(text string, b int) int {
	for ; b > 0; b-- {
		if b < len(text) && text[b] < utf8.RuneSelf && text[b-1] < utf8.RuneSelf &&
			(b == 1 || text[b-2] < utf8.RuneSelf) && !strings.HasPrefix(text[b-1:], "\r\n") {
			return b
		}
	}
	return 0
}
