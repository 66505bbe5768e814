package embedder

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/webrag/webrag-tui/embedder/internal/huggingface"
)

var _ Explainer = (*Model2Vec)(nil)

// Shares takes a cosine apart. A word's part of a vector is the sum of the weighted
// rows of its tokens; words behind the first 512 known tokens have none.
func (m *Model2Vec) Shares(query, text string) Shares {
	q, t := m.parts(query), m.parts(text)
	norm := length(q.sum) * length(t.sum)
	if norm == 0 {
		norm = 1 // the sums are zero, and so is each share
	}
	return Shares{
		Cosine: product(q.sum, t.sum) / norm,
		Query:  q.against(t.sum, norm),
		Text:   t.against(q.sum, norm),
	}
}

// rowSums is the vector of a text as the sum over its words.
type rowSums struct {
	words []WordShare
	// parts has what each word adds, nil for nothing; sum is all of them.
	parts [][]float64
	sum   []float64
}

func (m *Model2Vec) parts(text string) *rowSums {
	s := &rowSums{sum: make([]float64, m.dims)}
	var starts []int // the words' first bytes
	s.words, starts = bertWords(text)
	s.parts = make([][]float64, len(s.words))
	at, n := 0, 0
	m.tokenizer.each(m.cut(text), func(id int32, from int) bool {
		if id == m.vocab.Unknown {
			return true
		}
		// The token of a word may begin with the blank before it.
		from = len(text) - len(strings.TrimLeftFunc(text[from:], unicode.IsSpace))
		for at+1 < len(starts) && starts[at+1] <= from {
			at++
		}
		if s.parts[at] == nil {
			s.parts[at] = make([]float64, m.dims)
		}
		m.addRow(s.parts[at], id)
		m.addRow(s.sum, id)
		n++
		return n < model2vecTokens
	})
	return s
}

// against is the share of each word.
func (s *rowSums) against(other []float64, norm float64) []WordShare {
	out := s.words
	for i := range out {
		if s.parts[i] == nil {
			out[i].Ignored = true
			continue
		}
		out[i].Share = product(s.parts[i], other) / norm
	}
	return out
}

// bertWords cuts a text at what cuts words for a WordPiece tokenizer, with the first
// byte of each piece: white space ends a word, punctuation and Chinese characters
// are words of their own. Every token of such a tokenizer begins in one of them;
// those of others that go on into the next words count for the first.
func bertWords(text string) (words []WordShare, starts []int) {
	point, open := 0, false
	for i := 0; i < len(text); point++ {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case isBertSpace(r):
			open = false
		case huggingface.IsPunctuation(r) || huggingface.IsCJK(r):
			words, starts = append(words, WordShare{Start: point, End: point + 1}), append(starts, i)
			open = false
		case open:
			words[len(words)-1].End = point + 1
		default:
			words, starts = append(words, WordShare{Start: point, End: point + 1}), append(starts, i)
			open = true
		}
		i += size
	}
	return words, starts
}
