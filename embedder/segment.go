package embedder

import (
	"unicode"
	"unicode/utf8"
)

// The caps bound the time of one call to the library, which is quadratic in
// alternating white space. At a cap the tokens may differ from those of the
// whole text.
const (
	maxSpaceRun = 1 << 10 // bytes
	maxSegment  = 16 << 10
)

// segmentEnd returns where the first segment of a non-empty text ends: before
// the first ASCII white space that follows a letter or a number. No token
// reaches over such a place, in neither vocabulary, so segments can be encoded
// one by one.
func segmentEnd(text string) int {
	wordy := false // the rune before is a letter or a number
	spaceFrom := 0 // where the current run of white space began
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		space := isSpace(r)
		switch {
		case space && wordy && size == 1, i >= maxSegment, space && i-spaceFrom >= maxSpaceRun:
			return i
		}
		wordy = isWordy(r)
		i += size
		if !space {
			spaceFrom = i
		}
	}
	return len(text)
}

func isSpace(r rune) bool {
	if r < utf8.RuneSelf {
		return r == ' ' || r >= '\t' && r <= '\r'
	}
	return unicode.IsSpace(r)
}

func isWordy(r rune) bool {
	if r < utf8.RuneSelf {
		return r|0x20 >= 'a' && r|0x20 <= 'z' || r >= '0' && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r)
}
