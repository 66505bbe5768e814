package retrieval

import (
	"regexp"
	"strings"
)

// Matched is the text of the item's best passage, that of the whole item where none
// matched; empty where its text is not there.
func (it *Item) Matched() string {
	if len(it.Matches) == 0 {
		return it.ChunkText
	}
	m := it.Matches[0]
	from, to, at := len(it.ChunkText), len(it.ChunkText), it.CharStart
	for i := range it.ChunkText {
		if at == m.CharStart {
			from = i
		}
		if at == m.CharEnd {
			to = i
			break
		}
		at++
	}
	return it.ChunkText[min(from, to):to]
}

// The first words of a text have at most openingChars characters, of which its first
// openingRead bytes are looked at.
const (
	openingRead  = 1 << 10
	openingChars = 40
)

var (
	// markdownLink is a link or image, of which the label stays.
	markdownLink = regexp.MustCompile(`!?\[([^\]\n]*)\]\([^)\s]*\)`)
	// markdownSigns are fences, what begins a line, and what stands around words.
	markdownSigns = regexp.MustCompile("(?m)^[>\\s]*(?:```|~~~).*$|^(?:[#>|+-]+\\s+)+|[*`|\\\\]")
)

// Opening are the first words of what matched, of at most 40 characters and without
// markup: by them a section is known that no heading tells from others. It is empty where
// the text is not there.
func (it *Item) Opening() string {
	text := it.Matched()
	if len(text) > openingRead {
		text = strings.ToValidUTF8(text[:openingRead], "")
	}
	text = markdownSigns.ReplaceAllString(markdownLink.ReplaceAllString(text, "$1"), "")
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
