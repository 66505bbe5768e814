package embedder

import (
	"context"
	"fmt"
	"unicode"
)

// maxLeftOut bounds the words that are left out of one query: each is a text to
// embed, which a server may bill.
const maxLeftOut = 32

// LeftOut is a query without one of its words.
type LeftOut struct {
	// Start and End are the word's code points in the query.
	Start, End int
	// Text is the rest.
	Text string
}

// LeaveEachOut lists a query without each of its words in turn, the first 32 of
// them: the texts that [LeaveOneOut] embeds. Words are runs of letters, digits and
// marks. A query of one word has nothing to be compared with, and so no list.
func LeaveEachOut(query string) []LeftOut {
	runes := []rune(query)
	var words []LeftOut
	in := false
	for i, r := range runes {
		is := unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)
		switch {
		case is && !in:
			words = append(words, LeftOut{Start: i, End: i + 1})
		case is:
			words[len(words)-1].End = i + 1
		}
		in = is
	}
	if len(words) < 2 {
		return nil
	}
	words = words[:min(len(words), maxLeftOut)]
	for i := range words {
		w := &words[i]
		w.Text = string(runes[:w.Start]) + string(runes[w.End:])
	}
	return words
}

// Without is a query with the vectors of what is left of it without each word.
type Without struct {
	Words []LeftOut
	whole []float32
	parts [][]float32
}

// LeaveOneOut embeds a query without each of its words, in one call of EmbedMany;
// whole is the vector of the query itself. It is for embedders whose cosines
// cannot be taken apart, and costs as many texts as LeaveEachOut lists. The vectors
// serve every text that the query is compared with.
func LeaveOneOut(ctx context.Context, e Embedder, query string, whole []float32) (*Without, error) {
	w := &Without{Words: LeaveEachOut(query), whole: whole}
	if len(w.Words) == 0 {
		return w, nil
	}
	texts := make([]string, len(w.Words))
	for i := range w.Words {
		texts[i] = w.Words[i].Text
	}
	var err error
	if w.parts, err = e.EmbedMany(ctx, texts, RoleQuery); err != nil {
		return nil, fmt.Errorf("embed the query without each word: %w", err)
	}
	if len(w.parts) != len(texts) {
		return nil, fmt.Errorf("embed the query without each word: %d vectors for %d texts", len(w.parts), len(texts))
	}
	return w, nil
}

// Drops are how far the cosine with a text's vector falls without each word;
// negative where it rises. Other than shares they do not add up to the cosine: what
// two words say together is lost with either.
func (w *Without) Drops(text []float32) (cosine float64, drops []WordShare) {
	cosine = cosineOf(w.whole, text)
	drops = make([]WordShare, len(w.Words))
	for i := range w.Words {
		drops[i] = WordShare{Start: w.Words[i].Start, End: w.Words[i].End, Share: cosine - cosineOf(w.parts[i], text)}
	}
	return cosine, drops
}

// cosineOf is that of two unit vectors; 0 for vectors of different lengths.
func cosineOf(a, b []float32) float64 {
	if len(a) != len(b) {
		return 0
	}
	var s float64
	for i, x := range a {
		s += float64(float64(x) * float64(b[i]))
	}
	return s
}
