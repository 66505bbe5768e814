package bpe

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The kinds of runes that the patterns tell apart, as bits.
const (
	upper   = 1 << iota // Lu, Lt
	lower               // Ll
	letter              // Lm, Lo: in neither case
	mark                // M
	number              // N
	space               // white space but for line ends
	lineEnd             // \r, \n
	other

	anyLetter = upper | lower | letter
	anySpace  = space | lineEnd
	// beforeWord may stand once before the letters of a word.
	beforeWord = mark | space | other
)

func kindOf(r rune) int {
	switch {
	case 'a' <= r && r <= 'z':
		return lower
	case 'A' <= r && r <= 'Z':
		return upper
	case '0' <= r && r <= '9':
		return number
	case r == '\n', r == '\r':
		return lineEnd
	case r == ' ', '\t' <= r && r <= '\f':
		return space
	case r < utf8.RuneSelf:
		return other
	case unicode.IsLower(r):
		return lower
	case unicode.IsUpper(r), unicode.IsTitle(r):
		return upper
	case unicode.IsLetter(r):
		return letter
	case unicode.IsMark(r):
		return mark
	case unicode.IsNumber(r):
		return number
	case unicode.IsSpace(r):
		return space
	}
	return other
}

// first returns the kind and the size of the rune at an offset, 0 at the end.
func first(text string, at int) (kind, size int) {
	if at >= len(text) {
		return 0, 0
	}
	r, size := rune(text[at]), 1
	if r >= utf8.RuneSelf {
		r, size = utf8.DecodeRuneInString(text[at:])
	}
	return kindOf(r), size
}

// skip returns the end of the runes of some kinds that begin at an offset.
func skip(text string, at, kinds int) int {
	for {
		kind, size := first(text, at)
		if kind&kinds == 0 {
			return at
		}
		at += size
	}
}

// cl100kPieceEnd returns where the first piece of a non-empty text ends. The
// pattern of cl100k_base is
//
//	(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|
//	 ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
//
// where the first alternative that matches counts.
func cl100kPieceEnd(text string) int { return cl100kLikeEnd(text, 3) }

// cl100kLikeEnd is for numbers of up to so many digits.
func cl100kLikeEnd(text string, digits int) int {
	if n := contraction(text); n > 0 {
		return n
	}
	kind, size := first(text, 0)
	word := 0
	if kind&beforeWord != 0 {
		word = size
	}
	if end := skip(text, word, anyLetter); end > word {
		return end
	}
	return restEnd(text, kind, digits, "\r\n")
}

// o200kPieceEnd returns where the first piece of a non-empty text ends. The
// pattern of o200k_base begins with
//
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|
//
// and goes on as that of cl100k_base does, with a slash among the line ends that
// belong to the punctuation before them.
func o200kPieceEnd(text string) int {
	kind, size := first(text, 0)
	// Where the letters may begin: behind what stands before the word, else at once.
	starts := []int{0}
	if kind&beforeWord != 0 {
		starts = []int{size, 0}
	}
	for _, start := range starts {
		if end := wordEnd(text, start); end > start {
			return end + contraction(text[end:])
		}
	}
	for _, start := range starts {
		if end := skip(text, start, upper|letter|mark); end > start {
			return end + contraction(text[end:])
		}
	}
	return restEnd(text, kind, 3, "\r\n/")
}

// wordEnd returns where a word that ends in other than upper case ends: behind
// the lower case that follows upper case or, where none does, behind the last
// rune that is in neither case; start if there is no such word.
func wordEnd(text string, start int) int {
	const neither = letter | mark
	end, at := start, start
	for {
		kind, size := first(text, at)
		switch {
		case kind&neither != 0:
			end = at + size
		case kind == lower:
			return skip(text, at, lower|neither)
		case kind != upper:
			return end
		}
		at += size
	}
}

// restEnd returns where a piece without letters ends, given the kind of its
// first rune, the most digits of a number and the bytes that may follow punctuation.
func restEnd(text string, kind, digits int, afterPunctuation string) int {
	if kind == number {
		end := 0
		for range digits {
			kind, size := first(text, end)
			if kind != number {
				break
			}
			end += size
		}
		return end
	}
	start := 0
	if text[0] == ' ' {
		start = 1
	}
	if end := skip(text, start, mark|other); end > start {
		for end < len(text) && strings.IndexByte(afterPunctuation, text[end]) >= 0 {
			end++
		}
		return end
	}
	return spaceEnd(text)
}

// spaceEnd returns where a piece of white space ends: behind the last line end
// of the run, else before its last rune, which goes with the word that follows;
// a run of one rune, or at the end of the text, is a piece.
func spaceEnd(text string) int {
	end, last, behindLineEnd := 0, 0, 0
	for {
		kind, size := first(text, end)
		if kind&anySpace == 0 {
			break
		}
		last = end
		end += size
		if kind == lineEnd {
			behindLineEnd = end
		}
	}
	switch {
	case behindLineEnd > 0:
		return behindLineEnd
	case end == len(text) || last == 0:
		return end
	}
	return last
}

// contraction returns the length of an 's, 't, 're, 've, 'm, 'll or 'd that
// text begins with, 0 if it does not.
func contraction(text string) int {
	if len(text) < 2 || text[0] != '\'' {
		return 0
	}
	second := byte(0)
	switch text[1] | 0x20 {
	case 's', 't', 'm', 'd':
		return 2
	case 'r', 'v':
		second = 'e'
	case 'l':
		second = 'l'
	}
	if second != 0 && len(text) > 2 && text[2]|0x20 == second {
		return 3
	}
	return 0
}
