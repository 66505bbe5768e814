package offset

import (
	"fmt"
	"unicode/utf8"
)

// JSON returns encoded JSON that is safe to print: DEL, the C1 controls and the
// characters that change the direction of text are written as \u escapes, which
// encoders leave as they are. They occur in strings only, so that the data stays
// the same.
func JSON(text []byte) []byte {
	var out []byte
	copied := 0
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if isDisturbing(r) {
			out = append(out, text[copied:i]...)
			out = fmt.Appendf(out, `\u%04x`, r)
			copied = i + n
		}
		i += n
	}
	if copied == 0 {
		return text
	}
	return append(out, text[copied:]...)
}

func isDisturbing(r rune) bool {
	switch {
	case r >= 0x7f && r <= 0x9f:
		return true
	case r == 0x061c || r == 0x200e || r == 0x200f:
		return true
	case r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069:
		return true
	default:
		return false
	}
}
