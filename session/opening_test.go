package session_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/webrag/webrag-tui/session"
)

// The words by which a section is known are a few, whole, and without markup.
func TestOpening(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                   "",
		"\n  A few words.\n": "A few words.",
		"**rate_limit (default: 0)**\n\nThe most":                 "rate_limit (default: 0) The most",
		"> - see [smtpd(8)](https://example.org/a.html) and `x`":  "see smtpd(8) and x",
		"## Heading\n```sh\nmake it\n```":                         "Heading make it",
		"The maximal number of messages that any client may send": "The maximal number of messages that any…",
		strings.Repeat("w", 60):                                   strings.Repeat("w", 39) + "…",
	} {
		if got := session.Opening(text); got != want {
			t.Errorf("%q begins with %q, want %q", text, got, want)
		}
	}
}

// Whatever a text holds, the words are a few on one line.
func FuzzOpening(f *testing.F) {
	for _, text := range []string{"", "**a** `b` [c](d)", "```\ncode", "é\xff\n", "| a | b |\n|---|---|", "![", strings.Repeat("Ж ", 600)} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got := session.Opening(text); strings.ContainsAny(got, "\n\t*`") || utf8.RuneCountInString(got) > 40 {
			t.Errorf("%q begins with %q", text, got)
		}
	})
}
