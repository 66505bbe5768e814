package session

import (
	"cmp"
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/offset"
)

// Word is a word of a query with what all its places bring to a cosine.
type Word struct {
	// Text is the word in one line that is safe to draw.
	Text  string
	Share float64
	// Ignored says that the word has no part in the vector.
	Ignored bool
}

// Words puts the places of each word of the query together, whatever their case: the
// largest share first, words without a part in the vector last.
func (c *Cosine) Words(query string) []Word {
	runes := []rune(query)
	var words []Word
	for _, w := range c.Query {
		if w.Start < 0 || w.End > len(runes) || w.Start >= w.End {
			continue
		}
		text := offset.Trimmed(string(runes[w.Start:w.End]))
		at := slices.IndexFunc(words, func(w Word) bool { return strings.EqualFold(w.Text, text) })
		if at < 0 {
			at = len(words)
			words = append(words, Word{Text: text, Ignored: w.Ignored})
		}
		words[at].Share += w.Share
	}
	slices.SortStableFunc(words, func(a, b Word) int {
		if a.Ignored != b.Ignored {
			if a.Ignored {
				return 1
			}
			return -1
		}
		return cmp.Compare(b.Share, a.Share)
	})
	return words
}
