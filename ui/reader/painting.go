package reader

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/spans"
	"github.com/webrag/webrag-tui/ui/wording"
)

// worthPainting is the part of the best share of a query's word from which a word of
// the text is painted: below it are the chance meetings of hashed words.
const worthPainting = 0.1

// paintedWords are marks on the words of a section, in three strengths between
// nothing and the best of them.
func paintedWords(known *session.Cosines, query string, it *retrieval.Item) []spans.Span {
	var words []embedder.WordShare
	least := 0.0
	for i := range it.Matches {
		match := &it.Matches[i]
		c, ok := known.Children[match.ChunkID]
		for _, w := range c.Words(query) {
			least = max(least, worthPainting*w.Share)
		}
		switch {
		case !ok:
		case known.Exact:
			words = append(words, together(c.Text, it)...)
		default:
			words = append(words, standing(query, c.Query, it, match)...)
		}
	}
	best := 0.0
	for _, w := range words {
		best = max(best, w.Share)
	}
	slices.SortStableFunc(words, func(a, b embedder.WordShare) int { return cmp.Compare(a.Start, b.Start) })
	marks := make([]spans.Span, 0, len(words))
	end := 0
	for _, w := range words {
		// Words overlap where none are parted by spaces: each paints what is left.
		from, to := max(w.Start-it.CharStart, end), w.End-it.CharStart
		if best <= 0 || w.Share < least || from >= to || to > it.CharEnd-it.CharStart {
			continue
		}
		marks = append(marks, spans.Span{Start: from, End: to, Level: spans.MatchWeak + spans.Level(wording.Level(w.Share, 0, best))})
		end = to
	}
	return marks
}

// together gives each place of a word what the word brings in all places of the
// passage: a word that stands in it often has little in each.
func together(words []embedder.WordShare, it *retrieval.Item) []embedder.WordShare {
	text := []rune(it.ChunkText)
	name := func(w embedder.WordShare) string {
		from, to := w.Start-it.CharStart, w.End-it.CharStart
		if from < 0 || to > len(text) || from >= to {
			return ""
		}
		return strings.ToLower(string(text[from:to]))
	}
	sums := map[string]float64{}
	for _, w := range words {
		sums[name(w)] += w.Share
	}
	out := slices.Clone(words)
	for i := range out {
		out[i].Share = sums[name(words[i])]
	}
	return out
}

// standing are the places in a child where the words of a query stand, whatever
// their case, with the words' own shares.
func standing(query string, shares []embedder.WordShare, it *retrieval.Item, match *retrieval.Match) []embedder.WordShare {
	by := map[string]float64{}
	runes := []rune(query)
	for _, w := range shares {
		if w.End <= len(runes) {
			by[strings.ToLower(string(runes[w.Start:w.End]))] += w.Share
		}
	}
	text := []rune(it.ChunkText)
	from, to := max(0, match.CharStart-it.CharStart), min(len(text), match.CharEnd-it.CharStart)
	var found []embedder.WordShare
	for i := from; i < to; {
		end := i
		for end < to && (unicode.IsLetter(text[end]) || unicode.IsMark(text[end]) || unicode.IsDigit(text[end])) {
			end++
		}
		if end == i {
			i++
			continue
		}
		if share, ok := by[strings.ToLower(string(text[i:end]))]; ok {
			found = append(found, embedder.WordShare{Start: it.CharStart + i, End: it.CharStart + end, Share: share})
		}
		i = end
	}
	return found
}
