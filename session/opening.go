package session

import (
	"regexp"
	"strings"

	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval"
)

// The first words of a text have at most openingChars characters, of which its first
// openingRead bytes are looked at.
const (
	openingRead  = 1 << 10
	openingChars = 40
)

var (
	// labelled is a link or image, of which the label stays.
	labelled = regexp.MustCompile(`!?\[([^\]\n]*)\]\([^)\s]*\)`)
	// markdownSigns are fences, what begins a line, and what stands around words.
	markdownSigns = regexp.MustCompile("(?m)^[>\\s]*(?:```|~~~).*$|^(?:[#>|+-]+\\s+)+|[*`|\\\\]")
)

// Opening are the first words of a text, of at most 40 characters and without markup: by those
// of what matched a section is known that no heading tells from others. They are empty where
// the text has none.
func Opening(text string) string {
	if len(text) > openingRead {
		text = strings.ToValidUTF8(text[:openingRead], "")
	}
	text = markdownSigns.ReplaceAllString(labelled.ReplaceAllString(text, "$1"), "")
	words := []rune(strings.Join(strings.Fields(text), " "))
	if len(words) <= openingChars {
		return string(words)
	}
	whole := string(words[:openingChars-1])
	if words[openingChars-1] != ' ' {
		if at := strings.LastIndexByte(whole, ' '); at > 0 {
			whole = whole[:at]
		}
	}
	return strings.TrimSpace(whole) + "…"
}

// OpeningOf are the first words of what matched best in an item, else of its text, as
// [Opening] has them; empty without a text.
func OpeningOf(it *retrieval.Item) string {
	text := it.ChunkText
	if len(it.Matches) > 0 {
		best := &it.Matches[0]
		text = offset.NewIndex(text).Slice(best.CharStart-it.CharStart, best.CharEnd-it.CharStart)
	}
	return Opening(text)
}
