package remote

import (
	"encoding/base64"
	"net/url"
	"regexp"
	"slices"
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
	keys     []string
	patterns *regexp.Regexp
}

func newRedactor(key string) *redactor {
	return &redactor{
		keys:     []string{key},
		patterns: regexp.MustCompile(`(?i)\bbearer\s+[^\s"',;]+|\bsk-[A-Za-z0-9_*.-]+`),
	}
}

// learn has the secrets of an address removed, too: the password, or the name where
// there is none, as they are, as they stand in the address, and as they are sent
// (RFC 7617, section 2).
func (c *Client) learn(u *url.URL) {
	if u.User == nil {
		return
	}
	name := u.User.Username()
	secret, hasPassword := u.User.Password()
	if !hasPassword {
		secret = name
	}
	_, written, _ := strings.Cut(u.User.String(), ":")
	if !hasPassword {
		written = u.User.String()
	}
	password, _ := u.User.Password()
	sent := base64.RawStdEncoding.EncodeToString([]byte(name + ":" + password))
	for {
		old := c.redact.Load()
		keys := slices.Clone(old.keys)
		for _, key := range []string{secret, written, sent} {
			if !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
		if len(keys) == len(old.keys) || c.redact.CompareAndSwap(old, &redactor{keys, old.patterns}) {
			return
		}
	}
}

// text returns s without secrets and control characters, as one line of at most
// maxMessage characters.
func (r *redactor) text(s string) string {
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

// maskKey replaces every stretch of s that is made of pieces of a key.
func (r *redactor) maskKey(s string) string {
	hidden := make([]bool, len(s))
	for _, key := range r.keys {
		if len(key) < shortestKey {
			continue
		}
		size := min(keyPiece, len(key))
		for i := 0; i+size <= len(key); i++ {
			piece := key[i : i+size]
			for from := 0; ; {
				at := strings.Index(s[from:], piece)
				if at < 0 {
					break
				}
				for j := range size {
					hidden[from+at+j] = true
				}
				from += at + 1
			}
		}
	}
	if !slices.Contains(hidden, true) {
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
