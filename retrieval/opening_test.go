package retrieval

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// The words by which a section is known are those of its best passage, without markup; a
// passage is placed by code points of its page.
func TestOpening(t *testing.T) {
	t.Parallel()
	matching := func(text string, from, to int) *Item {
		return &Item{ChunkText: text, CharStart: 10, CharEnd: 10 + utf8.RuneCountInString(text), Matches: []Match{{CharStart: from, CharEnd: to}, {CharStart: 10, CharEnd: 11}}}
	}
	for _, c := range []struct {
		it   *Item
		want string
	}{
		{&Item{}, ""},
		{&Item{ChunkText: "\n  A few words.\n"}, "A few words."},
		{matching("Zürich first\n\n**rate_limit (default: 0)**\n\nThe most", 24, 50), "rate_limit (default: 0)"},
		{matching("gone since", 90, 95), ""},
		{&Item{ChunkText: "> - see [smtpd(8)](https://example.org/a.html) and `x`"}, "see smtpd(8) and x"},
		{&Item{ChunkText: "## Heading\n```sh\nmake it\n```"}, "Heading make it"},
		{&Item{ChunkText: "The maximal number of messages that any client may send"}, "The maximal number of messages that any…"},
		{&Item{ChunkText: strings.Repeat("w", 60)}, strings.Repeat("w", 39) + "…"},
	} {
		if got := c.it.Opening(); got != c.want {
			t.Errorf("%q begins with %q, want %q", c.it.ChunkText, got, c.want)
		}
	}
}

// Whatever a text holds and wherever a passage is said to be, the words are a few on one line.
func FuzzOpening(f *testing.F) {
	for _, text := range []string{"", "**a** `b` [c](d)", "```\ncode", "é\xff\n", "| a | b |\n|---|---|", "![", strings.Repeat("Ж ", 600)} {
		f.Add(text, 0, 3)
	}
	f.Add("a few words", 9, -4)
	f.Fuzz(func(t *testing.T, text string, from, to int) {
		for _, it := range []*Item{{ChunkText: text}, {ChunkText: text, Matches: []Match{{CharStart: from, CharEnd: to}}}} {
			if got := it.Opening(); strings.ContainsAny(got, "\n\t*`") || utf8.RuneCountInString(got) > openingChars {
				t.Errorf("%q begins with %q", text, got)
			}
		}
	})
}
