package remote

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// maxMessage is the length of a redacted text in characters.
	maxMessage = 300
	// keyPiece is how many characters of the key in a row give it away. Servers
	// repeat parts of a rejected key.
	keyPiece = 6
	// shortestKey is below what anyone keeps secret; local servers are given
	// any letter as a key.
	shortestKey = 4
	mask        = "***"
)

// redactor removes secrets from texts that others wrote.
type redactor struct {
	key      string
	patterns *regexp.Regexp
}

func newRedactor(key string) redactor {
	return redactor{
		key:      key,
		patterns: regexp.MustCompile(`(?i)\bbearer\s+[^\s"',;]+|\bsk-[A-Za-z0-9_*.-]+`),
	}
}

// text returns s without secrets and control characters, as one line of at most
// maxMessage characters.
func (r redactor) text(s string) string {
	// First the control characters: one of them inside a key would hide it.
	s = strings.Map(func(c rune) rune {
		switch {
		case c == '\n' || c == '\t' || c == '\r':
			return ' '
		case c == utf8.RuneError, unicode.In(c, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp):
			return -1
		}
		return c
	}, s)
	s = r.maskKey(s)
	s = r.patterns.ReplaceAllString(s, mask)
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) > maxMessage {
		s = string([]rune(s)[:maxMessage-1]) + "…"
	}
	return s
}

// maskKey replaces every stretch of s that is made of pieces of the key.
func (r redactor) maskKey(s string) string {
	if len(r.key) < shortestKey {
		return s
	}
	size := min(keyPiece, len(r.key))
	hidden := make([]bool, len(s))
	found := false
	for i := 0; i+size <= len(r.key); i++ {
		piece := r.key[i : i+size]
		for from := 0; ; {
			at := strings.Index(s[from:], piece)
			if at < 0 {
				break
			}
			found = true
			for j := range size {
				hidden[from+at+j] = true
			}
			from += at + 1
		}
	}
	if !found {
		return s
	}
	var sb strings.Builder
	for i := range len(s) {
		switch {
		case !hidden[i]:
			sb.WriteByte(s[i])
		case i == 0 || !hidden[i-1]:
			sb.WriteString(mask)
		}
	}
	return sb.String()
}
