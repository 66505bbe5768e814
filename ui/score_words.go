package ui

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// wordsShown is how many words of a query are listed.
const wordsShown = 10

// sameCosine is how far a cosine may be from the one of the search before it is
// another one: vectors are kept in float32, by some stores in half precision.
const sameCosine = 2e-3

// wordLines show what each word of the query brings to a cosine: that of the match
// with an index, or of the best one.
func wordLines(s *theme.Styles, x *explaining, query string, it *retrieval.Item, focused, room int) []string {
	at := max(0, focused)
	if !x.HasCosines || at >= len(it.Matches) || it.Matches[at].Rank == 0 {
		return nil
	}
	head := "the words in the cosine"
	if len(it.Matches) > 1 {
		head += fmt.Sprintf(" of %d", at+1)
	}
	lines := []string{s.Strong.Render(ansi.Truncate(head, room, s.Signs.Ellipsis))}
	say := func(said string) []string {
		return append(lines, widget.Styled(s.Faint.Render, widget.Wrapped(said, room))...)
	}
	known := x.cosines
	switch {
	case x.Asking && x.Cost > 0:
		return say("asking the embedding server for " + wording.Plural(x.Cost, "text") + " " + s.Signs.Ellipsis)
	case x.Failed != nil:
		return append(lines, widget.Styled(s.Warning.Render, widget.Wrapped("! "+wording.Line(x.Failed.Error()), room))...)
	case known == nil && x.Cost > 0:
		return say("Only the server knows what they bring. " + x.leaveOutKey + " asks it for " + wording.Plural(x.Cost, "text") + ": the question without each word, once for all sections.")
	case known == nil && len(embedder.LeaveEachOut(query)) == 0 && !x.Asking:
		return nil
	case known == nil:
		return say(s.Signs.Ellipsis)
	}
	c, ok := known.Children[it.Matches[at].ChunkID]
	switch {
	case !ok:
		return nil
	case c.Changed, math.Abs(c.Value-it.Matches[at].Similarity) > sameCosine:
		return say("This passage was embedded from another text than is made of it now. Index the page again to see its words.")
	}
	lines = append(lines, shareLines(s, query, c.Query, room)...)
	if !known.Exact {
		return say("how far the cosine falls without each; together they need not make the whole")
	}
	lines = append(lines, widget.Styled(s.Faint.Render, originLines(&c, s.Signs.Minus, room))...)
	if x.painted {
		return append(lines, s.Faint.Render(ansi.Truncate("painted in the text; "+x.paintKey+" ends it", room, s.Signs.Ellipsis)))
	}
	return append(lines, s.Faint.Render(ansi.Truncate(x.paintKey+" paints them in the text", room, s.Signs.Ellipsis)))
}

// originLines say from where in what was embedded a cosine comes. No line ends
// between a sign and its number.
func originLines(c *session.Cosine, minus string, room int) []string {
	const held = "\u00a0"
	number := func(v float64) string { return strings.Replace(wording.Score(v), "-", minus, 1) }
	said := strings.Replace(wording.FullScore(c.Value), "-", minus, 1) + " =" + held + "text" + held + number(c.Body)
	for _, part := range []struct {
		name  string
		share float64
	}{{"headings", c.Headings}, {"title", c.Title}, {"repeated head", c.Repeated}} {
		sign := "+"
		if part.share < 0 {
			sign = minus
		}
		if math.Abs(part.share) >= .0005 {
			said += " " + sign + held + part.name + held + wording.Score(math.Abs(part.share))
		}
	}
	lines := widget.Wrapped(said, room)
	for i := range lines {
		lines[i] = strings.ReplaceAll(lines[i], held, " ")
	}
	return lines
}

// wordSum is a word of the query with what all its places bring.
type wordSum struct {
	word    string
	share   float64
	ignored bool
}

// sumWords puts the places of each word together, the largest share first, words
// without a part in the vector last.
func sumWords(query string, shares []embedder.WordShare) []wordSum {
	runes := []rune(query)
	var sums []wordSum
	for _, w := range shares {
		if w.Start < 0 || w.End > len(runes) || w.Start >= w.End {
			continue
		}
		word := wording.Line(string(runes[w.Start:w.End]))
		at := slices.IndexFunc(sums, func(s wordSum) bool { return strings.EqualFold(s.word, word) })
		if at < 0 {
			at = len(sums)
			sums = append(sums, wordSum{word: word, ignored: w.Ignored})
		}
		sums[at].share += w.Share
	}
	slices.SortStableFunc(sums, func(a, b wordSum) int {
		if a.ignored != b.ignored {
			if a.ignored {
				return 1
			}
			return -1
		}
		return cmp.Compare(b.share, a.share)
	})
	return sums
}

// shareLines are the words as bars, then those that do not count.
func shareLines(s *theme.Styles, query string, shares []embedder.WordShare, room int) []string {
	const number, widest = 7, 16
	sums := sumWords(query, shares)
	counted := slices.IndexFunc(sums, func(w wordSum) bool { return w.ignored })
	if counted < 0 {
		counted = len(sums)
	}
	wide, best := 0, 0.0
	for _, w := range sums[:min(counted, wordsShown)] {
		wide, best = max(wide, ansi.StringWidth(w.word)), max(best, w.share)
	}
	wide = min(wide, widest, room-number-5)
	drawn := min(40, room-wide-number-1)
	if wide < 1 || drawn < 1 {
		return nil
	}
	var lines []string
	for _, w := range sums[:min(counted, wordsShown)] {
		name := ansi.Truncate(w.word, wide, s.Signs.Ellipsis)
		b := widget.Bar(w.share, best, drawn, s.Plain)
		if s.Spoken {
			b = ""
		}
		value, style := wording.Score(w.share), s.Score
		if w.share <= 0 {
			value, style = strings.Replace(phrase.Short(w.share), "-", s.Signs.Minus, 1), s.Faint
		}
		lines = append(lines, s.Text.Render(name)+strings.Repeat(" ", wide-ansi.StringWidth(name)+1)+
			s.Bars[wording.Level(w.share, 0, best)].Render(b)+strings.Repeat(" ", max(0, drawn-ansi.StringWidth(b)))+
			style.Render(strings.Repeat(" ", max(1, number-ansi.StringWidth(value)))+value))
	}
	if rest := counted - wordsShown; rest > 0 {
		lines = append(lines, s.Faint.Render(wording.Plural(rest, "more word")))
	}
	if counted < len(sums) {
		var names []string
		for _, w := range sums[counted:] {
			names = append(names, w.word)
		}
		lines = append(lines, widget.Styled(s.Faint.Render, widget.Wrapped("not counted: "+strings.Join(names, ", "), room))...)
	}
	return lines
}
