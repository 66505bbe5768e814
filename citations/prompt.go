package citations

import (
	"cmp"
	"fmt"
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
	// CharStart and CharEnd are the code points of the document's markdown that the
	// passage takes up, whatever its surface; equal where they are not known.
	CharStart, CharEnd int
}

// Placed says where an excerpt lies in a context, in code points from its start.
type Placed struct {
	// MarkerStart is where its "[Source" begins; the text is [TextStart, TextEnd).
	MarkerStart, TextStart, TextEnd int
	// Disarmed counts the markers and fences that the page had made up in its text.
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
// replaced, and where a text has "[Source 2: Trees]" itself, or what can be taken
// for it, that becomes "(Source 2: Trees)", so that a page cannot speak for
// another.
func FormatContext(excerpts []Excerpt) (string, []Placed) { return Policy{}.format(excerpts) }

// format is FormatContext with what the policy adds: offsets in the markers, and
// texts that may stand between fences.
func (p Policy) format(excerpts []Excerpt) (string, []Placed) {
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
		line := p.marker(i+1, &excerpts[i])
		if p.Fenced {
			line, _ = disarmFences(line)
		}
		write(line + "\n")
		text, forged := disarm(excerpts[i].Text, p.Fenced)
		placed[i].TextStart, placed[i].Disarmed = points, forged
		write(text)
		placed[i].TextEnd = points
	}
	return b.String(), placed
}

// newlines counts the line breaks at the end of a text.
func newlines(text string) int { return len(text) - len(strings.TrimRight(text, "\n")) }

// marker names a source. Offsets come last, after whatever a title says.
func (p Policy) marker(number int, e *Excerpt) string {
	title, section := label(cmp.Or(e.Title, e.DocPath, e.SourceURL)), label(e.Section)
	if section != "" {
		title += " - " + section
	}
	if p.Offsets && e.CharStart < e.CharEnd {
		title += fmt.Sprintf("; char_start %d, char_end %d", e.CharStart, e.CharEnd)
	}
	return fmt.Sprintf("[Source %d: %s]", number, title)
}

func isBracket(r rune) bool { return foldRune(r) == '[' || foldRune(r) == ']' }

// label makes one line of visible characters without square brackets.
func label(text string) string {
	var b strings.Builder
	count, gap := 0, false
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if named, length := decodeEntity(text[i:]); length > 0 && isBracket(named) {
			r, n = named, length
		}
		i += n
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
		switch foldRune(r) {
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
