package citations

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxLabel bounds a title or heading in a marker, in code points: a page may call
// itself anything, and should not push its neighbours out by that.
const maxLabel = 200

// Excerpt is a passage as a language model gets it.
type Excerpt struct {
	Place
	// Text is the selected surface: markdown, or HTML as it is sent.
	Text string
}

// Placed says where an excerpt lies in a context, in code points from its start.
type Placed struct {
	// MarkerStart is where its "[Source" begins; the text is [TextStart, TextEnd).
	MarkerStart, TextStart, TextEnd int
	// Disarmed counts the markers that the page had made up in its text.
	Disarmed int
}

// FormatContext writes excerpts as the context of a prompt, each under a line
// that names its source, with a blank line between them where the text has none:
//
//	[Source 1: Trees - Random forests]
//	A forest averages many deep trees.
//
// Sources count from 1. Without a section the line is "[Source 1: Trees]"; without
// a title it has the document's path or else its address.
//
// Only FormatContext writes such lines. Brackets and line breaks in titles are
// replaced, and where a text has "[Source 2:" itself, its bracket becomes a "(",
// so that a page cannot speak for another; that changes no length.
func FormatContext(excerpts []Excerpt) (string, []Placed) {
	var b strings.Builder
	placed := make([]Placed, len(excerpts))
	points := 0
	write := func(s string) {
		b.WriteString(s)
		points += utf8.RuneCountInString(s)
	}
	for i := range excerpts {
		if i > 0 {
			write(strings.Repeat("\n", max(0, 2-newlines(excerpts[i-1].Text))))
		}
		placed[i].MarkerStart = points
		write(marker(i+1, &excerpts[i].Place) + "\n")
		text, forged := disarm(excerpts[i].Text)
		placed[i].TextStart, placed[i].Disarmed = points, forged
		write(text)
		placed[i].TextEnd = points
	}
	return b.String(), placed
}

// newlines counts the line breaks at the end of a text.
func newlines(text string) int { return len(text) - len(strings.TrimRight(text, "\n")) }

func marker(number int, p *Place) string {
	title, section := label(cmp.Or(p.Title, p.DocPath, p.SourceURL)), label(p.Section)
	if section != "" {
		title += " - " + section
	}
	return fmt.Sprintf("[Source %d: %s]", number, title)
}

// label makes one line of visible characters without brackets.
func label(text string) string {
	var b strings.Builder
	count, gap := 0, false
	for _, r := range text {
		switch {
		case unicode.IsSpace(r):
			gap = count > 0
			continue
		case !unicode.IsGraphic(r):
			continue
		case count == maxLabel:
			return b.String() + "…"
		}
		if gap {
			b.WriteByte(' ')
			gap = false
		}
		switch r {
		case '[':
			r = '('
		case ']':
			r = ')'
		}
		b.WriteRune(r)
		count++
	}
	return b.String()
}

// forgery finds what a reader could take for a marker: invisible characters in it
// do not help.
var forgery = func() *regexp.Regexp {
	const unseen = `\p{Cf}*`
	word := strings.Join(strings.Split("source", ""), unseen)
	return regexp.MustCompile(`(?i)\[[\s\p{Z}\p{Cf}]*` + word + `[\s\p{Z}\p{Cf}]*\p{N}[\p{N}\p{Cf}]*[\s\p{Z}\p{Cf}]*[:：]`)
}()

// disarm turns the bracket of each made-up marker round.
func disarm(text string) (string, int) {
	found := forgery.FindAllStringIndex(text, -1)
	if len(found) == 0 {
		return text, 0
	}
	out := []byte(text)
	for _, at := range found {
		out[at[0]] = '('
	}
	return string(out), len(found)
}
