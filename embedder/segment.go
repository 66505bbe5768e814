package embedder

import (
	"unicode"
	"unicode/utf8"
)

// The caps bound what is encoded in one piece. At a cap the tokens may differ
// from those of the whole text; they stay as they are, because the counts that
// corpora hold were made with them.
const (
	maxSpaceRun = 1 << 10 // bytes
	maxSegment  = 16 << 10
)

// segmentEnd returns where the first segment of a non-empty text ends. It cuts
// only where no piece of either vocabulary's pattern can reach over, so that
// segments can be encoded one by one:
//
//   - between a letter or number and an ASCII character that is neither nor an
//     apostrophe: words and numbers end there, and only "'s" and the like may
//     belong to the word before;
//   - before a blank or tab that follows anything but white space: only line
//     ends may belong to the punctuation before;
//   - after the last line end in white space, unless punctuation follows at
//     once: white space with line ends is one piece up to the last of them.
func segmentEnd(text string) int {
	before := 0    // the class of the rune before, 0 at the beginning
	spaceFrom := 0 // where the current run of white space began
	lineEnd := 0   // behind its last line end, 0 if it has none
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		class := classOf(r)
		if class != classSpace && lineEnd > 0 && (lineEnd < i || class == classWord && size == 1) {
			return lineEnd
		}
		if cutsBefore(r, before, class) || i >= maxSegment || class == classSpace && i-spaceFrom >= maxSpaceRun {
			return i
		}
		i += size
		before = class
		switch {
		case class != classSpace:
			spaceFrom, lineEnd = i, 0
		case r == '\n' || r == '\r':
			lineEnd = i
		}
	}
	return len(text)
}

// The classes of runes.
const (
	classSpace = iota + 1
	classWord  // letters and numbers
	classOther
)

func cutsBefore(r rune, before, class int) bool {
	if r >= utf8.RuneSelf {
		return false
	}
	switch before {
	case classWord:
		return class != classWord && r != '\''
	case classOther:
		return r == ' ' || r == '\t'
	}
	return false
}

func classOf(r rune) int {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
		return classWord
	case r == ' ', r >= '\t' && r <= '\r':
		return classSpace
	case r < utf8.RuneSelf:
		return classOther
	case unicode.IsLetter(r), unicode.IsNumber(r):
		return classWord
	case unicode.IsSpace(r):
		return classSpace
	}
	return classOther
}
