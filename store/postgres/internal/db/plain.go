package db

import (
	"strings"
	"unicode"
)

// plain is text of a server as it may stand in a sentence: one line without
// anything that a terminal would obey or that would reorder what is read, and no
// longer than somebody would read.
func plain(s string) string {
	const longest = 300
	var b strings.Builder
	n, space := 0, false
	for _, r := range s {
		switch {
		case unicode.IsSpace(r) || unicode.In(r, unicode.C, unicode.Zl, unicode.Zp):
			space = b.Len() > 0
			continue
		case n >= longest:
			return b.String() + "…"
		case space:
			b.WriteByte(' ')
			n, space = n+1, false
		}
		b.WriteRune(r)
		n++
	}
	return b.String()
}
