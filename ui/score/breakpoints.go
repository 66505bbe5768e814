package score

import (
	"fmt"
	"slices"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// Nearest picks of the changes of a rank, the smallest first, two that better
// it, one that worsens it and one that takes the section out; in the order that
// they came in.
func Nearest(points []whynot.RankBreakpoint) []whynot.RankBreakpoint {
	better, worse, out := 2, 1, 1
	var picked []whynot.RankBreakpoint
	for _, t := range points {
		if spec, ok := param.SpecOf(t.Change.Field); ok && spec.Stage == param.StageMode {
			continue // another mode does not rank: everything comes, in reading order
		}
		left := &worse
		switch {
		case t.To == 0:
			left = &out
		case t.From == 0 || t.To < t.From:
			left = &better
		}
		// One line for each parameter and direction says enough.
		if *left == 0 || slices.ContainsFunc(picked, func(p whynot.RankBreakpoint) bool { return p.Change.Field == t.Change.Field && p.To == t.To }) {
			continue
		}
		*left--
		picked = append(picked, t)
	}
	return picked
}

// breakpointLines say what would change the rank of a section.
func breakpointLines(s *theme.Styles, x *session.Examination, room int) []string {
	if x.RankBreakpoints == nil {
		return nil
	}
	ranked := slices.ContainsFunc(x.RankBreakpoints, func(t whynot.RankBreakpoint) bool { return t.From > 0 })
	head := phrase.WouldLetIn
	if ranked || x.Item.Rank > 0 && x.Item.Why == nil {
		head = phrase.WouldMoveIt.With(x.Item.Rank).String()
	}
	lines := []string{s.Strong.Render(ansi.Truncate(head, room, s.Signs.Ellipsis))}
	picked := Nearest(x.RankBreakpoints)
	if len(picked) == 0 {
		return append(lines, widget.Styled(s.Faint.Render, widget.Wrapped(phrase.NoneAlone, room))...)
	}
	for _, t := range picked {
		where, style := fmt.Sprintf("to %d", t.To), s.Up
		switch {
		case t.To == 0:
			where, style = "out", s.Down
		case t.From > 0 && t.To > t.From:
			style = s.Down
		}
		change := wording.Exactly(phrase.Change.With(param.Called(t.Change.Field), wording.Setting(t.Change.Field, t.Change.From), phrase.Signed("→"), wording.Setting(t.Change.Field, t.Change.To), cosineOf(&t, x.Item)), &s.Signs)
		text, told := s.Text, style
		if x.Stale {
			text, told = s.Faint, s.Faint
		}
		parts := widget.Wrapped(change, room)
		last := parts[len(parts)-1]
		lines = append(lines, widget.Styled(text.Render, parts[:len(parts)-1])...)
		if ansi.StringWidth(last)+1+ansi.StringWidth(where) <= room {
			lines = append(lines, widget.Spread(text.Render(last), told.Render(where), room))
			continue
		}
		lines = append(lines, text.Render(last), widget.Spread("", told.Render(where), room))
	}
	return lines
}

// cosineOf is the cosine at which a floor cuts that is set on the scale of the corpus, with as
// many decimals as tell it from that of the section; empty for other changes.
func cosineOf(t *whynot.RankBreakpoint, it *retrieval.Item) string {
	switch {
	case t.Floor == (param.Floor{}), t.Floor.Off:
		return ""
	case it.Vector == nil:
		return phrase.AsCosine.With(phrase.Short(t.Floor.Raw)).String()
	}
	return phrase.AsCosine.With(phrase.Apart(t.Floor.Raw, it.Vector.Score)).String()
}
