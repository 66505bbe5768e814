package score

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// armLines say where a section stands in each arm, and what that adds to the score
// before it is scaled. With one arm the tree says it all.
func armLines(s *theme.Styles, it *retrieval.Item, of *retrieval.Result, room int) []string {
	if of == nil || of.Terms == nil || it.Vector == nil && it.Keyword == nil {
		return nil
	}
	row := func(name, rank, score, adds string) string {
		column := func(text string, w int) string {
			return strings.Repeat(" ", max(1, w-ansi.StringWidth(text))) + text
		}
		return name + strings.Repeat(" ", max(1, 8-ansi.StringWidth(name))) + column(rank, 5) + column(score, 9) + column(adds, 9)
	}
	lines := []string{s.Strong.Render("each search"), s.Faint.Render(row("", "rank", "score", "adds"))}
	arm := func(name string, a *retrieval.ArmPlace, score func(float64) string) {
		if a == nil {
			lines = append(lines, s.Faint.Render(row(name, s.Signs.Dash, phrase.NotFound, "0")))
			return
		}
		lines = append(lines, s.Text.Render(row(name, "#"+strconv.Itoa(a.Rank), score(a.Score), treeNumber(a.Contribution))))
	}
	arm("vector", it.Vector, wording.Score)
	arm("keyword", it.Keyword, func(v float64) string { return fmt.Sprintf("%.2f", v) })
	if room < 31 {
		return nil
	}
	return append(lines, widget.Styled(s.Faint.Render, widget.Wrapped("cosine and BM25: not comparable", room))...)
}

// whyLines says why a candidate is not in the result that was cut by a floor.
func whyLines(s *theme.Styles, it *retrieval.Item, floor param.Floor, room int) []string {
	words := wording.Said(it.Why.Worded().Say(phrase.Sentence), wording.Score)
	if it.Why.Reason == phrase.ReasonBelowFloor {
		words += wording.Said(floor.Worded(it.Why.Threshold).Set(), wording.Score)
	}
	lines := widget.Styled(s.Warning.Render, widget.Wrapped(phrase.NotInResult, room))
	return append(lines, widget.Wrapped(words, room)...)
}
