package offset

import (
	"strings"
	"unicode/utf8"
)

const byteOrderMark = '\uFEFF'

// Document is the normalisation that every text goes through once, before it is
// hashed: all stored offsets, hashes and chunk texts refer to its result.
//
// Each invalid byte becomes one U+FFFD, as Go's JSON decoder does it, so that a
// text has the same offsets whether it came from a file or from JSON; NUL is
// removed, because databases reject it; byte order marks at the beginning are
// dropped, because one before a "#" hides the heading; CR LF and lone CR become
// LF. Nothing else changes: no Unicode normalisation, and tabs, no-break and
// zero-width spaces stay. Document of its own result is the same string.
//
// The input is taken for UTF-8: another charset is decoded before.
func Document(raw string) string {
	first := firstEdit(raw)
	if first == len(raw) {
		return raw
	}
	var b strings.Builder
	b.Grow(len(raw))
	b.WriteString(raw[:first])
	for i := first; i < len(raw); {
		c := raw[i]
		switch {
		case c == 0:
			i++
		case c == '\r':
			i++
			if i < len(raw) && raw[i] == '\n' {
				i++
			}
			b.WriteByte('\n')
		case c < utf8.RuneSelf:
			b.WriteByte(c)
			i++
		default:
			r, n := utf8.DecodeRuneInString(raw[i:])
			switch {
			case r == utf8.RuneError && n == 1:
				b.WriteRune(utf8.RuneError)
			case r == byteOrderMark && b.Len() == 0:
			default:
				b.WriteString(raw[i : i+n])
			}
			i += n
		}
	}
	return b.String()
}

// firstEdit returns the offset of the first byte that Document changes, or the
// length of a text that is normalised already. Most are.
func firstEdit(raw string) int {
	for i := 0; i < len(raw); {
		c := raw[i]
		if c < utf8.RuneSelf {
			if c == 0 || c == '\r' {
				return i
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(raw[i:])
		if r == utf8.RuneError && n == 1 || r == byteOrderMark && i == 0 {
			return i
		}
		i += n
	}
	return len(raw)
}
