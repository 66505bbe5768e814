package widget

import "unicode"

// FoldIndex is where words begin in text, in runes, whatever the case; -1 when
// they do not occur or are empty. Letters are folded one by one, so that a
// position in the folded text is one in the text.
func FoldIndex(text, words string) int {
	hits := FoldHits([]rune(text), []rune(words), 1)
	if len(hits) == 0 {
		return -1
	}
	return hits[0]
}

// FoldHits returns where words begin in text, at most limit of them, without
// overlaps.
func FoldHits(text, words []rune, limit int) []int {
	if len(words) == 0 {
		return nil
	}
	var hits []int
next:
	for i := 0; i+len(words) <= len(text) && len(hits) < limit; i++ {
		for j, w := range words {
			if text[i+j] != w && unicode.ToLower(text[i+j]) != unicode.ToLower(w) {
				continue next
			}
		}
		hits = append(hits, i)
		i += len(words) - 1
	}
	return hits
}
