package embedder

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/webrag/webrag-tui/embedder/internal/huggingface"
)

// folding is what a BertNormalizer does to each character before the words are
// looked up.
type folding struct {
	clean        bool // drop control characters, take all white space for blanks
	isolateCJK   bool // make each ideograph a word
	stripAccents bool // decompose and drop the marks
	lowercase    bool
}

// fold calls yield with what becomes of a character, nothing for a stripped
// mark. It works character by character, so that each result has the place of
// its origin; the order of marks, which only whole texts could settle, does not
// matter where they are dropped.
func (f *folding) fold(r rune, yield func(rune) bool) bool {
	if r < utf8.RuneSelf {
		if f.lowercase && r >= 'A' && r <= 'Z' {
			r += 'a' - 'A'
		}
		return yield(r)
	}
	if !f.stripAccents {
		return f.lower(r, yield)
	}
	if lead, vowel, tail := huggingface.DecomposeHangul(r); lead != 0 {
		return yield(lead) && yield(vowel) && (tail == 0 || yield(tail))
	}
	var buf [utf8.UTFMax]byte
	decomposed := norm.NFD.Properties(buf[:utf8.EncodeRune(buf[:], r)]).Decomposition()
	if decomposed == nil {
		return unicode.Is(unicode.Mn, r) || f.lower(r, yield)
	}
	for len(decomposed) > 0 {
		c, n := utf8.DecodeRune(decomposed)
		decomposed = decomposed[n:]
		if !unicode.Is(unicode.Mn, c) && !f.lower(c, yield) {
			return false
		}
	}
	return true
}

// lower yields the lower case of a character, which is two for one of them.
func (f *folding) lower(r rune, yield func(rune) bool) bool {
	if !f.lowercase {
		return yield(r)
	}
	if r == 'İ' {
		return yield('i') && yield('\u0307')
	}
	return yield(unicode.ToLower(r))
}

func isBertSpace(r rune) bool {
	// Go counts U+0085 and U+00A0 as white space, as Unicode does.
	return unicode.IsSpace(r)
}
