package spans

import (
	"strings"
	"unicode/utf8"
)

// In lists glamour wraps before and behind these, so that a full stop can stand
// on a line of its own and a number is parted at its point. In words that are
// not too long they are rendered as characters that it does not know.
const (
	breakpoints      = ".,;+|"
	firstPlaceholder = '\uFDD0' // and those after it: no text is meant to have them
	lastPlaceholder  = '\uFDEF'
	// maxJoined is the length in bytes of the words that are kept whole. A long
	// path may part at its points.
	maxJoined = 24
)

// withoutPlaceholders replaces placeholders in a text, where they mean nothing, by the
// sign for what cannot be shown, which is as long.
func withoutPlaceholders(text string) string {
	if !strings.ContainsFunc(text, isPlaceholder) {
		return text
	}
	return strings.Map(func(r rune) rune {
		if isPlaceholder(r) {
			return utf8.RuneError
		}
		return r
	}, text)
}

func isPlaceholder(r rune) bool { return firstPlaceholder <= r && r <= lastPlaceholder }

// readPlaceholder gives a character of a rendering back as it was written.
func readPlaceholder(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if at := int(r - firstPlaceholder); at >= 0 && at < len(breakpoints) {
		return breakpoints[at:at+1] + s[n:]
	}
	return s
}
