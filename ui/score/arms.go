package score

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// armLines say where the best passages of a section stand in each arm. The score may be that
// of another passage: what the arms add to it stands among its steps. With one arm the tree
// says it all.
func armLines(s *theme.Styles, it *retrieval.Item, of *retrieval.Result, room int) []string {
	if of == nil || of.Terms == nil || it.Vector == nil && it.Keyword == nil {
		return nil
	}
	row := func(name, rank, score string) string {
		column := func(text string, w int) string {
			return strings.Repeat(" ", max(1, w-ansi.StringWidth(text))) + text
		}
		return name + strings.Repeat(" ", max(1, 8-ansi.StringWidth(name))) + column(rank, 10) + column(score, 9)
	}
	lines := []string{s.Strong.Render("its best in each search")}
	arm := func(name string, a *retrieval.ArmPlace, score func(float64) string) {
		if a == nil {
			lines = append(lines, s.Faint.Render(row(name, s.Signs.Dash, phrase.NotFound)))
			return
		}
		lines = append(lines, s.Text.Render(row(name, "rank "+wording.Count(a.Rank), score(a.Score))))
	}
	arm("vector", it.Vector, wording.Score)
	arm("keyword", it.Keyword, func(v float64) string { return fmt.Sprintf("%.2f", v) })
	if room < 27 {
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
