package score

import (
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
func (v *View) wordLines(query string, it *retrieval.Item, focused, room int) []string {
	s, x, at := v.Styles(), v.Session().Examination(), max(0, focused)
	if !x.HasCosines || at >= len(it.Matches) || it.Matches[at].Rank == 0 {
		return nil
	}
	head := fmt.Sprintf("words in passage %d's similarity", at+1)
	lines := []string{s.Strong.Render(ansi.Truncate(head, room, s.Signs.Ellipsis))}
	say := func(said string) []string {
		return append(lines, widget.Styled(s.Faint.Render, widget.Wrapped(said, room))...)
	}
	known := v.cosines
	switch {
	case x.Asking && x.Cost > 0:
		return say("asking the embedding server for " + wording.Plural(x.Cost, "text") + " " + s.Signs.Ellipsis)
	case x.Failed != nil:
		return append(lines, widget.Styled(s.Warning.Render, widget.Wrapped("! "+wording.Line(x.Failed.Error()), room))...)
	case known == nil && x.Cost > 0:
		return say("Only the server knows what they bring. " + v.KeyOf(leaveOut) + " asks it for " + wording.Plural(x.Cost, "text") + ": the question without each word, once for all sections.")
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
	lines = append(lines, shareLines(s, c.Words(query), room)...)
	if !known.Exact {
		return say("how far the cosine falls without each; together they need not make the whole")
	}
	lines = append(lines, widget.Styled(s.Faint.Render, originLines(&c, s.Signs.Minus, room))...)
	if v.painted {
		return append(lines, s.Faint.Render(ansi.Truncate("painted in the text; "+v.KeyOf(paint)+" ends it", room, s.Signs.Ellipsis)))
	}
	return append(lines, s.Faint.Render(ansi.Truncate(v.KeyOf(paint)+" paints them in the text", room, s.Signs.Ellipsis)))
}

// originLines say from where in what was embedded a cosine comes. No line ends
// between a sign and its number.
func originLines(c *session.Cosine, minus string, room int) []string {
	const held = "\u00a0"
	number := func(v float64) string { return strings.Replace(wording.Score(v), "-", minus, 1) }
	said := strings.Replace(wording.Score(c.Value), "-", minus, 1) + " =" + held + "text" + held + number(c.Body)
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
	const indent = "  "
	lines := widget.Wrapped(said, room)
	if len(lines) > 1 {
		lines = widget.Wrapped(said, max(1, room-len(indent)))
	}
	for i := range lines {
		if lines[i] = strings.ReplaceAll(lines[i], held, " "); i > 0 {
			lines[i] = indent + lines[i]
		}
	}
	return lines
}

// shareLines are the words as bars, then those that do not count.
func shareLines(s *theme.Styles, sums []session.Word, room int) []string {
	const number, widest = 7, 16
	counted := slices.IndexFunc(sums, func(w session.Word) bool { return w.Ignored })
	if counted < 0 {
		counted = len(sums)
	}
	wide, best := 0, 0.0
	for _, w := range sums[:min(counted, wordsShown)] {
		wide, best = max(wide, ansi.StringWidth(w.Text)), max(best, w.Share)
	}
	wide = min(wide, widest, room-number-5)
	drawn := min(40, room-wide-number-1)
	if wide < 1 || drawn < 1 {
		return nil
	}
	var lines []string
	for _, w := range sums[:min(counted, wordsShown)] {
		name := ansi.Truncate(w.Text, wide, s.Signs.Ellipsis)
		b := widget.Bar(w.Share, best, drawn, s.Plain)
		if s.Spoken {
			b = ""
		}
		value, style := wording.Score(w.Share), s.Score
		if w.Share <= 0 {
			value, style = strings.Replace(phrase.Short(w.Share), "-", s.Signs.Minus, 1), s.Faint
		}
		lines = append(lines, s.Text.Render(name)+strings.Repeat(" ", wide-ansi.StringWidth(name)+1)+
			s.Bars[wording.Level(w.Share, 0, best)].Render(b)+strings.Repeat(" ", max(0, drawn-ansi.StringWidth(b)))+
			style.Render(strings.Repeat(" ", max(1, number-ansi.StringWidth(value)))+value))
	}
	if rest := counted - wordsShown; rest > 0 {
		lines = append(lines, s.Faint.Render(wording.Plural(rest, "more word")))
	}
	if counted < len(sums) {
		var names []string
		for _, w := range sums[counted:] {
			names = append(names, w.Text)
		}
		lines = append(lines, widget.Styled(s.Faint.Render, widget.Wrapped("not counted: "+strings.Join(names, ", "), room))...)
	}
	return lines
}
