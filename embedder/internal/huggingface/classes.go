package huggingface

import (
	"unicode"
	"unicode/utf8"
)

// The classes of characters are those of the tokenizers that BERT models are
// shipped with.

// IsControl has U+FFFD, because it stands for what could not be read. White space
// made of control characters is in it, but for tab and line ends.
func IsControl(r rune) bool {
	switch r {
	case '\t', '\n', '\r':
		return false
	case 0, utf8.RuneError:
		return true
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co)
}

// IsCJK has the ideographs that BERT makes words of their own.
func IsCJK(r rune) bool {
	switch {
	case r < 0x3400:
		return false
	case r <= 0x4DBF, r >= 0x4E00 && r <= 0x9FFF, r >= 0xF900 && r <= 0xFAFF:
		return true
	case r >= 0x20000 && r <= 0x2A6DF, r >= 0x2A700 && r <= 0x2B81F, r >= 0x2B920 && r <= 0x2CEAF, r >= 0x2F800 && r <= 0x2FA1F:
		return true
	}
	return false
}

// IsPunctuation counts all ASCII signs, also "$" and "+", which Unicode calls
// symbols.
func IsPunctuation(r rune) bool {
	if r < utf8.RuneSelf {
		return r > ' ' && r < 0x7F && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}
	return unicode.Is(unicode.P, r)
}
