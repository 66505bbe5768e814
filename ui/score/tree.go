package score

import (
	"fmt"
	"math"
	"regexp"
	"slices"
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

// explanationLines draws the tree of a score. Each line is a number and what it
// is; below it, faintly, how it was made. A sign says how it enters the line
// above: added, multiplied, or the one chosen. A part with a formula shows that
// in place of its own parts, unless they hold notes; of the score itself, the
// parts are the formula. A point marks a note, which has no part in the score.
// p are the parameters whose values are named.
func explanationLines(s *theme.Styles, e *retrieval.Explanation, p *param.Params, room int) []string {
	return append(headLines(s, e, p, room), childLines(s, e, p, room, "")...)
}

// headLines are the score itself and its scale.
func headLines(s *theme.Styles, e *retrieval.Explanation, p *param.Params, room int) []string {
	head := *e
	if len(e.Children) > 0 {
		head.Formula = ""
	}
	lines := numberLines(s, s.Score.Render(wording.Score(e.Value)), 4, &head, p, room, "")
	if e.Scale != "" {
		lines = append(lines, widget.Styled(s.Faint.Render, widget.Wrapped("scale: "+wording.Line(e.Scale), room))...)
	}
	return lines
}

func childLines(s *theme.Styles, e *retrieval.Explanation, p *param.Params, room int, indent string) []string {
	var shown []*retrieval.Explanation
	for _, c := range e.Children {
		if c != nil && (e.Formula == "" || hasNote(c) || indent == "") {
			shown = append(shown, c)
		}
	}
	var lines []string
	for i, c := range shown {
		branch, under := s.Signs.Branch+" ", s.Signs.Trunk+" "
		if i == len(shown)-1 {
			branch, under = s.Signs.LastBranch+" ", "  "
		}
		value, style := treeNumber(c.Value), s.Text
		sign := ""
		switch {
		case c.Op == retrieval.OpNote:
			sign, style = s.Signs.Dot+" ", s.Faint
		case e.Op == retrieval.OpProduct && i > 0:
			sign = s.Signs.Times + " "
		case e.Op == retrieval.OpQuotient && i > 0:
			sign = "/ "
		case e.Op == retrieval.OpSum && i > 0:
			sign = "+ "
		case e.Op == retrieval.OpMax && c.Value == e.Value:
			style = s.Score
		case e.Op == retrieval.OpMax:
			style = s.Faint
		}
		number := s.Rule.Render(indent+branch) + s.Faint.Render(sign) + style.Render(value)
		wide := ansi.StringWidth(indent + branch + sign + value)
		lines = append(lines, numberLines(s, number, wide, c, p, room, indent+under)...)
		lines = append(lines, childLines(s, c, p, room, indent+under)...)
	}
	return lines
}

// hasNote reports that a tree says more than a formula can: numbers that have no
// part in the arithmetic, such as the cosine behind a rank.
func hasNote(e *retrieval.Explanation) bool {
	return e != nil && (e.Op == retrieval.OpNote || slices.ContainsFunc(e.Children, hasNote))
}

// treeNumber is a score with three decimals, or with three digits where those
// would be lost: what an arm adds to a fused score is a few hundredths.
func treeNumber(v float64) string {
	if v != 0 && math.Abs(v) < 0.02 {
		return phrase.Bare(strconv.FormatFloat(v, 'g', 3, 64))
	}
	return wording.Score(v)
}

// decimal is a number with a point or an exponent, as a formula has it.
var decimal = regexp.MustCompile(`\d+(\.\d+(e[+-]?\d+)?|e[+-]?\d+)`)

// written is a formula with the numbers in it as the screen writes them elsewhere: "cosine
// 0.552608" is "cosine .553". One of at least 1 that is short, such as the 30.5
// days of a half-life, stays.
func written(formula string) string {
	return decimal.ReplaceAllStringFunc(formula, func(number string) string {
		_, after, _ := strings.Cut(number, ".")
		v, err := strconv.ParseFloat(number, 64)
		if err != nil || v >= 1 && len(after) <= 3 {
			return number
		}
		return treeNumber(v)
	})
}

// numberLines draws one number with its label and formula; wide is the width of
// the number as drawn.
func numberLines(s *theme.Styles, number string, wide int, e *retrieval.Explanation, p *param.Params, room int, indent string) []string {
	label := widget.Wrapped(wording.Line(e.Label), max(8, room-wide-2))
	lines := []string{number + "  " + label[0]}
	pad := strings.Repeat(" ", max(0, wide+2-ansi.StringWidth(indent)))
	for _, l := range label[1:] {
		lines = append(lines, s.Rule.Render(indent)+pad+l)
	}
	if e.Formula != "" && wording.Line(e.Formula) != wording.Line(e.Label) {
		for _, l := range widget.Wrapped(written(wording.Line(e.Formula)), max(8, room-ansi.StringWidth(indent)-2)) {
			lines = append(lines, s.Rule.Render(indent)+"  "+s.Faint.Render(l))
		}
	}
	for _, l := range fieldsLines(s, e.Fields, p, max(8, room-ansi.StringWidth(indent)-2)) {
		lines = append(lines, s.Rule.Render(indent)+"  "+l)
	}
	return lines
}

// pathLines are the edges that lead to a section, each with its arithmetic. Only
// the best of them can be part of a score, and e says whether it is.
func pathLines(s *theme.Styles, head string, paths []retrieval.GraphPath, e *retrieval.Explanation, p *param.Params, room int) []string {
	if len(paths) == 0 {
		return nil
	}
	lines := []string{s.Strong.Render(ansi.Truncate(head, room, "…"))}
	for i := range paths {
		g := &paths[i]
		from := g.FromHeading
		if from == "" {
			from = g.FromChunkID
		}
		said := fmt.Sprintf("← %s from “%s”", g.Relation, from)
		if g.Reversed {
			said = fmt.Sprintf("→ %s of “%s”, walked back", g.Relation, from)
		}
		lines = append(lines, widget.Wrapped(wording.Line(said), room)...)
		if g.Description != "" {
			lines = append(lines, widget.Styled(s.Faint.Render, widget.Wrapped(wording.Line(g.Description), room))...)
		}
		what := fmt.Sprintf("hop %d, %s not in the score", g.Hop, wording.Score(g.Term))
		if i == 0 && counts(e, g.Term) {
			what = fmt.Sprintf("hop %d adds %s", g.Hop, wording.Score(g.Term))
		}
		if g.Decay > 0 && g.Weight > 0 {
			what += " = " + strings.Join([]string{
				wording.SettingName(param.FieldGraphWeight) + " " + settingOf(p, param.FieldGraphWeight), wording.SettingName(param.FieldHopDecay) + " " + shortNumber(g.Decay), "edge " + shortNumber(g.Weight),
			}, " "+s.Signs.Times+" ")
		}
		lines = append(lines, widget.Styled(s.Faint.Render, widget.Wrapped(what, room))...)
	}
	return lines
}

// shortNumber is a number without its leading zero, as short as it stays true.
func shortNumber(v float64) string { return phrase.Bare(strconv.FormatFloat(v, 'g', 4, 64)) }

// counts reports that a number has a part in the arithmetic of a score.
func counts(e *retrieval.Explanation, value float64) bool {
	return e != nil && e.Op != retrieval.OpNote && (e.Value == value ||
		slices.ContainsFunc(e.Children, func(c *retrieval.Explanation) bool { return counts(c, value) }))
}
